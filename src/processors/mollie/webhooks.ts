// Reads Mollie's classic webhooks: an ID without a signature, so the payment is fetched, in one call at most. A webhook
// with an unproven address must not cause a call beyond the budget, or a second one for an unknown ID.

import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { createExpiringSet, type ExpiringSet } from '../../base/expiring-set.ts';
import type {
  ProcessorConnection,
  ProcessorWebhook,
  ProcessorWebhookRequest,
  ProcessorWebhookSubject,
} from '../processor.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { type MollieApi, unexpectedResponse } from './api.ts';
import { amountOf, isMollieId, readMetadata, textOf } from './parse.ts';

const maxBodyBytes = 1024;

/** How long to cache that Mollie does not know an ID, and for how many IDs. */
const missLifeMs = 10 * 60 * 1000;
const rememberedMisses = 10_000;

export function createUnknownPaymentCache(clock: Clock): ExpiringSet {
  return createExpiringSet(clock, { lifeMs: missLifeMs, most: rememberedMisses });
}

export type MollieWebhookDeps = { api: MollieApi; misses: ExpiringSet; connection: ProcessorConnection };

const unknownPayment: ProcessorWebhook = { kind: 'forged', why: 'this account has no such payment' };

/** The ID in a webhook, if it contains nothing else. */
function idOf(webhook: ProcessorWebhookRequest): string | null {
  if (webhook.body.byteLength > maxBodyBytes) return null;
  const ids = new URLSearchParams(webhook.body.toString('utf8')).getAll('id');
  const [id = ''] = ids;
  return ids.length === 1 && isMollieId('tr', id) ? id : null;
}

function subjectsOf(item: UntrustedFields, isRefund: boolean): ProcessorWebhookSubject[] {
  const metadata = readMetadata(item);
  if (!metadata || (isRefund && metadata.refund === null)) return [];
  return [
    {
      attemptId: isRefund ? null : metadata.attempt,
      refundId: isRefund ? metadata.refund : null,
      connectionId: metadata.connection,
      amountMinor: amountOf(item.amount)?.amountMinor ?? null,
      currency: textOf(fieldsOf(item.amount).currency),
    },
  ];
}

/** The same for every webhook that finds the payment unchanged; another one once anything relevant has changed. */
function processorEventIdOf(
  paymentId: string,
  payment: UntrustedFields,
  refunds: readonly UntrustedFields[],
): string {
  const state = [payment, ...refunds].map(({ id, status, amount }) => [id, status, amount]);
  const changes = [payment.amountRefunded, payment.amountChargedBack];
  const digest = createHash('sha256')
    .update(JSON.stringify([state, changes]))
    .digest('hex');
  return `${paymentId}:${digest.slice(0, 32)}`;
}

/** A payment that this key cannot read is forged. Throws without a response, so that Mollie repeats the webhook. */
export async function readWebhook(
  { api, misses, connection }: MollieWebhookDeps,
  webhook: ProcessorWebhookRequest,
): Promise<ProcessorWebhook> {
  const id = idOf(webhook);
  if (id === null) return { kind: 'forged', why: 'it does not name a payment' };
  const { provenAttemptId } = webhook;
  const missKey = `${connection.connectionId} ${id}`;
  if (provenAttemptId === null) {
    if (misses.has(missKey)) return unknownPayment;
    if (!webhook.mayAsk()) return { kind: 'deferred' };
  }
  const response = await api.get(`/v2/payments/${id}?embed=refunds`);
  if (response.status === 404 || response.status === 410) {
    misses.add(missKey);
    return unknownPayment;
  }
  const payment = fieldsOf(response.body);
  if (response.status !== 200 || payment.id !== id)
    throw unexpectedResponse('the payment of a webhook', response);
  // An address that someone else knows gives access to no other payment than its own.
  if (provenAttemptId !== null && readMetadata(payment)?.attempt !== provenAttemptId)
    return { kind: 'forged', why: 'the address belongs to another attempt' };
  const embedded = fieldsOf(payment._embedded).refunds;
  const refunds = Array.isArray(embedded) ? embedded.map(fieldsOf) : [];
  const noticeId = processorEventIdOf(id, payment, refunds);
  const subjects = [...subjectsOf(payment, false), ...refunds.flatMap((refund) => subjectsOf(refund, true))];
  return subjects.length === 0
    ? { kind: 'irrelevant', noticeId }
    : { kind: 'news', noticeId, news: subjects };
}
