// Sends what was claimed, and records what came of it. No transaction is open while somebody else's server is
// asked. What arrived and could not be recorded is sent again after its lease: at least once, never less.

import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { type Claim, claimDeliveries, insertTry, settleDelivery } from './delivery-store.ts';
import {
  type Endpoint,
  findEndpoint,
  noteFailure,
  noteSuccess,
  type OffReason,
  switchOff,
} from './endpoint-store.ts';
import { type EndpointNews, plainHeaders, writeMessages } from './message.ts';
import { type OutboundResult, sendRequest } from './outbound.ts';
import { rulesFor } from './outbound-target.ts';
import { failingLimitMs, nextTryAt, readRetryAfter } from './retry-schedule.ts';
import { openSecret, signMessage } from './sign.ts';

/** How patient sending is; the defaults suit production, tests set less. */
export type WebhookPace = {
  /** For a try from the look-up to the end of the answer. */
  timeoutMs?: number;
  /** After this a delivery whose process went silent is sent again; longer than a try and its record take. */
  leaseSeconds?: number;
};

export type DeliverDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  baseUrl: string;
  webhooksAllowLoopback: boolean;
  webhookPace?: WebhookPace;
};

/** A delivery that is this process's to make. */
export type Parcel = Claim & { endpoint: Endpoint; body: string };

const defaultTimeoutMs = 15_000;
const defaultLeaseSeconds = 60;
const maxAnswerBytes = 4096;

/** Takes what is due for an endpoint that is on, `limit` at most, with what is to be sent. */
export async function claimParcels(
  deps: Pick<DeliverDeps, 'db' | 'clock' | 'baseUrl' | 'webhookPace'>,
  wanted: TenantScope & { endpointId: string; limit: number },
): Promise<Parcel[]> {
  const { endpointId, limit } = wanted;
  const now = deps.clock.now();
  const leaseSeconds = deps.webhookPace?.leaseSeconds ?? defaultLeaseSeconds;
  return await deps.db.inTenant(wanted, async (tx) => {
    const endpoint = await findEndpoint(tx, endpointId);
    if (!endpoint?.isEnabled) return [];
    const claims = await claimDeliveries(tx, { endpointId, now, limit, leaseSeconds });
    if (claims.length === 0) return [];
    const bodies = await writeMessages(
      tx,
      claims.map(({ eventId }) => eventId),
      deps,
    );
    return claims.map((claim) => ({ ...claim, endpoint, body: bodies.get(claim.eventId) ?? '' }));
  });
}

/** The secrets that sign at a moment. */
function liveSecrets(deps: DeliverDeps, endpoint: Endpoint, now: Date): string[] {
  const { secret, previousSecret, previousUntil } = endpoint;
  const sealed = [
    secret,
    ...(previousSecret && previousUntil && previousUntil > now ? [previousSecret] : []),
  ];
  return sealed.map((bytes) => openSecret(deps.keyring, endpoint, bytes));
}

async function send(deps: DeliverDeps, parcel: Parcel, now: Date): Promise<OutboundResult> {
  const { endpoint, eventId, body } = parcel;
  const secrets = liveSecrets(deps, endpoint, now);
  return await sendRequest({
    url: endpoint.url,
    headers: {
      ...plainHeaders,
      ...signMessage(deps.keyring, { id: eventId, at: now, body, secrets }),
    },
    body,
    timeoutMs: deps.webhookPace?.timeoutMs ?? defaultTimeoutMs,
    maxAnswerBytes,
    policy: rulesFor(endpoint.mode, deps),
  });
}

/** Switches an endpoint off and tells its company, by the endpoints that are left. */
async function disableEndpoint(
  tx: TenantTx,
  endpointId: string,
  off: { reason: OffReason; at: Date },
): Promise<void> {
  const endpoint = await switchOff(tx, endpointId, off);
  if (!endpoint) return;
  const { url, mode, failingSince } = endpoint;
  const news: EndpointNews = { endpoint: { id: endpointId, url, mode, reason: off.reason } };
  await appendEvent(tx, {
    type: 'webhook_endpoint.disabled',
    isPublic: true,
    actor: 'system',
    // The mode at the top says which endpoints hear of it; the mail to the merchant says since when it failed.
    data: { ...news, mode, failingSince },
    at: off.at,
  });
}

/** Writes down what came of a try. The try is kept in any case; the rest is for who has the lease. */
async function record(deps: DeliverDeps, parcel: Parcel, result: OutboundResult): Promise<boolean> {
  const now = deps.clock.now();
  const { endpointId } = parcel.endpoint;
  const status = 'status' in result ? result.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const retryAfter = 'status' in result ? readRetryAfter(result.headers['retry-after'], now) : null;
  // What an endpoint that is gone did not take waits until it is on again, or goes to its new address.
  const dueAt = status === 410 ? now : nextTryAt({ step: parcel.step + 1, now, retryAfter });
  await deps.db.inTenant(parcel.endpoint, async (tx) => {
    const ended = { dueAt: null, endedAt: now };
    const isOurs = await settleDelivery(
      tx,
      parcel,
      isDelivered
        ? { state: 'delivered', ...ended }
        : dueAt
          ? { state: 'pending', dueAt, endedAt: null }
          : { state: 'failed', ...ended },
    );
    await insertTry(tx, parcel.deliveryId, {
      tryId: newId('wht', now),
      at: now,
      durationMs: result.durationMs,
      status,
      answer: 'status' in result ? result.bodyStart : null,
      fault: 'fault' in result ? result.fault : null,
    });
    if (!isOurs) return;
    if (isDelivered) await noteSuccess(tx, endpointId);
    else await judgeEndpoint(tx, parcel.endpoint, { status, now });
  });
  return isDelivered;
}

async function judgeEndpoint(
  tx: TenantTx,
  endpoint: Endpoint,
  failed: { status: number | null; now: Date },
): Promise<void> {
  const { endpointId } = endpoint;
  const { status, now } = failed;
  const since = await noteFailure(tx, endpoint, now);
  if (!since) return;
  if (status === 410) await disableEndpoint(tx, endpointId, { reason: 'gone', at: now });
  else if (now.getTime() - since.getTime() >= failingLimitMs)
    await disableEndpoint(tx, endpointId, { reason: 'failing', at: now });
}

/** Makes one delivery. True when it arrived. */
export async function deliver(deps: DeliverDeps, parcel: Parcel): Promise<boolean> {
  return await record(deps, parcel, await send(deps, parcel, deps.clock.now()));
}
