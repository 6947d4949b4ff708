// Checks that a processor's response is about the requested object. A response about another object is not an
// outcome: the outcome is then unknown. Must not: put a value into an error, only the names of the fields.

/** IDs, modes, amounts and metadata by name. Null: the response lacks this field. */
export type ComparedFields<Name extends string> = Readonly<Record<Name, string | number | boolean | null>>;

/**
 * A response contradicts the request: another ID, mode, amount, currency, company, connection, attempt or
 * refund.
 */
export class ResponseMismatchError extends Error {
  override name = 'ResponseMismatchError';
  /** The names of the differing fields. */
  readonly marks: readonly string[];
  constructor(what: string, marks: readonly string[]) {
    super(`${what} contradicts what was asked in: ${marks.join(', ')}`);
    this.marks = marks;
  }
}

/** Throws `ResponseMismatchError` unless every field of a response equals the expected one. */
export function requireMatch<Name extends string>(
  what: string,
  expected: ComparedFields<Name>,
  answered: ComparedFields<NoInfer<Name>>,
): void {
  const names = Object.keys(expected) as Name[];
  const different = names.filter((name) => expected[name] !== answered[name]);
  if (different.length > 0) throw new ResponseMismatchError(what, different);
}

/** The log text for an error with an unknown outcome: no response, or one about something else. */
export function describeUnknownOutcome(error: unknown): string {
  return error instanceof ResponseMismatchError
    ? 'a processor answered about something else; the answer is not used'
    : 'no answer from the processor';
}
