// Rolls an API key: creates a new key, and the old one stays valid for an overlap.

import { errors } from '../base/errors.ts';
import { lockCompany } from '../companies/store.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import { type KeyDeps, newApiKey } from './create-api-key.ts';
import { type ApiKey, expireApiKey, findApiKey, insertApiKey } from './store.ts';

export const defaultOverlapHours = 24;

/** Returns the existing key of a known new ID. Throws `not_found`, or `key_not_active` (rolled or revoked before). */
export async function rollApiKey(
  deps: KeyDeps,
  caller: AccountPrincipal,
  order: { keyId: string; newKeyId: string; overlapHours?: number | undefined },
): Promise<ApiKey> {
  const at = deps.clock.now();
  const { keyId, newKeyId, overlapHours = defaultOverlapHours } = order;
  const expiresAt = new Date(at.getTime() + overlapHours * 60 * 60 * 1000);
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    await lockCompany(tx);
    const existing = await findApiKey(tx, newKeyId);
    if (existing) return existing;
    const old = await findApiKey(tx, keyId);
    if (!old) throw errors.notFound();
    if (old.revokedAt || old.expiresAt) throw errors.keyNotActive();
    const { name, mode } = old;
    const key = newApiKey({ keyId: newKeyId, name, mode, createdAt: at, createdBy: caller.accountId });
    await expireApiKey(tx, keyId, expiresAt);
    await insertApiKey(tx, key);
    await appendCallerEvent(tx, caller, {
      type: 'key.rolled',
      data: { keyId, newKeyId, expiresAt: expiresAt.toISOString() },
      at,
    });
    return key;
  });
}
