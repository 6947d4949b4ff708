// Reports of one attempt, in any order and repeated, compared with a model: an attempt never goes back, money moves once,
// and contradictions after the end are recorded.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Evidence } from '../../src/attempts/record-outcome.ts';
import { captured, useFixture } from './fixture.ts';
import { guarantee } from './plant.ts';

const fixture = useFixture();

const file = 'src/attempts/record-outcome.ts';
type Module = typeof import('../../src/attempts/record-outcome.ts');

const reports: readonly Evidence[] = [
  captured('ch_whole'),
  captured('ch_more', 2500),
  captured('ch_part', 1200),
  { ...captured('ch_last', 1200), isLastOfIt: true },
  captured('ch_dollars', 1999, 'USD'),
  captured('ch_cents', 1200, 'USD'),
  captured('ch_isk', 1999, 'ISK'),
  captured('ch_none', 0),
  { kind: 'declined', reference: 'ch_no', code: 'expired_card' },
  { kind: 'declined', reference: 'ch_no', code: 'generic_decline' },
  { kind: 'void' },
  { kind: 'unavailable', why: 'test' },
  { kind: 'requires_action', reference: 'ch_action', url: 'https://bank.example/' },
  { kind: 'processing', reference: 'ch_decides' },
  { kind: 'unknown', why: 'no_answer' },
];

type Model = {
  state: string;
  payment: string;
  reference: string | null;
  code: string | null;
  surplus: { amount: number; currency: string } | null;
  notes: Set<string>;
  cases: Set<string>;
  isEscalated: boolean;
  actionUrl: boolean;
};

const isOver = ({ state }: Model) => ['succeeded', 'declined', 'cancelled'].includes(state);
const known = ['EUR', 'USD'];
const fixable = ['expired_card'];

function end(model: Model, state: string, code: string, reference: string | null): void {
  const isFree = code === 'never_started' || code === 'not_completed';
  const payment = isFree || fixable.includes(code) ? 'open' : 'failed';
  Object.assign(model, { state, code, payment, reference: reference ?? model.reference });
}

/** Refunds a charge of another amount, or one after the end. */
function refundOverpayment(model: Model, said: ReturnType<typeof captured>): void {
  const { amountMinor: amount, currency, reference } = said;
  if (amount > 0 && known.includes(currency)) {
    if (model.surplus) return;
    Object.assign(model, { surplus: { amount, currency }, reference });
    return;
  }
  model.notes.add(`succeeded ${amount} ${currency}`);
  if (amount > 0) model.cases.add(reference);
}

function apply(model: Model, said: Evidence): void {
  const noteOf = said.kind === 'succeeded' ? ` ${said.amountMinor} ${said.currency}` : '';
  const isExact = said.kind === 'succeeded' && said.amountMinor === 1999 && said.currency === 'EUR';
  if (isOver(model)) {
    if (model.state === 'succeeded') {
      const takesBack = said.kind === 'declined' || said.kind === 'void' || (noteOf !== '' && !isExact);
      if (takesBack) model.notes.add(`${said.kind}${noteOf}`);
    } else if (said.kind === 'succeeded') refundOverpayment(model, said as ReturnType<typeof captured>);
    return;
  }
  const move = (state: string, reference: string | null) => {
    if (model.state !== state) Object.assign(model, { state, reference: reference ?? model.reference });
  };
  if (said.kind === 'succeeded' && isExact)
    Object.assign(model, { state: 'succeeded', payment: 'paid', reference: said.reference });
  else if (said.kind === 'succeeded') {
    const { amountMinor, currency, reference } = said;
    const isPart = !said.isLastOfIt && currency === 'EUR' && amountMinor > 0 && amountMinor < 1999;
    if (isPart) {
      model.notes.add(`succeeded${noteOf}`);
      model.isEscalated = true;
      move('processing', reference);
      return;
    }
    refundOverpayment(model, said as ReturnType<typeof captured>);
    end(model, 'declined', 'amount_mismatch', reference);
  } else if (said.kind === 'declined') end(model, 'declined', said.code, said.reference);
  else if (said.kind === 'void') {
    const isAsked = model.actionUrl || model.state === 'processing';
    end(model, 'cancelled', isAsked ? 'not_completed' : 'never_started', null);
  } else if (said.kind === 'unavailable') {
    if (model.state === 'created') end(model, 'cancelled', 'never_started', null);
  } else if (said.kind === 'unknown') {
    if (model.state === 'created' || model.state === 'requires_action') move('unknown', null);
  } else if (said.kind === 'requires_action') {
    if (model.state === 'processing') return;
    if (model.state !== 'requires_action') model.actionUrl = true;
    move('requires_action', said.reference);
  } else move('processing', said.reference);
}

const sorted = (values: Iterable<string>) => [...values].sort();

async function compare(attemptId: string, model: Model, what: string): Promise<void> {
  const { payment, attempt, entries, refunds } = await fixture.snapshotOf(attemptId);
  const { state, reference, code } = attempt;
  assert.deepEqual(
    { state, reference, code, payment: payment.state },
    { state: model.state, reference: model.reference, code: model.code, payment: model.payment },
    what,
  );
  const capture = { kind: 'capture', amount: 1999, currency: 'EUR', source: attemptId };
  const surplus = model.surplus && { kind: 'surplus', ...model.surplus, source: attemptId };
  const expected = [...(model.state === 'succeeded' ? [capture] : []), ...(surplus ? [surplus] : [])];
  assert.deepEqual(entries, expected, what);
  const back = refunds.map(({ kind, amount, currency }) => ({ kind, amount, currency }));
  assert.deepEqual(back, model.surplus ? [{ kind: 'surplus', ...model.surplus }] : [], what);
  const notes = (await fixture.eventsOf(attemptId, 'attempt.contradicted')).map(
    ({ said, amountMinor, currency }) => `${said}${currency ? ` ${amountMinor} ${currency}` : ''}`,
  );
  assert.deepEqual(sorted(notes), sorted(model.notes), what);
  const escalations = await fixture.eventsOf(attemptId, 'attempt.escalated');
  assert.equal(escalations.length, model.isEscalated ? 1 : 0, what);
  const cases = await fixture.query(
    `select processor_reference as reference from processor_cases where attempt_id = $1 and code = 'currency_mismatch'`,
    [attemptId],
  );
  assert.deepEqual(sorted(cases.map((one) => String(one.reference))), sorted(model.cases), what);
}

guarantee<Module>(
  'reports of one attempt in every order give the same result as a model that never goes back',
  file,
  async ({ recordOutcome }) => {
    const { deps, companyId } = fixture;
    const play = async (said: readonly Evidence[]) => {
      const { attemptId } = await fixture.begin();
      const model: Model = {
        ...{ state: 'created', payment: 'processing', reference: null, code: null, surplus: null },
        ...{ notes: new Set<string>(), cases: new Set<string>(), isEscalated: false, actionUrl: false },
      };
      for (const outcome of said) {
        await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
        apply(model, outcome);
      }
      await compare(attemptId, model, JSON.stringify(said));
    };
    // Every pair, every repetition, and longer random walks.
    const pairs = reports.flatMap((one) => reports.map((other) => [one, other]));
    const triples = reports.flatMap((one) =>
      ['processing', 'requires_action', 'unknown'].map((kind) => [
        ...reports.filter((report) => report.kind === kind),
        one,
        one,
      ]),
    );
    // Every report after the end, twice.
    const afterwards = reports.slice(0, 3).map((first) => [first, ...reports, ...reports]);
    const scenes = [...afterwards, ...pairs, ...triples];
    const width = 8;
    for (let first = 0; first < scenes.length; first += width)
      await Promise.all(scenes.slice(first, first + width).map(play));
    const walks = fc.array(fc.constantFrom(...reports), { minLength: 3, maxLength: 7 });
    await fc.assert(fc.asyncProperty(walks, play), { numRuns: 12 });
    await fixture.checkLedger();
  },
  {
    [file]: {
      "outcome.kind === 'declined' || outcome.kind === 'void' || isAmountMismatch(": {
        'a decline after a capture is not recorded': "outcome.kind === 'void' || isAmountMismatch(",
        'a void after a capture is not recorded': "outcome.kind === 'declined' || isAmountMismatch(",
      },
      "|| outcome.kind === 'void' || isAmountMismatch(outcome, attempt);": {
        'another amount after a capture is not recorded': "|| outcome.kind === 'void';",
      },
      'if (isRepeat) return;': { 'a contradiction is recorded each time': '' },
      '      event.data.amountMinor === amountMinor &&\n': {
        'contradictions of different amounts are recorded once': '',
      },
      '      event.data.said === outcome.kind &&\n': {
        'contradictions of different kinds are recorded once': '',
      },
      '    outcome.currency === attempt.currency &&\n    outcome.amountMinor > 0': {
        'a partial capture may have any currency': '    outcome.amountMinor > 0',
      },
      '    outcome.amountMinor > 0 &&\n': { 'an amount of 0 is a partial capture': '' },
      'outcome.amountMinor < attempt.amountMinor': {
        'a higher amount is a partial capture': 'outcome.amountMinor !== attempt.amountMinor',
      },
      'await escalateStuckAttempt(tx, attempt, { at, actor: report.actor });': {
        'a partial capture is not escalated': '',
      },
      "if (outcome.kind === 'succeeded' && isPartialCapture(outcome, context.attempt))": {
        'a partial capture ends the attempt':
          "if (outcome.kind === 'succeeded' && !isPartialCapture(outcome, context.attempt) && context.endedBefore < 0)",
      },
      "if (outcome.kind === 'succeeded' && isAmountMismatch(outcome, context.attempt))": {
        'another amount does not end the attempt':
          "if (outcome.kind === 'succeeded' && isAmountMismatch(outcome, context.attempt) && context.endedBefore < 0)",
      },
      "if (outcome.kind === 'unavailable') return state !== 'created';": {
        'unavailable ends a started attempt': '',
      },
      "return state !== 'created' && state !== 'requires_action';": {
        'unknown changes a processing attempt': "return state === 'succeeded';",
        'unknown does not change an attempt that requires an action': "return state !== 'created';",
      },
      "return outcome.kind === 'requires_action' && state === 'processing';": {
        'a challenge changes a processing attempt': 'return false;',
      },
      "return state === 'processing' ? 'not_completed' : 'never_started';": {
        'a processing attempt was never started': "return 'never_started';",
      },
      "if (actionUrl) return cardLast4 ? 'authentication_abandoned' : 'not_completed';": {
        'an abandoned authentication was never started': '',
      },
      '!isCurrency(currency) || amountMinor <= 0': {
        'an unknown currency is refunded': 'amountMinor <= 0',
        'an amount of 0 is refunded': '!isCurrency(currency)',
      },
      'if (amountMinor > 0) await addProcessorCase': {
        'an unknown currency opens no case': 'if (amountMinor < 0) await addProcessorCase',
      },
      "mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'failed'": {
        'no decline allows a retry':
          "mayRetry(context.policy, code, context.endedBefore + 1) ? 'failed' : 'failed'",
        'every decline allows a retry':
          "mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'open'",
      },
    },
  },
);
