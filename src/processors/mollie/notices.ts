// Reads Mollie's classic webhooks. They carry an id and no signature, so one proves nothing: the payment is fetched with
// the connection's own key, and what that says is the news. One call for each webhook, at the most.

import { createHash } from 'node:crypto';
import type { Notice, NoticeNews, NoticeRequest } from '../processor.ts';
import { type Api, unexpected } from './api.ts';
import { amountOf, type Fields, fieldsOf, isMollieId, marksOf, textOf } from './read.ts';

const maxBodyBytes = 1024;

/** The id that a webhook names, when it is nothing but that. */
function idOf(notice: NoticeRequest): string | null {
  if (notice.body.byteLength > maxBodyBytes) return null;
  const ids = new URLSearchParams(notice.body.toString('utf8')).getAll('id');
  const [id = ''] = ids;
  return ids.length === 1 && isMollieId('tr', id) ? id : null;
}

function newsOf(thing: Fields, isRefund: boolean): NoticeNews[] {
  const marks = marksOf(thing);
  if (!marks || (isRefund && marks.refund === null)) return [];
  return [
    {
      attemptId: isRefund ? null : marks.attempt,
      refundId: isRefund ? marks.refund : null,
      connectionId: marks.connection,
      amountMinor: amountOf(thing.amount)?.amountMinor ?? null,
      currency: textOf(fieldsOf(thing.amount).currency),
    },
  ];
}

/** The same for every webhook that finds the payment as it was; another as soon as anything that we tell has changed. */
function noticeIdOf(id: string, payment: Fields, refunds: readonly Fields[]): string {
  const state = [payment, ...refunds].map((thing) => [thing.id, thing.status, thing.amount]);
  const changes = [payment.amountRefunded, payment.amountChargedBack];
  const digest = createHash('sha256')
    .update(JSON.stringify([state, changes]))
    .digest('hex');
  return `${id}:${digest.slice(0, 32)}`;
}

/**
 * Reads a webhook and fetches what it is about. A payment that this key does not open is forged. Throws when Mollie
 * gives no answer, so that the webhook comes again.
 */
export async function readNotice(api: Api, notice: NoticeRequest, signal: AbortSignal): Promise<Notice> {
  const id = idOf(notice);
  if (id === null) return { kind: 'forged', why: 'it names no payment' };
  const answer = await api.get(`/v2/payments/${id}?embed=refunds`, signal);
  if (answer.status === 404 || answer.status === 410)
    return { kind: 'forged', why: 'this account has no such payment' };
  const payment = fieldsOf(answer.body);
  if (answer.status !== 200 || payment.id !== id) throw unexpected('the payment of a webhook', answer);
  const embedded = fieldsOf(payment._embedded).refunds;
  const refunds = Array.isArray(embedded) ? embedded.map(fieldsOf) : [];
  const noticeId = noticeIdOf(id, payment, refunds);
  const news = [...newsOf(payment, false), ...refunds.flatMap((refund) => newsOf(refund, true))];
  return news.length === 0 ? { kind: 'irrelevant', noticeId } : { kind: 'news', noticeId, news };
}
