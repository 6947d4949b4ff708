// API keys are derived, not stored: prefix, key ID, and a MAC of both under the master key. So every login can return
// the key, and a stolen database contains no keys.

import { LRUCache } from 'lru-cache';
import { companyOfApiKeyId } from '../base/ids.ts';
import { isEqualSecret, type Keyring } from '../base/keyring.ts';
import type { Mode } from '../db/database.ts';

const messageOf = (mode: Mode, keyId: string) => `${mode}:${keyId}`;
const encodeMac = (mac: Buffer) => mac.subarray(0, 24).toString('hex');

/** `plk_test_<id>_<48 hexadecimal digits>`. */
export function deriveApiKey(keyring: Keyring, mode: Mode, keyId: string): string {
  return `plk_${mode}_${keyId}_${encodeMac(keyring.mac('api-key', messageOf(mode, keyId)))}`;
}

export type ParsedApiKey = { mode: Mode; keyId: string; companyId: string };

/** Null if Paylink did not issue the key. Whether it is still active is in the database. */
export function parseApiKey(keyring: Keyring, key: string): ParsedApiKey | null {
  const [, mode, keyId, mac] = /^plk_(test|live)_([0-9a-hjkmnp-tv-z]{16})_([0-9a-f]{48})$/.exec(key) ?? [];
  if (!mode || !keyId || !mac) return null;
  const isOurs = keyring
    .acceptedMacs('api-key', messageOf(mode as Mode, keyId))
    .some((good) => isEqualSecret(mac, encodeMac(good)));
  if (!isOurs) return null;
  return { mode: mode as Mode, keyId, companyId: companyOfApiKeyId(keyId) };
}

/** Bounds the memory of the cache: some hundred bytes for each key. */
const maxCached = 10_000;

/** `parseApiKey` with a cache of valid keys: the MAC of each is verified once. */
export function createApiKeyParser(keyring: Keyring): (key: string) => ParsedApiKey | null {
  const cached = new LRUCache<string, ParsedApiKey>({ max: maxCached });
  return (key) => {
    const found = cached.get(key);
    if (found) return found;
    const read = parseApiKey(keyring, key);
    if (read) cached.set(key, read);
    return read;
  };
}
