// The timers of a walk: `setTimeout` of the product follows the simulated clock. Timers of the same time run in the order in
// which they were set. (Those of node:test lose timers when one is cleared after it ran.)

export type SimulatedTimers = {
  /** Lets time pass, and runs what is due. */
  advanceMs(ms: number): void;
  /** Gives the process its own timers back. */
  restore(): void;
};

type Timer = { dueMs: number; run: () => void };

export function installTimers(): SimulatedTimers {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const timers = new Set<Timer>();
  let nowMs = 0;
  const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer: Timer = { dueMs: nowMs + ms, run: () => run(...args) };
    timers.add(timer);
    return timer;
  };
  const clear = (timer: unknown) => {
    if (!timers.delete(timer as Timer)) realClear(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    advanceMs: (ms) => {
      nowMs += ms;
      for (;;) {
        // A Set keeps the order in which timers were set, and toSorted keeps it among equal ones.
        const [next] = [...timers].toSorted((a, b) => a.dueMs - b.dueMs);
        if (!next || next.dueMs > nowMs) return;
        timers.delete(next);
        next.run();
      }
    },
    restore: () => {
      Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
    },
  };
}
