// Webhooks of Paylink as actions of Medusa. Must not: act on a message whose signature is not valid, or on a payment that
// another program of the company has made.

import type { RawBody, WebhookEvent, WebhookHeaders } from '../../../sdk/src/webhooks.ts';
import { verifyWebhook } from '../../../sdk/src/webhooks.ts';
import type { Payment } from '../../shared/links.ts';
import { statusOf } from './payment-sessions.ts';

export type Action = 'captured' | 'failed' | 'canceled' | 'pending' | 'not_supported';

export type WebhookAction = { action: Action; data?: { session_id: string; amount: number } };

export type Payload = { rawData: RawBody; headers: Record<string, unknown> };

const ofPayment = [
  'payment.opened',
  'payment.processing',
  'payment.paid',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
];

/**
 * Medusa has answered 200 before it handles a message from its queue, which may take long after an outage. Paylink then does not
 * send it again. An old message does no harm: whether the session is paid is read from Paylink.
 */
const toleranceSeconds = 7 * 24 * 60 * 60;

/** Verifies a webhook and says what Medusa should do. Throws `SignatureError` if it is not genuine. */
export async function readWebhook(
  { rawData, headers }: Payload,
  webhookSecret: string | readonly string[],
): Promise<WebhookAction> {
  const { payload } = await verifyWebhook(rawData, headers as WebhookHeaders, webhookSecret, {
    toleranceSeconds,
  });
  return actionOf(payload);
}

export function actionOf(event: WebhookEvent): WebhookAction {
  if (!ofPayment.includes(event.type)) return { action: 'not_supported' };
  // The message has the payment as it was when it was sent, so a late message says the same as a new one.
  const { payment } = event.data as { payment: Payment };
  const sessionId = payment.metadata.medusa_session_id;
  if (!sessionId || sessionId !== payment.customerOrderId) return { action: 'not_supported' };
  const status = statusOf(payment);
  const action: Action = status === 'error' ? 'failed' : status;
  return { action, data: { session_id: sessionId, amount: payment.amount } };
}
