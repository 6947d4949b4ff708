// Moves the test clock of a company ahead, from one due time to the next, and does there what is due. The clock moves on even
// if this process dies on the way: a job moves it to the end, and the worker does the rest. Must not: do work of another
// company, or of live mode.

import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, realTimeOf, runInTestTime, testTimeOf } from '../base/clock.ts';
import { invalidField } from '../base/errors.ts';
import { findCompany } from '../companies/store.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { appendCallerEvent, hasEvent } from '../events/append-event.ts';
import { endOldKeys } from '../http/idempotency.ts';
import type { Caller } from '../http/roles.ts';
import { expireCompany } from '../links/expire-payments.ts';
import { remindCompany } from '../links/remind-payments.ts';
import { findNextLinkTime } from '../payments/store.ts';
import type { KindsOf, WorkKind } from '../work/work-kind.ts';
import {
  extendTarget,
  findClock,
  listStalledClocks,
  lockClock,
  moveClock,
  type TestClock,
} from './clock-store.ts';

export type ClockDeps = {
  db: Database;
  clock: Clock;
  log: { error(fields: object, message: string): void };
  kindsOf: KindsOf;
};

export type ClockCaller = { companyId: string } & Caller;

/** How far ahead of the real time a clock may be. */
export const maxAheadDays = 730;
/** The most steps of an advance: due times that are closer together share one. */
export const maxSteps = 200;
/** How long an advance works on what is due before it leaves the rest to the worker. */
export const catchUpSeconds = 15;
const leastStepMs = 1_000;
/** An advance that nobody has moved for so long was interrupted. */
const stalledMs = 60_000;
/** How long an advance waits before it looks again whether due work under way has ended, and in all. */
const underWayPollMs = 20;
const underWayLimitMs = 5_000;
const dayMs = 24 * 60 * 60 * 1000;

/** What an advance did, by kind. */
export type Done = Record<string, number>;
export type Advance = { clock: TestClock; done: Done; isComplete: boolean };

const scopeOf = ({ companyId }: { companyId: string }): TenantScope => ({ companyId, mode: 'test' });

/**
 * Sets the end of an advance in a transaction, once for each `eventId`. Throws `invalid_fields` beyond the limit. Two of them
 * wait for each other, and both count.
 */
async function startAdvance(
  { db, clock }: ClockDeps,
  caller: ClockCaller,
  { byMs, eventId }: { byMs: number; eventId: string },
): Promise<TestClock> {
  const at = clock.now();
  return await db.inTenant(scopeOf(caller), async (tx) => {
    const locked = await lockClock(tx, realTimeOf(clock));
    if (await hasEvent(tx, eventId)) return locked;
    const restMs = maxAheadDays * dayMs - locked.targetMs;
    if (byMs > restMs)
      throw invalidField(
        'by',
        'out_of_range',
        `A test clock can be ${maxAheadDays} days ahead at most. Advance by PT${Math.floor(restMs / 1_000)}S or less, or create another company.`,
      );
    const data = { bySeconds: byMs / 1_000, fromSeconds: locked.targetMs / 1_000 };
    await appendCallerEvent(tx, caller, { eventId, type: 'test_clock.advanced', data, at });
    return await extendTarget(tx, byMs);
  });
}

/**
 * The next time after now at which something of the company is due; null without one. While another process, or the worker
 * of this one, does due work of the company: when that was due.
 */
async function findNextTime({ db, clock, kindsOf }: ClockDeps, scope: TenantScope): Promise<Date | null> {
  const now = clock.now();
  const kinds = kindsOf(await db.lastCellOf(scope.companyId));
  const finders = [findNextLinkTime, ...kinds.flatMap(({ findNextDue }) => findNextDue ?? [])];
  const times = await db.inTenant(scope, async (tx) => {
    const found: (Date | null)[] = [];
    for (const find of finders) found.push(await find(tx, now));
    return found;
  });
  const next = times.flatMap((time) => time?.getTime() ?? []);
  return next.length === 0 ? null : new Date(Math.min(...next));
}

/** Does the due work of one kind. Other processes may do a part of it. Returns how many items this process did. */
async function runKind(
  { log }: ClockDeps,
  scope: TenantScope,
  { cell, kind }: { cell: Database; kind: WorkKind<unknown> },
): Promise<number> {
  const options = { isSingle: true, prefersIndexScans: true };
  const listed = await cell.inSystem(async (tx) => await kind.listLanes(tx, [scope.companyId]), options);
  const lanes = listed.filter(({ companyId, mode }) => companyId === scope.companyId && mode === scope.mode);
  const limit = kind.limits.perLane;
  const runLane = async (lane: (typeof lanes)[number]) => {
    let count = 0;
    for (;;) {
      const items = await kind.claim(lane, limit);
      // One that could not be recorded is done again after its lease.
      const runs = await Promise.allSettled(items.map(async (item) => await kind.run(item)));
      for (const run of runs)
        if (run.status === 'rejected')
          log.error({ err: run.reason, job: kind.name }, 'the result of due work could not be recorded');
      count += items.length;
      // What failed, or was released by a process that stops, waits for the worker.
      const isAnyDone = runs.some((run) => run.status === 'fulfilled' && run.value);
      if (items.length < limit || !isAnyDone) return count;
    }
  };
  const counts = await Promise.all(lanes.map(runLane));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Does the due work of some kinds of the company, in the time of the caller. */
export async function runKinds(deps: ClockDeps, scope: TenantScope, names: readonly string[]): Promise<void> {
  const cell = await deps.db.cellOf(scope.companyId);
  for (const kind of deps.kindsOf(cell) as readonly WorkKind<unknown>[])
    if (names.includes(kind.name)) await runKind(deps, scope, { cell, kind });
}

/** Does everything that is due in the company's time, and counts it. */
export async function runDueWork(deps: ClockDeps, scope: TenantScope, done: Done): Promise<void> {
  const add = (name: string, count: number) => {
    done[name] = (done[name] ?? 0) + count;
  };
  const company = await deps.db.inCompany(scope.companyId, findCompany);
  const reminderHours = company?.reminderHours ?? null;
  // A link is reminded of before it expires, also if one step leads past both.
  if (reminderHours !== null) add('reminders', await remindCompany(deps, { ...scope, reminderHours }));
  add('expired', await expireCompany(deps, scope));
  // If the company moves meanwhile, the worker of its new cell does the rest.
  const cell = await deps.db.cellOf(scope.companyId);
  for (const kind of deps.kindsOf(cell) as readonly WorkKind<unknown>[])
    if (kind.findNextDue) add(kind.name, await runKind(deps, scope, { cell, kind }));
}

/** Moves the clock to the end of its advance, step by step. False if the time was over before. */
async function catchUp(
  deps: ClockDeps,
  scope: TenantScope,
  { started, byMs, done }: { started: TestClock; byMs: number; done: Done },
): Promise<boolean> {
  const move = async (offsetMs: number) =>
    await deps.db.inTenant(scope, async (tx) => await moveClock(tx, offsetMs, realTimeOf(deps.clock)));
  const leastMs = Math.max(leastStepMs, byMs / maxSteps);
  const isOver = pause(catchUpSeconds * 1_000, 'over' as const, { ref: false });
  let clock = started;
  let waits = underWayLimitMs / underWayPollMs;
  for (;;) {
    const { offsetMs, targetMs } = clock;
    const isAtEnd = offsetMs >= targetMs;
    const step = runInTestTime(testTimeOf(scope, offsetMs), async () => {
      await runDueWork(deps, scope, done);
      return await findNextTime(deps, scope);
    });
    const next = await Promise.race([step, isOver]);
    if (next === 'over') {
      // Its work goes on. The worker finds what it leaves.
      step.catch((err: unknown) => deps.log.error({ err }, 'an advance of a test clock failed'));
      await move(targetMs);
      return false;
    }
    const nextMs = next && next.getTime() - realTimeOf(deps.clock).getTime();
    // A retry counts from the time at which the attempt ends, so the clock stands still until it has ended. Under a load that
    // always has work under way, it goes on in small steps.
    if (nextMs !== null && nextMs <= offsetMs && waits-- > 0) {
      await pause(underWayPollMs);
      continue;
    }
    if (isAtEnd) return true;
    const wantedMs = nextMs ?? targetMs;
    clock = await move(Math.ceil(Math.max(wantedMs, offsetMs + leastMs)));
  }
}

/**
 * Moves the clock of the caller's company ahead and does what would have been done in that time. Repeated with the same
 * `eventId`, it goes on with what is left. Throws `invalid_fields`.
 */
export async function advanceClock(
  deps: ClockDeps,
  caller: ClockCaller,
  wanted: { byMs: number; eventId: string },
): Promise<Advance> {
  const scope = scopeOf(caller);
  const started = await startAdvance(deps, caller, wanted);
  const done: Done = {};
  const isComplete = await catchUp(deps, scope, { started, byMs: wanted.byMs, done });
  const clock = await readClock(deps, caller);
  done.idempotencyKeys = await runInTestTime(
    testTimeOf(scope, clock.offsetMs),
    async () => await endOldKeys(deps, scope),
  );
  return { clock, done, isComplete };
}

/** The clock of the caller's company. One that was never moved is not ahead. */
export async function readClock(
  { db }: Pick<ClockDeps, 'db'>,
  caller: { companyId: string },
): Promise<TestClock> {
  return (await db.inTenant(scopeOf(caller), findClock)) ?? { offsetMs: 0, targetMs: 0 };
}

/** Moves clocks to the end whose advance was interrupted. Returns how many. The worker does what is due then. */
export async function finishAdvances({ db, clock }: Pick<ClockDeps, 'db' | 'clock'>): Promise<number> {
  const at = realTimeOf(clock);
  const before = new Date(at.getTime() - stalledMs);
  const stalled = await db.inSystem(async (tx) => await listStalledClocks(tx, before));
  for (const { targetMs, ...scope } of stalled)
    await db.inTenant(scope, async (tx) => await moveClock(tx, targetMs, at));
  return stalled.length;
}
