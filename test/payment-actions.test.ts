// A merchant's actions on a payment over the API: read, cancel, refund; the rights of each role, and tenant isolation.
// On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Answer,
  type Credentials,
  createLink,
  credentialHeaders,
  type Json,
  logIn,
  post,
  readAnswer,
} from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let owner: Credentials;
before(async () => {
  paylink = await startPaylink('server');
  owner = await logIn(paylink);
});
after(async () => await paylink.stop());

const get = async (path: string, credentials: Partial<Credentials> = owner): Promise<Answer> =>
  await readAnswer(await fetch(paylink.baseUrl + path, { headers: credentialHeaders(credentials) }));
const send = async (path: string, body: Json, credentials: Partial<Credentials> = owner): Promise<Answer> =>
  await post(paylink.baseUrl + path, body, credentialHeaders(credentials));

async function paidCode(): Promise<string> {
  const { link, code } = await createLink(paylink);
  await payWith(link, { number: '4242424242424242' });
  return code;
}

test('reading a payment returns it in the form of its creation', async () => {
  const code = await paidCode();
  const answer = await get(`/v1/payments/${code}`);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    [answer.body.PaymentLinkCode, answer.body.status, answer.body.amount],
    [code, 'paid', 19.99],
  );
});

test('a partial refund and a refund of the rest succeed, and are listed and shown on the payment', async () => {
  const code = await paidCode();
  const first = await send(`/v1/payments/${code}/refunds`, {
    amount: 5,
    expectedRemaining: 19.99,
    reason: 'broken',
  });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual([first.body.amount, first.body.status, first.body.reason], [5, 'succeeded', 'broken']);
  assert.equal((await get(`/v1/payments/${code}`)).body.refundedAmount, 5);
  const stale = await send(`/v1/payments/${code}/refunds`, { amount: 5, expectedRemaining: 19.99 });
  assert.deepEqual([stale.status, stale.body.code], [412, 'stale_remaining']);
  assert.equal((await send(`/v1/payments/${code}/refunds`, {})).body.amount, 14.99);
  const tooMuch = await send(`/v1/payments/${code}/refunds`, { amount: 0.01 });
  assert.deepEqual([tooMuch.status, tooMuch.body.code], [409, 'refund_too_large']);
  const list = await get(`/v1/payments/${code}/refunds`);
  assert.deepEqual(
    (list.body.data as Json[]).map((refund) => refund.amount),
    [5, 14.99],
  );
});

test('an invalid refund amount is refused with an error for the field', async () => {
  const code = await paidCode();
  for (const amount of [0, -1, 1.999, '5']) {
    const answer = await send(`/v1/payments/${code}/refunds`, { amount });
    assert.equal(answer.status, 422, String(amount));
    assert.equal((answer.body.errors as Json[])[0]?.field, 'amount');
  }
});

test('an open payment can be cancelled, a paid one cannot', async () => {
  const { code } = await createLink(paylink);
  const cancelled = await send(`/v1/payments/${code}/cancel`, {});
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
  const paid = await send(`/v1/payments/${await paidCode()}/cancel`, {});
  assert.deepEqual([paid.status, paid.body.code], [409, 'payment_ended']);
});

test('another company’s payment gets the response of a payment that does not exist', async () => {
  const other = await logIn(paylink, await paylink.createMerchant());
  const code = await paidCode();
  for (const answer of [
    await get(`/v1/payments/${code}`, other),
    await get(`/v1/payments/${code}/refunds`, other),
    await send(`/v1/payments/${code}/cancel`, {}, other),
    await send(`/v1/payments/${code}/refunds`, {}, other),
    await get(`/v1/payments/${code.slice(0, -1)}~`),
  ])
    assert.deepEqual([answer.status, answer.body.code], [404, 'payment_not_found']);
});

test('a viewer can read but not change payments, and each refusal names the roles that can', async () => {
  const viewer = await paylink.createMerchant({ roles: ['viewer'] });
  const credentials = await logIn(paylink, viewer);
  assert.equal((await get('/v1/cases', credentials)).status, 200);
  for (const path of ['cancel', 'refunds']) {
    const answer = await send(
      `/v1/payments/${viewer.companyId.slice(3)}${'a'.repeat(22)}/${path}`,
      {},
      credentials,
    );
    assert.deepEqual([answer.status, answer.body.code], [403, 'role_not_allowed']);
    assert.match(String(answer.body.detail), /owner, admin/);
  }
  assert.equal((await get('/v1/cases', {})).status, 401);
});

test('an attempt that needs a person is listed with all its known data', async () => {
  const { link, code } = await createLink(paylink);
  await payWith(link, { number: '4000002760003184' });
  const { db } = paylink.app.deps;
  await db.asOwner.query(
    `update attempts set escalated_at = now()
     where payment_id = (select payment_id from payments where code = $1)`,
    [code],
  );
  const { body } = await get('/v1/cases');
  const found = (body.data as Json[]).find((entry) => entry.PaymentLinkCode === code);
  assert.equal(found?.status, 'requires_action');
  assert.match(String(found?.processorReference), /^sbx_/);
});
