// Creates, changes, orders and deletes connections. Asks the processor before storing anything, never inside a
// transaction. Must not: write the value of a credential to the audit log.

import type { Clock } from '../base/clock.ts';
import { errors, type FieldError, invalidField, maxFieldErrors } from '../base/errors.ts';
import { requireLiveModeAllowed } from '../companies/live-mode.ts';
import { lockCompany } from '../companies/store.ts';
import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf, creatorOf } from '../http/roles.ts';
import {
  checkCredentials,
  checkCurrencies,
  mergeCredentials,
  requireKind,
  type VerifiedAccount,
  verifyCredentials,
} from './check-connection.ts';
import {
  decryptCredentials,
  encryptCredentials,
  type OpenConnectionDeps,
  toConnection,
} from './open-connection.ts';
import type { ConnectionChange, ConnectionRequest } from './schema.ts';
import {
  deleteConnection,
  findConnection,
  hasUnsettledWork,
  insertConnection,
  listConnections,
  lockConnection,
  moveConnection,
  resetFailures,
  type StoredConnection,
  updateConnection,
  updateOffers,
} from './store.ts';

export type ConnectionDeps = OpenConnectionDeps & { clock: Clock; baseUrl: string };

export const maxConnections = 20;

type AuditNote = {
  type: 'created' | 'changed' | 'checked' | 'deleted' | 'ordered';
  caller: Principal;
  at: Date;
};

async function appendAuditEvent(
  tx: TenantTx,
  { type, caller, at }: AuditNote,
  data: Record<string, unknown>,
): Promise<void> {
  const actor = actorOf(caller);
  await appendEvent(tx, { type: `connection.${type}`, isPublic: false, actor, data, at });
}

function throwFieldErrors(faults: FieldError[]): void {
  if (faults.length > 0) throw errors.invalidFields({ errors: faults.slice(0, maxFieldErrors) });
}

/** A connection that is not deleted, in the mode of the caller's key. Throws `not_found`. */
export async function requireConnection(
  tx: TenantTx,
  caller: Principal,
  connectionId: string,
): Promise<StoredConnection> {
  const stored = await findConnection(tx, connectionId);
  if (!stored?.sealed || stored.mode !== caller.mode) throw errors.notFound();
  return stored;
}

/** Returns the one of a known ID. Throws `live_not_possible`, `too_many_connections`, and as a change does. */
export async function createConnection(
  deps: ConnectionDeps,
  caller: Principal,
  wanted: ConnectionRequest & { connectionId: string },
): Promise<StoredConnection> {
  const { companyId, mode } = caller;
  const { connectionId } = wanted;
  if (mode === 'live') requireLiveModeAllowed(deps);
  const kind = requireKind(deps.processors, wanted.processor, mode);
  const currencies = wanted.currencies ?? [...kind.currencies];
  const given = wanted.credentials ?? {};
  const credentials = mergeCredentials({}, given);
  throwFieldErrors([
    ...checkCredentials(kind, { given, merged: credentials }),
    ...checkCurrencies(kind, currencies),
  ]);
  const opened = await verifyCredentials(kind, { connectionId, companyId, mode, credentials });
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    await lockCompany(tx);
    const existing = await findConnection(tx, connectionId);
    if (existing) return existing;
    const others = await listConnections(tx, mode);
    if (others.length >= maxConnections) throw errors.tooManyConnections();
    const last = others.at(-1)?.position ?? -1;
    const created = await insertConnection(tx, {
      connectionId,
      processor: kind.name,
      mode,
      name: wanted.name ?? kind.title,
      ...opened,
      currencies,
      position: wanted.position ?? Math.min(last + 1, 1000),
      isEnabled: wanted.enabled ?? true,
      sealed: encryptCredentials(deps.keyring, { companyId, connectionId }, credentials),
      keyId: deps.keyring.keyId,
      createdBy: creatorOf(caller),
      createdAt: at,
    });
    await appendAuditEvent(
      tx,
      { type: 'created', caller, at },
      { connectionId, processor: kind.name, mode, currencies },
    );
    return created;
  });
}

/** New credentials, checked together with the unchanged ones, and the account they belong to. */
type VerifiedChange = { credentials: Record<string, string>; opened: VerifiedAccount };

async function checkChange(
  deps: ConnectionDeps,
  found: StoredConnection,
  { currencies, credentials: given }: ConnectionChange,
): Promise<VerifiedChange | null> {
  // Unchanged fields pass, so that a connection can be disabled even if this version lacks its processor.
  if (!given && !currencies) return null;
  const { companyId, connectionId, mode } = found;
  const kind = requireKind(deps.processors, found.processor, mode);
  const credentials = given ? mergeCredentials(decryptCredentials(deps.keyring, found), given) : null;
  throwFieldErrors([
    ...(given && credentials ? checkCredentials(kind, { given, merged: credentials }) : []),
    ...(currencies ? checkCurrencies(kind, currencies) : []),
  ]);
  if (!credentials) return null;
  const opened = await verifyCredentials(kind, { connectionId, companyId, mode, credentials });
  requireSameAccount(found, opened);
  return { credentials, opened };
}

/** The payments of a connection belong to one account at the processor; another account would not find them. */
function requireSameAccount(found: StoredConnection, { account, holder }: VerifiedAccount): void {
  if (found.account === '' || found.account === account) return;
  const detail =
    `These credentials belong to another account, ${holder}. It does not have the payments of this connection. ` +
    'Create a new connection for that account, and disable this one.';
  throwFieldErrors([{ field: 'credentials', code: 'other_account', detail }]);
}

/** The names of the changed fields: no value of a credential may reach the audit log. */
function namesOf({ credentials = {}, ...fields }: ConnectionChange): string[] {
  return [...Object.keys(fields), ...Object.keys(credentials).map((name) => `credentials.${name}`)].sort();
}

/** Throws `not_found`, `invalid_fields`, `connection_changed`, or `processor_unreachable`. */
export async function changeConnection(
  deps: ConnectionDeps,
  caller: Principal,
  wanted: { connectionId: string; change: ConnectionChange },
): Promise<StoredConnection> {
  const { connectionId, change } = wanted;
  const { companyId } = caller;
  const found = await deps.db.inTenant(caller, (tx) => requireConnection(tx, caller, connectionId));
  const verified = await checkChange(deps, found, change);
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    await lockCompany(tx);
    const existing = await requireConnection(tx, caller, connectionId);
    // The credentials changed meanwhile, so these were not checked together with them.
    if (verified && !hasSameCredentials(existing, found)) throw errors.connectionChanged();
    const updated = await updateConnection(tx, connectionId, {
      name: change.name ?? existing.name,
      holder: verified?.opened.holder ?? existing.holder,
      account: verified?.opened.account ?? existing.account,
      offers: verified?.opened.offers ?? existing.offers,
      currencies: change.currencies ?? existing.currencies,
      position: change.position ?? existing.position,
      isEnabled: change.enabled ?? existing.isEnabled,
      seal: verified
        ? {
            sealed: encryptCredentials(deps.keyring, { companyId, connectionId }, verified.credentials),
            keyId: deps.keyring.keyId,
          }
        : null,
      at,
    });
    await appendAuditEvent(tx, { type: 'changed', caller, at }, { connectionId, changed: namesOf(change) });
    return updated;
  });
}

/** Two ciphertexts always differ, even of the same credentials. */
function hasSameCredentials(one: StoredConnection, other: StoredConnection): boolean {
  return one.sealed !== null && other.sealed !== null && one.sealed.equals(other.sealed);
}

/** The connection is healthy again, and has the offers that the processor reports. Changes nothing else. Throws `not_found`, and `invalid_fields` or `processor_unreachable` as a change does. */
export async function checkConnection(
  deps: ConnectionDeps,
  caller: Principal,
  connectionId: string,
): Promise<StoredConnection> {
  const stored = await deps.db.inTenant(caller, (tx) => requireConnection(tx, caller, connectionId));
  const kind = requireKind(deps.processors, stored.processor, stored.mode);
  const { holder, offers } = await verifyCredentials(kind, toConnection(deps.keyring, stored));
  const at = deps.clock.now();
  await deps.db.inTenant(caller, async (tx) => {
    await resetFailures(tx, connectionId);
    await updateOffers(tx, connectionId, offers);
    await appendAuditEvent(tx, { type: 'checked', caller, at }, { connectionId, holder });
  });
  return stored;
}

/** Returns it as it was. Throws `not_found`, or `connection_in_use` while money through it is under way. */
export async function removeConnection(
  deps: ConnectionDeps,
  caller: Principal,
  connectionId: string,
): Promise<StoredConnection> {
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    await lockCompany(tx);
    await lockConnection(tx, connectionId);
    const stored = await requireConnection(tx, caller, connectionId);
    if (await hasUnsettledWork(tx, connectionId)) throw errors.connectionInUse();
    await deleteConnection(tx, connectionId, at);
    await appendAuditEvent(
      tx,
      { type: 'deleted', caller, at },
      { connectionId, processor: stored.processor },
    );
    return stored;
  });
}

/** Reorders all connections of the caller's mode. Throws `invalid_fields` unless each is named once. */
export async function reorderConnections(
  deps: ConnectionDeps,
  caller: Principal,
  connectionIds: readonly string[],
): Promise<StoredConnection[]> {
  const at = deps.clock.now();
  const { mode } = caller;
  return await deps.db.inTenant(caller, async (tx) => {
    await lockCompany(tx);
    const existing = (await listConnections(tx, mode)).map(({ connectionId }) => connectionId);
    const isComplete =
      existing.length === connectionIds.length && existing.every((id) => connectionIds.includes(id));
    if (!isComplete) {
      const detail = `List each connection in ${mode} mode exactly once: ${existing.join(', ') || 'there are none'}.`;
      throw invalidField('connectionIds', 'not_allowed', detail);
    }
    for (const [position, connectionId] of connectionIds.entries())
      await moveConnection(tx, connectionId, { position, at });
    await appendAuditEvent(tx, { type: 'ordered', caller, at }, { connectionIds });
    return await listConnections(tx, mode);
  });
}
