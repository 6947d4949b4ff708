// Finds payments, page by page, in a time that does not depend on how many there are. A page looks at a
// bounded number of rows: where filters let few through, it has fewer entries than were asked for, or
// none, and goes on by its cursor all the same.

import { type CursorScope as AskedFor, encodeCursor } from '../base/cursor.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { parsePage } from '../http/page-query.ts';
import type { Payment } from '../payments/store.ts';
import { type PaymentListQuery, type PaymentSearch, readPaymentQuery } from './payment-query.ts';
import { findScanEnd, type IndexScan, isUnfiltered, listPayments, type SearchPosition } from './store.ts';

/** How many rows of each index one page looks at. */
export const scanRows = 2_000;

export type PaymentPage = {
  payments: Payment[];
  /** Where the next page starts; null when there is none. */
  next: SearchPosition | null;
};

/** What is left of a walk after a place. */
function remainingScan(scan: IndexScan, place: SearchPosition | null): IndexScan {
  if (place === null) return scan;
  return scan.isDescending ? { ...scan, below: place } : { ...scan, above: place };
}

/** One page of a question, after the place where the one before ended. */
export async function readScanPage(
  tx: TenantTx,
  { walk: scan, filters }: PaymentSearch,
  page: { after: SearchPosition | null; limit: number },
): Promise<PaymentPage> {
  const rest = remainingScan(scan, page.after);
  await preferIndexScans(tx);
  // The end first: what comes in between the two statements is on this page, or behind its end.
  const end = isUnfiltered(filters) ? null : await findScanEnd(tx, rest, scanRows / rest.sources.length);
  const found = await listPayments(tx, rest, {
    filters,
    end,
    limit: page.limit + 1,
    // Twice, for what comes in meanwhile must not push the end out of sight.
    rows: 2 * scanRows,
  });
  const payments = found.slice(0, page.limit);
  const last = payments.at(-1);
  const isFull = found.length > page.limit && last !== undefined;
  return { payments, next: isFull ? { term: last.term, paymentId: last.paymentId } : end };
}

/** What a list was asked for, without the size of its page: a cursor is for this alone. */
function identify(companyId: string, query: PaymentListQuery): AskedFor {
  const { limit: _, cursor: __, ...rest } = query;
  return ['payments', companyId, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))];
}

/** A page of a company's payments. Throws `invalid_fields` for what can't be read, and for a foreign cursor. */
export async function findPayments(
  deps: { db: Database },
  scope: TenantScope,
  query: PaymentListQuery,
): Promise<{ payments: Payment[]; nextCursor: string | null }> {
  const question = readPaymentQuery(query);
  const asked = identify(scope.companyId, query);
  const { place, limit } = parsePage(query, asked, 2);
  const [term = '', paymentId = ''] = place ?? [];
  const after = place && { term, paymentId };
  const { payments, next } = await deps.db.inTenant(
    scope,
    async (tx) => await readScanPage(tx, question, { after, limit }),
  );
  return { payments, nextCursor: next && encodeCursor(asked, [next.term, next.paymentId]) };
}
