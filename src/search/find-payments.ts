// Finds payments, page by page, in a time that does not depend on their number. A page reads a bounded number
// of rows: if filters pass few of them, it has fewer entries than requested, or none, and its cursor still
// leads to the next page.

import { type CursorScope, encodeCursor } from '../base/cursor.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { parsePage } from '../http/page-query.ts';
import type { PaymentWithAttempts } from '../payments/presented-store.ts';
import { isFilled } from './fill-store.ts';
import {
  chooseSearch,
  isByWord,
  type ParsedQuery,
  type PaymentListQuery,
  type PaymentSearch,
  readPaymentQuery,
} from './payment-query.ts';
import { findScanEnd, type IndexScan, isUnfiltered, listPayments, type SearchPosition } from './store.ts';
import { findWordEnd, listByWord, type WordScan } from './word-store.ts';

/** How many rows of each index one page reads. */
export const scanRows = 2_000;

export type PaymentPage = {
  payments: PaymentWithAttempts[];
  /** The start of the next page; null if there is none. */
  next: SearchPosition | null;
};

/** The rest of a scan after a position. */
function remainingScan(scan: IndexScan, place: SearchPosition | null): IndexScan {
  if (place === null) return scan;
  return scan.isDescending ? { ...scan, below: place } : { ...scan, above: place };
}

type PageRead = Parameters<typeof listPayments>[2];

/** The two reads of a search after a position: where to end, and the payments up to there. */
function readsOf({ scan, filters }: PaymentSearch, after: SearchPosition | null) {
  if ('words' in scan) {
    const words: WordScan = { ...scan, after };
    return {
      findEnd: async (tx: TenantTx) => await findWordEnd(tx, words, scanRows),
      list: async (tx: TenantTx, read: PageRead) => await listByWord(tx, words, read),
    };
  }
  const rest = remainingScan(scan, after);
  return {
    findEnd: async (tx: TenantTx) => (isUnfiltered(filters) ? null : await findScanEnd(tx, rest, scanRows)),
    list: async (tx: TenantTx, read: PageRead) => await listPayments(tx, rest, read),
  };
}

/** One page of a query, after the position where the previous one ended. */
export async function readScanPage(
  tx: TenantTx,
  search: PaymentSearch,
  page: { after: SearchPosition | null; limit: number },
): Promise<PaymentPage> {
  const reads = readsOf(search, page.after);
  await preferIndexScans(tx);
  // Reads the end first: a row that is inserted between the two statements is on this page, or after its end.
  const end = await reads.findEnd(tx);
  const found = await reads.list(tx, {
    filters: search.filters,
    end,
    limit: page.limit + 1,
    // Twice as many, because concurrent inserts must not push the end out of reach.
    rows: 2 * scanRows,
  });
  const payments = found.slice(0, page.limit);
  const last = payments.at(-1);
  const isFull = found.length > page.limit && last !== undefined;
  return { payments, next: isFull ? { term: last.term, paymentId: last.paymentId } : end };
}

/** The search of a parsed query, which depends on whether the company's words are filled. */
export async function prepareSearch(tx: TenantTx, query: ParsedQuery): Promise<PaymentSearch> {
  return chooseSearch(query, query.words.length > 0 && (await isFilled(tx)));
}

/**
 * Identifies the filters and the order of a list, without the page size: a cursor is valid for these alone. So a cursor of a
 * search is invalid once the words are filled, like one of a version before there were words.
 */
function identify(companyId: string, query: PaymentListQuery, { scan }: PaymentSearch): CursorScope {
  const { limit: _, cursor: __, expand: ___, ...rest } = query;
  const filters = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  const order = 'words' in scan ? ['words'] : isByWord(query) ? ['time'] : [];
  return ['payments', companyId, filters, ...order];
}

/**
 * A page of a company's payments. Throws `invalid_fields` for invalid filters, and for a cursor of another
 * query.
 */
export async function findPayments(
  deps: { db: Database },
  scope: TenantScope,
  query: PaymentListQuery,
): Promise<{ payments: PaymentWithAttempts[]; nextCursor: string | null }> {
  const parsed = readPaymentQuery(query);
  return await deps.db.inTenant(scope, async (tx) => {
    const search = await prepareSearch(tx, parsed);
    const cursorScope = identify(scope.companyId, query, search);
    const { place, limit } = parsePage(query, cursorScope, 2);
    const [term = '', paymentId = ''] = place ?? [];
    const { payments, next } = await readScanPage(tx, search, { after: place && { term, paymentId }, limit });
    return { payments, nextCursor: next && encodeCursor(cursorScope, [next.term, next.paymentId]) };
  });
}
