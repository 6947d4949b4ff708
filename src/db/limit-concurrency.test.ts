import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTimeBudget, runWithBudget, TimeBudgetExceededError } from '../base/time-budget.ts';
import type { Database } from './database.ts';
import { limitConcurrency } from './limit-concurrency.ts';

/** A database whose transactions end when the test says so. */
function createHanging() {
  const ends: (() => void)[] = [];
  let open = 0;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    open += 1;
    await new Promise<void>((resolve) => ends.push(resolve));
    open -= 1;
    return await work();
  };
  const inTenant = async (_companyId: string, work: () => Promise<unknown>) => await run(work);
  const db = { inTenant, inSystem: run } as unknown as Database;
  return { db, openNow: () => open, endOne: () => ends.shift()?.() };
}

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('a share runs at most its number of transactions, in order, and rejects the excess', async () => {
  const hanging = createHanging();
  const share = limitConcurrency(hanging.db, { atOnce: 2, mostWaiting: 3 });
  const ended: number[] = [];
  const all = [0, 1, 2, 3, 4].map(async (index) => {
    const work = async () => void ended.push(index);
    await (index % 2 === 0
      ? share.inSystem(work)
      : share.inTenant({ companyId: 'co_1', mode: 'test' }, work));
  });
  await turn();
  assert.equal(hanging.openNow(), 2);
  await assert.rejects(
    share.inSystem(async () => undefined),
    { code: 'unavailable' },
  );
  for (let left = 5; left > 0; left--) {
    assert.equal(hanging.openNow(), Math.min(2, left));
    hanging.endOne();
    await turn();
  }
  await Promise.all(all);
  assert.deepEqual(ended, [0, 1, 2, 3, 4]);
});

test('a failed transaction frees its place for the next', async () => {
  const db = { inSystem: async (work: () => Promise<unknown>) => await work() } as unknown as Database;
  const share = limitConcurrency(db, { atOnce: 1, mostWaiting: 1 });
  const failing = share.inSystem(async () => {
    throw new Error('of the work');
  });
  const next = share.inSystem(async () => 'done');
  await assert.rejects(failing, /of the work/);
  assert.equal(await next, 'done');
  assert.equal(await share.inSystem(async () => 'again'), 'again');
});

test('a waiting transaction gives up its place when its budget is spent', async () => {
  const hanging = createHanging();
  const share = limitConcurrency(hanging.db, { atOnce: 1, mostWaiting: 1 });
  const first = share.inSystem(async () => 'first');
  await turn();
  const late = runWithBudget(createTimeBudget(50), async () => await share.inSystem(async () => 'late'));
  await assert.rejects(
    Promise.race([late, sleep(10_000, undefined, { ref: false })]),
    TimeBudgetExceededError,
  );
  const next = share.inSystem(async () => 'next');
  for (let left = 2; left > 0; left--) {
    await turn();
    hanging.endOne();
  }
  assert.deepEqual(await Promise.all([first, next]), ['first', 'next']);
});

test('a cell that hangs keeps only its own places, and looking for cells is limited, too', async () => {
  const [good, bad, directory] = [createHanging(), createHanging(), createHanging()];
  const cells = { co_good: { ...good.db, cell: 'eu1' }, co_bad: { ...bad.db, cell: 'eu2' } };
  const cellOf = (companyId: string) => cells[companyId as keyof typeof cells];
  const db = {
    ...{ cell: null, hasDirectory: true, inSystem: directory.db.inSystem },
    lastCellOf: async (companyId: string) =>
      cellOf(companyId) ?? (await directory.db.inSystem(async () => cells.co_good)),
    inTenant: async (scope: { companyId: string }, work: () => Promise<unknown>) =>
      await (cellOf(scope.companyId) ?? cells.co_good).inTenant({ ...scope, mode: 'test' }, work),
  } as unknown as Database;
  const share = limitConcurrency(db, { atOnce: 2, mostWaiting: 10 });
  const run = async (companyId: string) =>
    await share.inTenant({ companyId, mode: 'test' }, async () => companyId);
  const stuck = [1, 2, 3].map(async () => await run('co_bad'));
  await turn();
  assert.equal(bad.openNow(), 2);
  const served = run('co_good');
  await turn();
  assert.equal(good.openNow(), 1);
  good.endOne();
  assert.equal(await served, 'co_good');

  const invented = [1, 2, 3].map(async () => await run('co_invented'));
  await turn();
  assert.equal(directory.openNow(), 2);
  for (const { endOne } of [bad, bad, bad, directory, directory, directory, good, good, good]) {
    endOne();
    await turn();
  }
  assert.equal((await Promise.all([...stuck, ...invented])).length, 6);
});
