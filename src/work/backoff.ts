// When failed work is due again: pauses that grow, and vary so that what failed together is not repeated together.

import { randomInt } from 'node:crypto';

export const firstPauseMs = 5_000;
/** Pauses vary by up to this share. */
export const jitter = 0.1;

/** After so many runs a row waits for a person: a hundred days with pauses of 15 minutes, 3.5 days with 30 seconds. */
const maxClaims = 10_000;

/** A pause that varies by up to a tenth. */
export function varyPause(pauseMs: number): number {
  const spreadMs = Math.floor(pauseMs * jitter);
  return pauseMs + (spreadMs > 0 ? randomInt(-spreadMs, spreadMs + 1) : 0);
}

/** The pause after a run: `firstMs`, then twice as long each time, `longestMs` at most; null after the last run. */
export function pauseAfter(
  claims: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number | null {
  if (claims >= maxClaims) return null;
  return varyPause(Math.min(firstMs * 2 ** Math.min(claims - 1, 30), longestMs));
}
