// A clock that a test moves by hand.

import type { Clock } from '../../src/base/clock.ts';

export function manualClock(start: Date): Clock & { advanceMs(ms: number): void } {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    advanceMs: (ms) => {
      at += ms;
    },
  };
}
