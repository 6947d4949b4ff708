// Seeded random numbers for the storms. Never use them for keys, tokens or IDs.

export type Random = () => number;

/** Mulberry32. Returns numbers from 0 (inclusive) to 1 (exclusive). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random element. Throws a RangeError for an empty array. */
export function pick<T>(random: Random, some: readonly T[]): T {
  if (some.length === 0) throw new RangeError('there is nothing to choose from');
  return some[Math.floor(random() * some.length)] as T;
}
