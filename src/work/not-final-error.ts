// The error of work that has to be repeated: its target gave no final answer, or none at all.

export class NotFinalError extends Error {
  override readonly name: string = 'NotFinalError';
  /** Whether the target responded. If not, it is asked again soon: it may be back. */
  readonly hasResponse: boolean;

  constructor(message: string, { hasResponse }: { hasResponse: boolean }) {
    super(message);
    this.hasResponse = hasResponse;
  }
}
