// The conditions between a processor's report and the money, over many reports, orders and times. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pay } from '../src/attempts/pay.ts';
import { type Evidence, recordOutcome } from '../src/attempts/record-outcome.ts';
import { refreshAttempt } from '../src/attempts/refresh-attempt.ts';
import { viewPayment } from '../src/attempts/view-payment.ts';
import { ApiError } from '../src/base/errors.ts';
import { createPayment } from '../src/links/create-payment.ts';
import { expirePayments } from '../src/links/expire-payments.ts';
import type { PaymentRequest } from '../src/payments/schema.ts';
import { lockPayment } from '../src/payments/store.ts';
import type { AttemptOutcome, ProcessorKind, RefundOutcome } from '../src/processors/processor.ts';
import { importExternalRefund } from '../src/reconciliation/import-external-refund.ts';
import { refundPayment } from '../src/refunds/refund-payment.ts';
import { orderOf } from './harness/client.ts';
import { createFakeHostedProcessor, withSandbox } from './harness/fake-processors.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { noCards, openCompany } from './harness/payment-methods.ts';
import { until } from './harness/process.ts';
import { testMerchant } from './harness/test-merchant.ts';

/** The next reports of the processor, and the calls that it got; null means no response. */
const words: { begin: AttemptOutcome | null; refund: 'succeeded' | null; asked: string[] } = {
  begin: null,
  refund: 'succeeded',
  asked: [],
};

function makeKind(): ProcessorKind {
  const { kind } = createFakeHostedProcessor('paypond', 'Paypond');
  const processor = kind.connect({ connectionId: null, companyId: '', mode: 'test', credentials: {} });
  const answer = (call: string): AttemptOutcome => {
    words.asked.push(call);
    if (!words.begin) throw new Error('no answer');
    return words.begin;
  };
  const refund = async (wanted: { refundId: string; amountMinor: number; currency: string }) => {
    if (!words.refund) throw new Error('no answer');
    const { refundId: reference, amountMinor, currency } = wanted;
    return { kind: 'succeeded', reference, amountMinor, currency } as RefundOutcome;
  };
  return {
    ...kind,
    connect: () => ({
      ...processor,
      refund,
      authorise: async () => answer('authorise'),
      query: async () => answer('query'),
      cancel: async () => answer('cancel'),
      capture: async () => answer('capture'),
    }),
  };
}

const clock = manualClock();
let paylink: Paylink;
let scope: { companyId: string; mode: 'test' };
before(async () => {
  paylink = await startPaylink('server', { clock, processors: withSandbox([makeKind()]), isAtWork: false });
  const { owner } = await openCompany(paylink, 'paypond', noCards);
  scope = { companyId: owner.companyId, mode: 'test' };
});
after(async () => await paylink.stop());

const query = async (text: string, values: unknown[]) =>
  await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);

/** A new link of 100.00, and the input that pays it. */
async function makeLink() {
  const { deps } = paylink.app;
  const body = orderOf({ amount: 100 }) as PaymentRequest;
  const { payment } = await createPayment(deps, { ...scope, accountId: paylink.merchant.accountId }, body);
  const look = async () => await viewPayment(deps, { ...scope, code: payment.code });
  const method = (await look())?.methods[0];
  assert.ok(method);
  const begin = async (outcome: AttemptOutcome | null) => {
    words.begin = outcome;
    return await pay(deps, {
      ...scope,
      code: payment.code,
      method,
      card: null,
      merchant: testMerchant,
      locale: 'en',
      pageLocale: 'en',
    });
  };
  return { payment, look, begin };
}

const money = { amountMinor: 10_000, currency: 'EUR' } as const;
const taken: AttemptOutcome = { kind: 'succeeded', reference: 'charge', ...money };
const page = (reference: string): AttemptOutcome => ({
  kind: 'requires_action',
  reference,
  url: 'https://page.example/',
});

/** An attempt on a new link, started with an outcome. */
async function beginAttempt(outcome: AttemptOutcome | null) {
  const link = await makeLink();
  const attemptId = (await link.begin(outcome))?.attempt?.attemptId ?? '';
  const record = async (said: Evidence) =>
    await recordOutcome(paylink.app.deps, { ...scope, attemptId, outcome: said, actor: 'test' });
  return { ...link, attemptId, record };
}

const evidence = fc.oneof(
  fc.constantFrom<Evidence>(
    { kind: 'unknown', why: 'test' },
    { kind: 'unavailable', why: 'test' },
    page('page-1'),
    page('page-2'),
    { kind: 'processing', reference: 'processing-1' },
    { kind: 'processing', reference: 'processing-2' },
  ),
  fc.constantFrom<Evidence>(taken, { kind: 'declined', reference: 'no', code: 'source_declined' }),
);
const beginnings = fc.constantFrom<AttemptOutcome | null>(null, page('page-0'), {
  kind: 'processing',
  reference: 'processing-0',
});

const ends = ['succeeded', 'declined', 'cancelled'];

/** Whether a report changes an attempt in a state: it never moves back to the customer, or to "nothing was started". */
function isNews(state: string, { kind }: Evidence): boolean {
  if (ends.includes(state) || kind === 'unavailable' || kind === state) return false;
  if (kind === 'unknown') return state === 'requires_action';
  return kind !== 'requires_action' || state !== 'processing';
}

test('reports in any order only move an attempt forward, and it keeps the reference of the last applied one', async () => {
  const property = fc.asyncProperty(beginnings, fc.array(evidence, { maxLength: 6 }), async (begun, said) => {
    const { record } = await beginAttempt(begun);
    let isOver = false;
    const model = {
      state: begun === null ? 'unknown' : begun.kind,
      reference: begun && 'reference' in begun ? begun.reference : null,
    };
    for (const word of said) {
      if (isNews(model.state, word)) {
        model.state = word.kind;
        if ('reference' in word) model.reference = word.reference;
      }
      const { attempt } = await record(word);
      assert.equal(attempt.state, model.state);
      // Money that arrives after the end has a separate reference.
      if (isOver) continue;
      assert.equal(attempt.processorReference, model.reference);
      isOver = ends.includes(model.state);
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

test('each different amount that a processor reports after the capture is recorded once', async () => {
  const amounts = fc.array(fc.constantFrom(1, 5_000, 9_999, 10_000, 10_001), { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(amounts, async (named) => {
    const { record, attemptId } = await beginAttempt(taken);
    for (const amountMinor of named) await record({ ...taken, amountMinor });
    const rows = await query(
      `select (data->>'amountMinor')::int as amount from events
       where attempt_id = $1 and type = 'attempt.contradicted' order by 1`,
      [attemptId],
    );
    const others = [...new Set(named)].filter((amount) => amount !== 10_000).toSorted((a, b) => a - b);
    assert.deepEqual(
      rows.map(({ amount }) => amount),
      others,
    );
  });
  await fc.assert(property, { numRuns: 12 });
});

test('the refund of an overpayment has its reason: late, or a wrong amount', async () => {
  const reasonOf = async (attemptId: string) =>
    (
      await query(
        `select data->>'reason' as reason from events where attempt_id = $1 and type = 'payment.late'`,
        [attemptId],
      )
    ).map(({ reason }) => reason);
  const late = await beginAttempt({ kind: 'declined', reference: 'no', code: 'source_declined' });
  await late.record(taken);
  assert.deepEqual(await reasonOf(late.attemptId), ['paid_late']);
  const more = await beginAttempt(page('page'));
  await more.record({ ...taken, amountMinor: 10_001 });
  assert.deepEqual(await reasonOf(more.attemptId), ['wrong_amount']);
});

test('of two reports that wait for a lock, the second is applied to the result of the first', async () => {
  const { db } = paylink.app.deps;
  const waiting = async () =>
    (
      await query(
        `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      )
    ).length;
  const declined: Evidence = { kind: 'declined', reference: 'no', code: 'source_declined' };
  for (const isTakenFirst of [true, false]) {
    const { record, attemptId, payment } = await beginAttempt(page('page'));
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = db.inTenant(scope, async (tx) => {
      await lockPayment(tx, payment.paymentId);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const recorded = [];
    // Each report has read the attempt before it waits, and the lock is granted in the order of requests.
    for (const word of isTakenFirst ? [taken, declined] : [declined, taken]) {
      recorded.push(record(word));
      await until(async () => (await waiting()) === recorded.length, 'a word to wait for the payment');
    }
    release.resolve();
    await Promise.all([holding, ...recorded]);
    const [end] = await query(
      `select a.state, (select count(*) from refunds r where r.attempt_id = a.attempt_id and kind = 'surplus') as returns
       from attempts a where attempt_id = $1`,
      [attemptId],
    );
    const expected = isTakenFirst ? { state: 'succeeded', returns: 0 } : { state: 'declined', returns: 1 };
    assert.deepEqual(end, expected);
  }
});

test('a final attempt is never cancelled at its processor', async () => {
  for (const end of [
    { kind: 'declined', reference: 'no', code: 'source_declined' },
    { kind: 'void' },
  ] as const) {
    const { attemptId, record } = await beginAttempt(page('page'));
    await record(end);
    words.asked.length = 0;
    await refreshAttempt(paylink.app.deps, { ...scope, attemptId, actor: 'test', shouldCancel: () => true });
    assert.ok(!words.asked.includes('cancel'), words.asked.join());
  }
});

test('a link is open until its expiry, and not payable from that millisecond on', async () => {
  for (const offsetMs of [-1, 0, 1]) {
    const { payment, look, begin } = await makeLink();
    clock.advanceMs(payment.expiresAt.getTime() + offsetMs - clock.now().getTime());
    words.asked.length = 0;
    const isOpen = offsetMs < 0;
    if (offsetMs === 0) assert.equal((await look())?.payment.state, 'expired');
    const current = await begin(taken);
    assert.equal(current?.payment.state, isOpen ? 'paid' : 'expired', `${offsetMs} ms`);
    assert.deepEqual(words.asked, isOpen ? ['authorise'] : []);
  }
});

test('a link has at most 50 attempts, however they end', async () => {
  for (const begunBefore of [49, 50]) {
    const { payment, begin } = await beginAttempt({ kind: 'unavailable', why: 'test' });
    await query(
      `insert into attempts select (jsonb_populate_record(a, jsonb_build_object('attempt_id', a.attempt_id || n))).*
       from attempts a, generate_series(1, $2::int) n where payment_id = $1`,
      [payment.paymentId, begunBefore - 1],
    );
    words.asked.length = 0;
    const code = await begin(page('page')).then(
      () => 'begun',
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
    assert.equal(code, begunBefore < 50 ? 'begun' : 'too_many_attempts');
    assert.deepEqual(words.asked, begunBefore < 50 ? ['authorise'] : []);
  }
});

test('10,000 links that are due at once expire in about a hundred transactions, each link with one event', async () => {
  const { deps } = paylink.app;
  const creator = { ...scope, accountId: paylink.merchant.accountId };
  const { payment } = await createPayment(deps, creator, orderOf() as PaymentRequest);
  await query(
    `insert into payments (company_id, mode, payment_id, code, customer_order_id, amount_minor, currency, email, country,
       success_url, failure_url, state, metadata, expires_at, created_at, updated_at, created_by)
     select company_id, mode, 'pay_due' || n, code || n, 'due-' || n, amount_minor, currency, email, country,
       success_url, failure_url, state, metadata, expires_at, created_at, updated_at, created_by
     from payments, generate_series(2, 10000) n where payment_id = $1`,
    [payment.paymentId],
  );
  clock.advanceMs(payment.expiresAt.getTime() - clock.now().getTime());
  let transactions = 0;
  const db: typeof deps.db = {
    ...deps.db,
    inTenant: async (...call) => {
      transactions += 1;
      return await deps.db.inTenant(...call);
    },
  };
  // Two processes run the job at once.
  const counts = await Promise.all([
    expirePayments({ ...deps, db }),
    expirePayments({ ...deps, db: deps.db }),
  ]);
  const [ended] = await query(
    `select count(*) filter (where state = 'expired') as expired, count(*) filter (where state = 'open') as open,
       (select count(*) from events where company_id = $1 and type = 'payment.expired' and payment_id like 'pay_due%') as events
     from payments where company_id = $1 and (payment_id like 'pay_due%' or payment_id = $2)`,
    [scope.companyId, payment.paymentId],
  );
  assert.deepEqual(ended, { expired: 10_000, open: 0, events: 9_999 });
  assert.ok(counts[0] + counts[1] >= 10_000);
  assert.ok(transactions <= 130, `${transactions} transactions`);
});

test('links of one company that cannot be expired do not keep those of others from it', async () => {
  const { deps } = paylink.app;
  const creator = { ...scope, accountId: paylink.merchant.accountId };
  const other = (await openCompany(paylink, noCards)).owner.companyId;
  const broken = (await createPayment(deps, creator, orderOf() as PaymentRequest)).payment;
  const whole = (await createPayment(deps, { ...creator, companyId: other }, orderOf() as PaymentRequest))
    .payment;
  // More links than a batch has, all due before the other company's.
  await query(
    `insert into payments (company_id, mode, payment_id, code, customer_order_id, amount_minor, currency, email, country,
       success_url, failure_url, state, metadata, expires_at, created_at, updated_at, created_by)
     select company_id, mode, 'pay_stuck' || n, code || n, 'stuck-' || n, amount_minor, currency, email, country,
       success_url, failure_url, state, metadata, expires_at - interval '1 minute', created_at, updated_at, created_by
     from payments, generate_series(1, 600) n where payment_id = $1`,
    [broken.paymentId],
  );
  clock.advanceMs(whole.expiresAt.getTime() - clock.now().getTime());
  const db: typeof deps.db = {
    ...deps.db,
    inTenant: async (tenant, ...call) => {
      if (tenant.companyId === scope.companyId) throw new Error('this company fails');
      return await deps.db.inTenant(tenant, ...call);
    },
  };
  await assert.rejects(expirePayments({ ...deps, db }), /links of 1 companies could not be expired/);
  const stateOf = async (id: string) =>
    (await query('select state from payments where payment_id = $1', [id]))[0]?.state;
  assert.deepEqual([await stateOf(broken.paymentId), await stateOf(whole.paymentId)], ['open', 'expired']);
  assert.ok((await expirePayments(deps)) >= 601);
  assert.equal(await stateOf(broken.paymentId), 'expired');
});

/** Refunds of 100.00 in cents, and whether the processor responds. */
const parts = fc.array(fc.record({ minor: fc.integer({ min: 1, max: 4_000 }), isAnswered: fc.boolean() }), {
  maxLength: 4,
});

test('the remaining amount excludes refunds in progress, and another expected amount is refused', async () => {
  const refund = async (code: string, more: { amount?: number; expectedRemaining?: number }) =>
    await refundPayment(paylink.app.deps, { ...scope, code, createdBy: 'test', ...more }).then(
      ({ amountMinor }) => amountMinor,
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
  const property = fc.asyncProperty(parts, fc.constantFrom(-1, 1, -500, 500), async (wanted, off) => {
    const { payment } = await beginAttempt(taken);
    const { code } = payment;
    let left = 10_000;
    for (const { minor, isAnswered } of wanted) {
      words.refund = isAnswered ? 'succeeded' : null;
      const isEnough = minor <= left;
      assert.equal(await refund(code, { amount: minor / 100 }), isEnough ? minor : 'refund_too_large');
      if (isEnough) left -= minor;
    }
    words.refund = 'succeeded';
    const believed = Math.max(0, left + off);
    if (believed !== left)
      assert.equal(await refund(code, { expectedRemaining: believed / 100 }), 'stale_remaining');
    assert.equal(
      await refund(code, { expectedRemaining: left / 100 }),
      left === 0 ? 'refund_too_large' : left,
    );
    assert.equal(await refund(code, {}), 'refund_too_large');
  });
  await fc.assert(property, { numRuns: 15 });
});

test('an external refund in another currency than the payment’s is unmatched and posts nothing', async () => {
  const { attemptId, payment } = await beginAttempt(taken);
  const refund = { kind: 'outside_refund', key: attemptId, reference: 're_1', amountMinor: 500 } as const;
  const tell = async (currency: string) =>
    await importExternalRefund(paylink.app.deps, { ...scope, refund: { ...refund, currency } });
  for (const currency of ['USD', 'CHF', 'JPY']) assert.equal(await tell(currency), 'unmatched');
  const [current] = await query('select refunded_minor as refunded from payments where payment_id = $1', [
    payment.paymentId,
  ]);
  assert.equal(current?.refunded, 0);
  assert.equal(await tell('EUR'), 'taken_over');
});
