// The movements of an account by Stripe's records: first the charges of a period, then the refunds. Lists only
// objects with this connection's metadata, since a merchant may use the account for other business.

import { maxExactMinor } from '../../base/money.ts';
import { requireMatch } from '../check-response.ts';
import type { BalanceTransaction, BalanceTransactionPage, Processor } from '../processor.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { fetchListPage, type StripeAccount, StripeRequestError } from './client.ts';
import { externalRefundKindOf } from './external-refunds.ts';
import {
  readCurrency,
  readFields,
  readFlag,
  readMetadata,
  readMinor,
  readOptionalId,
  readText,
  type StripeListPage,
  type StripeMetadata,
} from './parse.ts';

type TransactionKind = 'charge' | 'refund';
type ListCursor = { kind: TransactionKind; after: string | null };

/** A cursor has the current list and the last entry that was read. */
function readCursor(cursor: string | null): ListCursor {
  if (cursor === null) return { kind: 'charge', after: null };
  const [, kind, after] = /^(charge|refund):(\w*)$/.exec(cursor) ?? [];
  if (!kind) throw new Error('stripe: the cursor is not of this list');
  return { kind: kind as TransactionKind, after: after || null };
}

function nextCursor(kind: TransactionKind, items: readonly UntrustedFields[], hasMore: boolean) {
  const last = items.at(-1);
  if (hasMore && last) return `${kind}:${readText(last, 'id')}`;
  return kind === 'charge' ? 'refund:' : null;
}

/** The metadata of a charge or a refund. A refund from Stripe's dashboard has none: its charge's metadata count. */
function metadataOf(kind: TransactionKind, item: UntrustedFields): StripeMetadata {
  const metadata = readMetadata(item);
  if (kind === 'charge' || metadata.refundId !== null || typeof item.charge !== 'object') return metadata;
  return item.charge === null
    ? metadata
    : { ...readMetadata(readFields(item.charge, 'charge')), refundId: null };
}

function isOwn(
  { connection }: StripeAccount,
  companyId: string,
  item: UntrustedFields,
  metadata: StripeMetadata,
): boolean {
  const isMarked = metadata.companyId === companyId && metadata.connectionId === connection.connectionId;
  // Stripe's refunds have no mode.
  if (isMarked && item.object === 'charge')
    requireMatch(
      'a charge of Stripe',
      { live: connection.mode === 'live' },
      { live: readFlag(item, 'livemode') },
    );
  return isMarked;
}

/** Null for an object that has moved no money, or not yet. */
function kindOf(
  transactionKind: TransactionKind,
  item: UntrustedFields,
  refundId: string | null,
): BalanceTransaction['kind'] | null {
  const { status } = item;
  if (transactionKind === 'refund' && refundId === null) return externalRefundKindOf(item);
  if (transactionKind === 'refund' && status === 'failed') return 'failed_refund';
  return status === 'succeeded' ? transactionKind : null;
}

/** A charge or a refund that has moved money; none otherwise. */
function readTransaction(transactionKind: TransactionKind, item: UntrustedFields): BalanceTransaction[] {
  const { attemptId, refundId } = metadataOf(transactionKind, item);
  const kind = kindOf(transactionKind, item, refundId);
  const key = kind === 'refund' || kind === 'failed_refund' ? refundId : attemptId;
  if (kind === null || key === null) return [];
  const id = readText(item, 'id');
  const reference = kind === 'charge' ? (readOptionalId(item, 'payment_intent') ?? id) : id;
  const amountMinor = readMinor(item, kind === 'charge' ? 'amount_captured' : 'amount');
  const currency = readCurrency(item);
  const feeMinor = kind === 'charge' ? readFee(item, currency) : null;
  return [{ kind, key, reference, amountMinor, currency, ...(feeMinor === null ? {} : { feeMinor }) }];
}

/** Null while Stripe has not booked the charge, if it books in another currency, and for a credit. */
function readFee(charge: UntrustedFields, currency: string): number | null {
  const booked = charge.balance_transaction ?? null;
  if (booked === null || typeof booked === 'string') return null;
  // It is only shown, so what cannot be read must not keep charges from being compared.
  const { fee, currency: code } = fieldsOf(booked);
  const isFee = typeof fee === 'number' && Number.isSafeInteger(fee) && fee >= 0 && fee <= maxExactMinor;
  return isFee && typeof code === 'string' && code.toUpperCase() === currency ? fee : null;
}

/** Charges with what Stripe takes for them, if the key may read that. */
async function fetchCharges(
  account: StripeAccount,
  created: { gte: number; lt: number },
  after: string | null,
): Promise<StripeListPage> {
  const fetchPage = async (expand: string[]) =>
    await fetchListPage(account, ({ charges }, page) => charges.list({ created, ...page, expand }), after);
  try {
    return await fetchPage(['data.balance_transaction']);
  } catch (error) {
    if (!(error instanceof StripeRequestError && error.status === 403)) throw error;
    return await fetchPage([]);
  }
}

/** A page of the charges and refunds created from `from` to before `until`. */
export async function listBalanceTransactions(
  account: StripeAccount,
  request: Parameters<Processor['list']>[0],
): Promise<BalanceTransactionPage> {
  const { kind, after } = readCursor(request.cursor);
  // Stripe counts whole seconds; our periods may begin and end within one.
  const created = {
    gte: Math.floor(request.from.getTime() / 1000),
    lt: Math.ceil(request.until.getTime() / 1000),
  };
  const { items, hasMore } =
    kind === 'charge'
      ? await fetchCharges(account, created, after)
      : await fetchListPage(
          account,
          ({ refunds }, page) => refunds.list({ created, ...page, expand: ['data.charge'] }),
          after,
        );
  const ownItems = items.filter((item) => isOwn(account, request.companyId, item, metadataOf(kind, item)));
  return {
    movements: ownItems.flatMap((item) => readTransaction(kind, item)),
    nextCursor: nextCursor(kind, items, hasMore),
  };
}
