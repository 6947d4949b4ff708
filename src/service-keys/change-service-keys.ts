// Creates, changes, rolls and revokes service keys. Each change is in the audit log. A repeated request finds by its IDs
// what it did before, and derives the same key again.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { requireLiveModeAllowed } from '../companies/live-mode.ts';
import { lockCompany } from '../companies/store.ts';
import type { Database, Mode } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import type { RequestSeed } from '../http/idempotency.ts';
import { checkServiceKeyFields, type ServiceKeyChange, type ServiceKeyRoll } from './schema.ts';
import { expandScopes, requireGrantable, type ScopeName } from './scopes.ts';
import { deriveServiceKeys, digestServiceKey, hasDigest } from './service-keys.ts';
import {
  findServiceKey,
  insertServiceKey,
  lockServiceKey,
  replaceServiceKey,
  revokeServiceKey as revokeRow,
  type ServiceKey,
  updateServiceKey,
} from './store.ts';

export type ServiceKeyDeps = { db: Database; clock: Clock; keyring: Keyring; baseUrl: string };

/** `row` is what is stored, `key` the key itself. */
export type IssuedServiceKey = { row: ServiceKey; key: string };

export const defaultServiceKeyName = 'Service key';
export const defaultOverlapHours = 24;

/** The key that an earlier run of the same request has created. */
function findIssued(candidates: readonly string[], row: ServiceKey): IssuedServiceKey {
  const key = candidates.find((candidate) => hasDigest(candidate, row.secretDigest));
  if (key === undefined) throw new Error('the master key of the first run of this request is gone');
  return { row, key };
}

/** Throws `live_not_possible`, `role_not_allowed` for scopes beyond the caller's role, or `invalid_fields`. */
export async function createServiceKey(
  deps: ServiceKeyDeps,
  caller: AccountPrincipal,
  wanted: {
    keyId: string;
    seed: RequestSeed;
    scopes: readonly ScopeName[];
    name?: string | undefined;
    mode?: Mode | undefined;
    expiresAt?: string | null | undefined;
    allowedAddresses?: string[] | undefined;
  },
): Promise<IssuedServiceKey> {
  const at = deps.clock.now();
  const { keyId, mode = caller.mode, name = defaultServiceKeyName, allowedAddresses = [] } = wanted;
  const scopes = expandScopes(wanted.scopes);
  requireGrantable(caller, { mode, scopes });
  if (mode === 'live') requireLiveModeAllowed(deps);
  const expiresAt = checkServiceKeyFields(wanted, at) ?? null;
  const keys = deriveServiceKeys(deps.keyring, wanted.seed, { mode, keyId });
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    // Two runs of one request, of which the first was believed dead, come one after the other.
    await lockCompany(tx);
    const existing = await findServiceKey(tx, keyId);
    if (existing) return findIssued(keys, existing);
    const row = await insertServiceKey(tx, {
      ...{ keyId, mode, name, scopes, allowedAddresses, expiresAt },
      ...{ firstKeyId: keyId, createdAt: at, createdBy: caller.accountId },
      secretDigest: digestServiceKey(keys[0]),
    });
    await appendCallerEvent(tx, caller, {
      type: 'service_key.created',
      data: { keyId, name, mode, scopes, allowedAddresses, expiresAt: expiresAt?.toISOString() ?? null },
      at,
    });
    return { row, key: keys[0] };
  });
}

/** Throws `not_found`, `role_not_allowed`, or `invalid_fields`. */
export async function changeServiceKey(
  deps: ServiceKeyDeps,
  caller: AccountPrincipal,
  { keyId, ...change }: ServiceKeyChange & { keyId: string },
): Promise<ServiceKey> {
  const at = deps.clock.now();
  checkServiceKeyFields(change, at);
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    const before = await lockServiceKey(tx, keyId);
    if (!before) throw errors.notFound();
    requireGrantable(caller, before);
    const { name = before.name, allowedAddresses = before.allowedAddresses } = change;
    const after = await updateServiceKey(tx, { keyId, name, allowedAddresses });
    await appendCallerEvent(tx, caller, { type: 'service_key.changed', data: { keyId, ...change }, at });
    return after;
  });
}

/** The expiry of the new key: as asked, else as long after now as that of the old one was after its creation. */
function expiryAfterRoll(old: ServiceKey, asked: Date | null | undefined, at: Date): Date | null {
  if (asked !== undefined || old.expiresAt === null) return asked ?? null;
  return new Date(at.getTime() + old.expiresAt.getTime() - old.createdAt.getTime());
}

/**
 * Creates a key with the scopes and addresses of an active one, which stays valid for the overlap. Throws `not_found`,
 * `role_not_allowed`, `invalid_fields`, or `key_not_active` (rolled, expired or revoked before).
 */
export async function rollServiceKey(
  deps: ServiceKeyDeps,
  caller: AccountPrincipal,
  order: ServiceKeyRoll & { keyId: string; newKeyId: string; seed: RequestSeed },
): Promise<IssuedServiceKey> {
  const at = deps.clock.now();
  const { keyId, newKeyId, overlapHours = defaultOverlapHours } = order;
  const asked = checkServiceKeyFields(order, at);
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    const old = await lockServiceKey(tx, keyId);
    if (!old) throw errors.notFound();
    requireGrantable(caller, old);
    const { mode, name, scopes, allowedAddresses, firstKeyId } = old;
    const keys = deriveServiceKeys(deps.keyring, order.seed, { mode, keyId: newKeyId });
    const existing = await findServiceKey(tx, newKeyId);
    if (existing) return findIssued(keys, existing);
    const isOver = old.expiresAt !== null && old.expiresAt <= at;
    if (old.revokedAt !== null || old.replacedBy !== null || isOver) throw errors.keyNotActive();
    const overlapEndMs = at.getTime() + overlapHours * 60 * 60 * 1000;
    const oldExpiresAt = new Date(Math.min(overlapEndMs, old.expiresAt?.getTime() ?? overlapEndMs));
    await replaceServiceKey(tx, { keyId, replacedBy: newKeyId, expiresAt: oldExpiresAt });
    const row = await insertServiceKey(tx, {
      ...{ keyId: newKeyId, mode, name, scopes, allowedAddresses, firstKeyId },
      ...{ createdAt: at, createdBy: caller.accountId, expiresAt: expiryAfterRoll(old, asked, at) },
      secretDigest: digestServiceKey(keys[0]),
    });
    await appendCallerEvent(tx, caller, {
      type: 'service_key.rolled',
      data: { keyId, newKeyId, expiresAt: oldExpiresAt.toISOString() },
      at,
    });
    return { row, key: keys[0] };
  });
}

/** Returns the key, revoked by this call or earlier. Throws `not_found`. */
export async function revokeServiceKey(
  deps: ServiceKeyDeps,
  caller: AccountPrincipal,
  keyId: string,
): Promise<ServiceKey> {
  const at = deps.clock.now();
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    const before = await lockServiceKey(tx, keyId);
    const row = before && (await revokeRow(tx, keyId, at));
    if (!row) throw errors.notFound();
    if (before.revokedAt !== null) return row;
    await appendCallerEvent(tx, caller, { type: 'service_key.revoked', data: { keyId, name: row.name }, at });
    return row;
  });
}
