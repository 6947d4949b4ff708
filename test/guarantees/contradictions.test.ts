// Contradicting reports of one attempt, concurrently and in every order: the attempt ends as captured, or its charge is
// refunded immediately by its own reference.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { AttemptOutcome } from '../../src/processors/processor.ts';
import { reconcileRefund } from '../../src/refunds/refund-payment.ts';
import { captured, useFixture } from './fixture.ts';
import { guarantee } from './plant.ts';

const fixture = useFixture();

const file = 'src/attempts/record-outcome.ts';
type Module = typeof import('../../src/attempts/record-outcome.ts');
type Charge = ReturnType<typeof captured>;

const declined = { kind: 'declined', reference: 'ch_no', code: 'insufficient_funds' } as const;
const hardDeclined = { ...declined, code: 'generic_decline' } as const;
const isCharge = (outcome: AttemptOutcome): outcome is Charge => outcome.kind === 'succeeded';

/** Earlier reports: with another reference than the charge, or none. */
const histories: readonly AttemptOutcome[][] = [
  [],
  [{ kind: 'processing', reference: 'ch_before' }],
  [{ kind: 'requires_action', reference: 'ch_before', url: 'https://bank.example/' }],
];
/** Reports that end an attempt without a charge. */
const ends: readonly AttemptOutcome[] = [declined, hardDeclined, { kind: 'void' }];
/** Charges: the exact amount, more, a final partial amount, and another currency. */
const money: readonly AttemptOutcome[] = [
  captured('ch_whole'),
  captured('ch_more', 2500),
  { ...captured('ch_part', 1200), isLastOfIt: true },
  captured('ch_dollars', 1999, 'USD'),
];

/** Asserts that an attempt was captured, or that one of the charges is refunded by its own reference. */
async function checkEnd(attemptId: string, charges: readonly Charge[]): Promise<void> {
  const { payment, attempt, entries, refunds } = await fixture.snapshotOf(attemptId);
  const said = JSON.stringify({ payment, attempt, entries, refunds });
  if (attempt.state === 'succeeded') {
    assert.deepEqual(entries, [{ kind: 'capture', amount: 1999, currency: 'EUR', source: attemptId }], said);
    assert.deepEqual([payment.state, refunds], ['paid', []], said);
    assert.equal(attempt.reference, 'ch_whole', said);
    return;
  }
  assert.ok(['declined', 'cancelled'].includes(attempt.state), said);
  assert.ok(['open', 'failed'].includes(payment.state), said);
  const [refund, ...others] = refunds;
  if (charges.length === 0) return assert.deepEqual([refund, entries], [undefined, []], said);
  assert.ok(refund && others.length === 0, said);
  assert.equal(refund.kind, 'surplus');
  const { amount, currency } = refund;
  assert.deepEqual(entries, [{ kind: 'surplus', amount, currency, source: attemptId }], said);
  const charge = charges.find((one) => one.amountMinor === amount && one.currency === currency);
  assert.ok(charge, said);
  const [due] = await fixture.query('select due_at <= created_at as now from refunds where refund_id = $1', [
    refund.id,
  ]);
  assert.deepEqual(due, { now: true }, 'the refund is due immediately');
  await checkReturn(attemptId, refund.id, charge);
}

/** Asserts that a refund returns a whole charge. */
async function checkReturn(attemptId: string, refundId: string, charge: Charge): Promise<void> {
  const { deps, companyId, replies, calls } = fixture;
  const { amountMinor } = charge;
  replies.refund = (asked) => {
    const { refundId: reference, amountMinor, currency } = asked;
    return { kind: 'succeeded', reference, amountMinor, currency };
  };
  await reconcileRefund(deps, { companyId, refundId });
  const asked = calls.filter((call) => call.method === 'refund' && call.attemptId === attemptId);
  assert.deepEqual(
    asked.map(({ reference }) => reference),
    [charge.reference],
    'the refund names its charge',
  );
  const { entries } = await fixture.snapshotOf(attemptId);
  const sums = { surplus: 0, surplus_refund: 0 } as Record<string, number>;
  for (const { kind, amount } of entries) sums[kind] = (sums[kind] ?? 0) + amount;
  assert.deepEqual(sums, { surplus: amountMinor, surplus_refund: amountMinor });
}

const report = (attemptId: string, outcome: AttemptOutcome) =>
  ({ companyId: fixture.companyId, mode: 'test', attemptId, outcome, actor: 'test' }) as const;

const faults = {
  'src/refunds/refund-payment.ts': {
    'if (known && !isRetryDue) return false;': {
      'another report changes the reference of a refund':
        'if (reference !== undefined) await saveProcessorReference(tx, overpayment.attemptId, reference);\n  if (known && !isRetryDue) return false;',
    },
    'if (reference !== undefined) await saveProcessorReference(tx, overpayment.attemptId, reference);': {
      'the reference for the refund is not stored': '',
    },
    "await postEntry(tx, { ...money, kind: 'surplus', sourceId: overpayment.attemptId, at });": {
      'an overpayment is not posted': '',
    },
  },
  'src/payments/refund-store.ts': {
    'least($2, statement_timestamp())': {
      'the refund is delayed': "statement_timestamp() + interval '1 minute'",
    },
  },
  'src/payments/store.ts': {
    'set processor_reference = $3 where': {
      'an earlier reference is kept': 'set processor_reference = coalesce(processor_reference, $3) where',
    },
    ' for update of payments ${lock}': { 'a payment is not locked while a report is recorded': '' },
  },
  [file]: {
    "if (isAttemptFinal(attempt.state)) return attempt.state !== 'succeeded';": {
      'a charge after the end is no overpayment': 'if (isAttemptFinal(attempt.state)) return false;',
      'a charge after a decline is no overpayment':
        "if (isAttemptFinal(attempt.state)) return attempt.state === 'cancelled';",
      'a repeated capture is an overpayment': 'if (isAttemptFinal(attempt.state)) return true;',
    },
    'return isAmountMismatch(outcome, attempt) && !isPartialCapture(outcome, attempt);': {
      'another amount is no overpayment': 'return false;',
    },
    'outcome.amountMinor !== attempt.amountMinor || ': { 'another amount counts as paid': '' },
    ' || outcome.currency !== attempt.currency)': { 'another currency counts as paid': ')' },
    '    !outcome.isLastOfIt &&\n': { 'a final partial amount waits for more': '' },
    '!isAttemptFinal(state) && !isStale(state, report.outcome)': {
      'an ended attempt is recorded again': '!isStale(state, report.outcome)',
    },
    "each.plan.attemptTo === 'succeeded'": {
      'a capture is not posted': "each.plan.attemptTo !== 'succeeded' && each.plan.paymentTo === 'paid'",
    },
  },
};

guarantee<Module>(
  'contradicting concurrent reports of one attempt end as captured, or the charge is refunded immediately by its own reference',
  file,
  async ({ recordOutcome }) => {
    const { deps } = fixture;
    // Batches are not shared between copies of the dependencies, so the reports of a pair are concurrent.
    const processes = [deps, { ...deps }];
    const pairs = money.flatMap((one) => [...ends, ...money].map((other) => [one, other] as const));
    const play = async (
      history: readonly AttemptOutcome[],
      outcomes: readonly AttemptOutcome[],
      gapMs: number,
    ) => {
      const { attemptId } = await fixture.beginWith(...history);
      await Promise.all(
        outcomes.map(async (outcome, place) => {
          await sleep(place * gapMs);
          await recordOutcome(processes[place % processes.length] ?? deps, report(attemptId, outcome));
        }),
      );
      await checkEnd(attemptId, outcomes.filter(isCharge));
    };
    // Each pair in both orders, and concurrently.
    const scenes = pairs.flatMap(([one, other], index) => {
      const history = histories[index % histories.length] ?? [];
      return [
        { history, outcomes: [one, other], gapMs: 0 },
        { history, outcomes: [other, one], gapMs: 0 },
        { history, outcomes: [other, one], gapMs: 15 },
      ];
    });
    const width = 8;
    for (let first = 0; first < scenes.length; first += width) {
      const turn = scenes.slice(first, first + width);
      await Promise.all(
        turn.map(async ({ history, outcomes, gapMs }) => await play(history, outcomes, gapMs)),
      );
    }
    const any = fc.constantFrom(...ends, ...money);
    const proof = fc.asyncProperty(
      fc.constantFrom(...histories),
      fc.array(any, { minLength: 2, maxLength: 5 }),
      fc.constantFrom(0, 0, 8),
      play,
    );
    await fc.assert(proof, { numRuns: 25 });
    await fixture.checkLedger();
  },
  faults,
);
