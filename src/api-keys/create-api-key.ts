// Creates an API key. All keys of one mode have the same rights.

import type { Clock } from '../base/clock.ts';
import { requireLiveModeAllowed } from '../companies/live-mode.ts';
import { lockCompany } from '../companies/store.ts';
import type { Database, Mode } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import { type ApiKey, findApiKey, insertApiKey } from './store.ts';

export type KeyDeps = { db: Database; clock: Clock; baseUrl: string };

export const defaultKeyName = 'API key';

export function newApiKey(from: Pick<ApiKey, 'keyId' | 'name' | 'mode' | 'createdAt' | 'createdBy'>): ApiKey {
  return { ...from, expiresAt: null, revokedAt: null };
}

/** Returns the existing key of a known ID. The default mode is that of the caller. Throws `live_not_possible`. */
export async function createApiKey(
  deps: KeyDeps,
  caller: AccountPrincipal,
  wanted: { keyId: string; name?: string | undefined; mode?: Mode | undefined },
): Promise<ApiKey> {
  const at = deps.clock.now();
  const mode = wanted.mode ?? caller.mode;
  if (mode === 'live') requireLiveModeAllowed(deps);
  const key = newApiKey({
    keyId: wanted.keyId,
    name: wanted.name ?? defaultKeyName,
    mode,
    createdAt: at,
    createdBy: caller.accountId,
  });
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    await lockCompany(tx);
    const existing = await findApiKey(tx, key.keyId);
    if (existing) return existing;
    await insertApiKey(tx, key);
    await appendCallerEvent(tx, caller, {
      type: 'key.created',
      data: { keyId: key.keyId, name: key.name, mode: key.mode },
      at,
    });
    return key;
  });
}
