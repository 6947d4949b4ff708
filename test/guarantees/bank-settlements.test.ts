// A line credited to a bank transfer while a settlement is in progress is never lost.

import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Database } from '../../src/db/database.ts';
import {
  credit,
  database,
  depsAt,
  later,
  type Module,
  modulePath,
  openShop,
  order,
  scope,
  settleFile,
  statusOf,
  storeFile,
} from './bank-shop.ts';
import { guarantee } from './plant.ts';

/**
 * A database that calls `act` before one of a use case's transactions, or within it after the first read of a transfer.
 * An act within it may wait for the end of the transaction.
 */
function interleave(
  db: Database,
  place: { transaction: number; isWithin: boolean },
  act: () => Promise<void>,
) {
  let done = 0;
  let acting: Promise<void> | null = null;
  // `act` stands for another process, so it must not run in this transaction.
  const actOutside = AsyncResource.bind(act);
  const inTenant: Database['inTenant'] = async (tenant, work, options) => {
    const isNow = done === place.transaction;
    done += 1;
    if (!isNow) return await db.inTenant(tenant, work, options);
    if (!place.isWithin) {
      await actOutside();
      return await db.inTenant(tenant, work, options);
    }
    const watched: typeof work = async (tx) => {
      const query: typeof tx.query = async (text, values) => {
        const rows = await tx.query(text, values);
        if (!acting && text.includes('from bank_transfers')) {
          acting = actOutside();
          await Promise.race([acting, sleep(150)]);
        }
        return rows as never;
      };
      return await work({ ...tx, query });
    };
    return await db.inTenant(tenant, watched, options);
  };
  return { db: { ...db, inTenant }, ended: async () => await acting };
}

guarantee<Module>(
  'a line credited during a settlement is not lost: the transfer stays unsettled until a settlement includes it',
  modulePath,
  async (module) => {
    await openShop();
    const db = database();
    const check = async (first: number, second: number, transaction: number, isWithin = false) => {
      const { attemptId } = await order(module, 1000);
      await credit(module, attemptId, first);
      let isCredited = false;
      const act = async () => {
        isCredited = true;
        await credit(module, attemptId, second);
      };
      const watched = interleave(db, { transaction, isWithin }, act);
      await module.refreshTransfer(depsAt(module, later(0), watched.db), { ...scope(), attemptId });
      await watched.ended();
      const what = `${first}, then ${second} ${isWithin ? 'within' : 'before'} transaction ${transaction}`;
      if (!isCredited) await credit(module, attemptId, second);
      const current = await statusOf(module, attemptId);
      const isWhole = first + second >= 1000;
      const isPaid = current.state === 'paid';
      const { returnedMinor: back, leftMinor: left } = current.transfer;
      const isReturned = back + left === Math.max(first + second - 1000, 0);
      assert.ok(
        current.transfer.isUnsettled || (isPaid === isWhole && isReturned),
        `it is unsettled: ${what}`,
      );
      const due = await db.inTenant(scope(), async (tx) => await module.listUnsettled(tx, 100));
      assert.equal(due.includes(attemptId), current.transfer.isUnsettled, what);
      // The next settlement includes it, once.
      for (const _time of [1, 2]) await module.matchBankLines(depsAt(module, later(1)), scope());
      const end = await statusOf(module, attemptId);
      const { returnedMinor, leftMinor, isUnsettled } = end.transfer;
      assert.equal(isUnsettled, false, what);
      assert.equal(end.state, isWhole ? 'paid' : 'processing', what);
      assert.equal(returnedMinor + leftMinor, Math.max(first + second - 1000, 0), what);
      assert.deepEqual(end.back, returnedMinor > 0 ? [`surplus ${returnedMinor}`] : [], what);
      assert.equal(end.sums.surplus ?? 0, returnedMinor, what);
    };
    for (const [first, second] of [
      [400, 600],
      [1000, 5],
      [400, 1],
    ] as const)
      await check(first, second, 2, true);
    for (const transaction of [0, 1, 2, 3])
      for (const [first, second] of [
        [400, 600],
        [400, 601],
        [1000, 5],
        [1200, 300],
        [400, 1],
      ] as const)
        await check(first, second, transaction);
    const amount = fc.integer({ min: 1, max: 1500 });
    const proof = fc.asyncProperty(
      ...([amount, amount, fc.integer({ min: 0, max: 3 })] as const),
      async (first, second, transaction) => await check(first, second, transaction),
    );
    await fc.assert(proof, { numRuns: 8 });
  },
  {
    [settleFile]: {
      ' || now.receivedMinor !== transfer.receivedMinor': {
        'money credited meanwhile counts as settled': '',
      },
      'now.receivedMinor !== transfer.receivedMinor': {
        'only a smaller amount stays unsettled': 'now.receivedMinor < transfer.receivedMinor',
      },
      'const transfer = await deps.db.inTenant(settle, async (tx) => await findTransfer(tx, attemptId));': {
        'a settlement clears the flag before it reads':
          'const transfer = await deps.db.inTenant(settle, async (tx) => await findTransfer(tx, attemptId));\n  await deps.db.inTenant(settle, async (tx) => await noteSettled(tx, { attemptId, returnedMinor: 0, at: deps.clock.now() }));',
      },
      'import {\n  excessOf,\n  findTransfer,\n  lockTransfer,': {
        'a transfer is not locked during its settlement':
          'import {\n  excessOf,\n  findTransfer,\n  findTransfer as lockTransfer,',
      },
    },
    [storeFile]: {
      'set is_unsettled = false,': {
        'a settled transfer stays unsettled': 'set is_unsettled = is_unsettled,',
      },
    },
    'src/bank/match-lines.ts': {
      'await each(unsettled, async': { 'the job ignores unsettled transfers': 'await each([], async' },
    },
  },
);
