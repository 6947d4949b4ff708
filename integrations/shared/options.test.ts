import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeWebhookSecret } from '../../sdk/src/testing.ts';
import { openOptions } from './options.ts';

const valid = {
  baseUrl: 'https://pay.example.com',
  serviceKey: `pls_test_${'0'.repeat(16)}_${'0'.repeat(64)}`,
  webhookSecret: makeWebhookSecret(),
  returnUrl: 'https://shop.example/checkout/return',
};

test('complete options give a client', () => {
  const { options, paylink } = openOptions({
    ...valid,
    webhookSecret: [valid.webhookSecret, makeWebhookSecret()],
  });
  assert.equal(options.returnUrl, valid.returnUrl);
  assert.equal(typeof paylink.payments.create, 'function');
});

test('an option that is missing, malformed or unknown is named when the server starts', () => {
  const cases: [object | undefined, RegExp][] = [
    [undefined, /serviceKey is missing/],
    [{ ...valid, baseUrl: '' }, /baseUrl is empty/],
    [{ ...valid, baseUrl: 'ftp://pay.example.com' }, /baseUrl must begin with/],
    [{ ...valid, serviceKey: 'pls_test_1' }, /serviceKey is not a complete service key/],
    [{ ...valid, webhookSecret: undefined }, /secret/],
    [{ ...valid, webhookSecret: [] }, /secret/],
    [{ ...valid, webhookSecret: 'secret' }, /secret/],
    [{ ...valid, returnUrl: '/checkout' }, /returnUrl is not an address/],
    [{ ...valid, returnUrl: undefined }, /returnUrl is not an address/],
    [{ ...valid, returnURL: 'https://shop.example' }, /no option returnURL/],
  ];
  for (const [options, message] of cases)
    assert.throws(
      () => openOptions(options),
      (error: Error) => message.test(error.message) && !error.message.includes('0'.repeat(64)),
      JSON.stringify(options),
    );
});
