// Guarantees about pending and partial money: the report is what moved, not what the customer approved.

import assert from 'node:assert/strict';
import type { CaptureResult } from '../kit/rig.ts';
import { type Bench, begin, completeAttempt, finish, type Guarantee } from './bench.ts';
import { assertPaid, assertUnpaid } from './paying.ts';

const minuteMs = 60_000;
/** Longer than any processor's list lags behind. */
const lagMs = 6 * 60 * minuteMs;

/** Does something while payments have the given result. */
async function withMoney<Result>(
  { rig }: Bench,
  way: CaptureResult,
  work: () => Promise<Result>,
): Promise<Result> {
  await rig.setCaptureResult(way);
  try {
    return await work();
  } finally {
    await rig.setCaptureResult('whole');
  }
}

/** The amounts of an attempt in the list since a time. */
async function listedOf(bench: Bench, key: string, from: Date): Promise<number[]> {
  const until = new Date(bench.rig.now().getTime() + minuteMs);
  await bench.rig.advanceMs(lagMs);
  const { movements } = await bench.list(from, until);
  return movements.filter((movement) => movement.key === key).map(({ amountMinor }) => amountMinor);
}

export const waiting: readonly Guarantee[] = [
  {
    title: 'a payment succeeds only once the money has arrived, in every pending status',
    applies: ({ waits }) => waits.length > 0,
    prove: async (bench) => {
      for (const waits of bench.features.waits) {
        const from = new Date(bench.rig.now().getTime() - minuteMs);
        const { request, result } = await withMoney(
          bench,
          { waits },
          async () => await completeAttempt(bench, 'pass'),
        );
        assert.equal(result?.kind, 'processing', waits);
        assert.equal((await finish(bench, request))?.kind, 'processing', `${waits}, asked again`);
        await assertUnpaid(bench, request);
        assert.deepEqual(await listedOf(bench, request.attemptId, from), [], `${waits} is not in the list`);
        await bench.rig.settle();
        await assertPaid(bench, request, await finish(bench, request));
      }
    },
  },
  {
    title: 'a partial capture is reported and listed with its own amount',
    applies: ({ takesPart }) => takesPart,
    prove: async (bench) => {
      const from = new Date(bench.rig.now().getTime() - minuteMs);
      const { request, outcome } = await begin(bench, 'pass', { amountMinor: 1999 });
      const result = await withMoney(bench, { partMinor: 1200 }, async () => {
        assert.equal(outcome.kind, 'requires_action');
        if (outcome.kind === 'requires_action') await bench.rig.customer.challenge(outcome.url, 'pass');
        return await finish(bench, request);
      });
      const part = { kind: 'succeeded', reference: '', amountMinor: 1200, currency: 'EUR' };
      assert.deepEqual({ ...result, reference: '' }, part);
      assert.deepEqual(
        (await bench.moneyOf(request.attemptId)).map(({ amountMinor }) => amountMinor),
        [1200],
      );
      assert.deepEqual(await listedOf(bench, request.attemptId, from), [1200]);
    },
  },
];
