// A clock that a test moves by hand. Without a time it starts when it is first read, at the machine's time: the files of
// a process are loaded long before some of them run.

import type { Clock } from '../../src/base/clock.ts';

export function manualClock(start?: Date): Clock & { advanceMs(ms: number): void } {
  let at = start?.getTime();
  const read = () => (at ??= Date.now());
  return {
    now: () => new Date(read()),
    advanceMs: (ms) => {
      at = read() + ms;
    },
  };
}
