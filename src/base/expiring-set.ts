// A set of keys that expire. It drops the least recently used one when full: callers cannot fill the memory.

import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

export type ExpiringSet = {
  /** Whether a key was added and has not expired. */
  has(key: string): boolean;
  /** The remaining lifetime of a key in milliseconds; 0 when it is absent. */
  leftMs(key: string): number;
  add(key: string, lifeMs?: number): void;
};

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
