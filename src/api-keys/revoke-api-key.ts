// A company must keep a key without an expiry in the mode of its logins: without it, no member can log in.

import { errors } from '../base/errors.ts';
import { lockCompany, readLoginMode } from '../companies/store.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import type { KeyDeps } from './create-api-key.ts';
import {
  type ApiKey,
  findApiKey,
  hasPermanentKey,
  listActiveKeys,
  revokeApiKey as markRevoked,
} from './store.ts';

/** Returns the key, revoked by this call or earlier. Throws `not_found`, or `last_key`. */
export async function revokeApiKey(deps: KeyDeps, caller: AccountPrincipal, keyId: string): Promise<ApiKey> {
  const at = deps.clock.now();
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    // If two callers revoke one key each, the second sees what the first has left.
    await lockCompany(tx);
    const active = await listActiveKeys(tx);
    const key = active.find((candidate) => candidate.keyId === keyId);
    if (!key) {
      const existing = await findApiKey(tx, keyId);
      if (!existing) throw errors.notFound();
      return existing;
    }
    const others = active.filter((other) => other.keyId !== keyId);
    // A role without the right to live keys always logs in with a test key.
    const loginMode = await readLoginMode(tx);
    const isNeeded = key.expiresAt === null && (key.mode === 'test' || key.mode === loginMode);
    if (isNeeded && !hasPermanentKey(others, key.mode)) throw errors.lastKey();
    await markRevoked(tx, keyId, at);
    await appendCallerEvent(tx, caller, { type: 'key.revoked', data: { keyId, name: key.name }, at });
    return { ...key, revokedAt: at };
  });
}
