// A bounded memory of keys for a while, such as what was asked for and not found. What is used least lately goes when
// there are too many, so that nobody can fill the memory with keys that they invent.

import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

export type ExpiringSet = {
  /** Whether a key was added and has not expired. */
  has(key: string): boolean;
  /** How long a key stays, in milliseconds; 0 for one that is not there. */
  leftMs(key: string): number;
  /** Adds a key, for `lifeMs` where it is given. */
  add(key: string, lifeMs?: number): void;
};

/** A memory of at most `most` keys. */
export function createExpiringSet(
  clock: Clock,
  { lifeMs, most }: { lifeMs: number; most: number },
): ExpiringSet {
  const expiresAtMs = new LRUCache<string, number>({ max: most });
  const leftMs = (key: string) => Math.max(0, (expiresAtMs.peek(key) ?? 0) - clock.now().getTime());
  return {
    leftMs,
    has: (key) => leftMs(key) > 0,
    add: (key, life = lifeMs) => void expiresAtMs.set(key, clock.now().getTime() + life),
  };
}
