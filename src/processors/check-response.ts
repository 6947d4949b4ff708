// Checks that a processor's response is about the requested object. Otherwise the outcome is unknown. Must
// not: put a value into an error, only the names of the fields.

/** IDs, modes, amounts and metadata by name. Null: the response lacks this field. */
export type ComparedFields<Name extends string> = Readonly<Record<Name, string | number | boolean | null>>;

/** A response contradicts the request: another ID, mode, amount, currency, company, connection, attempt or refund. */
export class ResponseMismatchError extends Error {
  override name = 'ResponseMismatchError';
  /** The names of the differing fields. */
  readonly names: readonly string[];
  constructor(what: string, names: readonly string[]) {
    super(`${what} differs from the request in: ${names.join(', ')}`);
    this.names = names;
  }
}

/** Throws `ResponseMismatchError` unless every field of a response equals the expected one. */
export function requireMatch<Name extends string>(
  what: string,
  expected: ComparedFields<Name>,
  actual: ComparedFields<NoInfer<Name>>,
): void {
  const names = Object.keys(expected) as Name[];
  const different = names.filter((name) => expected[name] !== actual[name]);
  if (different.length > 0) throw new ResponseMismatchError(what, different);
}

/** The log text for an error with an unknown outcome: no response, or one about something else. */
export function describeUnknownOutcome(error: unknown): string {
  return error instanceof ResponseMismatchError
    ? 'a processor responded about another object; the response is not used'
    : 'no response from the processor';
}

/** A field of our request is malformed: the fault is in our code, no decline. The same request succeeds after a fix. */
export class RejectedRequestError extends Error {
  override name = 'RejectedRequestError';
  readonly field: string;
  constructor(what: string, field: string) {
    super(`${what} was rejected because of our field ${field}`);
    this.field = field;
  }
}
