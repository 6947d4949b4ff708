// The metrics of a real service after a journey: each metric with its labels, bounded values, and nothing personal.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { recordOutcome } from '../src/attempts/record-outcome.ts';
import { companyTag, idPrefixes, newCompanyId, newConnectionId, newId } from '../src/base/ids.ts';
import { createPayment } from '../src/links/create-payment.ts';
import { metricDefinitions, metricNames } from '../src/metrics/definitions.ts';
import type { PaymentRequest } from '../src/payments/schema.ts';
import { compareProcessors, verifyLedgers } from '../src/schedule.ts';
import { type Credentials, call, createLinkAs, logIn, orderOf, post } from './harness/client.ts';
import { bare, read, rowsOf, sectionOf } from './harness/documents.ts';
import { labelValues, type MetricsText, metricsPlace, sampleOf } from './harness/metrics.ts';
import { type Paylink, refuseCardData, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';
import { fillCard, payWith, visit } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from './harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

const cards = { succeeds: '4242424242424242', declined: '4000000000009995', lost: '4000000000009011' };
const customer = 'ada.lovelace@example.com';

let paylink: Paylink;
let receiver: Receiver;
let smtp: TestSmtpServer;
let owner: Credentials;
let metrics: MetricsText;
const place = await metricsPlace();

/** Everything that a metric counts, once or more. */
async function journey(): Promise<void> {
  await createTestEndpoint(paylink, owner, { url: receiver.at('good'), events: ['payment.paid'] });
  await createTestEndpoint(paylink, owner, {
    url: receiver.at('bad', { status: 500 }),
    events: ['payment.paid'],
  });
  const paid = await createLinkAs(paylink, owner, { email: customer });
  await payWith(paid.link, { number: cards.succeeds });
  const declined = await createLinkAs(paylink, owner, { email: customer });
  await payWith(declined.link, { number: cards.declined });
  const cancelled = await createLinkAs(paylink, owner);
  const path = `/v1/payments/${cancelled.code}/cancel`;
  assert.equal((await call(paylink, owner, ['POST', path])).status, 200);
  const refunds = `/v1/payments/${paid.code}/refunds`;
  assert.equal((await call(paylink, owner, ['POST', refunds], { amount: 5 })).status, 200);
  const login = { email: paylink.merchant.email, password: 'wrong password 1' };
  assert.equal((await post(`${paylink.baseUrl}/v1/auth/login`, login)).status, 401);
  await fetch(`${paylink.baseUrl}/v1/nobody-has-this/${customer}`);
  await fetch(`${paylink.baseUrl}/wp-login.php?user=${customer}`);
  const stranger = { token: 'none', apiKey: 'none', companyId: 'none' };
  for (let times = 0; times < 3; times++) await call(paylink, stranger, ['GET', '/v1/payments']);
  await smtp.waitFor(customer, 2);
  await receiver.waitFor('good', 1);
  await receiver.waitFor('bad', 1);
  await runSealing();
  await verifyLedgers(paylink.app.deps);
  await compareProcessors(paylink.app.deps);
  await loseResponse();
}

/** An attempt that stays unknown: after the comparison and without the waiting page, nothing asks about it. */
async function loseResponse(): Promise<void> {
  const { link } = await createLinkAs(paylink, owner, { email: customer });
  const { action, body } = fillCard(await visit(link), { number: cards.lost });
  assert.equal((await fetch(action, { method: 'POST', body, redirect: 'manual' })).status, 303);
}

/** Runs a recurring job before its time. The first sweep adds the jobs of a new database. */
async function runSealing(): Promise<void> {
  const { work, deps } = paylink.app;
  await work.sweep('calendar');
  await deps.db.asOwner.query(
    `update scheduled_jobs set due_at = statement_timestamp() where name = 'seal-events'`,
  );
  await work.sweep('calendar');
}

before(async () => {
  [receiver, smtp] = await Promise.all([startReceiver(), openSmtpServer()]);
  paylink = await startPaylink('server', {
    settings: {
      ...loopbackSettings,
      ...place.settings,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'no-reply@pay.example',
      RATE_LIMIT_REFUSALS_PER_MINUTE: '2',
    },
    // The attempt without an outcome stays one.
    firstReconcileSeconds: 3_600,
  });
  owner = await logIn(paylink);
  await journey();
  // A run is counted after its delivery.
  const counted = (text: MetricsText) =>
    ['ok', 'failed'].every((result) =>
      sampleOf(text, 'paylink_work_runs_total', { kind: 'webhooks', result }),
    ) && sampleOf(text, 'paylink_emails_total', { kind: 'receipt', result: 'sent' }) !== null;
  await until(async () => counted(await place.scrape()), 'the work to be counted');
  metrics = await place.scrape();
});
after(async () => {
  await paylink.stop();
  await Promise.all([receiver.close(), smtp.stop()]);
});

const value = (name: string, labels: Record<string, string> = {}) => sampleOf(metrics, name, labels);

test('a scrape has every metric of the documentation with its type, and no other', () => {
  const own = [...metrics.types].filter(([name]) => name.startsWith('paylink_'));
  const rows = rowsOf(sectionOf(read('docs/metrics.md'), '## The metrics'));
  const documented = rows.map(([name, type]) => [bare(name), bare(type)]);
  assert.deepEqual(own.sort(), documented.filter(([name]) => name?.startsWith('paylink_')).sort());
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes', 'process_open_fds'])
    assert.notEqual(value(name), null, name);
});

test('docs/metrics.md has the labels, the source and the meaning of every metric', () => {
  const rows = rowsOf(sectionOf(read('docs/metrics.md'), '## The metrics')).slice(0, -1);
  const known = metricNames.map((name) => {
    const { type, labels, help } = metricDefinitions[name];
    const names = labels.map((label) => `\`${label}\``).join(', ') || 'none';
    return [`\`${name}\``, type, names, 'isShared' in metricDefinitions[name] ? 'all' : 'this', help];
  });
  assert.deepEqual(rows, known);
});

test('a scrape has only the labels of the definitions', () => {
  for (const name of metricNames) {
    const { type, labels } = metricDefinitions[name];
    const bucket = type === 'histogram' ? ['le'] : [];
    const sampleName = type === 'histogram' ? `${name}_bucket` : name;
    for (const sample of metrics.samples.filter((each) => each.name === sampleName))
      assert.deepEqual(Object.keys(sample.labels).sort(), [...labels, ...bucket].sort(), name);
  }
});

test('payments are counted by status, each once', () => {
  const counts = ['open', 'processing', 'paid', 'failed', 'cancelled', 'expired'].map((status) =>
    value('paylink_payments_total', { mode: 'test', status }),
  );
  // The decline for insufficient funds ends a link by the policy of the company.
  assert.deepEqual(counts, [4, 3, 1, 1, 1, 0]);
  assert.equal(value('paylink_payments_total', { mode: 'live', status: 'paid' }), 0);
});

test('attempts are counted by processor, method, outcome and decline code', () => {
  const of = (outcome: string, code: string) =>
    value('paylink_attempts_total', {
      ...{ mode: 'test', processor: 'sandbox', method: 'card', outcome, decline_code: code },
    });
  assert.deepEqual([of('succeeded', ''), of('declined', 'insufficient_funds'), of('unknown', '')], [1, 1, 1]);
});

test('a refund is counted by its outcome', () => {
  const labels = { mode: 'test', processor: 'sandbox', outcome: 'succeeded' };
  assert.equal(value('paylink_refunds_total', labels), 1);
});

test('calls to a processor are counted by operation and result, and timed', () => {
  const of = (operation: string, result: string) =>
    value('paylink_processor_requests_total', { processor: 'sandbox', operation, result });
  assert.deepEqual([of('charge', 'ok'), of('charge', 'failed'), of('refund', 'ok')], [2, 1, 1]);
  assert.ok((of('list', 'ok') ?? 0) >= 1, 'the nightly comparison');
  const labels = { processor: 'sandbox', operation: 'charge' };
  assert.equal(value('paylink_processor_request_duration_seconds_count', labels), 3);
});

test('deliveries and emails are counted by result', () => {
  const of = (result: string) => value('paylink_webhook_deliveries_total', { mode: 'test', result });
  assert.deepEqual([of('delivered'), of('dead')], [1, 0]);
  // It may have been repeated since.
  assert.ok((of('failed') ?? 0) >= 1);
  assert.equal(value('paylink_emails_total', { kind: 'receipt', result: 'sent' }), 1);
});

test('requests are counted by the pattern of their route; random paths are one series', () => {
  const unmatched = { method: 'GET', route: 'unmatched', status: '404' };
  assert.equal(value('paylink_http_requests_total', unmatched), 2);
  const process = { method: 'POST', route: '/v1/payment/process' };
  assert.equal(value('paylink_http_requests_total', { ...process, status: '200' }), 4);
  assert.equal(value('paylink_http_request_duration_seconds_count', process), 4);
  const routes = labelValues(metrics, 'paylink_http_requests_total', 'route');
  assert.ok(routes.includes('/pay/:code'), routes.join(' '));
});

test('wrong logins and exceeded limits are counted', () => {
  assert.equal(value('paylink_login_failures_total'), 1);
  assert.equal(value('paylink_rate_limited_total', { limit: 'refusals' }), 1);
});

test('the status of the service is in every scrape', () => {
  assert.equal(value('paylink_attempts_unknown', { mode: 'test' }), 1);
  assert.equal(value('paylink_attempts_unknown', { mode: 'live' }), 0);
  assert.ok((value('paylink_attempts_unknown_oldest_seconds', { mode: 'test' }) ?? -1) >= 0);
  assert.equal(value('paylink_webhook_endpoints_failing'), 1);
  assert.ok((value('paylink_events_unsealed_oldest_seconds') ?? -1) >= 0);
  for (const kind of ['attempt', 'refund']) assert.equal(value('paylink_cases_open', { kind }), 0);
  const kinds = labelValues(metrics, 'paylink_work_due', 'kind');
  for (const name of ['paylink_work_dead', 'paylink_work_oldest_due_seconds'])
    assert.deepEqual(labelValues(metrics, name, 'kind'), kinds, name);
  assert.ok(kinds.includes('reconcile-attempt') && kinds.includes('emails'), kinds.join(' '));
  const now = Date.now() / 1_000;
  const sealed = value('paylink_job_last_success_timestamp_seconds', { job: 'seal-events' }) ?? 0;
  assert.ok(sealed <= now + 1 && sealed > now - 300, `${sealed}`);
});

test('due work is counted and timed by kind', () => {
  const runs = ['ok', 'failed'].map(
    (result) => value('paylink_work_runs_total', { kind: 'webhooks', result }) ?? 0,
  );
  assert.ok(runs[0] === 1 && (runs[1] ?? 0) >= 1, runs.join(' '));
  const timed = value('paylink_work_run_duration_seconds_count', { kind: 'webhooks' });
  assert.equal(timed, (runs[0] ?? 0) + (runs[1] ?? 0));
  assert.notEqual(value('paylink_work_in_progress', { kind: 'webhooks' }), null);
});

test('the nightly checks, the database and the build are in every scrape', () => {
  assert.equal(value('paylink_ledger_discrepancies', { check: 'ledger' }), 0);
  assert.equal(value('paylink_ledger_discrepancies', { check: 'processor' }), 0);
  assert.equal(value('paylink_comparisons_not_made', { check: 'ledger' }), 0);
  assert.equal(value('paylink_database_up'), 1);
  assert.equal(value('paylink_status_read'), 1);
  assert.equal(value('paylink_database_pool_size'), paylink.app.deps.config.databasePoolSize);
  assert.ok((value('paylink_database_pool_waiting') ?? -1) >= 0);
  const connections = ['idle', 'busy'].map(
    (state) => value('paylink_database_pool_connections', { state }) ?? 0,
  );
  // The connection of the scrape goes to a worker at once if one waits for it.
  assert.ok(
    connections.some((count) => count >= 1),
    connections.join(' '),
  );
  const [build] = metrics.samples.filter(({ name }) => name === 'paylink_build_info');
  assert.deepEqual([build?.labels.engine, build?.value], ['server', 1]);
});

test('a scrape has no address, name, ID or card', () => {
  refuseCardData('the metrics', metrics.text);
  const { merchant } = paylink;
  for (const personal of [
    customer,
    'lovelace',
    'Ada',
    merchant.email,
    merchant.companyId,
    // Begins link codes and the IDs of keys and connections.
    companyTag(merchant.companyId),
    merchant.accountId,
  ])
    assert.ok(!metrics.text.toLowerCase().includes(personal.toLowerCase()), personal);
  const now = new Date();
  const ids = [
    ...idPrefixes.map((prefix) => newId(prefix, now)),
    newCompanyId(),
    newConnectionId('co_00000000'),
  ];
  const prefixes = ids.map((id) => id.slice(0, id.indexOf('_')));
  const personalLabel = new RegExp(`@|\\b(${prefixes.join('|')})_[0-9a-z]{8}`);
  for (const id of ids) assert.match(`work of ${id}`, personalLabel);
  for (const { labels } of metrics.samples)
    for (const content of Object.values(labels)) assert.doesNotMatch(content, personalLabel);
});

describe('counting', () => {
  const order = (changes: Partial<PaymentRequest> = {}) => orderOf(changes) as PaymentRequest;
  const openCount = async () =>
    sampleOf(await place.scrape(), 'paylink_payments_total', { mode: 'test', status: 'open' }) ?? 0;

  test('a batch that the database refuses and that runs again item by item counts each link once', async () => {
    const { companyId, accountId } = paylink.merchant;
    const create = async (body: PaymentRequest) =>
      await createPayment(paylink.app.deps, { companyId, accountId, mode: 'test' }, body);
    const before = await openCount();
    // No request can contain this value, because the schema refuses it.
    const refused = order({ customerOrderId: 'x'.repeat(200) });
    const settled = await Promise.allSettled([create(order()), create(refused), create(order())]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal((await openCount()) - before, 2);
  });

  test('a login that the pause after 10 failures refuses is counted as failed', async () => {
    const before = sampleOf(await place.scrape(), 'paylink_login_failures_total', {}) ?? 0;
    const login = { email: 'nobody@example.com', password: 'wrong password 1' };
    const statuses: number[] = [];
    for (let times = 0; times < 12; times++)
      statuses.push((await post(`${paylink.baseUrl}/v1/auth/login`, login)).status);
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
    const counted = async () =>
      (sampleOf(await place.scrape(), 'paylink_login_failures_total', {}) ?? 0) - before;
    await until(async () => (await counted()) === 12, 'the refused logins to be counted');
  });

  test('what is rolled back is not counted', async () => {
    const { db } = paylink.app.deps;
    const before = await openCount();
    const scope = { companyId: paylink.merchant.companyId, mode: 'test' } as const;
    const work = db.inTenant(scope, async (tx) => {
      tx.note({ kind: 'payment', status: 'open' });
      throw new Error('rolled back');
    });
    await assert.rejects(work, /rolled back/);
    assert.equal(await openCount(), before);
  });

  test('a report that repeats an outcome is not counted again', async () => {
    const { companyId } = paylink.merchant;
    const rows = await paylink.app.deps.db.asOwner.query<{ id: string; reference: string; amount: number }>(
      `select attempt_id as id, processor_reference as reference, amount_minor as amount from attempts
       where state = 'succeeded' and company_id = $1`,
      [companyId],
    );
    assert.ok(rows[0]);
    const { id: attemptId, reference, amount: amountMinor } = rows[0];
    const outcome = { kind: 'succeeded', reference, amountMinor, currency: 'EUR' } as const;
    const report = { companyId, mode: 'test', attemptId, outcome, actor: 'test' } as const;
    await recordOutcome(paylink.app.deps, report);
    const labels = { mode: 'test', status: 'paid' };
    assert.equal(sampleOf(await place.scrape(), 'paylink_payments_total', labels), 1);
  });

  test('a decline code outside of the table is counted as other, and an unknown processor as other', async () => {
    const scope = { companyId: paylink.merchant.companyId, mode: 'live' } as const;
    await paylink.app.deps.db.inTenant(scope, async (tx) => {
      await tx.query('select 1');
      tx.note({ kind: 'attempt', processor: 'sandbox', outcome: 'declined', declineCode: 'made_up_7' });
      tx.note({ kind: 'attempt', processor: 'retired', outcome: 'declined', declineCode: 'expired_card' });
    });
    const scraped = await place.scrape();
    const of = (labels: Record<string, string>) =>
      sampleOf(scraped, 'paylink_attempts_total', { mode: 'live', outcome: 'declined', ...labels });
    assert.equal(of({ processor: 'sandbox', method: 'card', decline_code: 'other' }), 1);
    assert.equal(of({ processor: 'retired', method: 'other', decline_code: 'expired_card' }), 1);
  });
});
