// Identifiers and secrets. IDs have a prefix and are ordered by time: indexes grow at one end, and a log line
// shows what an ID refers to. Secrets are pure randomness and never share a prefix with an ID.

import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32 in lower case: it sorts like the number and has no look-alike letters. */
const base32 = '0123456789abcdefghjkmnpqrstvwxyz';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const idPrefixes = [
  'pay',
  'ref',
  'led',
  'att',
  'evt',
  'acc',
  'inv',
  'ses',
  'rst',
  'psk',
  'req',
  'whe',
  'whd',
  'wht',
  'bst',
  'bln',
  'rql',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = base32[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

export const randomBufferBytes = 8 * 1024;

// Drawing a few bytes from the system costs as much as drawing many, and every request generates several IDs.
const randomBuffer = { bytes: Buffer.alloc(0), used: 0 };

/** Random bytes, each used once; at most `randomBufferBytes`. */
function takeRandomBytes(length: number): Buffer {
  if (randomBuffer.used + length > randomBuffer.bytes.length) {
    randomBuffer.bytes = randomBytes(randomBufferBytes);
    randomBuffer.used = 0;
  }
  const from = randomBuffer.used;
  randomBuffer.used += length;
  return randomBuffer.bytes.subarray(from, randomBuffer.used);
}

export function randomBase32(length: number): string {
  return base32Of(takeRandomBytes(length), length);
}

/** `length` characters of base 32, one from 5 bits of each byte. */
function base32Of(bytes: Uint8Array, length: number): string {
  if (bytes.length < length) throw new RangeError('too few bytes for an id');
  let text = '';
  for (const byte of bytes.subarray(0, length)) text += base32[byte & 31];
  return text;
}

/** `length` random characters of base 62, without modulo bias; 22 of them hold 130 bits. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of takeRandomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** The number of recent milliseconds whose counters are remembered. */
export const maxTrackedMilliseconds = 1024;

// IDs of one process for one millisecond count up, so that the rows of one transaction sort in the order of writing.
// Each millisecond has its own counter: code that read the clock early may generate its IDs late.
const lastCounts = new Map<number, number>();

function nextCount(atMs: number): number {
  const before = lastCounts.get(atMs);
  const count = before === undefined ? takeRandomBytes(2).readUInt16BE() : before + 1;
  // The map keeps insertion order: the most recently used entry moves to the end, and the first is dropped.
  lastCounts.delete(atMs);
  lastCounts.set(atMs, count);
  if (lastCounts.size > maxTrackedMilliseconds) lastCounts.delete(lastCounts.keys().next().value ?? atMs);
  return count;
}

/** Prefix, 50 bits of time in milliseconds, a 20-bit counter within the millisecond, 60 random bits. */
export function newId(prefix: IdPrefix, at: Date): string {
  const atMs = at.getTime();
  return `${prefix}_${encode(atMs, 10)}${encode(nextCount(atMs), 4)}${randomBase32(12)}`;
}

/** The same time and bytes (16 or more, of a random seed) give the same ID, so repeated work finds what it created. */
export function deriveId(prefix: IdPrefix, at: Date, bytes: Uint8Array): string {
  return `${prefix}_${encode(at.getTime(), 10)}${base32Of(bytes, 16)}`;
}

/** The smallest ID that can be generated at this time or later: the start of a range of IDs. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encode(at.getTime(), 10)}`;
}

const companyTagLength = 8;
const linkSecretLength = 22;

/** `co_` and a tag of 8 characters, which also begins its link codes and key IDs. */
export function newCompanyId(): string {
  return `co_${randomBase32(companyTagLength)}`;
}

export function companyTag(companyId: string): string {
  return companyId.slice(3);
}

/** The company's tag, which identifies the tenant of a query, then 130 random bits. */
export function newLinkCode(companyId: string): string {
  return companyTag(companyId) + randomBase62(linkSecretLength);
}

/** The company of a link code; null when the text cannot be a link code. */
export function companyOfLinkCode(code: string): string | null {
  return /^[0-9a-hjkmnp-tv-z]{8}[0-9A-Za-z]{22}$/.test(code) ? `co_${code.slice(0, companyTagLength)}` : null;
}

/** Of an API key or a service key: the company's tag and 8 random characters. It is not secret. */
export function newApiKeyId(companyId: string): string {
  return deriveApiKeyId(companyId, takeRandomBytes(8));
}

/** Derives the ID of a key from `bytes` (8 or more, of a random seed), as `deriveId` does. */
export function deriveApiKeyId(companyId: string, bytes: Uint8Array): string {
  return companyTag(companyId) + base32Of(bytes, 8);
}

/** What a secret token allows: joining a company, being signed in, setting a new password. */
export type SecretKind = 'invite' | 'browser' | 'reset';

/** A secret token: the company's tag, which identifies the tenant of a query, then 32 bytes. */
export function secretToken(kind: SecretKind, companyId: string, secret: Buffer): string {
  return `${kind}_${companyTag(companyId)}${secret.toString('hex')}`;
}

/** The company of a secret token; null when the text cannot be a token of this kind. */
export function companyOfSecretToken(kind: SecretKind, token: string): string | null {
  const [, found, tag] = /^([a-z]+)_([0-9a-hjkmnp-tv-z]{8})[0-9a-f]{64}$/.exec(token) ?? [];
  return found === kind && tag !== undefined ? `co_${tag}` : null;
}

/** A plain digest: the 256 random bits of a token or a service key cannot be guessed. */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function companyOfApiKeyId(keyId: string): string {
  return `co_${keyId.slice(0, companyTagLength)}`;
}

const connectionSecretLength = 16;

/** The company's tag, which identifies the tenant of a query, and 16 random characters. */
export function newConnectionId(companyId: string): string {
  return deriveConnectionId(companyId, takeRandomBytes(connectionSecretLength));
}

/** Derives a connection ID from `bytes` (16 or more, of a random seed), as `deriveId` does. */
export function deriveConnectionId(companyId: string, bytes: Uint8Array): string {
  return `con_${companyTag(companyId)}${base32Of(bytes, connectionSecretLength)}`;
}

/** The company of a connection; null when the text cannot be a connection ID. */
export function companyOfConnectionId(connectionId: string): string | null {
  const [, tag] = /^con_([0-9a-hjkmnp-tv-z]{8})[0-9a-hjkmnp-tv-z]{16}$/.exec(connectionId) ?? [];
  return tag === undefined ? null : `co_${tag}`;
}

export function isCompanyId(text: string): boolean {
  return /^co_[0-9a-hjkmnp-tv-z]{8}$/.test(text);
}
