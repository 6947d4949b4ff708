// Service keys: prefix, key ID, and a secret. The response that creates one contains it; the database has a digest of
// it. Must not: store a key, or compare one except in constant time.

import { createHash, timingSafeEqual } from 'node:crypto';
import { companyOfApiKeyId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Mode } from '../db/database.ts';
import type { RequestSeed } from '../http/idempotency.ts';

const form = /^pls_(test|live)_([0-9a-hjkmnp-tv-z]{16})_[0-9a-f]{64}$/;

export type ParsedServiceKey = { mode: Mode; keyId: string; companyId: string };

/** Null for a text that cannot be a service key. Whether it is one is in the database. */
export function parseServiceKey(key: string): ParsedServiceKey | null {
  const [, mode, keyId] = form.exec(key) ?? [];
  if (!mode || !keyId) return null;
  return { mode: mode as Mode, keyId, companyId: companyOfApiKeyId(keyId) };
}

/**
 * The keys that a request may have created: `pls_test_<id>_<64 hexadecimal digits>`, under each accepted master key, the
 * current one first. The secret has the 256 random bits of the seed, and each run of an Idempotency-Key derives the same.
 * The stored seed does not reveal it without the master key.
 */
export function deriveServiceKeys(
  keyring: Keyring,
  { seed }: RequestSeed,
  { mode, keyId }: { mode: Mode; keyId: string },
): [string, ...string[]] {
  const message = JSON.stringify([seed.toString('hex'), mode, keyId]);
  const keyOf = (mac: Buffer) => `pls_${mode}_${keyId}_${mac.toString('hex')}`;
  const [current, ...others] = keyring.acceptedMacs('service-key', message).map(keyOf);
  if (current === undefined) throw new Error('the keyring has no key');
  return [current, ...others];
}

/** A plain digest of the whole key: its 256 random bits cannot be guessed, so a slow hash would only slow down calls. */
export function digestServiceKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

const noDigest = Buffer.alloc(32);

/** Whether a key has the digest. Without one it takes as long, so that the time does not reveal which IDs exist. */
export function hasDigest(key: string, digest: Buffer | undefined): boolean {
  return timingSafeEqual(digestServiceKey(key), digest ?? noDigest) && digest !== undefined;
}
