// Guarantees about refunds: once per refund ID, and never more than was charged.

import assert from 'node:assert/strict';
import { newId } from '../../../src/base/ids.ts';
import type { ProcessorRefundRequest } from '../../../src/processors/processor.ts';
import {
  type Bench,
  type Guarantee,
  loseResponse,
  newRefund,
  openAttempt,
  openBench,
  payWhole,
  settledRefund,
  sumOf,
} from './bench.ts';

/** Longer than any processor treats a second refund of the same amount as a duplicate. */
const twinsWaitMs = 2 * 60 * 60 * 1000;

/** Fails unless the refund was made once and is reported. */
async function assertRefunded(bench: Bench, request: ProcessorRefundRequest): Promise<void> {
  const { refundId, amountMinor, currency } = request;
  const result = await settledRefund(bench, request);
  assert.deepEqual({ ...result, reference: '' }, { kind: 'succeeded', amountMinor, currency, reference: '' });
  const moved = await bench.moneyOf(refundId);
  assert.deepEqual(
    moved.map((line) => [line.type, line.amountMinor, line.currency]),
    [['refund', amountMinor, currency]],
  );
}

/** Fails if money was refunded or is reported as refunded. */
async function assertRefused(bench: Bench, request: ProcessorRefundRequest, mayThrow = false): Promise<void> {
  const result = await bench.refund(request).catch((error: unknown) => {
    if (!mayThrow) throw error;
    return null;
  });
  assert.ok(result === null || result.kind === 'failed', `it is refused, not ${result?.kind}`);
  await bench.rig.settle();
  assert.deepEqual(await bench.moneyOf(request.refundId), []);
}

export const refunding: readonly Guarantee[] = [
  {
    title: 'partial refunds return everything to the last cent, and no more',
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
    title: 'one full refund returns everything, in every currency',
    prove: async (bench) => {
      for (const currency of bench.rig.kind.currencies) {
        const paid = await payWhole(bench, { currency });
        await assertRefunded(bench, newRefund(bench, paid, paid.amountMinor));
      }
    },
  },
  {
    title: 'requested twice, and ten times at once, one refund ID refunds once',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const refund = newRefund(bench, paid, 700);
      const asked = await Promise.allSettled(
        Array.from({ length: 10 }, async () => await bench.refund(refund)),
      );
      const result = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.ok(!result.some(({ kind }) => kind === 'failed'), 'none is reported as failed');
      await assertRefunded(bench, refund);
      await assertRefunded(bench, refund);
    },
  },
  {
    title: 'two refunds of the same amount are made separately',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      await assertRefunded(bench, newRefund(bench, paid, 400));
      const second = newRefund(bench, paid, 400);
      // A processor may treat it as a duplicate of the first for a while: then it throws, and makes it later.
      const isMade = await bench.refund(second).then(
        () => true,
        () => false,
      );
      if (!isMade) await bench.rig.advanceMs(twinsWaitMs);
      await assertRefunded(bench, second);
    },
  },
  {
    title: 'a refund whose response is lost throws, and repeated under its ID it is made once',
    applies: ({ isRemote }) => isRemote,
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const refund = newRefund(bench, paid, 300);
      assert.ok(bench.rig.routes);
      await loseResponse(bench, bench.rig.routes.refund);
      await assert.rejects(bench.refund(refund));
      await assertRefunded(bench, refund);
      await assertRefunded(bench, newRefund(bench, paid, paid.amountMinor - 300));
    },
  },
  {
    title: 'a refund repeated after the processor forgot its key is made once',
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
    title: 'a refund of more than the charge fails as a value, and refunds nothing',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      await assertRefused(bench, newRefund(bench, paid, paid.amountMinor + 1));
    },
  },
  {
    title: 'concurrent refunds never refund more than the charge',
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
    title: 'an unknown, open or foreign charge cannot be refunded',
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
