// The money that moved according to Mollie: paid payments and completed refunds. Reads only, and omits
// everything without this company's and connection's metadata.

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

/**
 * The longest time that Mollie keeps a payment open (a bank transfer: 12 days and a weekend), with a margin.
 */
const payWithinMs = 16 * dayMs;

function parseListCursor(cursor: string | null): ListCursor {
  if (cursor === null) return { kind: 'payments', fromId: null };
  const [kind, id = ''] = cursor.split(':');
  if (kind === 'payments' && isMollieId('tr', id)) return { kind, fromId: id };
  if (kind === 'refunds' && (id === '' || isMollieId('re', id))) return { kind, fromId: id || null };
  throw new Error('a cursor that this list did not give');
}

/** Mollie truncates times to seconds: one in the second in which a period begins may belong to it. */
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

/**
 * Mollie reports when a refund was requested, not when its money went. It is listed at that time, once the
 * money has gone.
 */
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

/** A refund from Mollie's dashboard has no metadata; its payment's metadata identify the attempt. */
function externalRefundOf(
  deps: BalanceTransactionDeps,
  span: TimeRange,
  item: unknown,
): BalanceTransaction[] {
  const metadata = ownMetadata(deps, span, fieldsOf(fieldsOf(item)._embedded).payment);
  return !metadata || metadata.isVoid ? [] : readExternalRefund(metadata.attempt, item);
}

/** Whether a list, newest first, has passed everything that can belong to the period. */
function isPast(page: MolliePage, from: number): boolean {
  const last = timestampOf(fieldsOf(page.things.at(-1)).createdAt);
  return page.nextId === null || (last !== null && last.getTime() < from);
}

/** A page of movements: first payments, then refunds, each newest first. */
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
