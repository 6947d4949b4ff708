// Creates, changes and deletes endpoints, and rolls their secrets. Each change is in the audit log. A
// repeated request finds by its IDs what it created before.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { lockCompany } from '../companies/store.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf, type Caller, creatorOf } from '../http/roles.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { makeDeliveriesDue } from './delivery-store.ts';
import {
  deleteEndpoint,
  type Endpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  replaceSecret,
  updateEndpoint,
} from './endpoint-store.ts';
import type { EndpointChangeRequest, EndpointRequest } from './schema.ts';
import { decryptSecret, encryptSecret, newSecret } from './sign.ts';

export type EndpointDeps = { db: Database; clock: Clock; keyring: Keyring; webhooksAllowLoopback: boolean };

export const maxEndpoints = 16;
const defaultOverlapHours = 24;

type EndpointAuditEntry = { type: string; actor: string; at: Date; data: Record<string, unknown> };
const recordChange = async (tx: TenantTx, { type, ...rest }: EndpointAuditEntry) =>
  await appendEvent(tx, { type: `webhook_endpoint.${type}`, isPublic: false, ...rest });

/** Creates an endpoint. Returns the existing one if the ID exists. Throws `too_many_endpoints`. */
export async function createEndpoint(
  deps: EndpointDeps,
  caller: TenantScope & Caller,
  wanted: EndpointRequest & { endpointId: string },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { endpointId, url, events } = wanted;
  const { companyId, mode } = caller;
  checkEndpoint({ mode, url, events }, deps);
  const at = deps.clock.now();
  const secret = newSecret();
  return await deps.db.inTenant(caller, async (tx) => {
    await lockCompany(tx);
    const existing = await findEndpoint(tx, endpointId);
    if (existing)
      return { endpoint: existing, secret: decryptSecret(deps.keyring, existing, existing.secret) };
    const others = await listEndpoints(tx, null, maxEndpoints);
    if (others.length >= maxEndpoints) throw errors.tooManyEndpoints();
    const endpoint = await insertEndpoint(tx, {
      endpointId,
      mode,
      url,
      events,
      description: wanted.description ?? null,
      apiVersion: wanted.apiVersion ?? null,
      secret: encryptSecret(deps.keyring, { companyId, endpointId }, secret),
      secretId: endpointId,
      createdBy: creatorOf(caller),
      createdAt: at,
    });
    await recordChange(tx, {
      type: 'created',
      actor: actorOf(caller),
      at,
      data: { endpointId, url, events },
    });
    return { endpoint, secret };
  });
}

/**
 * Changes an endpoint. An endpoint that is enabled again gets all missed deliveries at once. Throws
 * `not_found`.
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  caller: Principal,
  wanted: EndpointChangeRequest & { endpointId: string },
): Promise<Endpoint> {
  const { endpointId, status, ...fields } = wanted;
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    const existing = await lockEndpoint(tx, endpointId);
    if (!existing) throw errors.notFound();
    checkEndpoint({ mode: existing.mode, ...fields }, deps);
    const isEnabled = status === undefined ? existing.isEnabled : status === 'enabled';
    const offReason = isEnabled ? null : (existing.offReason ?? 'switched_off');
    const next = { ...existing, ...fields, isEnabled, offReason, at };
    const updated = await updateEndpoint(tx, endpointId, next);
    if (!updated) throw new Error('an endpoint that was locked is gone');
    if (isEnabled && !existing.isEnabled) {
      await makeDeliveriesDue(tx, endpointId, at);
      tx.signal('deliveries_due');
    }
    const data = { endpointId, ...fields, ...(status ? { status } : {}) };
    await recordChange(tx, { type: 'changed', actor: actorOf(caller), at, data });
    return updated;
  });
}

/** Deletes an endpoint. Nothing is sent to it any more. Returns it as it was. Throws `not_found`. */
export async function removeEndpoint(
  deps: EndpointDeps,
  caller: Principal,
  endpointId: string,
): Promise<Endpoint> {
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    const existing = await lockEndpoint(tx, endpointId);
    if (!existing || !(await deleteEndpoint(tx, endpointId, at))) throw errors.notFound();
    await recordChange(tx, { type: 'deleted', actor: actorOf(caller), at, data: { endpointId } });
    return existing;
  });
}

/**
 * Replaces the secret. The old one also signs until the overlap ends. An older one ends at once. Repeating a
 * roll with the same ID changes nothing. Throws `not_found`.
 */
export async function rollSecret(
  deps: EndpointDeps,
  caller: Principal,
  wanted: { endpointId: string; secretId: string; overlapHours?: number | undefined },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { endpointId, secretId, overlapHours = defaultOverlapHours } = wanted;
  const at = deps.clock.now();
  const previousUntil = overlapHours === 0 ? null : new Date(at.getTime() + overlapHours * 60 * 60 * 1000);
  const secret = newSecret();
  return await deps.db.inTenant(caller, async (tx) => {
    const existing = await lockEndpoint(tx, endpointId);
    if (!existing) throw errors.notFound();
    if (existing.secretId === secretId)
      return { endpoint: existing, secret: decryptSecret(deps.keyring, existing, existing.secret) };
    const sealed = encryptSecret(deps.keyring, existing, secret);
    const endpoint = await replaceSecret(tx, endpointId, { secret: sealed, secretId, previousUntil, at });
    if (!endpoint) throw new Error('an endpoint that was locked is gone');
    const data = { endpointId, previousUntil: previousUntil?.toISOString() ?? null };
    await recordChange(tx, { type: 'secret_rolled', actor: actorOf(caller), at, data });
    return { endpoint, secret };
  });
}
