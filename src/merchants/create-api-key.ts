// Creates an API key. A company may have several, each with a name for people; all of one mode may do
// the same.

import type { Clock } from '../base/clock.ts';
import { newApiKeyId } from '../base/ids.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { type ApiKey, insertApiKey } from './key-store.ts';
import { actorOf } from './roles.ts';

export type KeyDeps = { db: Database; clock: Clock };

/** What a key is called when nobody has named it. */
export const defaultKeyName = 'API key';

/** A key that is good from a moment on. */
export function makeApiKey(
  companyId: string,
  from: Pick<ApiKey, 'name' | 'mode' | 'createdAt' | 'createdBy'>,
): ApiKey {
  const { name, mode, createdAt, createdBy } = from;
  const keyId = newApiKeyId(companyId);
  return { keyId, name, mode, createdAt, createdBy, expiresAt: null, revokedAt: null };
}

/** Creates a key of the mode that the caller's own key has. */
export async function createApiKey(
  deps: KeyDeps,
  caller: Principal,
  wanted: { name?: string | undefined },
): Promise<ApiKey> {
  const at = deps.clock.now();
  const key = makeApiKey(caller.companyId, {
    name: wanted.name ?? defaultKeyName,
    mode: caller.mode,
    createdAt: at,
    createdBy: caller.accountId,
  });
  await deps.db.inTenant(caller.companyId, async (tx) => {
    await insertApiKey(tx, key);
    await appendEvent(tx, {
      type: 'key.created',
      isPublic: false,
      actor: actorOf(caller),
      data: { keyId: key.keyId, name: key.name, mode: key.mode },
      at,
    });
  });
  return key;
}
