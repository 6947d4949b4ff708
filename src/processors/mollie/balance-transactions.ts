// The money that moved according to Mollie: paid payments and completed refunds. Omits everything without
// this company's and connection's metadata.

import { requireMatch } from '../check-response.ts';
import type { BalanceTransaction, BalanceTransactionPage } from '../processor.ts';
import { fieldsOf } from '../untrusted-fields.ts';
import { fetchPage, type MollieAccount, type MolliePage } from './api.ts';
import {
  isMollieId,
  type MollieMetadata,
  readExternalRefund,
  readMetadata,
  readPayment,
  readRefund,
  timestampOf,
} from './parse.ts';

type TimeRange = { companyId: string; from: Date; until: Date };
type ListCursor = { kind: 'payments' | 'refunds'; fromId: string | null };

const dayMs = 24 * 60 * 60 * 1000;

/** The longest time that Mollie keeps a payment open (a bank transfer: 12 days and a weekend), with a margin. */
const payWithinMs = 16 * dayMs;

function parseListCursor(cursor: string | null): ListCursor {
  if (cursor === null) return { kind: 'payments', fromId: null };
  const [kind, id = ''] = cursor.split(':');
  if (kind === 'payments' && isMollieId('tr', id)) return { kind, fromId: id };
  if (kind === 'refunds' && (id === '' || isMollieId('re', id))) return { kind, fromId: id || null };
  throw new Error('the cursor is not of this list');
}

/** Mollie truncates times to seconds: one in the second in which a period begins may belong to it. */
function isWithin(moment: Date, fromMs: number, until: Date): boolean {
  return moment.getTime() >= fromMs - (fromMs % 1000) && moment < until;
}

function ownMetadata(account: MollieAccount, span: TimeRange, item: unknown): MollieMetadata | null {
  const metadata = readMetadata(item);
  return metadata?.company === span.companyId && metadata.connection === account.connection.connectionId
    ? metadata
    : null;
}

function chargesOf(account: MollieAccount, span: TimeRange, item: unknown): BalanceTransaction[] {
  if (!ownMetadata(account, span, item)) return [];
  const { id: reference, metadata, mode, status, captured } = readPayment(item);
  requireMatch('a payment of Mollie', { mode: account.connection.mode }, { mode });
  if (status !== 'paid') return [];
  const paidAt = timestampOf(fieldsOf(item).paidAt);
  if (!paidAt) throw new Error('the paid payment has no paidAt');
  return isWithin(paidAt, span.from.getTime(), span.until)
    ? [{ kind: 'charge', key: metadata.attempt, reference, ...captured }]
    : [];
}

/** Mollie reports when a refund was requested, not when its money went. It is listed at that time, once it has gone. */
function refundsOf(account: MollieAccount, span: TimeRange, item: unknown): BalanceTransaction[] {
  const own = ownMetadata(account, span, item);
  const { status } = fieldsOf(item);
  if (status !== 'refunded' && status !== 'failed') return [];
  const createdAt = timestampOf(fieldsOf(item).createdAt);
  if (!createdAt) throw new Error('the refund has no createdAt');
  if (!isWithin(createdAt, span.from.getTime(), span.until)) return [];
  if (!own) return externalRefundOf(account, span, item);
  const { id: reference, metadata, mode, amountMinor, currency } = readRefund(item);
  requireMatch('a refund of Mollie', { mode: account.connection.mode }, { mode });
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
function externalRefundOf(account: MollieAccount, span: TimeRange, item: unknown): BalanceTransaction[] {
  const metadata = ownMetadata(account, span, fieldsOf(fieldsOf(item)._embedded).payment);
  return !metadata || metadata.isVoid ? [] : readExternalRefund(metadata.attempt, item);
}

/** Whether a list, newest first, has passed everything that can belong to the period. */
function isPast({ nextId, oldestAt }: MolliePage, from: number): boolean {
  return nextId === null || (oldestAt !== null && oldestAt.getTime() < from);
}

/** A page of movements: first payments, then refunds, each newest first. */
export async function listBalanceTransactions(
  account: MollieAccount,
  request: TimeRange & { cursor: string | null },
): Promise<BalanceTransactionPage> {
  const { kind, fromId } = parseListCursor(request.cursor);
  const isPayments = kind === 'payments';
  const list = { path: `/v2/${kind}`, kind, fromId, ...(isPayments ? {} : { embed: 'payment' as const }) };
  const page = await fetchPage(account.api, list);
  const isLast = isPast(page, request.from.getTime() - (isPayments ? payWithinMs : 0));
  const movementsOf = isPayments ? chargesOf : refundsOf;
  return {
    movements: page.items.flatMap((item) => movementsOf(account, request, item)),
    nextCursor: !isLast ? `${kind}:${page.nextId}` : isPayments ? 'refunds:' : null,
  };
}
