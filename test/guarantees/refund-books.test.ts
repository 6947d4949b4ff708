// API refunds and refunds in the processor's dashboard of one payment, in every order: together they never exceed the
// payment, each is booked once, and counters and ledger agree after each step.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiError } from '../../src/base/errors.ts';
import { captured, useFixture } from './fixture.ts';
import { guarantee } from './plant.ts';

const fixture = useFixture();

type Module = typeof import('./refund-modules.ts');

/** An API refund with the processor's reply, a dashboard refund, a failed dashboard refund, or a run of the worker. */
type Step =
  | { kind: 'own'; amount: number; word: 'succeeded' | 'failed' | 'processing' | 'silence' }
  | { kind: 'outside'; reference: string; amount: number; currency: string }
  | { kind: 'failed_outside'; reference: string }
  | { kind: 'end'; word: 'succeeded' | 'failed' };

type Model = {
  refunded: number;
  waiting: { amount: number }[];
  imported: Map<string, { amount: number; isBack: boolean }>;
  cases: Map<string, number>;
};
const due = 1999;
const leftOf = ({ refunded, waiting }: Model) =>
  due - refunded - waiting.reduce((sum, { amount }) => sum + amount, 0);

/** The result of a step, by the documentation. Updates the model. */
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
  const known = model.imported.get(step.reference);
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
  if (booked > 0) model.imported.set(reference, { amount: booked, isBack: false });
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
  const { deps, companyId, replies } = fixture;
  const scope = { companyId, mode: 'test' } as const;
  const word = 'word' in step ? step.word : 'silence';
  replies.refund = ({ refundId, amountMinor, currency }) => {
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
        // The faulty module has its own ApiError class.
        if (error instanceof ApiError || (error as Error).name === 'ApiError')
          return (error as ApiError).code;
        throw error;
      },
    );
  }
  if (step.kind === 'end') {
    for (const { id, state } of (await fixture.snapshotOf(attemptId)).refunds)
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
  'API and dashboard refunds never exceed the payment, and each is booked once, in every order',
  'test/guarantees/refund-modules.ts',
  async (module) => {
    const play = async (walk: readonly Step[]) => {
      const begun = await fixture.beginWith(captured('ch_1'));
      const model: Model = { refunded: 0, waiting: [], imported: new Map(), cases: new Map() };
      for (const [place, step] of walk.entries()) {
        const expected = expect(model, step);
        const what = `step ${place} of ${JSON.stringify(walk)}`;
        assert.equal(await act(module, begun, step), expected, what);
        const { payment, entries } = await fixture.snapshotOf(begun.attemptId);
        const refunding = due - model.refunded - leftOf(model);
        assert.deepEqual([payment.refunded, payment.refunding], [model.refunded, refunding], what);
        const sum = (kind: string) =>
          entries.reduce((total, entry) => total + (entry.kind === kind ? entry.amount : 0), 0);
        assert.equal(sum('refund') - sum('refund_reversal'), model.refunded, what);
      }
      const cases = await fixture.query(
        `select processor_reference as reference, amount_minor as amount from processor_cases where attempt_id = $1`,
        [begun.attemptId],
      );
      assert.deepEqual(new Map(cases.map(({ reference, amount }) => [reference, amount])), model.cases);
    };
    for (const walk of examples) await play(walk);
    const walks = fc.array(steps, { minLength: 2, maxLength: 7 });
    await fc.assert(fc.asyncProperty(walks, play), { numRuns: 20 });
    await fixture.checkLedger();
  },
  {
    'src/reconciliation/import-external-refund.ts': {
      "if (await findRefundByReference(tx, { attemptId, reference })) return 'known';": {
        'a dashboard refund is booked each time': '',
      },
      ' && payment.currency === currency': { 'another currency is refunded': '' },
      "if (await hasRefundUnderWay(tx, { attemptId, amountMinor })) return 'waiting';": {
        'an API refund in progress is booked twice': '',
      },
      "if (amountMinor > left && payment.refundingMinor > 0) return 'waiting';": {
        'a dashboard refund does not wait for reserved amounts': '',
      },
      'if (amountMinor > left && payment': {
        'every dashboard refund waits for reserved amounts': 'if (payment',
      },
      'const postedMinor = Math.min(amountMinor, left);': {
        'more than the remaining amount is booked': 'const postedMinor = amountMinor;',
      },
      'if (postedMinor > 0)\n      await postExternalRefund(': {
        'nothing is booked if the refund exceeds the remaining amount':
          'if (postedMinor === amountMinor)\n      await postExternalRefund(',
      },
      "return isNew ? 'excess' : 'known';": {
        'an excess is reported each time': "return isNew || left === 0 ? 'excess' : 'known';",
      },
      "refund?.state === 'succeeded' && (await": { 'a failed refund is reversed twice': 'refund && (await' },
      "await postEntry(tx, { kind: 'refund', amountMinor, currency, paymentId, sourceId: refundId, at });": {
        'an imported refund is not posted': '',
      },
    },
    'src/refunds/refund-payment.ts': {
      ' - payment.refundingMinor : 0': {
        'a refund in progress does not reduce the remaining amount': ' : 0',
      },
      'payment.amountMinor - payment.refundedMinor': {
        'a refund does not reduce the remaining amount': 'payment.amountMinor',
      },
      "else if (isRefundFinal(to)) await finishRefund(tx, refund, to === 'succeeded', at);": {
        'a failed refund stays reserved':
          "else if (to === 'succeeded') await finishRefund(tx, refund, true, at);",
        'a failed refund counts as refunded':
          'else if (isRefundFinal(to)) await finishRefund(tx, refund, true, at);',
      },
      'await postEntry(tx, { kind: entryKind, amountMinor, currency, paymentId, sourceId: refundId, at });\n}\n\nasync function escalate(':
        { 'a reversal is not posted': '}\n\nasync function escalate(' },
      "const isReversal = refund.state === 'succeeded' && to === 'failed';": {
        'a reversal is not recognized': "const isReversal = refund.state === 'created' && to === 'failed';",
      },
    },
    'src/payments/refund-store.ts': {
      'set refunded_minor = refunded_minor - $3, updated_at': {
        'a reversal does not reduce the refunded amount':
          'set refunded_minor = refunded_minor - $3 + $3, updated_at',
      },
      'and attempt_id = $2 and amount_minor = $3 and state in': {
        'any refund in progress has the same amount': 'and attempt_id = $2 and $3 > 0 and state in',
      },
      "amount_minor = $3 and state in ('created', 'processing', 'unknown')": {
        'an unknown refund is not in progress': "amount_minor = $3 and state in ('created', 'processing')",
        'a processing refund is not in progress': "amount_minor = $3 and state in ('created', 'unknown')",
      },
    },
  },
);
