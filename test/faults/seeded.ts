// Chances that a seed repeats, for the storms. It must never make a key, a token or an id.

export type Random = () => number;

/** Mulberry32: small, seeded, good enough to choose with. Each draw is from 0 up to, not including, 1. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of some. Throws a RangeError when there is none. */
export function pick<T>(random: Random, some: readonly T[]): T {
  if (some.length === 0) throw new RangeError('there is nothing to choose from');
  return some[Math.floor(random() * some.length)] as T;
}
