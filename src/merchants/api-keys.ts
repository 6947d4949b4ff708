// API keys are derived, not stored: prefix + key id + MAC of both under the master key. So the login
// can return the key every time, and a stolen database holds none.

import { companyOfApiKeyId } from '../base/ids.ts';
import { isEqualSecret, type Keyring } from '../base/keyring.ts';

export type KeyMode = 'test' | 'live';

function macOf(keyring: Keyring, mode: KeyMode, keyId: string): string {
  return keyring.mac('api-key', `${mode}:${keyId}`).subarray(0, 24).toString('hex');
}

/** The key of a key id: `plk_test_<id>_<48 hexadecimal digits>`. */
export function deriveApiKey(keyring: Keyring, mode: KeyMode, keyId: string): string {
  return `plk_${mode}_${keyId}_${macOf(keyring, mode, keyId)}`;
}

/** Reads a key and checks its code. Null when it was never ours; whether it is still good is in the database. */
export function readApiKey(
  keyring: Keyring,
  key: string,
): { mode: KeyMode; keyId: string; companyId: string } | null {
  const [, mode, keyId, mac] = /^plk_(test|live)_([0-9a-hjkmnp-tv-z]{16})_([0-9a-f]{48})$/.exec(key) ?? [];
  if (!mode || !keyId || !mac) return null;
  if (!isEqualSecret(mac, macOf(keyring, mode as KeyMode, keyId))) return null;
  return { mode: mode as KeyMode, keyId, companyId: companyOfApiKeyId(keyId) };
}
