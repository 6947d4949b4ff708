// The links of the Vendure plugin against a real service, without Vendure.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  isAwaited,
  type OrderAsk,
  openOrderLink,
  orderOfLink,
  refundReason,
  refundStateOf,
  requireOrderLink,
} from '../../integrations/vendure/src/order-links.ts';
import { type Paylink as Client, createPaylink, type Refund } from '../../sdk/src/index.ts';
import { logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { createServiceKey } from '../harness/service-keys.ts';

let service: Paylink;
let paylink: Client;
before(async () => {
  service = await startPaylink('server');
  const { key } = await createServiceKey(service, await logIn(service), { scopes: ['payments'] });
  paylink = createPaylink({ baseUrl: service.baseUrl, serviceKey: key });
});
after(async () => await service.stop());

function askOf(fields: Partial<OrderAsk> = {}): OrderAsk {
  return {
    ...{ orderCode: randomUUID().slice(0, 16).toUpperCase(), channelToken: 'default', method: 'paylink' },
    ...{ earlierPayments: 0, amountMinor: 2967, currencyCode: 'EUR', languageCode: 'pt_BR' },
    ...{
      email: 'grace@example.com',
      firstName: 'Grace',
      lastName: '',
      returnUrl: 'https://shop.example/return',
    },
    ...fields,
  };
}

test('an order gets one link, also from two tabs at once', async () => {
  const ask = askOf();
  const opened = await Promise.all([1, 2, 3].map(async () => await openOrderLink(paylink, ask)));
  assert.equal(new Set(opened.map(({ paymentLinkCode }) => paymentLinkCode)).size, 1);
  const [payment] = opened;
  assert.ok(payment);
  assert.deepEqual(
    [payment.amount, payment.customerOrderId, payment.locale, payment.firstName, payment.lastName],
    [29.67, ask.orderCode, 'pt-BR', 'Grace', null],
  );
  assert.deepEqual(orderOfLink(payment), {
    orderCode: ask.orderCode,
    channelToken: 'default',
    method: 'paylink',
  });
});

test('an order with another price gets another link, and the old one cannot be paid', async () => {
  const ask = askOf();
  const old = await openOrderLink(paylink, ask);
  const next = await openOrderLink(paylink, { ...ask, amountMinor: 3000 });
  assert.deepEqual([next.amount, next.status], [30, 'open']);
  assert.equal((await paylink.payments.get(old.paymentLinkCode)).status, 'cancelled');
});

test('an order whose customer is paying, or has paid, gets no other link', async () => {
  const ask = askOf();
  const { paymentLinkCode: code } = await openOrderLink(paylink, ask);
  await paylink.testPayments.process(code, { attemptStatus: 'processing' });
  await assert.rejects(openOrderLink(paylink, { ...ask, amountMinor: 1 }), {
    message: /is paying .* at this moment/,
  });
  await paylink.testPayments.settle(code, { outcome: 'succeeded' });
  await assert.rejects(openOrderLink(paylink, { ...ask, amountMinor: 1 }), { message: /is paid/ });
  assert.equal((await openOrderLink(paylink, ask)).status, 'paid');
  const more = await openOrderLink(paylink, { ...ask, amountMinor: 500, earlierPayments: 1 });
  assert.deepEqual([more.customerOrderId, more.status], [`${ask.orderCode}-2`, 'open']);
});

test('a currency and an amount that Paylink cannot take are refused before a link is made', async () => {
  await assert.rejects(openOrderLink(paylink, askOf({ currencyCode: 'GBP' })), {
    message: /EUR and USD, not GBP/,
  });
  for (const amountMinor of [0, -1, 0.5, Number.NaN])
    await assert.rejects(openOrderLink(paylink, askOf({ amountMinor })), { message: /nothing left to pay/ });
});

test('a link counts only for its own order, in its currency', async () => {
  const ask = askOf();
  const payment = await openOrderLink(paylink, ask);
  const { orderCode: code, channelToken } = ask;
  requireOrderLink(payment, { code, currencyCode: 'EUR', channelToken });
  assert.throws(
    () => requireOrderLink(payment, { code: 'OTHER', currencyCode: 'EUR', channelToken }),
    /not the one of this order/,
  );
  assert.throws(
    () => requireOrderLink(payment, { code, currencyCode: 'USD', channelToken }),
    /in EUR, the order in USD/,
  );
  assert.throws(
    () => requireOrderLink(payment, { code, currencyCode: 'EUR', channelToken: 'other' }),
    /not the one of this order/,
  );
  assert.equal(orderOfLink({ metadata: { vendure_order: 'A' } }), null);
});

test('an order of another shop with the same code keeps its link', async () => {
  const ask = askOf();
  const { paymentLinkCode: code } = await openOrderLink(paylink, ask);
  await assert.rejects(openOrderLink(paylink, { ...ask, channelToken: 'other' }), {
    message: /Another shop of this company has an order/,
  });
  assert.equal((await paylink.payments.get(code)).status, 'open');
});

test('every status of a refund is a state of Vendure', () => {
  const states = (['created', 'processing', 'unknown', 'succeeded', 'failed'] as const).map((status) =>
    refundStateOf({ status }),
  );
  assert.deepEqual(states, ['Pending', 'Pending', 'Pending', 'Settled', 'Failed']);
});

test('a webhook about a refund that the shop has just asked for is awaited, another one is not', () => {
  const refund = { reason: refundReason('A') } as Refund;
  const at = '2026-11-20T12:00:00.000Z';
  assert.equal(isAwaited(refund, 'A', at, Date.parse(at) + 1_000), true);
  assert.equal(isAwaited(refund, 'A', at, Date.parse(at) + 3_600_000), false);
  assert.equal(isAwaited(refund, 'B', at, Date.parse(at) + 1_000), false);
  assert.equal(isAwaited({ ...refund, reason: 'broken cup' }, 'A', at, Date.parse(at)), false);
});
