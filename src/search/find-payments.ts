// Finds payments, page by page, in a time that does not depend on their number. A page reads a bounded number
// of rows: if filters pass few of them, it has fewer entries than requested, or none, and its cursor still
// leads to the next page.

import { type CursorScope, encodeCursor } from '../base/cursor.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { parsePage } from '../http/page-query.ts';
import type { Payment } from '../payments/store.ts';
import { type PaymentListQuery, type PaymentSearch, readPaymentQuery } from './payment-query.ts';
import { findScanEnd, type IndexScan, isUnfiltered, listPayments, type SearchPosition } from './store.ts';

/** How many rows of each index one page reads. */
export const scanRows = 2_000;

export type PaymentPage = {
  payments: Payment[];
  /** The start of the next page; null if there is none. */
  next: SearchPosition | null;
};

/** The rest of a scan after a position. */
function remainingScan(scan: IndexScan, place: SearchPosition | null): IndexScan {
  if (place === null) return scan;
  return scan.isDescending ? { ...scan, below: place } : { ...scan, above: place };
}

/** One page of a query, after the position where the previous one ended. */
export async function readScanPage(
  tx: TenantTx,
  { scan, filters }: PaymentSearch,
  page: { after: SearchPosition | null; limit: number },
): Promise<PaymentPage> {
  const rest = remainingScan(scan, page.after);
  await preferIndexScans(tx);
  // Reads the end first: a row that is inserted between the two statements is on this page, or after its end.
  const end = isUnfiltered(filters) ? null : await findScanEnd(tx, rest, scanRows / rest.sources.length);
  const found = await listPayments(tx, rest, {
    filters,
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

/** Identifies the filters of a list, without the page size: a cursor is valid for these alone. */
function identify(companyId: string, query: PaymentListQuery): CursorScope {
  const { limit: _, cursor: __, ...rest } = query;
  return ['payments', companyId, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))];
}

/**
 * A page of a company's payments. Throws `invalid_fields` for invalid filters, and for a cursor of another
 * query.
 */
export async function findPayments(
  deps: { db: Database },
  scope: TenantScope,
  query: PaymentListQuery,
): Promise<{ payments: Payment[]; nextCursor: string | null }> {
  const search = readPaymentQuery(query);
  const cursorScope = identify(scope.companyId, query);
  const { place, limit } = parsePage(query, cursorScope, 2);
  const [term = '', paymentId = ''] = place ?? [];
  const after = place && { term, paymentId };
  const { payments, next } = await deps.db.inTenant(
    scope,
    async (tx) => await readScanPage(tx, search, { after, limit }),
  );
  return { payments, nextCursor: next && encodeCursor(cursorScope, [next.term, next.paymentId]) };
}
