// Runs every frequent use case once, over HTTP and with the service's own workers.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sealEvents } from '../../src/events/seal-events.ts';
import { expirePayments } from '../../src/links/expire-payments.ts';
import { readStatus } from '../../src/status/sum-statuses.ts';
import {
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  logIn,
  orderOf,
  post,
  processPayment,
} from '../harness/client.ts';
import type { Merchant } from '../harness/paylink.ts';
import { payWith, press, visit } from '../harness/visitor.ts';
import { openAsPerson } from '../harness/webhook-endpoints.ts';
import type { PlanFixture } from './plan-fixture.ts';

/** The number of concurrent calls, so that batches form. */
const atOnce = 12;

const good = '4242424242424242';
const declined = '4000000000000002';
const challenged = '4000002760003184';

type Link = { link: string; code: string };

async function together<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, async (_, index) => await work(index)));
}

async function create({ paylink }: PlanFixture, credentials: Credentials): Promise<Link[]> {
  const links = await together(atOnce, async () => await createLinkAs(paylink, credentials));
  const order = orderOf();
  const answers = [
    await processPayment(paylink, credentials, order),
    await processPayment(paylink, credentials, order),
    await processPayment(paylink, credentials, { ...order, amount: 1 }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 409],
  );
  return links;
}

async function look(
  { paylink }: PlanFixture,
  credentials: Credentials,
  links: readonly Link[],
): Promise<void> {
  await Promise.all(links.map(async ({ link }) => await openAsPerson(link)));
  await Promise.all(links.map(async ({ link }) => await visit(link)));
  for (const { code } of links.slice(0, 4))
    for (const path of [`/v1/payments/${code}`, `/v1/payments/${code}/events`])
      assert.equal((await call(paylink, credentials, ['GET', path])).status, 200);
}

async function pay(links: readonly Link[]): Promise<void> {
  await Promise.all(links.slice(0, 8).map(async ({ link }) => await payWith(link, { number: good })));
  await Promise.all(links.slice(8, 10).map(async ({ link }) => await payWith(link, { number: declined })));
  const challenge = await payWith(links[10]?.link ?? '', { number: challenged });
  await press(challenge, { form: 0, extra: { decision: 'approve' } });
}

async function postTwice(
  fixture: PlanFixture,
  credentials: Credentials,
  path: string,
  body: object,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    ...credentialHeaders(credentials),
  };
  for (const _ of [1, 2]) {
    const response = await fetch(fixture.paylink.baseUrl + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, `${path}: ${await response.text()}`);
  }
}

async function refundPayments(
  fixture: PlanFixture,
  credentials: Credentials,
  links: readonly Link[],
): Promise<void> {
  for (const { code } of links.slice(0, 3))
    await postTwice(fixture, credentials, `/v1/payments/${code}/refunds`, { amount: 1 });
  await postTwice(fixture, credentials, `/v1/payments/${links[11]?.code}/cancel`, {});
  await postTwice(fixture, credentials, '/v1/payment/process', orderOf());
}

async function readFeed({ paylink }: PlanFixture, credentials: Credentials): Promise<void> {
  const first = await call(paylink, credentials, ['GET', '/v1/events?limit=20']);
  assert.equal(first.status, 200);
  const next = await call(paylink, credentials, [
    'GET',
    `/v1/events?limit=20&after=${String(first.body.cursor ?? first.body.nextCursor)}`,
  ]);
  assert.equal(next.status, 200, JSON.stringify(next.body));
}

async function expire(fixture: PlanFixture, credentials: Credentials): Promise<void> {
  const { paylink, clock } = fixture;
  const expiresAt = new Date(clock.now().getTime() + 6 * 60_000).toISOString();
  await together(4, async () => await createLinkAs(paylink, credentials, { expiresAt }));
  clock.advanceMs(7 * 60_000);
  assert.equal(await expirePayments(paylink.app.deps), 4);
}

const settleLimitMs = 60_000;

/** Waits until all due emails, webhooks, attempts and refunds are done, and all words of payments are filled. */
async function settle({ admin }: PlanFixture): Promise<void> {
  const until = performance.now() + settleLimitMs;
  for (;;) {
    const { rows } = await admin.query<{ left: number }>(
      `select (select count(*) from mails where state = 'queued')
              + (select count(*) from webhook_deliveries where state = 'pending')
              + (select count(*) from attempts where state in ('created', 'requires_action', 'processing', 'unknown'))
              + (select count(*) from refunds where state in ('created', 'processing', 'unknown'))
              + (select count(*) from payment_word_positions p
                 where exists (select from events e where e.company_id = p.company_id and e.xact >= p.xact)) as left`,
    );
    if (Number(rows[0]?.left) === 0) return;
    if (performance.now() > until)
      throw new Error(
        `${rows[0]?.left} emails, webhooks, attempts, refunds and companies without words are left`,
      );
    await pause(100);
  }
}

async function mistype({ paylink }: PlanFixture, { email }: Merchant): Promise<void> {
  const answer = await post(`${paylink.baseUrl}/v1/auth/login`, { email, password: 'mistyped' });
  assert.equal(answer.status, 401);
}

async function driveShop(fixture: PlanFixture, merchant: Merchant): Promise<void> {
  const credentials = await logIn(fixture.paylink, merchant);
  const links = await create(fixture, credentials);
  await look(fixture, credentials, links);
  await pay(links);
  await refundPayments(fixture, credentials, links);
  await readFeed(fixture, credentials);
  await expire(fixture, credentials);
  await mistype(fixture, merchant);
}

/** Runs all use cases for each company. */
export async function drive(fixture: PlanFixture): Promise<void> {
  for (const merchant of fixture.merchants) await driveShop(fixture, merchant);
  await settle(fixture);
  // The service also does this each minute, and may have been first.
  await sealEvents(fixture.paylink.app.deps);
  // As often as metrics are read.
  await readStatus(fixture.paylink.app.deps.db, fixture.clock.now());
}
