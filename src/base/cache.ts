// A bounded cache of computed values; it drops the oldest entry when it is full. Only for values that stay
// correct while they are cached. Anything that can change is read from the database.

export type Cache<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  forget(key: string): void;
};

/** A cache of at most `most` entries. */
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
