// A request that a processor rejects as malformed: the fault is in our code, not in the payment. It is not a
// decline, so it ends nothing. Must not: contain the value of a field.

/** The processor rejected a field of our request and did nothing. The same request succeeds after a fix. */
export class RejectedRequestError extends Error {
  override name = 'RejectedRequestError';
  readonly field: string;
  constructor(what: string, field: string) {
    super(`${what} was rejected because of our field ${field}`);
    this.field = field;
  }
}
