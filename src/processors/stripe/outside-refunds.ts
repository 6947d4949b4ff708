// Refunds that somebody makes in Stripe's dashboard: none bears our notes, so they are found by their payment, and a
// webhook about one by its charge, which bears the notes of the attempt.

import type { AttemptRequest, Notice, OutsideKind, OutsideRefund } from '../processor.ts';
import { type Account, ask, openApi, RefusedError } from './client.ts';
import {
  type Fields,
  type Marks,
  readCurrency,
  readFields,
  readMarks,
  readMinor,
  readOptionalId,
  readText,
} from './read.ts';
import { readIntentId, refundsOf } from './refunds.ts';

type Irrelevant = Extract<Notice, { kind: 'irrelevant' }>;

const refundEvents: ReadonlySet<string> = new Set(['refund.updated', 'refund.failed']);

/** What a refund that is none of ours came to; null while it is under way. */
export function outsideKindOf({ status }: Fields): OutsideKind | null {
  if (status === 'succeeded') return 'outside_refund';
  return status === 'failed' || status === 'canceled' ? 'failed_outside_refund' : null;
}

/** The refunds of an attempt's money that are none of ours. */
export async function listOutsideRefunds(
  account: Account,
  { processorReference, attemptId: key }: AttemptRequest,
  signal: AbortSignal,
): Promise<OutsideRefund[]> {
  const intentId = processorReference && (await readIntentId(account, processorReference, key, signal));
  if (!intentId) return [];
  const found: OutsideRefund[] = [];
  for await (const item of refundsOf(account, intentId, signal)) {
    const kind = readMarks(item).refundId === null ? outsideKindOf(item) : null;
    const reference = readText(item, 'id');
    if (kind)
      found.push({
        kind,
        key,
        reference,
        amountMinor: readMinor(item, 'amount'),
        currency: readCurrency(item),
      });
  }
  return found;
}

/** The notes on the charge that a refund gave back, by asking for it; null when there is no such charge. */
async function readMarksOfCharge(
  account: Account,
  refund: Fields,
  signal: AbortSignal,
): Promise<Marks | null> {
  const chargeId = readOptionalId(refund, 'charge');
  if (chargeId === null || !/^\w+$/.test(chargeId)) return null;
  try {
    const { body } = await ask(openApi(account, signal).charges.retrieve(chargeId), signal);
    return readMarks(readFields(body, 'charge'));
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null;
    throw error;
  }
}

/**
 * What a signed webhook that names nothing of ours is about after all: the attempt whose money a refund of the dashboard
 * gave back. Throws when Stripe gives no answer about the charge.
 */
export async function readOutsideNews(
  account: Account,
  { notice, body }: { notice: Irrelevant; body: Buffer },
  signal: AbortSignal,
): Promise<Notice> {
  const event = readFields(JSON.parse(body.toString('utf8')), 'event');
  const refund = readFields(readFields(event.data, 'data').object, 'object');
  if (!refundEvents.has(readText(event, 'type')) || refund.object !== 'refund') return notice;
  const { attemptId = null, connectionId = null } = (await readMarksOfCharge(account, refund, signal)) ?? {};
  if (attemptId === null || connectionId === null) return notice;
  const news = { attemptId, refundId: null, connectionId, amountMinor: null, currency: null };
  return { kind: 'news', noticeId: notice.noticeId, news: [news] };
}
