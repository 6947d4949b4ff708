// Identifiers and secrets. Ids are prefixed and time-ordered, so that indexes grow at one end and a
// log line tells what it names; secrets are pure randomness and never share a prefix with an id.

import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32 in lower case: sorts like the number it writes, has no look-alike letters. */
const base32 = '0123456789abcdefghjkmnpqrstvwxyz';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type IdPrefix =
  | 'pay'
  | 'ref'
  | 'led'
  | 'att'
  | 'evt'
  | 'acc'
  | 'inv'
  | 'ses'
  | 'rst'
  | 'psk'
  | 'req'
  | 'whe'
  | 'whd'
  | 'wht'
  | 'bst'
  | 'bln';

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = base32[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** As many random bytes are drawn at once. */
export const randomBufferBytes = 8 * 1024;

// Asking the system for a few bytes costs as much as asking for many, and every request makes several ids.
const randomBuffer = { bytes: Buffer.alloc(0), used: 0 };

/** Random bytes, each given out once; `randomBufferBytes` of them at most. */
function takeRandomBytes(length: number): Buffer {
  if (randomBuffer.used + length > randomBuffer.bytes.length) {
    randomBuffer.bytes = randomBytes(randomBufferBytes);
    randomBuffer.used = 0;
  }
  const from = randomBuffer.used;
  randomBuffer.used += length;
  return randomBuffer.bytes.subarray(from, randomBuffer.used);
}

/** `length` random characters of base 32, 5 bits each. */
export function randomBase32(length: number): string {
  return base32Of(takeRandomBytes(length), length);
}

/** `length` characters of base 32 from as many bytes, 5 bits of each. */
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

/** Of so many moments that ids were made for lately it is known how far they have counted. */
export const maxTrackedMilliseconds = 1024;

// Ids that one process makes for one millisecond count up, so that what happened in one transaction
// sorts in the order in which it was written. A sort order, not a truth: another process has its own.
// Each moment counts by itself: who read the clock early makes ids while others make theirs for later moments.
const lastCounts = new Map<number, number>();

function nextCount(atMs: number): number {
  const before = lastCounts.get(atMs);
  const count = before === undefined ? takeRandomBytes(2).readUInt16BE() : before + 1;
  // The map keeps the order of writing: what was used last stands last, and what was used least lately goes.
  lastCounts.delete(atMs);
  lastCounts.set(atMs, count);
  if (lastCounts.size > maxTrackedMilliseconds) lastCounts.delete(lastCounts.keys().next().value ?? atMs);
  return count;
}

/**
 * A new id: prefix, 50 bits of time in milliseconds, a count of 20 bits within the millisecond, 60
 * random bits. `at` is the caller's moment.
 */
export function newId(prefix: IdPrefix, at: Date): string {
  const atMs = at.getTime();
  return `${prefix}_${encode(atMs, 10)}${encode(nextCount(atMs), 4)}${randomBase32(12)}`;
}

/**
 * The id that `bytes` (16 or more, of a random seed) stand for, in the form of `newId`: the same moment and
 * bytes make the same id, so that work which is run again finds what it made before.
 */
export function deriveId(prefix: IdPrefix, at: Date, bytes: Uint8Array): string {
  return `${prefix}_${encode(at.getTime(), 10)}${base32Of(bytes, 16)}`;
}

/** The least text that an id made at this moment or later can be: where a range of ids begins. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encode(at.getTime(), 10)}`;
}

const companyTagLength = 8;
const linkSecretLength = 22;

/** A new company id: `co_` and its tag of 8 characters, which also opens its link codes and key ids. */
export function newCompanyId(): string {
  return `co_${randomBase32(companyTagLength)}`;
}

/** The tag of a company: its id without the prefix. */
export function companyTag(companyId: string): string {
  return companyId.slice(3);
}

/** A link code: the company's tag, so that a look-up knows its tenant, then 130 random bits. */
export function newLinkCode(companyId: string): string {
  return companyTag(companyId) + randomBase62(linkSecretLength);
}

/** The company that a link code belongs to, or null when the text can't be a link code. */
export function companyOfLinkCode(code: string): string | null {
  return /^[0-9a-hjkmnp-tv-z]{8}[0-9A-Za-z]{22}$/.test(code) ? `co_${code.slice(0, companyTagLength)}` : null;
}

/** A new API key id: the company's tag and 8 random characters. It is no secret; the key's MAC is. */
export function newApiKeyId(companyId: string): string {
  return deriveApiKeyId(companyId, takeRandomBytes(8));
}

/** The API key id that `bytes` (8 or more, of a random seed) stand for, as `deriveId` makes other ids. */
export function deriveApiKeyId(companyId: string, bytes: Uint8Array): string {
  return companyTag(companyId) + base32Of(bytes, 8);
}

/** What a secret text lets its holder do: join a company, be signed in, set a new password. */
export type SecretKind = 'invite' | 'browser' | 'reset';

/** A secret text of 32 bytes behind the company's tag, so that a look-up knows its tenant. */
export function secretToken(kind: SecretKind, companyId: string, secret: Buffer): string {
  return `${kind}_${companyTag(companyId)}${secret.toString('hex')}`;
}

/** The company that a secret text belongs to, or null when it can't be one of its kind. */
export function companyOfSecretToken(kind: SecretKind, token: string): string | null {
  const [, found, tag] = /^([a-z]+)_([0-9a-hjkmnp-tv-z]{8})[0-9a-f]{64}$/.exec(token) ?? [];
  return found === kind && tag !== undefined ? `co_${tag}` : null;
}

/** What is stored of a secret text. It has 256 random bits, so that a plain digest can't be guessed back. */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The company that an API key id belongs to. */
export function companyOfApiKeyId(keyId: string): string {
  return `co_${keyId.slice(0, companyTagLength)}`;
}

const connectionSecretLength = 16;

/** A new id of a connection: the company's tag, so that a look-up knows its tenant, and 16 random characters. */
export function newConnectionId(companyId: string): string {
  return deriveConnectionId(companyId, takeRandomBytes(connectionSecretLength));
}

/** The id of a connection that `bytes` (16 or more, of a random seed) stand for, as `deriveId` makes other ids. */
export function deriveConnectionId(companyId: string, bytes: Uint8Array): string {
  return `con_${companyTag(companyId)}${base32Of(bytes, connectionSecretLength)}`;
}

/** The company that a connection belongs to, or null when the text can't be the id of one. */
export function companyOfConnectionId(connectionId: string): string | null {
  const [, tag] = /^con_([0-9a-hjkmnp-tv-z]{8})[0-9a-hjkmnp-tv-z]{16}$/.exec(connectionId) ?? [];
  return tag === undefined ? null : `co_${tag}`;
}

/** Whether a text has the form of a company id. */
export function isCompanyId(text: string): boolean {
  return /^co_[0-9a-hjkmnp-tv-z]{8}$/.test(text);
}
