// Refunds made in Stripe's dashboard. They have no metadata of ours, so they are found by their payment, and
// a webhook about one by its charge, which has the attempt's metadata.

import { parseJson } from '../../base/json.ts';
import type { AttemptRequest, ExternalRefund, ExternalRefundKind, ProcessorWebhook } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { callStripe, type StripeAccount, StripeRequestError } from './client.ts';
import {
  readAmount,
  readFields,
  readMetadata,
  readOptionalId,
  readText,
  type StripeMetadata,
} from './parse.ts';
import { readIntentId, refundsOf } from './refunds.ts';

type IrrelevantWebhook = Extract<ProcessorWebhook, { kind: 'irrelevant' }>;

const refundEvents: ReadonlySet<string> = new Set(['refund.updated', 'refund.failed']);

/** The result of an external refund; null while it is under way. */
export function externalRefundKindOf({ status }: UntrustedFields): ExternalRefundKind | null {
  if (status === 'succeeded') return 'outside_refund';
  return status === 'failed' || status === 'canceled' ? 'failed_outside_refund' : null;
}

export async function listExternalRefunds(
  account: StripeAccount,
  { processorReference, attemptId: key }: AttemptRequest,
): Promise<ExternalRefund[]> {
  const intentId = processorReference && (await readIntentId(account, processorReference, key));
  if (!intentId) return [];
  const found: ExternalRefund[] = [];
  for await (const item of refundsOf(account, intentId)) {
    const kind = readMetadata(item).refundId === null ? externalRefundKindOf(item) : null;
    const reference = readText(item, 'id');
    if (kind) found.push({ kind, key, reference, ...readAmount(item) });
  }
  return found;
}

/** The metadata of a refund's charge, fetched from Stripe; null when the charge does not exist. */
async function readChargeMetadata(
  account: StripeAccount,
  refund: UntrustedFields,
): Promise<StripeMetadata | null> {
  const chargeId = readOptionalId(refund, 'charge');
  if (chargeId === null || !/^\w+$/.test(chargeId)) return null;
  try {
    const { body } = await callStripe(account, (api) => api.charges.retrieve(chargeId));
    return readMetadata(readFields(body, 'charge'));
  } catch (error) {
    if (error instanceof StripeRequestError && error.status === 404) return null;
    throw error;
  }
}

/** A signed webhook without our metadata: the attempt of a dashboard refund. Throws when Stripe does not respond. */
export async function readExternalRefundWebhook(
  account: StripeAccount,
  { notice: webhook, body }: { notice: IrrelevantWebhook; body: Buffer },
): Promise<ProcessorWebhook> {
  const event = readFields(parseJson(body.toString('utf8')), 'event');
  const refund = readFields(readFields(event.data, 'data').object, 'object');
  if (!refundEvents.has(readText(event, 'type')) || refund.object !== 'refund') return webhook;
  const { attemptId = null, connectionId = null } = (await readChargeMetadata(account, refund)) ?? {};
  if (attemptId === null || connectionId === null) return webhook;
  const subject = { attemptId, refundId: null, connectionId, amountMinor: null, currency: null };
  return { kind: 'news', noticeId: webhook.noticeId, news: [subject] };
}
