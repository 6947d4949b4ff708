// Runs work once.

/** Runs `work` at the first call. Later calls return the same result. */
export function once<T extends object>(work: () => T): () => T {
  let done: T | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
