// Resends deliveries, and sends tests. Both only write due rows. The worker sends them like all others.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf, type Caller } from '../http/roles.ts';
import {
  type Delivery,
  findDelivery,
  insertDelivery,
  resendDelivery,
  resendEnded,
} from './delivery-store.ts';
import { findEndpoint } from './endpoint-store.ts';
import { testEventType } from './event-types.ts';
import type { EndpointEventData } from './message.ts';

type ResendDeps = { db: Database; clock: Clock };

async function requireDelivery(tx: TenantTx, deliveryId: string): Promise<Delivery> {
  const delivery = await findDelivery(tx, deliveryId);
  if (!delivery) throw errors.notFound();
  return delivery;
}

type ResendCaller = TenantScope & Caller;
type ResendData = { endpointId: string; deliveryId?: string; since?: string };

async function recordResend(
  tx: TenantTx,
  caller: ResendCaller,
  { data, at }: { data: ResendData; at: Date },
): Promise<void> {
  const actor = actorOf(caller);
  await appendEvent(tx, { type: 'webhook_delivery.resent', isPublic: false, actor, data, at });
}

/** Makes a delivery due now, at the beginning of its schedule. Throws `not_found`, also if its endpoint was deleted. */
export async function resendOne(
  deps: ResendDeps,
  caller: ResendCaller,
  deliveryId: string,
): Promise<Delivery> {
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    const delivery = await requireDelivery(tx, deliveryId);
    const { endpointId } = delivery;
    if (!(await findEndpoint(tx, endpointId))) throw errors.notFound();
    await resendDelivery(tx, deliveryId, at);
    await recordResend(tx, caller, { data: { endpointId, deliveryId }, at });
    tx.signal('deliveries_due');
    return await requireDelivery(tx, deliveryId);
  });
}

const defaultBatchSize = 1_000;

/** The same for all ended deliveries of events since a moment. Returns how many. Throws `not_found`. */
export async function resendSince(
  deps: ResendDeps,
  caller: ResendCaller,
  wanted: { endpointId: string; since: Date; batchSize?: number },
): Promise<number> {
  const { endpointId, since, batchSize: limit = defaultBatchSize } = wanted;
  const at = deps.clock.now();
  let after: string | null = null;
  let count = 0;
  for (;;) {
    const following: string | null = after;
    const resent: string[] = await deps.db.inTenant(caller, async (tx) => {
      if (!(await findEndpoint(tx, endpointId))) throw errors.notFound();
      if (following === null)
        await recordResend(tx, caller, { data: { endpointId, since: since.toISOString() }, at });
      tx.signal('deliveries_due');
      return await resendEnded(tx, { endpointId, since, at, after: following, limit });
    });
    count += resent.length;
    after = resent.at(-1) ?? null;
    if (resent.length < limit) return count;
  }
}

/**
 * Sends a test to an endpoint: an event that no feed shows. Returns the existing test if its IDs exist. Throws
 * `not_found` or `endpoint_disabled`.
 */
export async function sendTest(
  deps: ResendDeps,
  caller: Principal,
  wanted: { endpointId: string; deliveryId: string },
): Promise<Delivery> {
  const { endpointId, deliveryId } = wanted;
  const at = deps.clock.now();
  return await deps.db.inTenant(caller, async (tx) => {
    const endpoint = await findEndpoint(tx, endpointId);
    if (!endpoint) throw errors.notFound();
    const existing = await findDelivery(tx, deliveryId);
    if (existing) return existing;
    if (!endpoint.isEnabled) throw errors.endpointDisabled();
    const { url, mode } = endpoint;
    const eventData: EndpointEventData = { endpoint: { id: endpointId, url, mode, reason: null } };
    const eventId = await appendEvent(tx, {
      type: testEventType,
      isPublic: false,
      actor: actorOf(caller),
      data: eventData,
      at,
    });
    await insertDelivery(tx, { deliveryId, endpointId, eventId, at });
    tx.signal('deliveries_due');
    return await requireDelivery(tx, deliveryId);
  });
}
