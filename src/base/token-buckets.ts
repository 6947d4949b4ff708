// Token buckets in the memory of this process (generic cell rate algorithm): a limit that needs no statement
// and is lost when the process ends. The least recently used bucket is dropped when there are too many.

import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

export type TokenBuckets = {
  /** Takes a token from the bucket of a key. Returns whether it had one. */
  take(key: string): boolean;
  putBack(key: string): void;
};

/** At most `most` buckets of `quota` tokens. A bucket refills within `windowMs`. */
export function createTokenBuckets(
  clock: Clock,
  { quota, windowMs, most }: { quota: number; windowMs: number; most: number },
): TokenBuckets {
  const stepMs = windowMs / quota;
  const fullAt = new LRUCache<string, number>({ max: most });
  return {
    take: (key) => {
      const now = clock.now().getTime();
      const next = Math.max(fullAt.get(key) ?? 0, now) + stepMs;
      // Allow half a step more than the window: the sum of many steps is inexact.
      if (next > now + windowMs + stepMs / 2) {
        // Keep the buckets of refused clients longest.
        fullAt.set(key, next - stepMs);
        return false;
      }
      fullAt.set(key, next);
      return true;
    },
    putBack: (key) => {
      const at = fullAt.get(key);
      if (at !== undefined) fullAt.set(key, at - stepMs);
    },
  };
}
