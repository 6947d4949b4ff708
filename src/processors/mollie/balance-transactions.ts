// The money that moved by Mollie's own books: its payments that were paid, and its refunds that were made. Reads only,
// and leaves out whatever bears no marks of this company and connection.

import { requireMatch } from '../check-response.ts';
import type { BalanceTransaction, BalanceTransactionPage, ProcessorConnection } from '../processor.ts';
import { fieldsOf } from '../untrusted-fields.ts';
import { fetchPage, type MollieApi, type MolliePage } from './api.ts';
import {
  isMollieId,
  type MollieMetadata,
  readExternalRefund,
  readMetadata,
  readPayment,
  readRefund,
  timestampOf,
} from './parse.ts';

export type BalanceTransactionDeps = {
  api: MollieApi;
  connection: ProcessorConnection & { connectionId: string };
};

type TimeRange = { companyId: string; from: Date; until: Date };
type ListCursor = { kind: 'payments' | 'refunds'; fromId: string | null };

const dayMs = 24 * 60 * 60 * 1000;

/** The longest that Mollie lets a payment wait (a bank transfer: 12 days and a weekend), with some room. */
const payWithinMs = 16 * dayMs;

function parseListCursor(cursor: string | null): ListCursor {
  if (cursor === null) return { kind: 'payments', fromId: null };
  const [kind, id = ''] = cursor.split(':');
  if (kind === 'payments' && isMollieId('tr', id)) return { kind, fromId: id };
  if (kind === 'refunds' && (id === '' || isMollieId('re', id))) return { kind, fromId: id || null };
  throw new Error('a cursor that this list did not give');
}

/** Mollie's moments have whole seconds, cut off: one of the second in which a span begins may belong to it. */
function isWithin(moment: Date, fromMs: number, until: Date): boolean {
  return moment.getTime() >= fromMs - (fromMs % 1000) && moment < until;
}

function ownMetadata(deps: BalanceTransactionDeps, span: TimeRange, item: unknown): MollieMetadata | null {
  const metadata = readMetadata(item);
  return metadata?.company === span.companyId && metadata.connection === deps.connection.connectionId
    ? metadata
    : null;
}

function chargesOf(deps: BalanceTransactionDeps, span: TimeRange, item: unknown): BalanceTransaction[] {
  if (!ownMetadata(deps, span, item)) return [];
  const { id: reference, marks: metadata, mode, status, captured } = readPayment(item);
  requireMatch('a payment of Mollie', { mode: deps.connection.mode }, { mode });
  if (status !== 'paid') return [];
  const paidAt = timestampOf(fieldsOf(item).paidAt);
  if (!paidAt) throw new Error('a payment that was paid at no time');
  return isWithin(paidAt, span.from.getTime(), span.until)
    ? [{ kind: 'charge', key: metadata.attempt, reference, ...captured }]
    : [];
}

/** Mollie says when a refund was asked for, and not when its money went: it is listed at the first, once it has gone. */
function refundsOf(deps: BalanceTransactionDeps, span: TimeRange, item: unknown): BalanceTransaction[] {
  const own = ownMetadata(deps, span, item);
  const { status } = fieldsOf(item);
  if (status !== 'refunded' && status !== 'failed') return [];
  const createdAt = timestampOf(fieldsOf(item).createdAt);
  if (!createdAt) throw new Error('a refund that was made at no time');
  if (!isWithin(createdAt, span.from.getTime(), span.until)) return [];
  if (!own) return externalRefundOf(deps, span, item);
  const { id: reference, marks: metadata, mode, amountMinor, currency } = readRefund(item);
  requireMatch('a refund of Mollie', { mode: deps.connection.mode }, { mode });
  return [
    {
      kind: status === 'failed' ? 'failed_refund' : 'refund',
      key: metadata.refund,
      reference,
      amountMinor,
      currency,
    },
  ];
}

/** A refund that was made in Mollie's dashboard bears no marks: those of its payment say whose money it was. */
function externalRefundOf(
  deps: BalanceTransactionDeps,
  span: TimeRange,
  item: unknown,
): BalanceTransaction[] {
  const metadata = ownMetadata(deps, span, fieldsOf(fieldsOf(item)._embedded).payment);
  return !metadata || metadata.isVoid ? [] : readExternalRefund(metadata.attempt, item);
}

/** Whether a list, newest first, has gone back behind all that can concern the span. */
function isPast(page: MolliePage, from: number): boolean {
  const last = timestampOf(fieldsOf(page.things.at(-1)).createdAt);
  return page.nextId === null || (last !== null && last.getTime() < from);
}

/** A page of movements: first the payments, then the refunds, each newest first. */
export async function listBalanceTransactions(
  deps: BalanceTransactionDeps,
  request: TimeRange & { cursor: string | null },
  signal: AbortSignal,
): Promise<BalanceTransactionPage> {
  const { kind, fromId } = parseListCursor(request.cursor);
  const path = `/v2/${kind}`;
  const list =
    kind === 'payments' ? { path, kind, fromId } : { path, kind, fromId, embed: 'payment' as const };
  const page = await fetchPage(deps.api, list, signal);
  const from = request.from.getTime();
  if (kind === 'payments') {
    const isLast = isPast(page, from - payWithinMs);
    return {
      movements: page.things.flatMap((item) => chargesOf(deps, request, item)),
      nextCursor: isLast ? 'refunds:' : `payments:${page.nextId}`,
    };
  }
  const isLast = isPast(page, from);
  return {
    movements: page.things.flatMap((item) => refundsOf(deps, request, item)),
    nextCursor: isLast ? null : `refunds:${page.nextId}`,
  };
}
