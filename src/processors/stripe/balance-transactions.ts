// The movements of an account by Stripe's records: first the charges of a period, then the refunds. Lists only
// objects with this connection's metadata, since a merchant may use the account for other business.

import { requireMatch } from '../check-response.ts';
import type { BalanceTransaction, BalanceTransactionPage, Processor } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { fetchListPage, type StripeAccount } from './client.ts';
import { externalRefundKindOf } from './external-refunds.ts';
import {
  readCurrency,
  readFields,
  readFlag,
  readMetadata,
  readMinor,
  readOptionalId,
  readText,
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
  return [{ kind, key, reference, amountMinor, currency: readCurrency(item) }];
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
  const { items, hasMore } = await fetchListPage(
    account,
    ({ charges, refunds }, page) =>
      kind === 'charge'
        ? charges.list({ created, ...page })
        : refunds.list({ created, ...page, expand: ['data.charge'] }),
    after,
  );
  const ownItems = items.filter((item) => isOwn(account, request.companyId, item, metadataOf(kind, item)));
  return {
    movements: ownItems.flatMap((item) => readTransaction(kind, item)),
    nextCursor: nextCursor(kind, items, hasMore),
  };
}
