// A request of ours that a processor rejects as malformed: the fault is in our code, not in the payment. It is no
// refusal, so nothing ends by it. It must never carry the value of a field.

/** The processor rejected a field of our request. Nothing was done; the same request succeeds after a fix. */
export class RejectedRequestError extends Error {
  override name = 'RejectedRequestError';
  readonly field: string;
  constructor(what: string, field: string) {
    super(`${what} was rejected because of our field ${field}`);
    this.field = field;
  }
}
