// What every processor owes to payments about giving money back: under one refund id at most once, never
// more than was taken, and never without a charge.

import assert from 'node:assert/strict';
import { newId } from '../../../src/base/ids.ts';
import type { ProcessorRefundRequest } from '../../../src/processors/processor.ts';
import {
  type Bench,
  type Guarantee,
  loseAnswer,
  newRefund,
  openAttempt,
  openBench,
  payWhole,
  settledRefund,
  sumOf,
} from './bench.ts';

/** Longer than any processor takes two refunds of one amount for one. */
const twinsWaitMs = 2 * 60 * 60 * 1000;

/** Fails unless the refund was made once, and is told so. */
async function assertRefunded(bench: Bench, request: ProcessorRefundRequest): Promise<void> {
  const { refundId, amountMinor, currency } = request;
  const said = await settledRefund(bench, request);
  assert.deepEqual({ ...said, reference: '' }, { kind: 'succeeded', amountMinor, currency, reference: '' });
  const moved = await bench.moneyOf(refundId);
  assert.deepEqual(
    moved.map((line) => [line.type, line.amountMinor, line.currency]),
    [['refund', amountMinor, currency]],
  );
}

/** Fails when money went back, or when it is said that it did. */
async function assertRefused(bench: Bench, request: ProcessorRefundRequest, mayThrow = false): Promise<void> {
  const said = await bench.refund(request).catch((error: unknown) => {
    if (!mayThrow) throw error;
    return null;
  });
  assert.ok(said === null || said.kind === 'failed', `it is refused, not ${said?.kind}`);
  await bench.rig.settle();
  assert.deepEqual(await bench.moneyOf(request.refundId), []);
}

export const refunding: readonly Guarantee[] = [
  {
    title: 'money goes back in parts and to the last cent, and not a cent more',
    prove: async (bench) => {
      const paid = await payWhole(bench, { amountMinor: 1999 });
      const first = newRefund(bench, paid, 500);
      const rest = newRefund(bench, paid, 1499);
      await assertRefunded(bench, first);
      await assertRefused(bench, newRefund(bench, paid, 1500));
      await assertRefunded(bench, rest);
      await assertRefused(bench, newRefund(bench, paid, 1));
      const moved = [...(await bench.moneyOf(first.refundId)), ...(await bench.moneyOf(rest.refundId))];
      assert.equal(sumOf(moved), 1999);
    },
  },
  {
    title: 'one whole refund gives everything back, in every currency',
    prove: async (bench) => {
      for (const currency of bench.rig.kind.currencies) {
        const paid = await payWhole(bench, { currency });
        await assertRefunded(bench, newRefund(bench, paid, paid.amountMinor));
      }
    },
  },
  {
    title: 'asked twice, and ten times at once, under one refund id, money goes back once',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const refund = newRefund(bench, paid, 700);
      const asked = await Promise.allSettled(
        Array.from({ length: 10 }, async () => await bench.refund(refund)),
      );
      const said = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.ok(!said.some(({ kind }) => kind === 'failed'), 'none is told that it failed');
      await assertRefunded(bench, refund);
      await assertRefunded(bench, refund);
    },
  },
  {
    title: 'two refunds of the same amount are two',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      await assertRefunded(bench, newRefund(bench, paid, 400));
      const second = newRefund(bench, paid, 400);
      // A processor may take it for the double of the first for a while: then it throws, and makes it later.
      const isMade = await bench.refund(second).then(
        () => true,
        () => false,
      );
      if (!isMade) await bench.rig.advanceMs(twinsWaitMs);
      await assertRefunded(bench, second);
    },
  },
  {
    title: 'a refund whose answer was lost throws, and asked again under its id it was made once',
    applies: ({ isRemote }) => isRemote,
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const refund = newRefund(bench, paid, 300);
      assert.ok(bench.rig.routes);
      await loseAnswer(bench, bench.rig.routes.refund);
      await assert.rejects(bench.refund(refund));
      await assertRefunded(bench, refund);
      await assertRefunded(bench, newRefund(bench, paid, paid.amountMinor - 300));
    },
  },
  {
    title: 'a refund asked for again long after, when the processor forgot its key, is made once',
    applies: ({ isRemote }) => isRemote,
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const refund = newRefund(bench, paid, 300);
      await assertRefunded(bench, refund);
      await bench.rig.advanceMs(50 * 60 * 60 * 1000);
      await assertRefunded(bench, refund);
    },
  },
  {
    title: 'more than was taken is refused as a value, and nothing goes back',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      await assertRefused(bench, newRefund(bench, paid, paid.amountMinor + 1));
    },
  },
  {
    title: 'refunds asked for at once do not give back more than was taken between them',
    prove: async (bench) => {
      const paid = await payWhole(bench, { amountMinor: 1000 });
      const refunds = Array.from({ length: 8 }, (_, index) => newRefund(bench, paid, 300 + index));
      await Promise.allSettled(refunds.map(async (refund) => await bench.refund(refund)));
      await bench.rig.settle();
      const moved = await Promise.all(refunds.map(async ({ refundId }) => await bench.moneyOf(refundId)));
      const sum = sumOf(moved.flat());
      assert.ok(sum > 900 && sum <= 1000, `three of them go back, not ${sum}`);
    },
  },
  {
    title: 'what was never taken is not given back: an unknown charge, an open one, one of another account',
    prove: async (bench) => {
      const { processorReference: known, ...paid } = await payWhole(bench);
      const unknown = { ...paid, attemptId: newId('att', bench.rig.now()), processorReference: `${known}x` };
      await assertRefused(bench, newRefund(bench, unknown, 100), true);
      const { request } = await openAttempt(bench);
      await assertRefused(bench, newRefund(bench, request, 100), true);
      const other = openBench(bench.rig, bench.features, bench.rig.otherConnection);
      const theirs = await payWhole(other);
      const { companyId } = bench.connection;
      await assertRefused(bench, newRefund(bench, { ...theirs, companyId }, 100), true);
    },
  },
];
