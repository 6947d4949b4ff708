// A processor's word about a refund is believed only for the very amount and currency that were asked for.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { findRefund } from '../../src/payments/refund-store.ts';
import type { RefundOutcome } from '../../src/processors/processor.ts';
import { refundPayment } from '../../src/refunds/refund-payment.ts';
import { type Ground, openGround, taken } from './fixture.ts';
import { guarantee } from './plant.ts';

let ground: Ground;
before(async () => {
  ground = await openGround();
});
after(async () => await ground.stop());

const file = 'src/refunds/refund-payment.ts';
type Module = typeof import('../../src/refunds/refund-payment.ts');

/** How a refund may stand when the word comes. */
const befores = ['created', 'unknown', 'processing', 'succeeded'] as const;

const others = fc.oneof(
  fc.record({ amountMinor: fc.integer({ min: 0, max: 100_000 }), currency: fc.constant('EUR') }),
  fc.record({ amountMinor: fc.constantFrom(700), currency: fc.constantFrom('USD', 'eur', 'JPY', '') }),
  fc.constantFrom(
    { amountMinor: 699, currency: 'EUR' },
    { amountMinor: 701, currency: 'EUR' },
    { amountMinor: 70_000, currency: 'EUR' },
  ),
);
const isOther = ({ amountMinor, currency }: { amountMinor: number; currency: string }) =>
  amountMinor !== 700 || currency !== 'EUR';

/** A refund of 7.00 in a state, reached by the sound use case. */
async function refundIn(state: (typeof befores)[number], kind: 'merchant' | 'surplus') {
  const { deps, companyId, words } = ground;
  const steps: Record<typeof state, RefundOutcome | null> = {
    ...{ created: null, unknown: null },
    processing: { kind: 'processing', reference: 're_1' },
    succeeded: { kind: 'succeeded', reference: 're_1', amountMinor: 700, currency: 'EUR' },
  };
  const word = steps[state];
  words.refund = () => {
    if (!word) throw new Error('no answer');
    return word;
  };
  const declined = { kind: 'declined', reference: 'ch_1', code: 'generic_decline' } as const;
  const { attemptId, code } =
    kind === 'merchant'
      ? await ground.beginWith(taken('ch_1'))
      : await ground.beginWith(declined, taken('ch_2', 700));
  if (kind === 'merchant')
    await refundPayment(deps, { companyId, mode: 'test', code, amount: 7, createdBy: 'test' });
  const refundId = (await ground.statusOf(attemptId)).refunds[0]?.id ?? '';
  if (state === 'created')
    await ground.query(`update refunds set state = 'created' where refund_id = $1`, [refundId]);
  else if (kind === 'surplus') {
    const { submitRefund } = await import('../../src/refunds/refund-payment.ts');
    const refund = await deps.db.inTenant({ companyId, mode: 'test' }, (tx) => findRefund(tx, refundId));
    assert.ok(refund);
    await submitRefund(deps, { companyId, refund });
  }
  assert.equal((await ground.statusOf(attemptId)).refunds[0]?.state, state);
  return { attemptId, refundId };
}

guarantee<Module>(
  'a refund that is confirmed with another amount or currency stays as it was, at most unknown, and posts nothing',
  file,
  async ({ recordRefund }) => {
    const { deps, companyId } = ground;
    const reported = async (refundId: string, said: { amountMinor: number; currency: string }) => {
      const refund = await deps.db.inTenant({ companyId, mode: 'test' }, (tx) => findRefund(tx, refundId));
      assert.ok(refund);
      const outcome = { kind: 'succeeded', reference: 're_2', ...said } as const;
      await recordRefund(deps, { companyId, refund, outcome, actor: 'test' });
    };
    for (const kind of ['merchant', 'surplus'] as const)
      for (const state of befores) {
        const { attemptId, refundId } = await refundIn(state, kind);
        const stood = await ground.statusOf(attemptId);
        const expected = state === 'created' ? 'unknown' : state;
        const proof = fc.asyncProperty(others.filter(isOther), async (said) => {
          await reported(refundId, said);
          const { refunds, ...rest } = await ground.statusOf(attemptId);
          const { refunds: _, ...before } = stood;
          assert.deepEqual([refunds[0]?.state, rest], [expected, before]);
        });
        await fc.assert(proof, { numRuns: 6 });
        await reported(refundId, { amountMinor: 700, currency: 'EUR' });
        await reported(refundId, { amountMinor: 700, currency: 'EUR' });
        const { payment, refunds, entries } = await ground.statusOf(attemptId);
        const entryKind = kind === 'merchant' ? 'refund' : 'surplus_refund';
        assert.equal(refunds[0]?.state, 'succeeded');
        assert.deepEqual(
          entries.filter(({ source }) => source === refundId),
          [{ kind: entryKind, amount: 700, currency: 'EUR', source: refundId }],
        );
        assert.deepEqual([payment.refunded, payment.refunding], kind === 'merchant' ? [700, 0] : [0, 0]);
      }
    await ground.checkLedger();
  },
  [
    {
      fault: 'the amount is not compared',
      ...{ file, from: 'outcome.amountMinor === refund.amountMinor && ', to: '' },
    },
    {
      fault: 'the currency is not compared',
      ...{ file, from: ' && outcome.currency === refund.currency', to: '' },
    },
    {
      fault: 'at least the amount is enough',
      ...{
        file,
        from: 'outcome.amountMinor === refund.amountMinor',
        to: 'outcome.amountMinor >= refund.amountMinor',
      },
    },
    {
      fault: 'a word that is not believed makes it failed',
      ...{ file, from: "known?.kind ?? 'unknown'", to: "known?.kind ?? (outcome ? 'failed' : 'unknown')" },
    },
    {
      fault: 'a merchant’s refund posts as the return of a surplus',
      ...{
        file,
        from: "const entryKind = kind === 'merchant' ? 'refund' : 'surplus_refund';",
        to: "const entryKind = 'surplus_refund' as const;",
      },
    },
    {
      fault: 'a return of a surplus counts as given back of the payment',
      ...{
        file,
        from: "if (kind === 'merchant') await settleRefundAmount",
        to: 'await settleRefundAmount',
      },
    },
    {
      fault: 'what is given back is not counted',
      ...{
        file: 'src/payments/refund-store.ts',
        from: 'refunded_minor = refunded_minor + case when $4 then $3 else 0 end',
        to: 'refunded_minor = refunded_minor + case when $4 then 0 else 0 end',
      },
    },
    {
      fault: 'what is given back stays set aside',
      ...{
        file: 'src/payments/refund-store.ts',
        from: 'set refunding_minor = refunding_minor - $3,',
        to: 'set refunding_minor = refunding_minor - $3 + $3,',
      },
    },
  ],
);
