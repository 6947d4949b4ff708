// Verifies webhooks in the form of Standard Webhooks 1.0.0: HMAC-SHA256 with a shared secret (`v1`), or
// Ed25519 with the published keys (`v1a`). Pass the raw bytes of the body: JSON that was parsed and
// serialised again is a different text.

import { type Bytes, concatenate, fromBase64, utf8 } from './bytes.ts';
import { SignatureError } from './errors.ts';
import { ed25519KeysOf, isSignedBy, type KeySet } from './key-set.ts';
import { isSignedWith } from './webhook-secret.ts';

/** The raw body of a request. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Headers of fetch, or of Node's http. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookMessage<Payload = unknown> = {
  /** The same for every delivery of one message: process each ID once. */
  id: string;
  sentAt: Date;
  payload: Payload;
};

export type VerifyWebhookOptions = {
  /** The largest age or lead of a message, in seconds; default 300. */
  toleranceSeconds?: number | undefined;
  now?: Date | undefined;
};

/** The endpoint's secret, `whsec_…`; during a rotation, both; or the service's key set, for `v1a`. */
export type WebhookKey = string | readonly string[] | { keySet: KeySet };

/**
 * Verifies a webhook and returns its content. The caller states the type of the payload; nothing checks it.
 * Throws `SignatureError` when the webhook is not genuine, was changed, or is too old or too new.
 */
export async function verifyWebhook<Payload = unknown>(
  rawBody: RawBody,
  headers: WebhookHeaders,
  key: WebhookKey,
  options: VerifyWebhookOptions = {},
): Promise<WebhookMessage<Payload>> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new SignatureError('malformed', 'The header webhook-timestamp is not a time in seconds.');
  const body = bytesOf(rawBody);
  const content = concatenate(utf8(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signatures, content, key)))
    throw new SignatureError('wrong_signature', 'No signature of the message is right.');
  const sentAt = new Date(Number(timestamp) * 1_000);
  checkTime(sentAt, options);
  return { id, sentAt, payload: parse(body) as Payload };
}

/** Whether any of the signatures is valid. WebCrypto compares in constant time. */
async function isSigned(signatures: readonly string[], content: Bytes, key: WebhookKey): Promise<boolean> {
  const isPublished = typeof key === 'object' && 'keySet' in key;
  const checks = isPublished
    ? ed25519KeysOf(key.keySet).map((part) => async (bytes: Bytes) => await isSignedBy(part, bytes, content))
    : [key].flat().map((secret) => async (bytes: Bytes) => await isSignedWith(secret, bytes, content));
  const prefix = isPublished ? 'v1a,' : 'v1,';
  for (const signature of signatures) {
    const bytes = signature.startsWith(prefix) ? fromBase64(signature.slice(prefix.length)) : null;
    if (bytes) for (const check of checks) if (await check(bytes)) return true;
  }
  return false;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new SignatureError('malformed', `The header ${name} is missing, or there are several.`);
}

function checkTime(sentAt: Date, { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions): void {
  const ageMs = now.getTime() - sentAt.getTime();
  if (ageMs > toleranceSeconds * 1_000) throw new SignatureError('expired', 'The message is too old.');
  if (ageMs < -toleranceSeconds * 1_000)
    throw new SignatureError(
      'too_early',
      'The message is of the future: is the clock of this machine right?',
    );
}

function bytesOf(body: RawBody): Bytes {
  return typeof body === 'string' ? utf8(body) : Uint8Array.from(new Uint8Array(body));
}

function parse(body: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new SignatureError('malformed', 'The message is genuine, but its body is not JSON.', { cause });
  }
}

export type { KeySet };
export { SignatureError };
