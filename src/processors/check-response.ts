// What a processor's response says about itself, compared with what we asked about. A response about something else
// is never an outcome: nobody knows then. It must never put a value into an error, only the names of the marks.

/** Ids, modes, amounts and notes by name. Null: the response does not carry this mark. */
export type ComparedFields<Name extends string> = Readonly<Record<Name, string | number | boolean | null>>;

/** A response contradicts what was asked: another id, mode, amount, currency, company, connection, attempt or refund. */
export class ResponseMismatchError extends Error {
  override name = 'ResponseMismatchError';
  /** The names of the marks that differ. */
  readonly marks: readonly string[];
  constructor(what: string, marks: readonly string[]) {
    super(`${what} contradicts what was asked in: ${marks.join(', ')}`);
    this.marks = marks;
  }
}

/** Throws `ContradictionError` unless every mark of a response is the one that was asked about. */
export function requireMatch<Name extends string>(
  what: string,
  expected: ComparedFields<Name>,
  answered: ComparedFields<NoInfer<Name>>,
): void {
  const names = Object.keys(expected) as Name[];
  const different = names.filter((name) => expected[name] !== answered[name]);
  if (different.length > 0) throw new ResponseMismatchError(what, different);
}

/** What to log of an error after which nobody knows: no answer came, or one about something else. */
export function describeUnknownOutcome(error: unknown): string {
  return error instanceof ResponseMismatchError
    ? 'a processor answered about something else; the answer is not used'
    : 'no answer from the processor';
}
