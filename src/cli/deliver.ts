// Posts one webhook, as the service made it, to an address of one's own machine. It must never change a byte of
// the body, and never follow a redirect: a delivery is for the address that was named.

import { createHmac, randomBytes } from 'node:crypto';
import type { EventWebhook } from '../../sdk/src/index.ts';
import { reasonOf } from './client.ts';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * The message with the signature of a secret (`v1`) before the one that it has (`v1a`), in the order in which
 * endpoints receive them.
 */
export function addSignature(secret: string, message: EventWebhook): EventWebhook {
  const { headers, body } = message;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const mac = createHmac('sha256', key).update(signed).digest('base64');
  return { body, headers: { ...headers, 'webhook-signature': `v1,${mac} ${headers['webhook-signature']}` } };
}

export type DeliveryResult = {
  /** The status that was answered; null when there was no answer. */
  status: number | null;
  reason: string | null;
  tookMs: number;
};

const responseTimeoutMs = 15_000;

/** Posts a message once. Never throws for what the receiver does: the result says what came of it. */
export async function deliverLocally(
  url: string,
  message: EventWebhook,
  options: { secret: string; signal: AbortSignal },
): Promise<DeliveryResult> {
  const { headers, body } = addSignature(options.secret, message);
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(responseTimeoutMs), options.signal]),
    });
    await response.body?.cancel();
    return { status: response.status, reason: null, tookMs: tookMs() };
  } catch (error) {
    return { status: null, reason: reasonOf(error), tookMs: tookMs() };
  }
}
