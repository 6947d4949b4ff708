// Business time. Code reads a Clock once and passes the time down, so that tests can set the time. In test mode a company
// may move its own time ahead: work in its test time (`runInTestTime`) reads a later time from a company clock. Sessions,
// keys, limits and signatures use the real time.

import { AsyncLocalStorage } from 'node:async_hooks';

export type Clock = {
  now(): Date;
  /** Of a company clock: the clock that it runs ahead of. */
  readonly real?: Clock;
};

/** The machine's clock. The only place that reads it for business decisions. */
export const systemClock: Clock = { now: () => new Date() };

/** How far the test mode of a company is ahead of the real time. */
export type TestTime = { readonly companyId: string; readonly offsetMs: number };

const current = new AsyncLocalStorage<TestTime | null>();
let isUsed = false;

/** Runs work, and everything that it calls or leaves running, in the test time of a company; null: in real time. */
export function runInTestTime<T>(time: TestTime | null, work: () => T): T {
  if (time === null && !isUsed) return work();
  isUsed = true;
  return current.run(time, work);
}

/** The test time that the caller is in; null in real time. */
export function activeTestTime(): TestTime | null {
  return isUsed ? (current.getStore() ?? null) : null;
}

/** The test time for rows of a company in a mode. Live rows never have one. */
export function testTimeOf(
  { companyId, mode }: { companyId: string; mode: 'test' | 'live' | null },
  offsetMs: number | null,
): TestTime | null {
  return mode === 'test' && offsetMs !== null && offsetMs > 0 ? { companyId, offsetMs } : null;
}

/** How far the test clocks of companies are ahead, by company. */
export type TestClocks = ReadonlyMap<string, number>;

/** Runs work on rows of a company in a mode in their time. */
export function runInTimeOf<T>(
  clocks: TestClocks,
  scope: { companyId: string; mode: 'test' | 'live' },
  work: () => T,
): T {
  return runInTestTime(testTimeOf(scope, clocks.get(scope.companyId) ?? null), work);
}

/** A clock that reads the test time of the caller's company, and the time of `real` outside of test times. */
export function createCompanyClock(real: Clock): Clock {
  return { real, now: () => new Date(real.now().getTime() + (activeTestTime()?.offsetMs ?? 0)) };
}

/** The clock that no company can move. */
export const realClockOf = (clock: Clock): Clock => clock.real ?? clock;

/** The time that no company can move: for what is compared with clocks of others. */
export const realTimeOf = (clock: Clock): Date => realClockOf(clock).now();

/**
 * The time of a clock that was moved; null for the machine's clock. Due times are compared with it, or else with the
 * database's clock, so that a process whose clock is wrong neither delays nor hurries due work.
 */
export function movedTimeOf(clock: Clock): Date | null {
  const isReal = realClockOf(clock) === systemClock && (!clock.real || activeTestTime() === null);
  return isReal ? null : clock.now();
}
