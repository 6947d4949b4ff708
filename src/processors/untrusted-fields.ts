// Reads fields of objects that a processor sent, which may hold anything. It must never put what it read into an error.

/** An object whose fields have not been checked yet. */
export type UntrustedFields = Readonly<Record<string, unknown>>;

/** An object's fields; none for anything else. */
export function fieldsOf(value: unknown): UntrustedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as UntrustedFields)
    : {};
}

/** The readers of one processor. They throw what `unreadable` makes of the name of a field. */
export function createFieldReaders(unreadable: (name: string) => Error) {
  return {
    /** An object; errors call it by `name`. */
    readFields: (value: unknown, name: string): UntrustedFields => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(name);
      return value as UntrustedFields;
    },
    /** A text that is not empty. */
    readText: (fields: UntrustedFields, name: string): string => {
      const value = fields[name];
      if (typeof value !== 'string' || value === '') throw unreadable(name);
      return value;
    },
  };
}
