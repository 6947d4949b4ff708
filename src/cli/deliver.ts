// One event as a webhook of the form Standard Webhooks 1.0.0, posted to an address of one's own machine.
// It must never follow a redirect: a delivery is for the address that was named.

import { createHmac, randomBytes } from 'node:crypto';
import type { PaylinkEvent } from '../../sdk/src/index.ts';
import { reasonOf } from './client.ts';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The three headers of a delivery. `at` is the moment of this try. */
export function signDelivery(
  secret: string,
  delivery: { id: string; at: Date; body: string },
): Record<string, string> {
  const { id, at, body } = delivery;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
}

export type Delivered = {
  /** The status that was answered; null when there was no answer. */
  status: number | null;
  reason: string | null;
  tookMs: number;
};

const answerWithinMs = 15_000;

/** Posts an event once. What becomes of it is a value: a receiver that is away is no fault of ours. */
export async function deliver(
  url: string,
  event: PaylinkEvent,
  options: { secret: string; at: Date; signal: AbortSignal },
): Promise<Delivered> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'paylink-listen',
        ...signDelivery(options.secret, { id: event.id, at: options.at, body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), options.signal]),
    });
    await response.body?.cancel();
    return { status: response.status, reason: null, tookMs: tookMs() };
  } catch (error) {
    return { status: null, reason: reasonOf(error), tookMs: tookMs() };
  }
}
