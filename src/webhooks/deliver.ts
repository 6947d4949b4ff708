// Sends claimed deliveries, and records the results. No transaction is open during a request to another
// server. A message that arrived and whose result could not be recorded is sent again after its lease: at
// least once, never less.

import { type Clock, movedTimeOf, realTimeOf } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { type SpanAttributes, traceCall } from '../base/spans.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import {
  type DeliveryClaim,
  dueDeliveries,
  finishDeliveryAttempt,
  insertDeliveryAttempt,
} from './delivery-store.ts';
import {
  type DisabledReason,
  type Endpoint,
  findEndpoint,
  markEndpointDisabled,
  recordEndpointFailure,
  recordEndpointSuccess,
} from './endpoint-store.ts';
import { baseHeaders, type EndpointEventData, writeMessages } from './message.ts';
import { type OutboundRequest, type OutboundResult, sendRequest } from './outbound.ts';
import { rulesFor } from './outbound-target.ts';
import { failingLimitMs, nextAttemptAt, readRetryAfter } from './retry-schedule.ts';
import { decryptSecret, signMessage } from './sign.ts';

/** The timing of deliveries. The defaults suit production, and tests set less. */
export type WebhookTimings = {
  /** For a delivery attempt, from the DNS lookup to the end of the response. */
  timeoutMs?: number;
  /**
   * After this, a delivery whose process went silent is sent again. Longer than an attempt and its record
   * take.
   */
  leaseSeconds?: number;
};

export type DeliverDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  baseUrl: string;
  webhooksAllowLoopback: boolean;
  webhookTimings?: WebhookTimings;
  log: { warn(fields: object, message: string): void };
};

/** A delivery that this process has claimed. */
export type ClaimedDelivery = DeliveryClaim & { endpoint: Endpoint; body: string };

const defaultTimeoutMs = 15_000;
const defaultLeaseSeconds = 60;
const maxResponseBytes = 4096;

/** Claims the due deliveries of an enabled endpoint, `limit` at most, with the messages to send. */
export async function claimDueDeliveries(
  deps: Pick<DeliverDeps, 'db' | 'clock' | 'baseUrl' | 'webhookTimings'>,
  wanted: TenantScope & { endpointId: string; limit: number },
): Promise<ClaimedDelivery[]> {
  const { endpointId, limit } = wanted;
  const at = movedTimeOf(deps.clock);
  const leaseSeconds = deps.webhookTimings?.leaseSeconds ?? defaultLeaseSeconds;
  const work = async (tx: TenantTx) => {
    const endpoint = await findEndpoint(tx, endpointId);
    if (!endpoint?.isEnabled) return [];
    const claims = await dueDeliveries.claim(tx, { lane: endpointId, limit, leaseSeconds, at });
    if (claims.length === 0) return [];
    const bodies = await writeMessages(
      tx,
      claims.map(({ eventId }) => eventId),
      { baseUrl: deps.baseUrl, apiVersion: endpoint.apiVersion },
    );
    return claims.map((claim) => ({ ...claim, endpoint, body: bodies.get(claim.eventId) ?? '' }));
  };
  return await deps.db.inTenant(wanted, work, { isBatch: true });
}

/** The signing secrets at a moment. */
function activeSecrets(deps: DeliverDeps, endpoint: Endpoint, now: Date): string[] {
  const { secret, previousSecret, previousUntil } = endpoint;
  const sealed = [
    secret,
    ...(previousSecret && previousUntil && previousUntil > now ? [previousSecret] : []),
  ];
  return sealed.map((bytes) => decryptSecret(deps.keyring, endpoint, bytes));
}

async function send(deps: DeliverDeps, delivery: ClaimedDelivery, now: Date): Promise<OutboundResult> {
  const { endpoint, eventId, body } = delivery;
  const secrets = activeSecrets(deps, endpoint, now);
  const request: OutboundRequest = {
    url: endpoint.url,
    headers: {
      ...baseHeaders,
      ...signMessage(deps.keyring, { id: eventId, at: now, body, secrets }),
    },
    body,
    timeoutMs: deps.webhookTimings?.timeoutMs ?? defaultTimeoutMs,
    maxAnswerBytes: maxResponseBytes,
    policy: rulesFor(endpoint.mode, deps),
  };
  const attributes: SpanAttributes = {
    'http.request.method': 'POST',
    // Not its address, which may contain a secret.
    'paylink.webhook_endpoint.id': endpoint.endpointId,
  };
  return await traceCall(
    () => ({ name: 'POST', kind: 'client', attributes }),
    async (span) => {
      const result = await sendRequest(request);
      const isAnswered = 'status' in result;
      if (isAnswered) span?.set({ 'http.response.status_code': result.status });
      if (!isAnswered || result.status >= 300) span?.fail(isAnswered ? String(result.status) : result.fault);
      return result;
    },
  );
}

/** Disables an endpoint and notifies its company, through the remaining endpoints. */
export async function disableEndpoint(
  tx: TenantTx,
  endpointId: string,
  off: { reason: DisabledReason; at: Date },
): Promise<void> {
  const endpoint = await markEndpointDisabled(tx, endpointId, off);
  if (!endpoint) return;
  const { url, mode, failingSince } = endpoint;
  const data: EndpointEventData = { endpoint: { id: endpointId, url, mode, reason: off.reason } };
  await appendEvent(tx, {
    type: 'webhook_endpoint.disabled',
    isPublic: true,
    actor: 'system',
    // The top-level mode selects the endpoints that are notified. The email to the merchant says since when it
    // failed.
    data: { ...data, mode, failingSince },
    at: off.at,
  });
}

/** When the receiver wants the next attempt, in the time of `now`. Receivers name a date by the real time. */
function retryAfterOf(result: OutboundResult, { now, real }: { now: Date; real: Date }): Date | null {
  const asked = 'status' in result ? readRetryAfter(result.headers['retry-after'], real) : null;
  return asked && new Date(asked.getTime() - real.getTime() + now.getTime());
}

/** Records the result of an attempt. The attempt itself is always recorded. The rest only under the lease. */
async function recordAttempt(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  result: OutboundResult,
): Promise<boolean> {
  const now = deps.clock.now();
  const { endpointId } = delivery.endpoint;
  const status = 'status' in result ? result.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const retryAfter = retryAfterOf(result, { now, real: realTimeOf(deps.clock) });
  // Deliveries to a gone endpoint (410) wait until it is enabled again, or go to its new URL.
  const dueAt = status === 410 ? now : nextAttemptAt({ step: delivery.step + 1, now, retryAfter });
  let beginsToFail = false;
  const work = async (tx: TenantTx) => {
    const ended = { dueInMs: null, endedAt: now };
    // A transaction can run again.
    beginsToFail = false;
    const hasLease = await finishDeliveryAttempt(
      tx,
      delivery,
      movedTimeOf(deps.clock),
      isDelivered
        ? { state: 'delivered', ...ended }
        : dueAt
          ? { state: 'pending', dueInMs: dueAt.getTime() - now.getTime(), endedAt: null }
          : { state: 'failed', ...ended },
    );
    await insertDeliveryAttempt(tx, delivery.deliveryId, {
      tryId: newId('wht', now),
      at: now,
      durationMs: result.durationMs,
      status,
      answer: 'status' in result ? result.bodyStart : null,
      fault: 'fault' in result ? result.fault : null,
    });
    if (!hasLease) return;
    tx.note({ kind: 'delivery', result: isDelivered ? 'delivered' : dueAt ? 'failed' : 'dead' });
    if (isDelivered) await recordEndpointSuccess(tx, endpointId);
    else beginsToFail = await updateEndpointHealth(tx, delivery.endpoint, { status, now });
  };
  await deps.db.inTenant(delivery.endpoint, work, { isBatch: true });
  if (beginsToFail) logFailingEndpoint(deps, delivery.endpoint, result);
  return isDelivered;
}

/** Tells an operator whose endpoint fails: the status of the service names no company. */
function logFailingEndpoint(
  { log }: DeliverDeps,
  { companyId, endpointId }: Endpoint,
  result: OutboundResult,
): void {
  const why = 'status' in result ? { status: result.status } : { why: result.fault };
  log.warn(
    { companyId, endpointId, ...why },
    'a webhook endpoint fails; this is logged once until it accepts a message',
  );
}

/** True if this is the first failure since the last success. */
async function updateEndpointHealth(
  tx: TenantTx,
  endpoint: Endpoint,
  failed: { status: number | null; now: Date },
): Promise<boolean> {
  const { endpointId } = endpoint;
  const { status, now } = failed;
  const since = await recordEndpointFailure(tx, endpoint, now);
  if (!since) return false;
  if (status === 410) await disableEndpoint(tx, endpointId, { reason: 'gone', at: now });
  else if (now.getTime() - since.getTime() >= failingLimitMs)
    await disableEndpoint(tx, endpointId, { reason: 'failing', at: now });
  return since.getTime() === now.getTime();
}

/** Makes one delivery attempt. True if the message arrived. */
export async function deliver(deps: DeliverDeps, delivery: ClaimedDelivery): Promise<boolean> {
  // A receiver compares the time of the signature with its own clock.
  return await recordAttempt(deps, delivery, await send(deps, delivery, realTimeOf(deps.clock)));
}
