// When failed work is due again: pauses that grow, and vary so that what failed together is not repeated together.

import { randomInt } from 'node:crypto';

export const firstPauseMs = 5_000;
/** Pauses vary by up to this share. */
export const jitter = 0.1;

/** A pause that varies by up to a tenth. */
export function varyPause(pauseMs: number): number {
  const spreadMs = Math.floor(pauseMs * jitter);
  return pauseMs + (spreadMs > 0 ? randomInt(-spreadMs, spreadMs + 1) : 0);
}

/** The pause after a run: `firstMs`, then twice as long each time, `longestMs` at most. */
export function pauseAfter(
  claims: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number {
  return varyPause(Math.min(firstMs * 2 ** Math.min(claims - 1, 30), longestMs));
}
