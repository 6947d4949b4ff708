// What the adapters for web frameworks share: verifies a webhook, hands its event to the program, and says
// what to answer. Must not: answer 2xx before the program has handled the event.

import type { WebhookEvent } from './api-types.ts';
import { SignatureError } from './errors.ts';
import {
  type RawBody,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookKey,
  type WebhookMessage,
} from './webhooks.ts';

/**
 * Handles an event. The service gets 204 when it is done, and sends the webhook again later if it throws. The
 * same `event.id` may come twice.
 */
export type OnWebhookEvent = (event: WebhookEvent, message: WebhookMessage) => unknown;

/** The answer to the service. */
export type WebhookAnswer = { status: 204 | 400; text: string };

/**
 * Verifies a webhook and has its event handled. An invalid signature is an answer, because it is the sender's
 * fault; whatever else is thrown is for the program.
 */
export async function receiveWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  key: WebhookKey,
  onEvent: OnWebhookEvent,
  options: VerifyWebhookOptions,
): Promise<WebhookAnswer> {
  let message: WebhookMessage;
  try {
    message = await verifyWebhook(rawBody, headers, key, options);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return { status: 400, text: `${error.code}: ${error.message}` };
  }
  await onEvent(message.payload, message);
  return { status: 204, text: '' };
}
