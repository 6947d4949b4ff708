// The signature of `paylink listen`, verified as merchants do.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { addSignature, newSigningSecret } from './deliver.ts';

const body = JSON.stringify({ id: 'evt_1', type: 'payment.paid', data: { note: 'Grüße' } });
const made = (headers: Record<string, string>) => ({
  headers: { 'webhook-signature': 'v1a,x', ...headers },
  body,
});

describe('a delivery', () => {
  test("its signature matches the specification's example, and precedes the one of the service", () => {
    const { headers } = addSignature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1a,x',
      },
      body: '{"test": 2432232314}',
    });
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,x');
  });

  test('the published verification accepts it, but not with another secret or a changed letter', async () => {
    const secret = newSigningSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const at = String(Math.floor(Date.now() / 1000));
    const { headers } = addSignature(secret, made({ 'webhook-id': 'evt_1', 'webhook-timestamp': at }));
    await verifyWebhook(body, headers, secret);
    await assert.rejects(verifyWebhook(body, headers, newSigningSecret()));
    await assert.rejects(verifyWebhook(body.replace('paid', 'paix'), headers, secret));
  });
});
