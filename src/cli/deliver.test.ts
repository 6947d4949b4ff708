// The signature of `paylink listen`, against the verification that merchants use.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { newSigningSecret, signDelivery } from './deliver.ts';

const body = JSON.stringify({ id: 'evt_1', type: 'payment.paid', data: { note: 'Grüße' } });
const delivery = (at: Date) => ({ id: 'evt_1', at, body });

describe('a delivery', () => {
  test("its signature is that of the specification's example", () => {
    const headers = signDelivery('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1614265330_000),
      body: '{"test": 2432232314}',
    });
    assert.deepEqual(headers, {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('the published verification takes it, and not with another secret or one letter changed', async () => {
    const secret = newSigningSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const headers = signDelivery(secret, delivery(new Date()));
    await verifyWebhook(body, headers, secret);
    await assert.rejects(verifyWebhook(body, headers, newSigningSecret()));
    await assert.rejects(verifyWebhook(body.replace('paid', 'paix'), headers, secret));
  });
});
