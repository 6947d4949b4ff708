// The payment plugin in a real Vendure server: a script buys through the shop API, and Chromium pays on the hosted page.
// The tests of vendure.campaign.ts.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeWebhookSecret } from '../../sdk/src/testing.ts';
import type { Json } from '../harness/client.ts';
import { freePort } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { setupLimit } from './host-shop.ts';
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
import {
  asStaff,
  type Basket,
  confirm,
  createLink,
  fillBasket,
  getOrder,
  openLink,
  openVendureShop,
  refund,
  transition,
  type VendureShop,
  webhookPath,
} from './vendure-shop.ts';

let side: PaylinkSide;
let shop: VendureShop;

/** Starts the server before the tests of a file. */
export function prepareShop(): void {
  before(async () => {
    const port = await freePort();
    side = await openPaylinkSide(`http://127.0.0.1:${port}${webhookPath}`);
    shop = await openVendureShop(side, port);
  }, setupLimit);
  after(async () => {
    await shop?.close();
    await side?.close();
  });
}

const paymentsOf = async ({ orderCode }: Basket) => (await getOrder(shop, orderCode)).payments;

/** A paid order. */
async function buy(quantity: number): Promise<{ basket: Basket; code: string; paymentId: string }> {
  const basket = await fillBasket(shop, quantity);
  const { code } = await openLink(basket);
  await bringAbout(side, code, 'pay');
  assert.equal((await confirm(basket, code)).status, 'paid');
  const [payment] = await paymentsOf(basket);
  return { basket, code, paymentId: payment?.id ?? '' };
}

const addPayment = async ({ customer }: Basket, paymentLinkCode?: string) => {
  const { data } = await customer.ask(
    `mutation ($input: PaymentInput!) {
      addPaymentToOrder(input: $input) {
        ... on Order { state } ... on PaymentFailedError { paymentErrorMessage } ... on ErrorResult { message }
      }
    }`,
    { input: { method: 'hosted-page', metadata: { paymentLinkCode } } },
  );
  const { state, paymentErrorMessage, message }: Json = data.addPaymentToOrder ?? {};
  return String(state ?? paymentErrorMessage ?? message);
};

const moveTo = async ({ customer }: Basket, state: string) => {
  const { data } = await customer.ask(
    `mutation { moved: ${transition(state)} { ... on Order { state } ... on OrderStateTransitionError { transitionError } } }`,
  );
  return String(data.moved?.state ?? data.moved?.transitionError);
};

const payOtherwise = async ({ customer }: Basket) => {
  const { data } = await customer.ask(
    'mutation { addPaymentToOrder(input: { method: "invoice", metadata: {} }) { ... on Order { state } } }',
  );
  assert.equal(data.addPaymentToOrder?.state, 'PaymentSettled');
};

/** The package as it is installed. */
export function testPackage(): void {
  test('the package has what the build made, and requires only what Vendure brings', () => {
    const { packed, folder } = shop.shop;
    const others = packed.filter((file) => !/^dist\/(integrations|sdk)\/.*\.(js|d\.ts)$/.test(file));
    assert.deepEqual(others, ['LICENSE', 'README.md', 'dist/package.json', 'package.json']);
    const installed = path.join(folder, 'node_modules', '@paylink', 'vendure-payment');
    const { peerDependencies } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    const sources = readdirSync(path.join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(path.join(installed, 'dist', name), 'utf8'));
    const required = sources.flatMap((text) => [...text.matchAll(/\brequire\("([^".][^"]*)"\)/g)]);
    const names = new Set(required.map(([, name = '']) => name));
    assert.deepEqual([...names].sort(), Object.keys(peerDependencies).sort());
  });
}

/** The customer pays, or is declined. */
export function testPaying(): void {
  test('a customer pays on the hosted page, and confirmations and webhooks at once record one payment', async () => {
    const basket = await fillBasket(shop, 2);
    const link = await openLink(basket);
    const order = await getOrder(shop, basket.orderCode);
    const opened = await getPayment(side, link.code);
    // 2 × 9.99 and 4.95 with 19 %.
    assert.deepEqual([order.totalWithTax, opened.amount, opened.currency], [2967, 29.67, 'EUR']);
    assert.deepEqual([opened.customerOrderId, link.status], [basket.orderCode, 'open']);
    assert.equal((await openLink(basket)).code, link.code);

    const back = await payInBrowser(side, link.url);
    assert.equal(back.searchParams.get('PaymentLinkCode'), link.code);
    const message = await awaitWebhook(side, link.code, 'payment.processing');
    const paid = {
      ...message,
      id: 'evt_copy',
      body: message.body.replace('payment.processing', 'payment.paid'),
    };
    const confirmations = Array.from({ length: 4 }, async () => await confirm(basket, link.code));
    const [statuses] = await Promise.all([sendCopies(paid, side.hook.secret, 4), ...confirmations]);
    assert.deepEqual(statuses, [204, 204, 204, 204]);
    const done = await getOrder(shop, basket.orderCode);
    assert.equal(done.state, 'PaymentSettled');
    assert.deepEqual(
      done.payments.map(({ state, amount, method, transactionId }) => [state, amount, method, transactionId]),
      [['Settled', 2967, 'hosted-page', link.code]],
    );

    await awaitWebhook(side, link.code, 'payment.paid');
    assert.deepEqual(await sendCopies(paid, side.hook.secret, 3), [204, 204, 204]);
    assert.deepEqual((await getOrder(shop, basket.orderCode)).payments, done.payments);
    assert.equal((await getPayment(side, link.code)).refundedAmount, 0);
  });

  test('a declined payment leaves the order unpaid, and a new link can be paid', async () => {
    const basket = await fillBasket(shop, 1);
    const first = await openLink(basket);
    const back = await payInBrowser(side, first.url, cards.declined);
    assert.equal(back.searchParams.get('status'), 'failed');
    assert.equal((await confirm(basket, first.code)).status, 'failed');
    const order = await getOrder(shop, basket.orderCode);
    assert.deepEqual([order.state, order.payments], ['ArrangingPayment', []]);

    const second = await openLink(basket);
    assert.notEqual(second.code, first.code);
    await payInBrowser(side, second.url);
    assert.equal((await confirm(basket, second.code)).status, 'paid');
    assert.equal((await getOrder(shop, basket.orderCode)).state, 'PaymentSettled');
  });
}

/** Staff refund. */
export function testRefunds(): void {
  test('a refund in the admin API reaches Paylink once, and no more than was paid is refunded', async () => {
    const { basket, code, paymentId } = await buy(2);
    assert.equal(await refund(shop, paymentId, 1000), 'Settled');
    const two = await Promise.all([refund(shop, paymentId, 967), refund(shop, paymentId, 1000)]);
    assert.deepEqual(two, ['Settled', 'Settled']);
    assert.notEqual(await refund(shop, paymentId, 1), 'Settled');
    const amounts = (await getRefunds(side, code)).map(({ amount }) => amount);
    assert.deepEqual(amounts.sort(), [10, 10, 9.67]);
    const [payment] = await paymentsOf(basket);
    assert.deepEqual(payment?.refunds.map(({ total }) => total).sort(), [1000, 1000, 967]);
  });
}

/** The customer does not return, or does not pay. */
export function testUnpaid(): void {
  test('the webhook alone completes the order of a customer who never returns', async () => {
    const basket = await fillBasket(shop, 1);
    const { code } = await openLink(basket);
    await bringAbout(side, code, 'pay');
    await awaitWebhook(side, code, 'payment.paid');
    assert.equal((await getOrder(shop, basket.orderCode)).state, 'PaymentSettled');
  });

  test('a customer who leaves the page unpaid has no payment, whatever the address says, and can pay later', async () => {
    const basket = await fillBasket(shop, 1);
    const link = await openLink(basket);
    const back = await leaveUnpaid(side, link.url);
    assert.equal(back.searchParams.get('status'), 'open');
    assert.equal((await confirm(basket, link.code)).status, 'open');
    assert.deepEqual(await paymentsOf(basket), []);
    await payInBrowser(side, link.url);
    assert.equal((await confirm(basket, link.code)).status, 'paid');
  });

  test('a link that was cancelled in Paylink leaves the order unpaid', async () => {
    const basket = await fillBasket(shop, 1);
    const { code } = await openLink(basket);
    await bringAbout(side, code, 'cancel');
    await awaitWebhook(side, code, 'payment.cancelled');
    assert.equal((await confirm(basket, code)).status, 'cancelled');
    const order = await getOrder(shop, basket.orderCode);
    assert.deepEqual([order.state, order.payments], ['ArrangingPayment', []]);
    assert.notEqual((await openLink(basket)).code, code);
  });
}

/** The order changes, or is paid in another way. */
export function testChanges(): void {
  test('an order that changes ends its link, and cannot change while its customer pays, nor when it is paid', async () => {
    const basket = await fillBasket(shop, 1);
    const first = await openLink(basket);
    assert.equal(await moveTo(basket, 'AddingItems'), 'AddingItems');
    assert.equal((await getPayment(side, first.code)).status, 'cancelled');
    const refused = await basket.customer.ask(createLink);
    assert.match(refused.errors[0]?.message ?? '', /Transition it to ArrangingPayment/);
    assert.equal(await moveTo(basket, 'ArrangingPayment'), 'ArrangingPayment');

    const second = await openLink(basket);
    await bringAbout(side, second.code, 'process', { attemptStatus: 'processing' });
    assert.match(await moveTo(basket, 'AddingItems'), /is paying .* at this moment/);
    await bringAbout(side, second.code, 'settle', { outcome: 'succeeded' });
    await awaitWebhook(side, second.code, 'payment.paid');
    assert.equal((await getOrder(shop, basket.orderCode)).state, 'PaymentSettled');
  });

  test('an order that is paid in another way ends its link, and money that arrives late is sent back', async () => {
    const early = await fillBasket(shop, 1);
    const open = await openLink(early);
    await payOtherwise(early);
    assert.equal((await getPayment(side, open.code)).status, 'cancelled');

    const late = await fillBasket(shop, 1);
    const { code } = await openLink(late);
    await bringAbout(side, code, 'process', { attemptStatus: 'processing' });
    await payOtherwise(late);
    await bringAbout(side, code, 'settle', { outcome: 'succeeded' });
    const message = await awaitWebhook(side, code, 'payment.paid');
    await sendCopies(message, side.hook.secret, 3);
    const payment = await getPayment(side, code);
    assert.equal(payment.refundedAmount, payment.amount);
    assert.equal((await getRefunds(side, code)).length, 1);
    const order = await getOrder(shop, late.orderCode);
    assert.deepEqual(
      order.payments.map(({ method }) => method),
      ['invoice'],
    );
    const notes = order.history.items.filter(({ type }) => type === 'ORDER_NOTE');
    assert.equal(notes.length, 1);
    assert.match(notes[0]?.data.note ?? '', /when nothing was left to pay, and has refunded it/);
  });
}

/** Refunds without an outcome, and those made elsewhere. */
export function testSpecialRefunds(): void {
  test('a refund without an outcome is pending until its webhook arrives', async () => {
    const { basket, code, paymentId } = await buy(1);
    side.processor.isDown = true;
    try {
      assert.equal(await refund(shop, paymentId, 500), 'Pending');
    } finally {
      side.processor.isDown = false;
    }
    await until(async () => (await getPayment(side, code)).refundedAmount === 5, 'the refund');
    const message = await awaitWebhook(side, code, 'refund.succeeded');
    assert.deepEqual(await sendCopies(message, side.hook.secret, 3), [204, 204, 204]);
    const [payment] = await paymentsOf(basket);
    assert.deepEqual(
      payment?.refunds.map(({ state, total }) => [state, total]),
      [['Settled', 500]],
    );
    const { history } = await getOrder(shop, basket.orderCode);
    const moves = history.items.filter(({ type, data }) => /REFUND/.test(type) && data.to === 'Settled');
    assert.equal(moves.length, 1);
  });

  test('a refund made in Paylink is not made again in Vendure, and a paid payment cannot be cancelled', async () => {
    const { basket, code, paymentId } = await buy(1);
    await bringAbout(side, code, 'refund', { amount: 5 });
    assert.match(await refund(shop, paymentId, 500), /that this shop does not know/);
    assert.equal((await getPayment(side, code)).refundedAmount, 5);
    const [payment] = await paymentsOf(basket);
    assert.deepEqual(payment?.refunds, []);
    const query = `mutation { cancelPayment(id: "${paymentId}") { ... on Payment { state } ... on ErrorResult { message } } }`;
    await assert.rejects(asStaff(shop, query), /cannot be cancelled/);
    assert.equal((await paymentsOf(basket))[0]?.state, 'Settled');
  });
}

/** What somebody else claims, and what Paylink cannot take. */
export function testForgeries(): void {
  test('no customer pays an order with an unpaid link, with the link of another order, or twice with one', async () => {
    const [mine, other] = [await fillBasket(shop, 1), await fillBasket(shop, 1)];
    const unpaid = await openLink(mine);
    assert.match(await addPayment(mine), /no paymentLinkCode/);
    assert.match(await addPayment(mine, unpaid.code), /is open at Paylink/);
    const paid = await openLink(other);
    await bringAbout(side, paid.code, 'process', { attemptStatus: 'processing' });
    assert.match(await addPayment(other, paid.code), /is processing at Paylink/);
    await bringAbout(side, paid.code, 'settle', { outcome: 'succeeded' });
    assert.match(await addPayment(mine, paid.code), /not the one of this order/);
    await awaitWebhook(side, paid.code, 'payment.paid');
    assert.equal((await getOrder(shop, other.orderCode)).state, 'PaymentSettled');
    assert.equal((await getOrder(shop, mine.orderCode)).state, 'ArrangingPayment');
    const settled = (await paymentsOf(other)).filter(({ state }) => state === 'Settled');
    assert.equal(settled.length, 1);
  });

  test('a webhook with another signature is refused, and what it claims is not believed', async () => {
    const basket = await fillBasket(shop, 1);
    const { code } = await openLink(basket);
    const { url } = await awaitWebhook(side, code, 'payment.created');
    const payment = { ...(await getPayment(side, code)), status: 'paid' };
    const body = JSON.stringify({ type: 'payment.paid', timestamp: payment.createdAt, data: { payment } });
    const forged = { id: 'evt_forged', url, body };
    assert.deepEqual(await sendCopies(forged, makeWebhookSecret(), 1), [400]);
    // Genuine, but the payment at Paylink is open: the plugin asks Paylink.
    assert.deepEqual(await sendCopies(forged, side.hook.secret, 1), [204]);
    const foreign = { ...payment, metadata: {} };
    const ofOthers = {
      ...forged,
      body: JSON.stringify({ type: 'payment.paid', data: { payment: foreign } }),
    };
    assert.deepEqual(await sendCopies(ofOthers, side.hook.secret, 1), [204]);
    const order = await getOrder(shop, basket.orderCode);
    assert.deepEqual([order.state, order.payments], ['ArrangingPayment', []]);
  });

  test('another currency and an unknown code are refused with a sentence', async () => {
    const pounds = await fillBasket(shop, 1, 'GBP');
    const { errors } = await pounds.customer.ask(createLink);
    assert.match(errors[0]?.message ?? '', /Paylink takes EUR and USD, not GBP/);
    await assert.rejects(confirm(pounds, 'z'.repeat(30)), /There is no such payment link/);
  });
}
