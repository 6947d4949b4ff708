import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptRequest, ProcessorConnection } from '../processor.ts';
import { sessionEndsAt, sessionParams } from './session-params.ts';

const connection: ProcessorConnection = {
  connectionId: 'con_chairs',
  companyId: 'co_chairs',
  mode: 'test',
  credentials: { secretKey: 'sk_test_x', webhookSecret: 'whsec_x' },
};
const createdAt = new Date('2026-11-21T10:00:00.400Z');
const minutesOn = (minutes: number) => new Date(createdAt.getTime() + minutes * 60_000);

function request(changes: Partial<AttemptRequest> = {}): AttemptRequest {
  return {
    companyId: 'co_chairs',
    attemptId: 'att_1',
    processorReference: null,
    amountMinor: 1999,
    currency: 'EUR',
    linkCode: 'code',
    customerOrderId: 'order-7',
    description: 'Two chairs',
    items: [],
    merchantName: 'Chairs Ltd',
    statementDescriptor: 'CHAIRS LTD',
    customer: { email: 'ada@shop.example', firstName: 'Ada', lastName: 'Lovelace', country: 'DE' },
    locale: 'de',
    returnUrl: 'https://pay.example/return',
    cancelUrl: 'https://pay.example/cancel',
    createdAt,
    expiresAt: minutesOn(60),
    ...changes,
  };
}
const paramsOf = (changes: Partial<AttemptRequest> = {}) => sessionParams(connection, request(changes));

test('the session has the amount and currency of the attempt, and one item', () => {
  const params = paramsOf();
  const [line, ...others] = params.line_items ?? [];
  assert.deepEqual(others, []);
  assert.equal(line?.quantity, 1);
  assert.equal(line?.price_data?.unit_amount, 1999);
  assert.equal(line?.price_data?.currency, 'eur');
  assert.deepEqual(params.adaptive_pricing, { enabled: false });
  assert.equal(params.allow_promotion_codes, undefined);
});

test('the session has the items of the attempt, unless one is a discount, which Stripe does not take', () => {
  const items = [
    { name: 'Ticket', quantity: 2, unitAmountMinor: 950 },
    { name: 'Shipping', quantity: 1, unitAmountMinor: 99 },
    { name: 'Gift', quantity: 1, unitAmountMinor: 0 },
  ];
  const linesOf = (changes: Partial<AttemptRequest>) =>
    paramsOf(changes).line_items?.map(({ quantity, price_data: price }) => [
      price?.product_data?.name,
      quantity,
      price?.unit_amount,
      price?.currency,
    ]);
  assert.deepEqual(linesOf({ items }), [
    ['Ticket', 2, 950, 'eur'],
    ['Shipping', 1, 99, 'eur'],
    ['Gift', 1, 0, 'eur'],
  ]);
  const discount = { name: 'Discount', quantity: 1, unitAmountMinor: -1 };
  const discounted = [...items, { name: 'Bag', quantity: 1, unitAmountMinor: 1 }, discount];
  assert.deepEqual(linesOf({ items: discounted }), [['Two chairs', 1, 1_999, 'eur']]);
});

test('the session and the payment intent have the same metadata', () => {
  const params = paramsOf();
  assert.equal(params.client_reference_id, 'att_1');
  assert.deepEqual(params.metadata, {
    paylink_company: 'co_chairs',
    paylink_connection: 'con_chairs',
    paylink_attempt: 'att_1',
    paylink_link: 'code',
    paylink_order: 'order-7',
    paylink_customer: 'Ada Lovelace',
  });
  assert.deepEqual(params.payment_intent_data?.metadata, params.metadata);
});

test('the session has the customer’s email and language, and our return addresses', () => {
  const params = paramsOf();
  assert.equal(params.customer_email, 'ada@shop.example');
  assert.equal(params.locale, 'de');
  assert.equal(params.success_url, 'https://pay.example/return');
  assert.equal(params.cancel_url, 'https://pay.example/cancel');
});

test('a supported language is used, a regional form falls back to it, and any other to the browser’s', () => {
  const locales = {
    'pt-BR': 'pt-BR',
    'de-AT': 'de',
    en: 'en',
    'en-GB': 'en-GB',
    'tlh-KX': 'auto',
    auto: 'auto',
  };
  for (const [asked, given] of Object.entries(locales))
    assert.equal(paramsOf({ locale: asked }).locale, given);
});

test('the order ID replaces a missing description, and a missing name adds no metadata', () => {
  const nameless = { email: 'ada@shop.example', firstName: null, lastName: null, country: 'DE' };
  for (const description of [null, '']) {
    const params = paramsOf({ description, customer: nameless });
    assert.equal(params.line_items?.[0]?.price_data?.product_data?.name, 'order-7');
    assert.ok(!('paylink_customer' in (params.metadata || {})));
  }
});

test('a session expires with the attempt, within Stripe’s limits', () => {
  assert.equal(sessionEndsAt(request()).toISOString(), '2026-11-21T11:00:00.000Z');
  assert.equal(paramsOf().expires_at, Date.parse('2026-11-21T11:00:00Z') / 1000);
});

test('a session lives within Stripe’s limits', () => {
  const lifeOf = (minutes: number) =>
    (sessionEndsAt(request({ expiresAt: minutesOn(minutes) })).getTime() - createdAt.getTime()) / 60_000;
  assert.ok(lifeOf(5) > 30 && lifeOf(5) <= 31);
  assert.ok(lifeOf(7 * 24 * 60) < 24 * 60);
});

test('the parameters depend on the attempt only, not on its reference', () => {
  assert.deepEqual(paramsOf({ processorReference: 'cs_test_1' }), paramsOf());
});
