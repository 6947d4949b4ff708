// Refunds of the merchant and of the processor's dashboard on one payment, in every order: together they never give back
// more than was paid, each is booked once, and the counters and the ledger agree after each step.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/base/errors.ts';
import { type Ground, openGround, taken } from './fixture.ts';
import { guarantee } from './plant.ts';

let ground: Ground;
before(async () => {
  ground = await openGround();
});
after(async () => await ground.stop());

type Module = typeof import('./refund-modules.ts');

/** A refund of the merchant and its processor's word, one of the dashboard, or that such a one failed. */
type Step =
  | { kind: 'own'; amount: number; word: 'succeeded' | 'failed' | 'processing' | 'silence' }
  | { kind: 'outside'; reference: string; amount: number; currency: string }
  | { kind: 'failed_outside'; reference: string }
  | { kind: 'end'; word: 'succeeded' | 'failed' };

type Model = {
  refunded: number;
  waiting: { amount: number }[];
  taken: Map<string, { amount: number; isBack: boolean }>;
  cases: Map<string, number>;
};
const due = 1999;
const leftOf = ({ refunded, waiting }: Model) =>
  due - refunded - waiting.reduce((sum, { amount }) => sum + amount, 0);

/** What comes of a step, by the documentation; changes the model. */
function expect(model: Model, step: Step): string {
  if (step.kind === 'own') {
    if (step.amount > leftOf(model)) return 'refund_too_large';
    if (step.word === 'succeeded') model.refunded += step.amount;
    else if (step.word !== 'failed') model.waiting.push({ amount: step.amount });
    return step.word === 'silence' ? 'unknown' : step.word;
  }
  if (step.kind === 'end') {
    const ended = model.waiting.splice(0);
    if (step.word === 'succeeded') for (const { amount } of ended) model.refunded += amount;
    return 'ended';
  }
  const known = model.taken.get(step.reference);
  if (step.kind === 'failed_outside') {
    if (!known || known.isBack) return 'known';
    known.isBack = true;
    model.refunded -= known.amount;
    return 'moved_back';
  }
  const { reference, amount, currency } = step;
  if (known) return 'known';
  if (currency !== 'EUR') return 'unmatched';
  const left = leftOf(model);
  if (model.waiting.some((one) => one.amount === amount)) return 'waiting';
  if (amount > left && model.waiting.length > 0) return 'waiting';
  const booked = Math.min(amount, left);
  if (booked > 0) model.taken.set(reference, { amount: booked, isBack: false });
  model.refunded += booked;
  if (booked === amount) return 'taken_over';
  if (model.cases.has(reference)) return 'known';
  model.cases.set(reference, amount - booked);
  return 'excess';
}

async function act(
  module: Module,
  { attemptId, code }: { attemptId: string; code: string },
  step: Step,
): Promise<string> {
  const { deps, companyId, words } = ground;
  const scope = { companyId, mode: 'test' } as const;
  const word = 'word' in step ? step.word : 'silence';
  words.refund = ({ refundId, amountMinor, currency }) => {
    const reference = `own-${refundId}`;
    if (word === 'silence') throw new Error('no answer');
    if (word === 'succeeded') return { kind: word, reference, amountMinor, currency };
    return word === 'failed' ? { kind: word, reference, code: 'refused' } : { kind: word, reference };
  };
  if (step.kind === 'own') {
    const order = { ...scope, code, amount: step.amount / 100, createdBy: 'test' };
    return await module.refundPayment(deps, order).then(
      ({ state }) => state,
      (error: unknown) => {
        // A refusal of the spoiled module is of a class of its own.
        if (error instanceof ApiError || (error as Error).name === 'ApiError')
          return (error as ApiError).code;
        throw error;
      },
    );
  }
  if (step.kind === 'end') {
    for (const { id, state } of (await ground.statusOf(attemptId)).refunds)
      if (state === 'unknown' || state === 'processing')
        await module.reconcileRefund(deps, { companyId, refundId: id });
    return 'ended';
  }
  const money = step.kind === 'outside' ? step : { amount: 500, currency: 'EUR' };
  const kind = step.kind === 'outside' ? 'outside_refund' : 'failed_outside_refund';
  const refund = { kind, key: attemptId, reference: step.reference } as const;
  const { amount: amountMinor, currency } = money;
  return await module.importExternalRefund(deps, { ...scope, refund: { ...refund, amountMinor, currency } });
}

const amounts = fc.constantFrom(1, 500, 700, 1499, 1999, 2000);
const references = fc.constantFrom('re_1', 're_2', 're_3');
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('own' as const),
    amount: amounts,
    word: fc.constantFrom('succeeded' as const, 'failed' as const, 'processing' as const, 'silence' as const),
  }),
  fc.record({
    kind: fc.constant('outside' as const),
    reference: references,
    amount: amounts,
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  }),
  fc.record({ kind: fc.constant('failed_outside' as const), reference: references }),
  fc.record({ kind: fc.constant('end' as const), word: fc.constantFrom('succeeded', 'failed') }),
);

const outside = (reference: string, amount: number, currency = 'EUR') =>
  ({ kind: 'outside', reference, amount, currency }) as const;
const failed = (reference: string) => ({ kind: 'failed_outside', reference }) as const;
const own = (amount: number, word: 'succeeded' | 'failed' | 'processing' | 'silence') =>
  ({ kind: 'own', amount, word }) as const;
const examples: Step[][] = [
  [outside('re_1', 500), outside('re_1', 500), failed('re_1'), failed('re_1'), outside('re_1', 500)],
  [outside('re_1', 500, 'USD'), outside('re_2', 2000), outside('re_2', 2000), outside('re_3', 1)],
  [own(1999, 'succeeded'), outside('re_1', 1), outside('re_1', 1), own(1, 'succeeded')],
  [own(500, 'silence'), outside('re_1', 500), outside('re_2', 700), { kind: 'end', word: 'succeeded' }],
  [own(1499, 'processing'), outside('re_1', 700), { kind: 'end', word: 'failed' }, outside('re_1', 700)],
  [
    own(700, 'failed'),
    own(2000, 'succeeded'),
    own(1499, 'silence'),
    own(700, 'succeeded'),
    own(500, 'succeeded'),
  ],
  [failed('re_1'), outside('re_1', 700), failed('re_1'), own(1999, 'succeeded')],
];

guarantee<Module>(
  'refunds of the merchant and of the dashboard give back what was paid and no more, each once, in every order',
  'test/guarantees/refund-modules.ts',
  async (module) => {
    const play = async (walk: readonly Step[]) => {
      const begun = await ground.beginWith(taken('ch_1'));
      const model: Model = { refunded: 0, waiting: [], taken: new Map(), cases: new Map() };
      for (const [place, step] of walk.entries()) {
        const expected = expect(model, step);
        const what = `step ${place} of ${JSON.stringify(walk)}`;
        assert.equal(await act(module, begun, step), expected, what);
        const { payment, entries } = await ground.statusOf(begun.attemptId);
        const refunding = due - model.refunded - leftOf(model);
        assert.deepEqual([payment.refunded, payment.refunding], [model.refunded, refunding], what);
        const sum = (kind: string) =>
          entries.reduce((total, entry) => total + (entry.kind === kind ? entry.amount : 0), 0);
        assert.equal(sum('refund') - sum('refund_reversal'), model.refunded, what);
      }
      const cases = await ground.query(
        `select processor_reference as reference, amount_minor as amount from processor_cases where attempt_id = $1`,
        [begun.attemptId],
      );
      assert.deepEqual(new Map(cases.map(({ reference, amount }) => [reference, amount])), model.cases);
    };
    for (const walk of examples) await play(walk);
    const walks = fc.array(steps, { minLength: 2, maxLength: 7 });
    await fc.assert(fc.asyncProperty(walks, play), { numRuns: 20 });
    await ground.checkLedger();
  },
  [
    [
      'a refund of the dashboard is booked each time',
      'src/reconciliation/import-external-refund.ts',
      "if (await findRefundByReference(tx, { attemptId, reference })) return 'known';",
      '',
    ],
    [
      'another currency is given back',
      'src/reconciliation/import-external-refund.ts',
      ' && payment.currency === currency',
      '',
    ],
    [
      'one of ours that is under way counts twice',
      'src/reconciliation/import-external-refund.ts',
      "if (await hasRefundUnderWay(tx, { attemptId, amountMinor })) return 'waiting';",
      '',
    ],
    [
      'what is set aside is not waited for',
      'src/reconciliation/import-external-refund.ts',
      "if (amountMinor > left && payment.refundingMinor > 0) return 'waiting';",
      '',
    ],
    [
      'all waits while something is set aside',
      'src/reconciliation/import-external-refund.ts',
      'if (amountMinor > left && payment',
      'if (payment',
    ],
    [
      'more than is left is booked',
      'src/reconciliation/import-external-refund.ts',
      'const postedMinor = Math.min(amountMinor, left);',
      'const postedMinor = amountMinor;',
    ],
    [
      'nothing is booked where too much went back',
      'src/reconciliation/import-external-refund.ts',
      'if (postedMinor > 0)\n      await postExternalRefund(',
      'if (postedMinor === amountMinor)\n      await postExternalRefund(',
    ],
    [
      'an excess is reported each time',
      'src/reconciliation/import-external-refund.ts',
      "return isNew ? 'excess' : 'known';",
      "return isNew || left === 0 ? 'excess' : 'known';",
    ],
    [
      'one that failed is moved back twice',
      'src/reconciliation/import-external-refund.ts',
      "refund?.state === 'succeeded' && (await",
      'refund && (await',
    ],
    [
      'one that was taken over is not posted',
      'src/reconciliation/import-external-refund.ts',
      "await postEntry(tx, { kind: 'refund', amountMinor, currency, paymentId, sourceId: refundId, at });",
      '',
    ],
    [
      'what is being given back is still left',
      'src/refunds/refund-payment.ts',
      ' - payment.refundingMinor : 0',
      ' : 0',
    ],
    [
      'what was given back is still left',
      'src/refunds/refund-payment.ts',
      'payment.amountMinor - payment.refundedMinor',
      'payment.amountMinor',
    ],
    [
      'a refund that failed stays set aside',
      'src/refunds/refund-payment.ts',
      "else if (isRefundFinal(to)) await finishRefund(tx, refund, to === 'succeeded', at);",
      "else if (to === 'succeeded') await finishRefund(tx, refund, true, at);",
    ],
    [
      'a refund that failed counts as given back',
      'src/refunds/refund-payment.ts',
      "else if (isRefundFinal(to)) await finishRefund(tx, refund, to === 'succeeded', at);",
      'else if (isRefundFinal(to)) await finishRefund(tx, refund, true, at);',
    ],
    [
      'a reversal is not posted',
      'src/refunds/refund-payment.ts',
      'await postEntry(tx, { kind: entryKind, amountMinor, currency, paymentId, sourceId: refundId, at });\n}\n\nasync function escalate(',
      '}\n\nasync function escalate(',
    ],
    [
      'a reversal is not taken',
      'src/refunds/refund-payment.ts',
      "const isReversal = refund.state === 'succeeded' && to === 'failed';",
      "const isReversal = refund.state === 'created' && to === 'failed';",
    ],
    [
      'a reversal leaves what was given back',
      'src/payments/refund-store.ts',
      'set refunded_minor = refunded_minor - $3, updated_at',
      'set refunded_minor = refunded_minor - $3 + $3, updated_at',
    ],
    [
      'any refund under way is of the same amount',
      'src/payments/refund-store.ts',
      'and attempt_id = $2 and amount_minor = $3 and state in',
      'and attempt_id = $2 and $3 > 0 and state in',
    ],
    [
      'a refund that is unknown is not under way',
      'src/payments/refund-store.ts',
      "state in ('created', 'processing', 'unknown')",
      "state in ('created', 'processing')",
    ],
    [
      'a refund that is processing is not under way',
      'src/payments/refund-store.ts',
      "state in ('created', 'processing', 'unknown')",
      "state in ('created', 'unknown')",
    ],
  ].map(([fault = '', path = '', from = '', to = '']) => ({ fault, file: path, from, to })),
);
