import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeWebhookSecret, signWebhook } from '../../../sdk/src/testing.ts';
import type { WebhookEvent } from '../../../sdk/src/webhooks.ts';
import { actionOf, readWebhook } from './webhook-actions.ts';

const payment = {
  ...{ customerOrderId: 'payses_1', amount: 29.67, refundedAmount: 0, status: 'paid' },
  metadata: { medusa_session_id: 'payses_1' },
};

const eventOf = (type: string, fields: object = {}) =>
  ({ type, data: { payment: { ...payment, ...fields } } }) as unknown as WebhookEvent;

test('an event about a payment is the action of its present status, not of its name', () => {
  const cases: [string, object, string][] = [
    ['payment.paid', {}, 'captured'],
    ['payment.processing', {}, 'captured'],
    ['payment.opened', { status: 'open' }, 'pending'],
    ['payment.processing', { status: 'processing' }, 'pending'],
    ['payment.failed', { status: 'failed' }, 'failed'],
    ['payment.expired', { status: 'expired' }, 'canceled'],
    ['payment.cancelled', { status: 'cancelled' }, 'canceled'],
    ['payment.paid', { refundedAmount: 29.67 }, 'canceled'],
    ['payment.paid', { refundedAmount: 29.66 }, 'captured'],
  ];
  for (const [type, fields, action] of cases)
    assert.deepEqual(
      actionOf(eventOf(type, fields)),
      { action, data: { session_id: 'payses_1', amount: 29.67 } },
      type,
    );
});

test('other events, and payments that this provider has not made, are no action of Medusa', () => {
  for (const event of [
    eventOf('refund.succeeded'),
    eventOf('payment.late'),
    eventOf('payment.paid', { metadata: {} }),
    eventOf('payment.paid', { metadata: { medusa_session_id: 'payses_2' } }),
    { type: 'webhook_endpoint.test', data: {} } as unknown as WebhookEvent,
  ])
    assert.deepEqual(actionOf(event), { action: 'not_supported' });
});

test('only a body with a valid signature is an action', async () => {
  const secret = makeWebhookSecret();
  const { body, headers } = await signWebhook({ payload: eventOf('payment.paid'), secret });
  const bytes = Buffer.from(body);
  assert.equal((await readWebhook({ rawData: bytes, headers }, secret)).action, 'captured');
  assert.equal(
    (await readWebhook({ rawData: body, headers }, [makeWebhookSecret(), secret])).action,
    'captured',
  );
  const changed = Buffer.from(body.replace('29.67', '0.01'));
  await assert.rejects(readWebhook({ rawData: changed, headers }, secret), { code: 'wrong_signature' });
  await assert.rejects(readWebhook({ rawData: bytes, headers }, makeWebhookSecret()), {
    code: 'wrong_signature',
  });
  await assert.rejects(readWebhook({ rawData: bytes, headers: {} }, secret), { code: 'malformed' });
});
