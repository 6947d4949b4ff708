// Reads Mollie's classic webhooks. They carry an id and no signature, so one proves nothing: the payment is fetched with
// the connection's own key, and what that says is the news. One call for each webhook, at the most; a webhook whose
// address is not proven must not cause a call beyond the budget, nor a second one about an id that Mollie does not know.

import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { createRecent, type Recent } from '../../base/recent.ts';
import type { Connection, Notice, NoticeNews, NoticeRequest } from '../processor.ts';
import { type Api, unexpected } from './api.ts';
import { amountOf, type Fields, fieldsOf, isMollieId, marksOf, textOf } from './read.ts';

const maxBodyBytes = 1024;

/** How long, and of how many, it is remembered that Mollie does not know an id. */
const missLifeMs = 10 * 60 * 1000;
const rememberedMisses = 10_000;

/** A memory of ids that Mollie does not know. */
export function createMisses(clock: Clock): Recent {
  return createRecent(clock, { lifeMs: missLifeMs, most: rememberedMisses });
}

export type NoticeDeps = { api: Api; misses: Recent; connection: Connection };

const unknownPayment: Notice = { kind: 'forged', why: 'this account has no such payment' };

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
export async function readNotice(
  { api, misses, connection }: NoticeDeps,
  notice: NoticeRequest,
  signal: AbortSignal,
): Promise<Notice> {
  const id = idOf(notice);
  if (id === null) return { kind: 'forged', why: 'it names no payment' };
  const { provenAttemptId } = notice;
  const missKey = `${connection.connectionId} ${id}`;
  if (provenAttemptId === null) {
    if (misses.has(missKey)) return unknownPayment;
    if (!notice.mayAsk()) return { kind: 'deferred' };
  }
  const answer = await api.get(`/v2/payments/${id}?embed=refunds`, signal);
  if (answer.status === 404 || answer.status === 410) {
    misses.add(missKey);
    return unknownPayment;
  }
  const payment = fieldsOf(answer.body);
  if (answer.status !== 200 || payment.id !== id) throw unexpected('the payment of a webhook', answer);
  // An address that is known to somebody else opens no other payment than its own.
  if (provenAttemptId !== null && marksOf(payment)?.attempt !== provenAttemptId)
    return { kind: 'forged', why: 'the address is of another attempt' };
  const embedded = fieldsOf(payment._embedded).refunds;
  const refunds = Array.isArray(embedded) ? embedded.map(fieldsOf) : [];
  const noticeId = noticeIdOf(id, payment, refunds);
  const news = [...newsOf(payment, false), ...refunds.flatMap((refund) => newsOf(refund, true))];
  return news.length === 0 ? { kind: 'irrelevant', noticeId } : { kind: 'news', noticeId, news };
}
