// Changing an open link over the API. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expireIfDue } from '../src/links/expire-payments.ts';
import { findPaymentByCode } from '../src/payments/store.ts';
import {
  type Answer,
  type Credentials,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  processPayment,
  readAnswer,
} from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { fillCard, payWith, visit } from './harness/visitor.ts';

let paylink: Paylink;
let owner: Credentials;
before(async () => {
  paylink = await startPaylink('server');
  owner = await logIn(paylink);
});
after(async () => await paylink.stop());

const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

async function call(method: string, path: string, body?: Json, who = owner): Promise<Answer> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...credentialHeaders(who), ...type };
  return await readAnswer(
    await fetch(`${paylink.baseUrl}/v1/payments/${path}`, { method, headers, ...init }),
  );
}
async function create(fields: Json = {}): Promise<{ order: Json; code: string; link: string }> {
  const order = orderOf(fields);
  const { body } = await processPayment(paylink, owner, order);
  return { order, code: String(body.PaymentLinkCode), link: String(body.PaymentLink) };
}
const eventsOf = async (code: string) => (await call('GET', `${code}/events`)).body.data as Json[];

test('an open link can get a new expiry and new metadata; each change adds one version and changes no other field', async () => {
  const { code } = await create({ metadata: { table: '7', waiter: 'Bo' } });
  const before = (await call('GET', code)).body;
  const expiresAt = inDays(30);
  const after = (await call('PATCH', code, { expiresAt, metadata: { table: '9', guests: '4' } })).body;
  const { responseMessage: _, ...rest } = after;
  const { responseMessage: __, ...stood } = before;
  assert.deepEqual(rest, { ...stood, expiresAt, metadata: { table: '9', guests: '4' }, version: 2 });
  const reported = (await eventsOf(code)).at(-1);
  assert.deepEqual(
    [reported?.type, reported?.version, reported?.actor],
    ['payment.updated', 2, `account:${paylink.merchant.accountId}`],
  );
  assert.deepEqual(reported?.data, {
    expiresAt: { from: stood.expiresAt, to: expiresAt },
    metadata: ['guests', 'table', 'waiter'],
  });
});

test('equal values change nothing: no version, no event', async () => {
  const { code } = await create({ metadata: { a: '1' } });
  const { expiresAt } = (await call('GET', code)).body;
  for (const body of [{}, { metadata: { a: '1' } }, { expiresAt }])
    assert.equal((await call('PATCH', code, body)).body.version, 1);
  assert.equal((await eventsOf(code)).length, 1);
});

test('the original request still finds a changed link, and a request with the changed values does not', async () => {
  const { order, code } = await create({ metadata: { a: '1' } });
  const change = { expiresAt: inDays(20), metadata: { a: '2' } };
  assert.equal((await call('PATCH', code, change)).status, 200);
  assert.equal((await call('PATCH', code, { metadata: { a: '3' } })).status, 200);
  const again = await processPayment(paylink, owner, order);
  assert.deepEqual([again.status, again.body.PaymentLinkCode], [200, code]);
  assert.deepEqual([again.body.metadata, again.body.expiresAt], [{ a: '3' }, change.expiresAt]);
  const other = await processPayment(paylink, owner, { ...order, ...change });
  assert.equal(other.status, 409);
  assert.deepEqual(
    (other.body.errors as Json[]).map(({ field }) => field),
    ['metadata', 'expiresAt'],
  );
});

test('values outside the limits of a new link are refused and change nothing', async () => {
  const { code } = await create();
  for (const [body, field] of [
    [{ expiresAt: inDays(181) }, 'expiresAt'],
    [{ expiresAt: inDays(0) }, 'expiresAt'],
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ metadata: { ['n'.repeat(41)]: 'x' } }, `metadata.${'n'.repeat(41)}`],
    [{ metadata: { n: 1 } }, 'metadata.n'],
    [{ amount: 1 }, 'amount'],
  ] as const) {
    const answer = await call('PATCH', code, body as Json);
    assert.deepEqual([answer.status, (answer.body.errors as Json[])[0]?.field], [422, field]);
  }
  assert.equal((await call('GET', code)).body.version, 1);
});

test('a link that is not open cannot be changed, and the error says why', async () => {
  const { code, link } = await create();
  await payWith(link, { number: '4000002760003184' });
  const busy = await call('PATCH', code, { metadata: { a: '1' } });
  assert.deepEqual([busy.status, busy.body.code], [409, 'payment_in_progress']);
  const paid = await create();
  await payWith(paid.link, { number: '4242424242424242' });
  const ended = await call('PATCH', paid.code, { metadata: { a: '1' } });
  assert.deepEqual([ended.status, ended.body.code], [409, 'payment_ended']);
  assert.match(String(ended.body.detail), /paid/);
});

test('a change and a payment at the same moment are serialized, and no change is partial', async () => {
  for (let round = 0; round < 5; round++) {
    const { code, link } = await create();
    const { action, body } = fillCard(await visit(link), { number: '4242424242424242' });
    const [changed] = await Promise.all([
      call('PATCH', code, { metadata: { round: String(round) } }),
      visit(action, { method: 'POST', body }),
    ]);
    const payment = (await call('GET', code)).body;
    assert.equal(payment.status, 'paid');
    assert.deepEqual(payment.metadata, changed.status === 200 ? { round: String(round) } : {});
    const versions = (await eventsOf(code)).flatMap(({ version }) => version ?? []);
    assert.equal(Math.max(...versions.map(Number)), payment.version);
  }
});

test('a read that started before an extension does not expire the link', async () => {
  const { code } = await create();
  const expiresAt = inDays(30);
  const { db } = paylink.app.deps;
  const seen = await db.inTenant(
    { companyId: owner.companyId, mode: 'test' },
    async (tx) => await findPaymentByCode(tx, code),
  );
  assert.ok(seen);
  assert.equal((await call('PATCH', code, { expiresAt })).status, 200);
  const later = new Date(seen.expiresAt.getTime() + 1);
  const now = await db.inTenant(
    { companyId: owner.companyId, mode: 'test' },
    async (tx) => await expireIfDue(tx, seen, later),
  );
  assert.deepEqual([now.state, now.expiresAt.toISOString(), now.version], ['open', expiresAt, 2]);
  assert.deepEqual(
    (await eventsOf(code)).map(({ type }) => type),
    ['payment.created', 'payment.updated'],
  );
});

test('the read that expires a link returns the new version', async () => {
  const { code } = await create();
  await paylink.app.deps.db.asOwner.query(
    `update payments set expires_at = now() - interval '1 minute' where code = $1`,
    [code],
  );
  const first = (await call('GET', code)).body;
  assert.deepEqual([first.status, first.version], ['expired', 2]);
  assert.deepEqual((await call('GET', code)).body, first);
});

test('a viewer cannot change a link, and another company gets 404', async () => {
  const { code } = await create();
  const viewer = await logIn(paylink, await paylink.createMerchant({ roles: ['viewer'] }));
  assert.equal((await call('PATCH', code, {}, viewer)).status, 403);
  const other = await logIn(paylink, await paylink.createMerchant());
  assert.equal((await call('PATCH', code, {}, other)).status, 404);
});
