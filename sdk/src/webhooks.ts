// Verifies webhooks in the form of Standard Webhooks 1.0.0: HMAC-SHA256 with a shared secret (`v1`), or
// Ed25519 with the published keys (`v1a`). Pass the raw bytes of the body: JSON that was parsed and
// serialised again is a different text.

import type { WebhookEvent, WebhookEvents } from './api-types.ts';
import { type Bytes, concatenate, fromBase64, utf8 } from './bytes.ts';
import { PaylinkError, SignatureError } from './errors.ts';
import { ed25519KeysOf, isSignedBy, type KeySet } from './key-set.ts';
import { checkSecret, isSignedWith } from './webhook-secret.ts';

/** The raw body of a request. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Headers of fetch, or of Node's http. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookMessage<Payload = WebhookEvent> = {
  /** The ID of the event, the same for every delivery of it: process each ID once. */
  id: string;
  sentAt: Date;
  /** The event: its `type` decides what `data` has. */
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
 * Verifies a webhook and returns its event, typed by the event types of this version: what a newer service
 * sends in addition reaches the `default` of a `switch`. Throws `SignatureError` when the webhook is not
 * genuine, was changed, or is too old or too new, and `PaylinkError` for a mistake of the program: the code
 * `parsed_body` if the body is not the one that was received, `invalid_option` if the key is not valid.
 */
export async function verifyWebhook<Payload = WebhookEvent>(
  rawBody: RawBody,
  headers: WebhookHeaders,
  key: WebhookKey,
  options: VerifyWebhookOptions = {},
): Promise<WebhookMessage<Payload>> {
  checkWebhookKey(key);
  const body = bytesOf(rawBody);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new SignatureError('malformed', 'The header webhook-timestamp is not a time in seconds.');
  const content = concatenate(utf8(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signatures, content, key)))
    throw new SignatureError('wrong_signature', describeMismatch(signatures, key));
  const sentAt = new Date(Number(timestamp) * 1_000);
  checkTime(sentAt, options);
  return { id, sentAt, payload: parse(body) as Payload };
}

/** Throws `PaylinkError` with the code `invalid_option` for a key that verifies nothing. */
export function checkWebhookKey(key: WebhookKey): void {
  if (isPublished(key)) return;
  const secrets = [key].flat();
  if (secrets.length === 0) checkSecret(undefined);
  for (const secret of secrets) checkSecret(secret);
}

const isPublished = (key: WebhookKey): key is { keySet: KeySet } =>
  typeof key === 'object' && key !== null && 'keySet' in key;

function describeMismatch(signatures: readonly string[], key: WebhookKey): string {
  const version = isPublished(key) ? 'v1a' : 'v1';
  if (!signatures.some((signature) => signature.startsWith(`${version},`)))
    return `The message has no signature of the kind ${version}, which this key verifies.`;
  const wrongKey = isPublished(key)
    ? 'the key set is not of this service'
    : 'the secret is of another endpoint';
  return `No signature is right: ${wrongKey}, or the body is not exactly the one received (pass the raw body).`;
}

/** Whether any of the signatures is valid. WebCrypto compares in constant time. */
async function isSigned(signatures: readonly string[], content: Bytes, key: WebhookKey): Promise<boolean> {
  const checks = isPublished(key)
    ? ed25519KeysOf(key.keySet).map((part) => async (bytes: Bytes) => await isSignedBy(part, bytes, content))
    : [key].flat().map((secret) => async (bytes: Bytes) => await isSignedWith(secret, bytes, content));
  const prefix = isPublished(key) ? 'v1a,' : 'v1,';
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
  if (ageMs > toleranceSeconds * 1_000)
    throw new SignatureError(
      'expired',
      `The message was sent ${Math.round(ageMs / 1_000)} s ago, and ${toleranceSeconds} s are allowed: was it recorded earlier, or is the clock of this machine wrong?`,
    );
  if (ageMs < -toleranceSeconds * 1_000)
    throw new SignatureError(
      'too_early',
      'The message is of the future: is the clock of this machine right?',
    );
}

/** The bytes of a body. Throws `PaylinkError` with the code `parsed_body` for anything else. */
function bytesOf(body: RawBody): Bytes {
  if (typeof body === 'string') return utf8(body);
  if (ArrayBuffer.isView(body))
    return Uint8Array.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  // Not instanceof: test runners have an ArrayBuffer of their own.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return Uint8Array.from(new Uint8Array(body));
  throw new PaylinkError('parsed_body', describeBody(body));
}

function describeBody(body: unknown): string {
  const hint = 'Pass the raw body, as text or bytes, before anything parses it as JSON';
  if (body === undefined || body === null)
    return `There is no body: it was not read, or it was already parsed. ${hint}.`;
  return `The body was already parsed, and the signature covers its exact bytes. ${hint}.`;
}

function parse(body: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new SignatureError('malformed', 'The message is genuine, but its body is not JSON.', { cause });
  }
}

export type { KeySet, WebhookEvent, WebhookEvents };
export { SignatureError };
