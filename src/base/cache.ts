// A bounded memory of what was worked out before. The oldest entry goes when there are too many. Only for what
// never becomes wrong while it is kept: whether a thing is still so is asked of the database.

export type Cache<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  forget(key: string): void;
};

/** A memory of at most `most` entries. */
export function createCache<Value>(most: number): Cache<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      const [oldest] = entries.size >= most ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(key, value);
    },
    forget: (key) => void entries.delete(key),
  };
}
