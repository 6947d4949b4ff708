// A processor's response to a refund counts only for the requested amount and currency.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findRefund } from '../../src/payments/refund-store.ts';
import type { RefundOutcome } from '../../src/processors/processor.ts';
import { refundPayment } from '../../src/refunds/refund-payment.ts';
import { captured, useFixture } from './fixture.ts';
import { guarantee } from './plant.ts';

const fixture = useFixture();

const file = 'src/refunds/refund-payment.ts';
type Module = typeof import('../../src/refunds/refund-payment.ts');

/** The status of a refund before the response. */
const statuses = ['created', 'unknown', 'processing', 'succeeded'] as const;

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

/** A refund of 7.00 in this status. */
async function refundIn(state: (typeof statuses)[number], kind: 'merchant' | 'surplus') {
  const { deps, companyId, replies } = fixture;
  const steps: Record<typeof state, RefundOutcome | null> = {
    ...{ created: null, unknown: null },
    processing: { kind: 'processing', reference: 're_1' },
    succeeded: { kind: 'succeeded', reference: 're_1', amountMinor: 700, currency: 'EUR' },
  };
  const outcome = steps[state];
  replies.refund = () => {
    if (!outcome) throw new Error('no response');
    return outcome;
  };
  const declined = { kind: 'declined', reference: 'ch_1', code: 'generic_decline' } as const;
  const { attemptId, code } =
    kind === 'merchant'
      ? await fixture.beginWith(captured('ch_1'))
      : await fixture.beginWith(declined, captured('ch_2', 700));
  if (kind === 'merchant')
    await refundPayment(deps, { companyId, mode: 'test', code, amount: 7, createdBy: 'test' });
  const refundId = (await fixture.snapshotOf(attemptId)).refunds[0]?.id ?? '';
  if (state === 'created')
    await fixture.query(`update refunds set state = 'created' where refund_id = $1`, [refundId]);
  else if (kind === 'surplus') {
    const { submitRefund } = await import('../../src/refunds/refund-payment.ts');
    const refund = await deps.db.inTenant({ companyId, mode: 'test' }, (tx) => findRefund(tx, refundId));
    assert.ok(refund);
    await submitRefund(deps, { companyId, refund });
  }
  assert.equal((await fixture.snapshotOf(attemptId)).refunds[0]?.state, state);
  return { attemptId, refundId };
}

guarantee<Module>(
  'a refund confirmed with another amount or currency does not change, except to unknown, and posts nothing',
  file,
  async ({ recordRefund }) => {
    const { deps, companyId } = fixture;
    const record = async (refundId: string, said: { amountMinor: number; currency: string }) => {
      const refund = await deps.db.inTenant({ companyId, mode: 'test' }, (tx) => findRefund(tx, refundId));
      assert.ok(refund);
      const outcome = { kind: 'succeeded', reference: 're_2', ...said } as const;
      await recordRefund(deps, { companyId, refund, outcome, actor: 'test' });
    };
    for (const kind of ['merchant', 'surplus'] as const)
      for (const state of statuses) {
        const { attemptId, refundId } = await refundIn(state, kind);
        const initial = await fixture.snapshotOf(attemptId);
        const expected = state === 'created' ? 'unknown' : state;
        const proof = fc.asyncProperty(others.filter(isOther), async (said) => {
          await record(refundId, said);
          const { refunds, ...rest } = await fixture.snapshotOf(attemptId);
          const { refunds: _, ...before } = initial;
          assert.deepEqual([refunds[0]?.state, rest], [expected, before]);
        });
        await fc.assert(proof, { numRuns: 6 });
        await record(refundId, { amountMinor: 700, currency: 'EUR' });
        await record(refundId, { amountMinor: 700, currency: 'EUR' });
        const { payment, refunds, entries } = await fixture.snapshotOf(attemptId);
        const entryKind = kind === 'merchant' ? 'refund' : 'surplus_refund';
        assert.equal(refunds[0]?.state, 'succeeded');
        assert.deepEqual(
          entries.filter(({ source }) => source === refundId),
          [{ kind: entryKind, amount: 700, currency: 'EUR', source: refundId }],
        );
        assert.deepEqual([payment.refunded, payment.refunding], kind === 'merchant' ? [700, 0] : [0, 0]);
      }
    await fixture.checkLedger();
  },
  {
    [file]: {
      'outcome.amountMinor === refund.amountMinor && ': { 'the amount is not compared': '' },
      ' && outcome.currency === refund.currency': { 'the currency is not compared': '' },
      'outcome.amountMinor === refund.amountMinor': {
        'a higher amount is enough': 'outcome.amountMinor >= refund.amountMinor',
      },
      "known?.kind ?? 'unknown'": {
        'an unexpected response makes a refund failed': "known?.kind ?? (outcome ? 'failed' : 'unknown')",
      },
      "const entryKind = kind === 'merchant' ? 'refund' : 'surplus_refund';": {
        'a merchant’s refund is posted as refund of an overpayment':
          "const entryKind = 'surplus_refund' as const;",
      },
      "if (kind === 'merchant') await settleRefundAmount": {
        'the refund of an overpayment counts as refunded amount': 'await settleRefundAmount',
      },
    },
    'src/payments/refund-store.ts': {
      'refunded_minor = refunded_minor + case when $4 then $3 else 0 end': {
        'the refunded amount is not counted':
          'refunded_minor = refunded_minor + case when $4 then 0 else 0 end',
      },
      'set refunding_minor = refunding_minor - $3,': {
        'the refunded amount stays reserved': 'set refunding_minor = refunding_minor - $3 + $3,',
      },
    },
  },
);
