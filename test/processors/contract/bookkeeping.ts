// Guarantees about the list: all movements of a connection, once, under our keys, and nothing else.

import assert from 'node:assert/strict';
import type { BalanceTransaction } from '../../../src/processors/processor.ts';
import { type Bench, type Guarantee, newRefund, openBench, payWhole, settledRefund } from './bench.ts';

const minuteMs = 60_000;
/** Longer than any processor's list lags behind. */
const lagMs = 6 * 60 * minuteMs;

const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms);
const inOrder = (
  movements: readonly Pick<BalanceTransaction, 'kind' | 'key' | 'amountMinor' | 'currency'>[],
) =>
  movements
    .map(({ kind, key, amountMinor, currency }) => `${kind} ${key} ${amountMinor} ${currency}`)
    .toSorted();

/** Advances the clock until the list is complete, and reads it. */
async function listSince(
  bench: Bench,
  from: Date,
): Promise<{ movements: BalanceTransaction[]; pages: number }> {
  await bench.rig.settle();
  const until = after(bench.rig.now(), minuteMs);
  await bench.rig.advanceMs(lagMs);
  return await bench.list(from, until);
}

/** Fails unless the list has exactly the movements of these keys in the processor's journal. */
async function assertListed(bench: Bench, from: Date, keys: readonly string[]): Promise<number> {
  const { movements, pages } = await listSince(bench, from);
  const moved = (await Promise.all(keys.map(bench.moneyOf))).flat();
  const books = moved.map(({ type, key, ...rest }) => ({ ...rest, kind: type, key: key ?? '' }));
  assert.deepEqual(inOrder(movements), inOrder(books));
  for (const { reference } of movements) assert.ok(reference, 'each has a reference');
  return pages;
}

export const bookkeeping: readonly Guarantee[] = [
  {
    title: 'the list has every charge and refund once, across its pages, and nothing else',
    prove: async (bench) => {
      await bench.rig.advanceMs(minuteMs);
      const from = bench.rig.now();
      await bench.rig.advanceMs(minuteMs);
      const { pageSize } = bench.features;
      const keys: string[] = [];
      for (let count = 0; count < (pageSize ?? 3) + 1; count++) {
        const paid = await payWhole(bench, { amountMinor: 1000 + count });
        const refund = newRefund(bench, paid, 400 + count);
        await settledRefund(bench, refund);
        keys.push(paid.attemptId, refund.refundId);
      }
      const unpaid = await bench.authorise(bench.newRequest({ card: bench.rig.cardFor('challenge') }));
      assert.equal(unpaid.kind, 'requires_action');
      const pages = await assertListed(bench, from, keys);
      if (pageSize !== null) assert.ok(pages > 1, 'the list was long enough for two pages');
    },
  },
  {
    title: 'the list has exactly the movements of its period',
    prove: async (bench) => {
      await payWhole(bench);
      await bench.rig.advanceMs(minuteMs);
      const from = bench.rig.now();
      await bench.rig.advanceMs(minuteMs);
      const { attemptId } = await payWhole(bench);
      await bench.rig.advanceMs(minuteMs);
      const until = bench.rig.now();
      await bench.rig.advanceMs(minuteMs);
      await payWhole(bench);
      await bench.rig.advanceMs(lagMs);
      const { movements } = await bench.list(from, until);
      assert.deepEqual(
        movements.map(({ kind, key }) => [kind, key]),
        [['charge', attemptId]],
      );
    },
  },
  {
    title: 'the list omits other companies, other connections, and external sales',
    prove: async (bench) => {
      const { rig, features } = bench;
      await rig.advanceMs(minuteMs);
      const from = rig.now();
      await rig.advanceMs(minuteMs);
      const { attemptId } = await payWhole(bench);
      await rig.createForeignCharge(4321);
      await payWhole(openBench(rig, features, rig.otherConnection));
      const theirs = await payWhole(openBench(rig, features, rig.sameAccountConnection));
      await assertListed(bench, from, [attemptId]);
      await assertListed(openBench(rig, features, rig.sameAccountConnection), from, [theirs.attemptId]);
    },
  },
];
