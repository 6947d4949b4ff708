// Reports of one attempt that contradict each other, at the same time and in every order: the attempt ends as captured,
// or what it took is on its way back at once, by the reference of the charge that brought it.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { AttemptOutcome } from '../../src/processors/processor.ts';
import { reconcileRefund } from '../../src/refunds/refund-payment.ts';
import { type Ground, openGround, taken } from './fixture.ts';
import { guarantee } from './plant.ts';

let ground: Ground;
before(async () => {
  ground = await openGround();
});
after(async () => await ground.stop());

const file = 'src/attempts/record-outcome.ts';
type Module = typeof import('../../src/attempts/record-outcome.ts');
type Taken = ReturnType<typeof taken>;

const declined = { kind: 'declined', reference: 'ch_no', code: 'insufficient_funds' } as const;
const hardDeclined = { ...declined, code: 'generic_decline' } as const;
const isTaken = (outcome: AttemptOutcome): outcome is Taken => outcome.kind === 'succeeded';

/** What was said before: another reference than that of the charge, or none. */
const histories: readonly AttemptOutcome[][] = [
  [],
  [{ kind: 'processing', reference: 'ch_before' }],
  [{ kind: 'requires_action', reference: 'ch_before', url: 'https://bank.example/' }],
];
/** Reports that end an attempt, and one that it never can take money. */
const ends: readonly AttemptOutcome[] = [declined, hardDeclined, { kind: 'void' }];
/** Money that may come: as asked, more, and less of which no more comes. */
const money: readonly AttemptOutcome[] = [
  taken('ch_whole'),
  taken('ch_more', 2500),
  { ...taken('ch_part', 1200), isLastOfIt: true },
  taken('ch_dollars', 1999, 'USD'),
];

/** Fails unless an attempt was captured, or one of the charges goes back by its own reference. */
async function checkEnd(attemptId: string, charges: readonly Taken[]): Promise<void> {
  const { payment, attempt, entries, refunds } = await ground.statusOf(attemptId);
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
  const [job] = await ground.query(
    `select start_after <= created_on as now from pgboss.job where name = 'reconcile-refund' and data->>'refundId' = $1`,
    [refund.id],
  );
  assert.deepEqual(job, { now: true }, 'it goes back at once');
  await checkReturn(attemptId, refund.id, charge);
}

/** Fails unless a refund asks for the money of a charge, and for all of it. */
async function checkReturn(attemptId: string, refundId: string, charge: Taken): Promise<void> {
  const { deps, companyId, words, calls } = ground;
  const { amountMinor } = charge;
  words.refund = (asked) => {
    const { refundId: reference, amountMinor, currency } = asked;
    return { kind: 'succeeded', reference, amountMinor, currency };
  };
  await reconcileRefund(deps, { companyId, refundId });
  const asked = calls.filter((call) => call.what === 'refund' && call.attemptId === attemptId);
  assert.deepEqual(
    asked.map(({ reference }) => reference),
    [charge.reference],
    'the return names the charge that brought the money',
  );
  const { entries } = await ground.statusOf(attemptId);
  const sums = { surplus: 0, surplus_refund: 0 } as Record<string, number>;
  for (const { kind, amount } of entries) sums[kind] = (sums[kind] ?? 0) + amount;
  assert.deepEqual(sums, { surplus: amountMinor, surplus_refund: amountMinor });
}

const report = (attemptId: string, outcome: AttemptOutcome) =>
  ({ companyId: ground.companyId, mode: 'test', attemptId, outcome, actor: 'test' }) as const;

const faults = [
  [
    'another report leads a return elsewhere',
    'src/refunds/refund-payment.ts',
    'if (known && !isRetryDue) return false;',
    'if (reference !== undefined) await noteReference(tx, surplus.attemptId, reference);\n  if (known && !isRetryDue) return false;',
  ],
  [
    'a reference is not kept for the return',
    'src/refunds/refund-payment.ts',
    'if (reference !== undefined) await saveProcessorReference(tx, overpayment.attemptId, reference);',
    '',
  ],
  [
    'a reference of before stays',
    'src/payments/store.ts',
    'set processor_reference = $3 where',
    'set processor_reference = coalesce(processor_reference, $3) where',
  ],
  [
    'money after the end is no surplus',
    file,
    "if (isAttemptFinal(attempt.state)) return attempt.state !== 'succeeded';",
    'if (isAttemptFinal(attempt.state)) return false;',
  ],
  [
    'money is no surplus after a decline alone',
    file,
    "if (isAttemptFinal(attempt.state)) return attempt.state !== 'succeeded';",
    "if (isAttemptFinal(attempt.state)) return attempt.state === 'cancelled';",
  ],
  [
    'money of a captured attempt is a surplus',
    file,
    "if (isAttemptFinal(attempt.state)) return attempt.state !== 'succeeded';",
    'if (isAttemptFinal(attempt.state)) return true;',
  ],
  [
    'other money is taken for the whole',
    file,
    'return isAmountMismatch(outcome, attempt) && !isPartialCapture(outcome, attempt);',
    'return false;',
  ],
  ['another amount pays', file, 'outcome.amountMinor !== attempt.amountMinor || ', ''],
  ['another currency pays', file, ' || outcome.currency !== attempt.currency)', ')'],
  ['the last part waits for more', file, '    !outcome.isLastOfIt &&\n', ''],
  [
    'what ended is recorded again',
    file,
    '!isAttemptFinal(state) && !isStale(state, report.outcome)',
    '!isStale(state, report.outcome)',
  ],
  [
    'a payment is not locked while reports are recorded',
    'src/payments/store.ts',
    ` for update of payments \${lock}`,
    '',
  ],
  [
    'the return waits',
    'src/refunds/refund-payment.ts',
    "kind === 'surplus' ? 0 :",
    "kind === 'merchant' ? 0 :",
  ],
  [
    'a surplus is not posted',
    'src/refunds/refund-payment.ts',
    "await postEntry(tx, { ...money, kind: 'surplus', sourceId: overpayment.attemptId, at });",
    '',
  ],
  [
    'a capture is not posted',
    file,
    "plan.attemptTo === 'succeeded');",
    "plan.attemptTo !== 'succeeded' && plan.paymentTo === 'paid');",
  ],
].map(([fault = '', path = '', from = '', to = '']) => ({ fault, file: path, from, to }));

guarantee<Module>(
  'contradicting reports of one attempt at the same time end as captured, or what was taken goes back at once, by its own reference',
  file,
  async ({ recordOutcome, createBatchedRecordOutcome }) => {
    const { deps } = ground;
    const batched = createBatchedRecordOutcome(deps);
    const ways = [recordOutcome.bind(null, deps), batched];
    const pairs = money.flatMap((one) => [...ends, ...money].map((other) => [one, other] as const));
    const play = async (
      history: readonly AttemptOutcome[],
      outcomes: readonly AttemptOutcome[],
      gapMs: number,
    ) => {
      const { attemptId } = await ground.beginWith(...history);
      await Promise.all(
        outcomes.map(async (outcome, place) => {
          await sleep(place * gapMs);
          await ways[place % ways.length]?.(report(attemptId, outcome));
        }),
      );
      await checkEnd(attemptId, outcomes.filter(isTaken));
    };
    // Each pair in both orders, and at the very same moment.
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
    await ground.checkLedger();
  },
  faults,
);
