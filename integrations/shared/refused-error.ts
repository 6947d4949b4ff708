// What a host must refuse, with a sentence for whoever asked. Each integration turns it into the error of its host.

export type Refusal =
  /** A value that the caller must correct. */
  | 'invalid'
  /** The state of the payment does not allow it. */
  | 'not_allowed';

export class RefusedError extends Error {
  override readonly name: string = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.refusal = refusal;
  }
}
