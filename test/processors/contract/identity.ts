// Guarantees about responses that belong to another object: if a single field differs, the call throws.

import assert from 'node:assert/strict';
import type { ProcessorRefundRequest } from '../../../src/processors/processor.ts';
import type { IdentifyingField } from '../kit/rig.ts';
import {
  act,
  type Bench,
  finish,
  type Guarantee,
  newRefund,
  openAttempt,
  payWhole,
  settledRefund,
} from './bench.ts';

/** Changes an identifying field in the fake's next response on its route. */
async function spoil(
  { rig, connection }: Bench,
  { path, to, route }: IdentifyingField,
  { attemptId, refundId }: { attemptId: string; refundId: string },
): Promise<void> {
  const { companyId, connectionId } = connection;
  const value = typeof to === 'function' ? to({ attemptId, refundId, companyId, connectionId }) : to;
  const fault = { kind: 'rewrite', changes: [{ path, to: value }] } as const;
  await rig.control({ outage: { fault: { ...fault, changes: [...fault.changes] }, route } });
}

/** Whether a response was accepted as an outcome. */
const isBelieved = async (result: Promise<unknown>): Promise<boolean> =>
  await result.then(
    () => true,
    () => false,
  );

export const identifyingFields: readonly Guarantee[] = [
  {
    title: 'a response about another payment is rejected, whichever field differs',
    applies: (features) => features.identifyingFields.some(({ on }) => on === 'payment'),
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      const paid = await finish(bench, request);
      assert.equal(paid?.kind, 'succeeded');
      const believed: string[] = [];
      for (const mark of bench.features.identifyingFields.filter(({ on }) => on === 'payment')) {
        await spoil(bench, mark, { attemptId: request.attemptId, refundId: '' });
        if (await isBelieved(bench.query(request))) believed.push(mark.name);
        await bench.rig.control({ outage: null });
      }
      assert.deepEqual(believed, []);
      assert.deepEqual(await bench.query(request), paid);
    },
  },
  {
    title: 'a creation response about another payment is rejected, whichever field differs',
    applies: ({ identifyingFields: all, isRemote }) =>
      isRemote && all.some(({ on, isLater }) => on === 'payment' && !isLater),
    prove: async (bench) => {
      const route = bench.rig.routes?.authorise ?? '';
      const believed: string[] = [];
      for (const mark of bench.features.identifyingFields.filter(
        ({ on, isLater }) => on === 'payment' && !isLater,
      )) {
        const request = bench.newRequest();
        await spoil(bench, { ...mark, route }, { attemptId: request.attemptId, refundId: '' });
        if (await isBelieved(bench.authorise(request))) believed.push(mark.name);
        await bench.rig.control({ outage: null });
      }
      assert.deepEqual(believed, []);
    },
  },
  {
    title:
      'a response about another refund is rejected, whichever field differs, and the refund is made once',
    applies: (features) => features.identifyingFields.some(({ on }) => on === 'refund'),
    prove: async (bench) => {
      const paid = await payWhole(bench, { amountMinor: 100_000 });
      const believed: string[] = [];
      const refunds: ProcessorRefundRequest[] = [];
      for (const [place, mark] of bench.features.identifyingFields
        .filter(({ on }) => on === 'refund')
        .entries()) {
        // Amounts differ, because a processor may treat two equal ones as duplicates.
        const refund = newRefund(bench, paid, 300 + place);
        refunds.push(refund);
        await spoil(bench, mark, refund);
        if (await isBelieved(bench.refund(refund))) believed.push(mark.name);
        await bench.rig.control({ outage: null });
      }
      assert.deepEqual(believed, []);
      for (const refund of refunds) {
        assert.equal((await settledRefund(bench, refund)).kind, 'succeeded');
        assert.equal((await bench.moneyOf(refund.refundId)).length, 1);
      }
    },
  },
];
