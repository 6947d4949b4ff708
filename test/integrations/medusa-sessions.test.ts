// The sessions of the Medusa provider against a real service, without Medusa: a script calls what Medusa calls.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  authorise,
  cancel,
  capture,
  type Deps,
  initiate,
  look,
  refund,
  remove,
  update,
} from '../../integrations/medusa/src/payment-sessions.ts';
import type { Data } from '../../integrations/medusa/src/session-data.ts';
import { type Paylink as Client, createPaylink } from '../../sdk/src/index.ts';
import { logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { createServiceKey } from '../harness/service-keys.ts';

let service: Paylink;
let paylink: Client;
let deps: Deps;
before(async () => {
  service = await startPaylink('server');
  const { key } = await createServiceKey(service, await logIn(service), { scopes: ['payments'] });
  paylink = createPaylink({ baseUrl: service.baseUrl, serviceKey: key });
  deps = { links: paylink, returnUrl: 'https://shop.example/return' };
});
after(async () => await service.stop());

const newSession = () => `payses_${randomUUID()}`;

async function open(asked: { amount?: unknown; data?: Data } = {}): Promise<{ data: Data; code: string }> {
  const data = { email: 'grace@example.com', session_id: newSession(), ...asked.data };
  const price = { amount: asked.amount ?? { value: '29.6667', precision: 20 }, currencyCode: 'eur' };
  const made = await initiate(deps, { ...price, data });
  return { data: { ...data, ...made.data }, code: made.id };
}

const notAllowed = (message: RegExp) => ({ name: 'RefusedError', refusal: 'not_allowed', message });
const invalid = (message: RegExp) => ({ name: 'RefusedError', refusal: 'invalid', message });

test('a session is a link with the rounded amount, which the customer pays', async () => {
  const { data, code } = await open();
  const payment = await paylink.payments.get(code);
  assert.deepEqual([payment.amount, payment.currency, payment.email], [29.67, 'EUR', 'grace@example.com']);
  assert.equal(payment.customerOrderId, data.session_id);
  assert.equal(payment.success_url, deps.returnUrl);
  assert.equal(data.payment_link, payment.PaymentLink);
  assert.equal((await authorise(deps, { data })).status, 'pending');
  await assert.rejects(capture(deps, data), notAllowed(/collects the money when the customer pays/));

  await paylink.testPayments.pay(code);
  const context = { idempotency_key: String(data.session_id) };
  const authorised = await authorise(deps, { data, context });
  assert.equal(authorised.status, 'captured');
  assert.equal(authorised.data.payment_link_status, 'paid');
  assert.equal((await capture(deps, authorised.data)).data.payment_link_status, 'paid');
});

test('what the storefront sends cannot make another link the one of a session', async () => {
  const paid = await open({ amount: 1 });
  await paylink.testPayments.pay(paid.code);
  const mine = await open({ data: { payment_link_code: paid.code, refunded_amount: '-5' } });
  assert.notEqual(mine.data.payment_link_code, paid.code);
  assert.equal(mine.data.refunded_amount, '0');
  const forged = { ...mine.data, payment_link_code: paid.code };
  await assert.rejects(look(deps, forged), notAllowed(/not the one of this payment session/));
  const context = { idempotency_key: String(mine.data.session_id) };
  await assert.rejects(
    authorise(deps, { data: paid.data, context }),
    notAllowed(/of another payment session/),
  );
  await assert.rejects(look(deps, {}), invalid(/has no session_id/));
});

test('a currency, an amount, an address and a guest that Paylink cannot take are refused before a link is made', async () => {
  const asked = {
    amount: 5,
    currencyCode: 'eur',
    data: { session_id: newSession(), email: 'grace@example.com' },
  };
  await assert.rejects(initiate(deps, { ...asked, currencyCode: 'jpy' }), invalid(/EUR and USD, not JPY/));
  await assert.rejects(initiate(deps, { ...asked, amount: 'x' }), invalid(/not a number/));
  for (const url of ['https://elsewhere.example/', 'http://shop.example/return', '//shop.example', 7])
    await assert.rejects(
      initiate(deps, { ...asked, data: { ...asked.data, return_url: url } }),
      invalid(/must be an address of https:\/\/shop\.example/),
    );
  await assert.rejects(
    initiate(deps, { ...asked, data: { session_id: newSession() } }),
    invalid(/send it as data\.email/),
  );
  assert.deepEqual((await paylink.payments.list({ customerOrderId: asked.data.session_id }).page()).data, []);
});

test('a customer with an account needs no address from the storefront', async () => {
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: null };
  const data = { session_id: newSession(), return_url: 'https://shop.example/de/return', locale: 'de' };
  const { id } = await initiate(deps, { amount: 5, currencyCode: 'usd', data, context: { customer } });
  const payment = await paylink.payments.get(id);
  assert.deepEqual(
    [payment.email, payment.firstName, payment.lastName, payment.locale, payment.success_url],
    ['ada@example.com', 'Ada', null, 'de', 'https://shop.example/de/return'],
  );
});

test('another price replaces the link, and the same price keeps it', async () => {
  const { data, code } = await open();
  const same = await update(deps, { amount: 29.67, currencyCode: 'EUR', data });
  assert.equal(same.data.payment_link_code, code);
  const changed = await update(deps, { amount: 30, currencyCode: 'eur', data });
  assert.notEqual(changed.data.payment_link_code, code);
  assert.equal((await paylink.payments.get(code)).status, 'cancelled');
  const next = await paylink.payments.get(String(changed.data.payment_link_code));
  assert.deepEqual(
    [next.amount, next.customerOrderId, next.email],
    [30, data.session_id, 'grace@example.com'],
  );
  await paylink.testPayments.pay(next.paymentLinkCode);
  assert.equal((await authorise(deps, { data: changed.data })).status, 'captured');
});

test('a link is not ended while its customer pays, nor when it is paid', async () => {
  const { data, code } = await open();
  await paylink.testPayments.process(code, { attemptStatus: 'processing' });
  const price = { amount: 30, currencyCode: 'eur', data };
  for (const end of [() => remove(deps, data), () => cancel(deps, data), () => update(deps, price)])
    await assert.rejects(end(), notAllowed(/is paying .* at this moment/));
  await paylink.testPayments.settle(code, { outcome: 'succeeded' });
  for (const end of [() => remove(deps, data), () => cancel(deps, data), () => update(deps, price)])
    await assert.rejects(end(), notAllowed(/is paid, so it cannot be cancelled/));
  assert.equal((await paylink.payments.get(code)).status, 'paid');
});

test('a session can be deleted twice, after its link has ended, and before its link was stored', async () => {
  const { data, code } = await open();
  await remove(deps, data);
  await remove(deps, data);
  assert.equal((await look(deps, data)).status, 'canceled');
  assert.equal((await paylink.payments.get(code)).status, 'cancelled');
  const failed = await open();
  await paylink.testPayments.decline(failed.code);
  assert.equal((await look(deps, failed.data)).status, 'error');
  await remove(deps, failed.data);
  await remove(deps, { email: 'grace@example.com' });
  // As after a change to a service key of the other mode.
  await remove(deps, { ...data, payment_link_code: 'z'.repeat(30) });
});

const refundOf = async (data: Data, amount: unknown, key: string) =>
  (await refund(deps, { data, amount, context: { idempotency_key: key } })).data;

test('parts of a refund add up to what was paid, and a repeated part is refunded once', async () => {
  const { data, code } = await open({ amount: '10.005' });
  await paylink.testPayments.pay(code);
  const part = { value: '3.335' };
  const first = await refundOf(data, part, 'ref_1');
  assert.deepEqual(await refundOf(data, part, 'ref_1'), first);
  const second = await refundOf(first, part, 'ref_2');
  const third = await refundOf(second, part, 'ref_3');
  const amounts: number[] = [];
  for await (const { amount } of paylink.payments.listRefunds(code)) amounts.push(amount);
  assert.deepEqual(amounts, [3.34, 3.33, 3.34]);
  assert.equal(third.refunded_amount, '10.005');
  // A payment that was refunded in full pays no order.
  assert.equal((await look(deps, third)).status, 'canceled');
  await remove(deps, third);
});

test('two refunds at once, and one that Medusa does not know, do not refund more than was asked', async () => {
  const { data, code } = await open({ amount: 10 });
  await paylink.testPayments.pay(code);
  const both = await Promise.allSettled(['ref_a', 'ref_b'].map(async (key) => await refundOf(data, 4, key)));
  const [made] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = both.filter(({ status }) => status === 'rejected');
  assert.deepEqual([made?.refunded_amount, refused.length], ['4', 1]);
  assert.equal((await paylink.payments.get(code)).refundedAmount, 4);

  await paylink.payments.refund(code, { amount: 1 });
  await assert.rejects(refundOf(made ?? {}, 2, 'ref_c'), notAllowed(/that this shop does not know/));
  await assert.rejects(refundOf(made ?? {}, 0.001, 'ref_d'), invalid(/less than a cent/));
  assert.equal((await paylink.payments.get(code)).refundedAmount, 5);
});
