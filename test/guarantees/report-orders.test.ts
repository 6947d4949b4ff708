// What reports of one attempt come to, in whatever order and however often they come: compared with a model in which an
// attempt only ever goes forward, money moves once, and what a report adds after the end is noted.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import type { Evidence } from '../../src/attempts/record-outcome.ts';
import { type Ground, openGround, taken } from './fixture.ts';
import { guarantee } from './plant.ts';

let ground: Ground;
before(async () => {
  ground = await openGround();
});
after(async () => await ground.stop());

const file = 'src/attempts/record-outcome.ts';
type Module = typeof import('../../src/attempts/record-outcome.ts');

const reports: readonly Evidence[] = [
  taken('ch_whole'),
  taken('ch_more', 2500),
  taken('ch_part', 1200),
  { ...taken('ch_last', 1200), isLastOfIt: true },
  taken('ch_dollars', 1999, 'USD'),
  taken('ch_cents', 1200, 'USD'),
  taken('ch_isk', 1999, 'ISK'),
  taken('ch_none', 0),
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
  isHandedOver: boolean;
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

/** Money that is not the money that was asked for, or came after the end. */
function returnOther(model: Model, said: ReturnType<typeof taken>): void {
  const { amountMinor: amount, currency, reference } = said;
  if (amount > 0 && known.includes(currency)) {
    if (model.surplus) return;
    Object.assign(model, { surplus: { amount, currency }, reference });
    return;
  }
  model.notes.add(`succeeded ${amount} ${currency}`);
  if (amount > 0) model.cases.add(reference);
}

function hear(model: Model, said: Evidence): void {
  const noteOf = said.kind === 'succeeded' ? ` ${said.amountMinor} ${said.currency}` : '';
  const isExact = said.kind === 'succeeded' && said.amountMinor === 1999 && said.currency === 'EUR';
  if (isOver(model)) {
    if (model.state === 'succeeded') {
      const takesBack = said.kind === 'declined' || said.kind === 'void' || (noteOf !== '' && !isExact);
      if (takesBack) model.notes.add(`${said.kind}${noteOf}`);
    } else if (said.kind === 'succeeded') returnOther(model, said as ReturnType<typeof taken>);
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
      model.isHandedOver = true;
      move('processing', reference);
      return;
    }
    returnOther(model, said as ReturnType<typeof taken>);
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
  const { payment, attempt, entries, refunds } = await ground.statusOf(attemptId);
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
  const notes = (await ground.eventsOf(attemptId, 'attempt.contradicted')).map(
    ({ said, amountMinor, currency }) => `${said}${currency ? ` ${amountMinor} ${currency}` : ''}`,
  );
  assert.deepEqual(sorted(notes), sorted(model.notes), what);
  const handed = await ground.eventsOf(attemptId, 'attempt.escalated');
  assert.equal(handed.length, model.isHandedOver ? 1 : 0, what);
  const cases = await ground.query(
    `select processor_reference as reference from processor_cases where attempt_id = $1 and code = 'currency_mismatch'`,
    [attemptId],
  );
  assert.deepEqual(sorted(cases.map((one) => String(one.reference))), sorted(model.cases), what);
}

guarantee<Module>(
  'reports of one attempt come to the same as one after another in a model that only goes forward, in every order',
  file,
  async ({ recordOutcome }) => {
    const { deps, companyId } = ground;
    const play = async (said: readonly Evidence[]) => {
      const { attemptId } = await ground.begin();
      const model: Model = {
        ...{ state: 'created', payment: 'processing', reference: null, code: null, surplus: null },
        ...{ notes: new Set<string>(), cases: new Set<string>(), isHandedOver: false, actionUrl: false },
      };
      for (const outcome of said) {
        await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
        hear(model, outcome);
      }
      await compare(attemptId, model, JSON.stringify(said));
    };
    // Every pair, every one that is repeated, and longer walks at random.
    const pairs = reports.flatMap((one) => reports.map((other) => [one, other]));
    const triples = reports.flatMap((one) =>
      ['processing', 'requires_action', 'unknown'].map((kind) => [
        ...reports.filter((report) => report.kind === kind),
        one,
        one,
      ]),
    );
    // All that can be said after the end, twice.
    const afterwards = reports.slice(0, 3).map((first) => [first, ...reports, ...reports]);
    const scenes = [...afterwards, ...pairs, ...triples];
    const width = 8;
    for (let first = 0; first < scenes.length; first += width)
      await Promise.all(scenes.slice(first, first + width).map(play));
    const walks = fc.array(fc.constantFrom(...reports), { minLength: 3, maxLength: 7 });
    await fc.assert(fc.asyncProperty(walks, play), { numRuns: 12 });
    await ground.checkLedger();
  },
  [
    [
      'a decline after the money is not noted',
      "outcome.kind === 'declined' || outcome.kind === 'void' || isAmountMismatch(",
      "outcome.kind === 'void' || isAmountMismatch(",
    ],
    [
      'a void after the money is not noted',
      "outcome.kind === 'declined' || outcome.kind === 'void' || isAmountMismatch(",
      "outcome.kind === 'declined' || isAmountMismatch(",
    ],
    [
      'another amount after the money is not noted',
      "|| outcome.kind === 'void' || isAmountMismatch(outcome, attempt);",
      "|| outcome.kind === 'void';",
    ],
    ['a contradiction is noted each time', 'if (isRepeat) return;', ''],
    ['contradictions of other amounts are one', '      event.data.amountMinor === amountMinor &&\n', ''],
    ['what is said is not compared with what was noted', '      event.data.said === outcome.kind &&\n', ''],
    [
      'a part may be of any currency',
      '    outcome.currency === attempt.currency &&\n    outcome.amountMinor > 0',
      '    outcome.amountMinor > 0',
    ],
    ['no money is a part', '    outcome.amountMinor > 0 &&\n', ''],
    [
      'more is a part',
      'outcome.amountMinor < attempt.amountMinor',
      'outcome.amountMinor !== attempt.amountMinor',
    ],
    [
      'a part is not handed to a person',
      'await escalateStuckAttempt(tx, attempt, { at, actor: report.actor });',
      '',
    ],
    [
      'a part ends the attempt',
      "if (outcome.kind === 'succeeded' && isPartialCapture(outcome, context.attempt))",
      "if (outcome.kind === 'succeeded' && !isPartialCapture(outcome, context.attempt) && context.endedBefore < 0)",
    ],
    [
      'another amount ends nothing',
      "if (outcome.kind === 'succeeded' && isAmountMismatch(outcome, context.attempt))",
      "if (outcome.kind === 'succeeded' && isAmountMismatch(outcome, context.attempt) && context.endedBefore < 0)",
    ],
    [
      'unavailable ends what was begun',
      "if (outcome.kind === 'unavailable') return state !== 'created';",
      '',
    ],
    [
      'silence about what is being decided is news',
      "return state !== 'created' && state !== 'requires_action';",
      "return state === 'succeeded';",
    ],
    [
      'silence while the customer acts is no news',
      "return state !== 'created' && state !== 'requires_action';",
      "return state !== 'created';",
    ],
    [
      'a challenge is news while the processor decides',
      "return outcome.kind === 'requires_action' && state === 'processing';",
      'return false;',
    ],
    [
      'what is being decided was never started',
      "return state === 'processing' ? 'not_completed' : 'never_started';",
      "return 'never_started';",
    ],
    [
      'who turned back had never started',
      "if (actionUrl) return cardLast4 ? 'authentication_abandoned' : 'not_completed';",
      '',
    ],
    [
      'money of an unknown currency is sent back',
      '!isCurrency(currency) || amountMinor <= 0',
      'amountMinor <= 0',
    ],
    ['no money is sent back', '!isCurrency(currency) || amountMinor <= 0', '!isCurrency(currency)'],
    [
      'money of an unknown currency is no case',
      'if (amountMinor > 0) await addProcessorCase',
      'if (amountMinor < 0) await addProcessorCase',
    ],
    [
      'a decline may never be mended',
      "mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'failed'",
      "mayRetry(context.policy, code, context.endedBefore + 1) ? 'failed' : 'failed'",
    ],
    [
      'a decline may always be mended',
      "mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'failed'",
      "mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'open'",
    ],
  ].map(([fault = '', from = '', to = '']) => ({ fault, file, from, to })),
);
