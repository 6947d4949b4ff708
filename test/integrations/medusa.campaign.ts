// The payment provider for Medusa 2 in a real Medusa server: a script buys through the store API, and Chromium pays on the
// hosted page. Medusa is installed from the registry, which takes minutes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWebhookSecret } from '../../sdk/src/testing.ts';
import type { Json } from '../harness/client.ts';
import { freePort } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { setupLimit } from './host-shop.ts';
import {
  asCustomer,
  askForSession,
  asStaff,
  completeCart,
  fillCart,
  listOrders,
  type MedusaShop,
  openMedusaShop,
  openSession,
  webhookPath,
} from './medusa-shop.ts';
import {
  awaitWebhook,
  bringAbout,
  cards,
  getPayment,
  getRefunds,
  leaveUnpaid,
  openPaylinkSide,
  type PaylinkSide,
  payInBrowser,
  sendCopies,
} from './paylink-side.ts';

let side: PaylinkSide;
let shop: MedusaShop;
before(async () => {
  const port = await freePort();
  side = await openPaylinkSide(`http://127.0.0.1:${port}${webhookPath}`);
  shop = await openMedusaShop(side, port);
}, setupLimit);
after(async () => {
  await shop?.close();
  await side?.close();
});

/** Medusa handles a webhook 5 seconds after it has answered it. */
const afterWebhookMs = 9_000;

const ordersOf = async (sessionId: string) =>
  (await listOrders(shop)).filter(({ payment_collections: collections }) =>
    JSON.stringify(collections).includes(sessionId),
  );

type Paid = { id: string; amount: number; captured_at: string | null; refunds: Json[] };

const paymentOf = (order: Json | undefined): Paid =>
  (order?.payment_collections as { payments: Paid[] }[])[0]?.payments[0] as Paid;

test('the package has what the build made, and nothing else', () => {
  const others = shop.shop.packed.filter((file) => !/^dist\/(integrations|sdk)\/.*\.(js|d\.ts)$/.test(file));
  assert.deepEqual(others, ['LICENSE', 'README.md', 'dist/package.json', 'package.json']);
  assert.deepEqual(
    shop.shop.packed.filter((file) => file.includes('.test.')),
    [],
  );
});

test('a customer pays on the hosted page, and repeated completions and webhooks leave one paid order', async () => {
  const cartId = await fillCart(shop, { quantity: 2 });
  const { sessionId, code, link } = await openSession(shop, cartId);
  const opened = await getPayment(side, code);
  // 2 × 9.99 and 4.95 with 19 % are 29.6667.
  assert.deepEqual([opened.amount, opened.currency, opened.status], [29.67, 'EUR', 'open']);
  assert.equal(opened.customerOrderId, sessionId);

  const back = await payInBrowser(side, link);
  assert.equal(back.searchParams.get('customerOrderId'), sessionId);
  const answers = await Promise.all([1, 2, 3].map(async () => await completeCart(shop, cartId)));
  const placed = answers.filter(({ body }) => String(body.type) === 'order');
  assert.ok(placed.length > 0, JSON.stringify(answers.map(({ body }) => body)));

  const message = await awaitWebhook(side, code, 'payment.paid');
  assert.deepEqual(await sendCopies(message, side.hook.secret, 4), [200, 200, 200, 200]);
  await sleep(afterWebhookMs);
  const orders = await ordersOf(sessionId);
  assert.equal(orders.length, 1);
  assert.equal(orders[0]?.payment_status, 'captured');
  assert.equal((await completeCart(shop, cartId)).body.order?.id, orders[0]?.id);
  assert.equal((await getPayment(side, code)).refundedAmount, 0);
});

test('a refund in the admin API reaches Paylink once, and its parts add up to what was paid', async () => {
  const cartId = await fillCart(shop, { quantity: 2 });
  const { sessionId, code, link } = await openSession(shop, cartId);
  await payInBrowser(side, link);
  assert.equal((await completeCart(shop, cartId)).status, 200);
  const { id } = paymentOf((await ordersOf(sessionId))[0]);

  await asStaff(shop, 'POST', `payments/${id}/refund`, { amount: 10.005 });
  await asStaff(shop, 'POST', `payments/${id}/refund`, { amount: 19.6617 });
  const refunds = await getRefunds(side, code);
  assert.deepEqual(
    refunds.map(({ amount, status }) => [amount, status]),
    [
      [10.01, 'succeeded'],
      [19.66, 'succeeded'],
    ],
  );
  assert.equal((await getPayment(side, code)).refundedAmount, 29.67);
  assert.deepEqual(paymentOf((await ordersOf(sessionId))[0]).refunds.length, 2);
});

test('a refund made in Paylink is not made again in Medusa', async () => {
  const cartId = await fillCart(shop);
  const { sessionId, code, link } = await openSession(shop, cartId);
  await payInBrowser(side, link);
  assert.equal((await completeCart(shop, cartId)).status, 200);
  await bringAbout(side, code, 'refund', { amount: 5 });
  const payment = paymentOf((await ordersOf(sessionId))[0]);
  const path = `${shop.url}/admin/payments/${payment.id}/refund`;
  const headers = { authorization: `Bearer ${shop.adminToken}`, 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: '{"amount":5}' });
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /Paylink has a refund of .* that this shop does not know/);
  assert.equal((await getPayment(side, code)).refundedAmount, 5);
  assert.deepEqual(paymentOf((await ordersOf(sessionId))[0]).refunds, []);
});

test('the webhook alone places the order of a customer who never returns', async () => {
  const cartId = await fillCart(shop);
  const { sessionId, code } = await openSession(shop, cartId);
  await bringAbout(side, code, 'pay');
  await awaitWebhook(side, code, 'payment.paid');
  await until(async () => (await ordersOf(sessionId)).length === 1, 'the order');
  const [order] = await ordersOf(sessionId);
  assert.equal(order?.payment_status, 'captured');
});

test('the money for an order that cannot be placed is refunded', async () => {
  const last = { variantId: shop.lastPieceId };
  const [first, second] = [await fillCart(shop, last), await fillCart(shop, last)];
  const [bought, soldOut] = [await openSession(shop, first), await openSession(shop, second)];
  await bringAbout(side, bought.code, 'pay');
  assert.equal(String((await completeCart(shop, first)).body.type), 'order');
  await bringAbout(side, soldOut.code, 'pay');
  assert.notEqual((await completeCart(shop, second)).status, 200);
  await until(async () => (await getPayment(side, soldOut.code)).refundedAmount === 17.78, 'the refund');
  assert.equal((await getRefunds(side, soldOut.code)).length, 1);
  assert.deepEqual(await ordersOf(soldOut.sessionId), []);
  assert.equal((await getPayment(side, bought.code)).refundedAmount, 0);
});

test('a declined payment places no order, and a new session can be paid', async () => {
  const cartId = await fillCart(shop);
  const first = await openSession(shop, cartId);
  const back = await payInBrowser(side, first.link, cards.declined);
  assert.equal(back.searchParams.get('status'), 'failed');
  assert.equal((await completeCart(shop, cartId)).status, 400);
  assert.deepEqual(await ordersOf(first.sessionId), []);

  const second = await openSession(shop, cartId);
  assert.notEqual(second.code, first.code);
  await payInBrowser(side, second.link);
  const { body } = await completeCart(shop, cartId);
  assert.equal(String(body.type), 'order');
});

test('a customer who leaves the page unpaid has no order, whatever the address says, and can pay later', async () => {
  const cartId = await fillCart(shop);
  const { sessionId, code, link } = await openSession(shop, cartId);
  const back = await leaveUnpaid(side, link);
  assert.equal(back.searchParams.get('status'), 'open');
  assert.equal((await completeCart(shop, cartId)).status, 400);
  assert.deepEqual(await ordersOf(sessionId), []);
  assert.equal((await getPayment(side, code)).status, 'open');

  await payInBrowser(side, link);
  assert.equal(String((await completeCart(shop, cartId)).body.type), 'order');
});

test('a link that was cancelled in Paylink places no order', async () => {
  const cartId = await fillCart(shop);
  const { sessionId, code } = await openSession(shop, cartId);
  await bringAbout(side, code, 'cancel');
  assert.equal((await completeCart(shop, cartId)).status, 400);
  assert.deepEqual(await ordersOf(sessionId), []);
});

const addItem = async (cartId: string) =>
  await asCustomer(shop, 'POST', `carts/${cartId}/line-items`, { variant_id: shop.variantId, quantity: 1 });

test('a cart that changes ends its link, and the next session has the new price', async () => {
  const cartId = await fillCart(shop);
  const first = await openSession(shop, cartId);
  assert.equal((await addItem(cartId)).status, 200);
  assert.equal((await getPayment(side, first.code)).status, 'cancelled');
  const second = await openSession(shop, cartId);
  assert.equal((await getPayment(side, second.code)).amount, 29.67);
});

test('a cart cannot change while its customer pays, nor when it is paid', async () => {
  const cartId = await fillCart(shop);
  const { sessionId, code } = await openSession(shop, cartId);
  await bringAbout(side, code, 'process', { attemptStatus: 'processing' });
  assert.notEqual((await addItem(cartId)).status, 200);
  assert.notEqual((await askForSession(shop, cartId)).status, 200);
  await bringAbout(side, code, 'settle', { outcome: 'succeeded' });
  assert.notEqual((await addItem(cartId)).status, 200);
  assert.equal((await getPayment(side, code)).status, 'paid');
  await until(async () => (await ordersOf(sessionId)).length === 1, 'the order');
});

test('a webhook with another signature, and one about a payment of another program, change nothing', async () => {
  const cartId = await fillCart(shop);
  const { sessionId, code } = await openSession(shop, cartId);
  const payment = await getPayment(side, code);
  const { url } = await awaitWebhook(side, code, 'payment.created');
  const body = JSON.stringify({ type: 'payment.paid', data: { payment: { ...payment, status: 'paid' } } });
  await sendCopies({ id: 'evt_forged', url, body }, makeWebhookSecret(), 1);
  // Genuine, but the payment at Paylink is open: Medusa asks Paylink.
  await sendCopies({ id: 'evt_early', url, body }, side.hook.secret, 1);
  const ofOther = { ...payment, status: 'paid', metadata: {} };
  const foreign = JSON.stringify({ type: 'payment.paid', data: { payment: ofOther } });
  await sendCopies({ id: 'evt_foreign', url, body: foreign }, side.hook.secret, 1);
  await sleep(afterWebhookMs);
  assert.deepEqual(await ordersOf(sessionId), []);
  assert.match(shop.server.log(), /A webhook for Paylink was ignored \(wrong_signature\)/);
});

test('a currency, a return address and a guest without an address are refused with a sentence', async () => {
  const pounds = await askForSession(shop, await fillCart(shop, { regionId: shop.poundRegion }));
  assert.equal(pounds.status, 400);
  assert.match(JSON.stringify(pounds.body), /Paylink takes EUR and USD, not GBP/);
  const cartId = await fillCart(shop);
  const elsewhere = await askForSession(shop, cartId, {
    ...{ email: 'grace@example.com', return_url: 'https://elsewhere.example/' },
  });
  assert.equal(elsewhere.status, 400);
  assert.match(JSON.stringify(elsewhere.body), /data\.return_url must be an address of/);
  const guest = await askForSession(shop, cartId, {});
  assert.equal(guest.status, 400);
  assert.match(JSON.stringify(guest.body), /send it as data\.email/);
});
