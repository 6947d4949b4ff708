// When a processor connection counts as down: random outcomes compared with a model. Connections that are down are listed
// after the others, and a card form uses one that is up.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pay } from '../src/attempts/pay.ts';
import { type PaymentView, viewPayment } from '../src/attempts/view-payment.ts';
import { createPayment } from '../src/links/create-payment.ts';
import type { PaymentRequest } from '../src/payments/schema.ts';
import type { AttemptOutcome, ProcessorKind } from '../src/processors/processor.ts';
import {
  assertCaught,
  countTimeoutAsSuccess,
  keepFailures,
  raiseFailureThreshold,
} from './faults/planted-guards.ts';
import { createLinkAs, orderOf } from './harness/client.ts';
import { createFakeHostedProcessor, withSandbox } from './harness/fake-processors.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { noCards, openCompany } from './harness/payment-methods.ts';
import { testMerchant } from './harness/test-merchant.ts';
import { fillCard, formsOf, visit } from './harness/visitor.ts';

/** The outcome of an attempt: captured, declined, no response, processor down, or request refused. */
const answers = ['takes', 'declines', 'silent', 'down', 'rejects'] as const;
type Answer = (typeof answers)[number];
const failures: readonly Answer[] = ['silent', 'down'];
const downMs = 60_000;
const allowedFailures = 3;

/** The outcome of each connection, by name. */
const answerOf = new Map<string, Answer>();

function say(
  answer: Answer,
  { attemptId, amountMinor, currency }: Parameters<typeof takes>[0],
): AttemptOutcome {
  if (answer === 'silent') throw new Error('no answer');
  if (answer === 'down') return { kind: 'unavailable', why: 'test' };
  if (answer === 'rejects') return { kind: 'unavailable', why: 'test', isOfRequest: true };
  if (answer === 'declines') return { kind: 'declined', reference: attemptId, code: 'source_declined' };
  return takes({ attemptId, amountMinor, currency });
}
const takes = (wanted: { attemptId: string; amountMinor: number; currency: string }): AttemptOutcome => ({
  ...{ kind: 'succeeded', reference: wanted.attemptId },
  ...{ amountMinor: wanted.amountMinor, currency: wanted.currency },
});

/** A processor with a configurable outcome for each connection. */
function makeKind(name: string, takesWhat: 'page' | 'card'): ProcessorKind {
  const { kind } = createFakeHostedProcessor(name, name);
  return {
    ...kind,
    takes: takesWhat,
    connect: (connection) => ({
      ...kind.connect(connection),
      authorise: async (request) => say(answerOf.get(connection.connectionId ?? '') ?? 'takes', request),
    }),
  };
}

const clock = manualClock();
let paylink: Paylink;
before(async () => {
  const processors = withSandbox([makeKind('paypond', 'page'), makeKind('cardpond', 'card')]);
  paylink = await startPaylink('server', { clock, processors, isAtWork: false });
});
after(async () => await paylink.stop());

type Shop = { companyId: string; accountId: string; ids: string[] };

/** A company with three connections to one processor. */
async function openShop(processor: string): Promise<Shop> {
  const { owner, ids } = await openCompany(paylink, processor, processor, processor, noCards);
  const { companyId } = owner;
  return { companyId, accountId: paylink.merchant.accountId, ids: ids.slice(0, 3) };
}

/** A new link, as its page reads it. */
async function look({ companyId, accountId }: Shop): Promise<PaymentView> {
  const creator = { companyId, accountId, mode: 'test' as const };
  const body = orderOf() as PaymentRequest;
  const { payment } = await createPayment(paylink.app.deps, creator, body);
  const view = await viewPayment(paylink.app.deps, { companyId, mode: 'test', code: payment.code });
  assert.ok(view);
  return view;
}

/** Pays a new link through one of the connections. */
async function payThrough(shop: Shop, connectionId: string, answer: Answer): Promise<void> {
  answerOf.set(connectionId, answer);
  const { payment, methods } = await look(shop);
  const method = methods.find((each) => each.connectionId === connectionId);
  assert.ok(method, 'a connection is never omitted');
  const { companyId, mode, code } = payment;
  await pay(paylink.app.deps, {
    companyId,
    mode,
    code,
    method,
    card: null,
    merchant: testMerchant,
    locale: 'en',
    pageLocale: 'en',
  });
}

/** The rule: down for a minute after the third consecutive failure, and after each further one. */
function createModel(ids: readonly string[]) {
  const connections = new Map(ids.map((id) => [id, { failures: 0, downUntil: 0 }]));
  const note = (id: string, answer: Answer, nowMs: number) => {
    const before = connections.get(id)?.failures ?? 0;
    if (!failures.includes(answer)) connections.set(id, { failures: 0, downUntil: 0 });
    else {
      const now = before + 1;
      const downUntil = now >= allowedFailures ? nowMs + downMs : (connections.get(id)?.downUntil ?? 0);
      connections.set(id, { failures: now, downUntil });
    }
  };
  const isUp = (id: string, nowMs: number) => (connections.get(id)?.downUntil ?? 0) <= nowMs;
  const inOrder = (nowMs: number) => [
    ...ids.filter((id) => isUp(id, nowMs)),
    ...ids.filter((id) => !isUp(id, nowMs)),
  ];
  return { note, isUp, inOrder };
}

type Step = { at: number; answer: Answer; gapMs: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    at: fc.nat(2),
    answer: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...failures) },
      { weight: 1, arbitrary: fc.constantFrom(...answers) },
    ),
    gapMs: fc.constantFrom(0, 0, 1, 20_000, downMs - 1, downMs),
  }),
  { minLength: 6, maxLength: 12 },
);

/** A connection that is down, and one that an answer keeps up: random outcomes may have neither. */
const sure: Step[] = (
  ['down', 'silent', 'silent', 'takes', 'silent', 'down', 'declines', 'down'] as const
).map((answer) => ({ at: 0, answer, gapMs: 0 }));

/** Checks the rule over many random outcomes of three connections. */
async function checkCircuits(numRuns: number): Promise<void> {
  let met = 0;
  const property = fc.asyncProperty(steps, async (wanted) => {
    const shop = await openShop('paypond');
    const model = createModel(shop.ids);
    for (const { at, answer, gapMs } of wanted) {
      const id = shop.ids[at] ?? '';
      await payThrough(shop, id, answer);
      model.note(id, answer, clock.now().getTime());
      clock.advanceMs(gapMs);
      const nowMs = clock.now().getTime();
      const { methods } = await look(shop);
      assert.deepEqual(
        methods.map(({ connectionId, isUp }) => ({ connectionId, isUp })),
        model.inOrder(nowMs).map((connectionId) => ({ connectionId, isUp: model.isUp(connectionId, nowMs) })),
      );
      if (!model.isUp(id, nowMs)) met += 1;
    }
  });
  await fc.assert(property, { numRuns: numRuns + 1, endOnFailure: true, examples: [[sure]] });
  assert.ok(met > 0, 'connections were down');
}

test('a connection is down for a minute after three consecutive failures, and any response resets the count', async () => {
  await checkCircuits(4);
});

test('after three attempts without a response the card form uses the next connection for a minute', async () => {
  const { owner, ids } = await openCompany(paylink, 'cardpond', 'cardpond', noCards);
  const [first = '', second = ''] = ids;
  answerOf.set(first, 'silent');
  answerOf.set(second, 'takes');
  const payByCard = async () => {
    const { link, code } = await createLinkAs(paylink, owner);
    const page = await visit(link);
    assert.equal(
      formsOf(page).filter(({ inputs }) => inputs.some(({ name }) => name === 'cc_number')).length,
      1,
    );
    const { action, body } = fillCard(page, { number: '4242424242424242' });
    // Not the waiting page, which queries the processor again.
    await fetch(action, { method: 'POST', body, redirect: 'manual' });
    const [attempt] = await paylink.app.deps.db.asOwner.query<{ state: string; connectionId: string }>(
      `select a.state, a.connection_id as "connectionId" from attempts a
       join payments p using (company_id, payment_id) where p.code = $1`,
      [code],
    );
    return attempt;
  };
  for (let attempt = 0; attempt < allowedFailures; attempt++)
    assert.deepEqual(await payByCard(), { state: 'unknown', connectionId: first }, `after ${attempt}`);
  assert.deepEqual(await payByCard(), { state: 'succeeded', connectionId: second });
  clock.advanceMs(downMs - 1);
  assert.deepEqual(await payByCard(), { state: 'succeeded', connectionId: second });
  clock.advanceMs(1);
  assert.deepEqual(await payByCard(), { state: 'unknown', connectionId: first });
});

const faults = {
  'that bears a fourth failure': () => raiseFailureThreshold(paylink.app.deps.db, 1),
  'that bears only two failures': () => raiseFailureThreshold(paylink.app.deps.db, -1),
  'that takes silence for an answer': () => countTimeoutAsSuccess(paylink.app.deps.db),
  'that counts on after an answer': () => keepFailures(paylink.app.deps.db),
};
for (const [fault, plant] of Object.entries(faults))
  test(`a circuit breaker ${fault} is detected`, async () => {
    await assertCaught(plant, async () => await checkCircuits(25));
  });
