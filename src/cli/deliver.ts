// Posts one webhook to a local address. Must not: change a byte of the body, or follow a redirect.

import { createHmac, randomBytes } from 'node:crypto';
import type { EventWebhook } from '../../sdk/src/index.ts';
import { reasonOf } from './client.ts';

const prefix = 'whsec_';

export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The message with the signature of a secret (`v1`) before its own (`v1a`), in the order of real deliveries. */
export function addSignature(secret: string, message: EventWebhook): EventWebhook {
  const { headers, body } = message;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const mac = createHmac('sha256', key).update(signed).digest('base64');
  return { body, headers: { ...headers, 'webhook-signature': `v1,${mac} ${headers['webhook-signature']}` } };
}

export type DeliveryResult = {
  /** The status of the response; null without one. */
  status: number | null;
  reason: string | null;
  tookMs: number;
};

const responseTimeoutMs = 15_000;

/** Posts a message once. The result reports errors of the receiver; they are not thrown. */
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
