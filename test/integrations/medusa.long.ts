// The short form of the campaign: the package for Medusa as it is compiled, loaded by require, with a stand-in for the two
// classes of Medusa that it extends and throws. Medusa's types are checked by the campaign.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeWebhookSecret, signWebhook } from '../../sdk/src/testing.ts';
import { logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { createServiceKey } from '../harness/service-keys.ts';
import { payWith } from '../harness/visitor.ts';
import { type CompiledPackage, compilePackage } from './compiled-package.ts';

const standIn = `
class MedusaError extends Error {
  static Types = { INVALID_DATA: 'invalid_data', NOT_ALLOWED: 'not_allowed', UNEXPECTED_STATE: 'unexpected_state' };
  constructor(type, message) { super(message); this.type = type; }
}
class AbstractPaymentProvider {}
module.exports = {
  ...{ MedusaError, AbstractPaymentProvider, Modules: { PAYMENT: 'payment' } },
  ModuleProvider: (module, given) => ({ module, ...given }),
};
`;

type Call = (
  input: object,
) => Promise<{ id: string; data: Record<string, string>; status: string; action: string }>;
type Provider = Record<
  | 'initiatePayment'
  | 'authorizePayment'
  | 'refundPayment'
  | 'cancelPayment'
  | 'deletePayment'
  | 'getWebhookActionAndData',
  Call
>;
type ProviderClass = {
  new (container: object, options: object): Provider;
  identifier: string;
  validateOptions(options: object): void;
};

let compiled: CompiledPackage;
let service: Paylink;
let Service: ProviderClass;
let provider: Provider;
let options: { baseUrl: string; serviceKey: string; webhookSecret: string; returnUrl: string };
const logged: string[] = [];

before(async () => {
  compiled = await compilePackage('medusa', { '@medusajs/framework/utils': standIn });
  service = await startPaylink('server');
  const { key } = await createServiceKey(service, await logIn(service), { scopes: ['payments'] });
  options = {
    ...{ baseUrl: service.baseUrl, serviceKey: key, webhookSecret: makeWebhookSecret() },
    returnUrl: 'https://shop.example/return',
  };
  const loaded = compiled.load() as { default: { module: string; services: [ProviderClass] } };
  assert.equal(loaded.default.module, 'payment');
  [Service] = loaded.default.services;
  provider = new Service({ logger: { error: (text: string) => logged.push(text) } }, options);
});
after(async () => {
  await service?.stop();
  await compiled?.remove();
});

test('the built package requires Medusa and its own files only', () => {
  assert.deepEqual(compiled.required, ['@medusajs/framework/utils']);
});

test('a session is opened, paid, authorised as captured, and refunded', async () => {
  const asked = { amount: { value: '29.6667' }, currency_code: 'eur' };
  const opened = await provider.initiatePayment({
    ...asked,
    data: { session_id: 'payses_long', email: 'grace@example.com' },
    context: {},
  });
  const { data } = opened;
  assert.equal((await provider.authorizePayment({ data })).status, 'pending');
  await payWith(data.payment_link ?? '', { number: '4242424242424242' });
  assert.equal((await provider.authorizePayment({ data })).status, 'captured');
  await assert.rejects(provider.cancelPayment({ data }), { type: 'not_allowed', message: /is paid/ });
  const refunded = await provider.refundPayment({ data, amount: 10, context: { idempotency_key: 'ref_1' } });
  assert.equal(refunded.data.refunded_amount, '10');
});

test('errors are those of Medusa, and a session that is not ours is refused', async () => {
  const data = { session_id: 'payses_pounds', email: 'grace@example.com' };
  const pounds = { amount: 5, currency_code: 'gbp', data, context: {} };
  await assert.rejects(provider.initiatePayment(pounds), {
    type: 'invalid_data',
    message: /EUR and USD, not GBP/,
  });
  const noAddress = { amount: 5, currency_code: 'eur', data: { ...data, email: 'no address' }, context: {} };
  await assert.rejects(provider.initiatePayment(noAddress), { type: 'invalid_data', message: /email/ });
  await assert.rejects(provider.authorizePayment({ data: {} }), { type: 'invalid_data' });
  assert.deepEqual(await provider.deletePayment({ data: {} }), { data: {} });
  assert.throws(() => Service.validateOptions({ ...options, returnUrl: 'x' }), {
    type: 'unexpected_state',
    message: /returnUrl/,
  });
});

test('a webhook with another signature is logged and no action', async () => {
  const payload = { type: 'payment.paid', data: {} };
  const { body, headers } = await signWebhook({ payload, secret: makeWebhookSecret() });
  const answer = await provider.getWebhookActionAndData({
    data: payload,
    rawData: Buffer.from(body),
    headers,
  });
  assert.deepEqual(answer, { action: 'not_supported' });
  assert.match(logged.join('\n'), /A webhook for Paylink was ignored \(wrong_signature\)/);
});
