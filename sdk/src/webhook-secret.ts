// The shared secret of a webhook endpoint: HMAC-SHA256 with the bytes after `whsec_`. Must not: put the
// secret into an error message.

import { type Bytes, fromBase64 } from './bytes.ts';
import { PaylinkError } from './errors.ts';

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/** Signs with a secret. Throws `PaylinkError` when it is invalid. */
export async function signWith(secret: string, content: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', readSecret(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
}

/** Whether a secret made a signature, compared in constant time. */
export async function isSignedWith(secret: string, signature: Bytes, content: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', readSecret(secret), algorithm, false, ['verify']);
  return await crypto.subtle.verify('HMAC', key, signature, content);
}

/** Throws `PaylinkError` with the code `invalid_option` unless it is a secret. */
export function checkSecret(secret: unknown): void {
  if (secret === undefined || secret === null || secret === '')
    throw new PaylinkError(
      'invalid_option',
      'The webhook secret is missing: give the whsec_… that creating the endpoint returned. Is its variable set?',
    );
  readSecret(secret);
}

function readSecret(secret: unknown): Bytes {
  const bytes = typeof secret === 'string' ? fromBase64(secret.replace(/^whsec_/, '')) : null;
  if (bytes && bytes.length >= 24 && bytes.length <= 64) return bytes;
  throw new PaylinkError('invalid_option', 'A webhook secret is whsec_ and 24 to 64 bytes in base64.');
}
