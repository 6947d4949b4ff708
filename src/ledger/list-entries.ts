// The ledger's entries in pages, in the order of their IDs, which is the order of time. A row comparison
// restricts each page to one index, so that no plan reads more than the page.

import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { type Fragment, type RowOf, sql, statement, t } from '../db/statements.ts';
import { ledgerAccount, ledgerEntryKind } from './post-entry.ts';

export const LedgerEntry = {
  entryId: t.text,
  kind: ledgerEntryKind,
  debitAccount: ledgerAccount,
  creditAccount: ledgerAccount,
  amountMinor: t.int8,
  currency: t.currency,
  paymentId: t.text,
  /** The attempt or refund whose money moved. */
  sourceId: t.text,
  at: t.timestamptz,
};
export type LedgerEntry = RowOf<typeof LedgerEntry>;

/** Entries between two IDs, both excluded, and from which end to read. */
export type EntryRange = { afterId: string; beforeId: string; limit: number; isNewestFirst?: boolean };

const entriesIn = (direction: Fragment) => statement(LedgerEntry)`
  select ${LedgerEntry} from ledger_entries
  where company_id = $1 and mode = current_mode() and entry_id > $2 and entry_id < $3 order by entry_id ${direction} limit $4`;
const oldestFirstSql = entriesIn(sql`asc`);
const newestFirstSql = entriesIn(sql`desc`);

/** The entries of a company. */
export async function listEntries(tx: TenantTx, range: EntryRange): Promise<LedgerEntry[]> {
  const { afterId, beforeId, limit, isNewestFirst } = range;
  await preferIndexScans(tx);
  return await tx.query(isNewestFirst ? newestFirstSql : oldestFirstSql, [
    tx.companyId,
    afterId,
    beforeId,
    limit,
  ]);
}

const entriesOfPaymentIn = (direction: Fragment) => statement(LedgerEntry)`
  select ${LedgerEntry} from ledger_entries
  where company_id = $1 and (payment_id, entry_id) > ($2, $3) and (payment_id, entry_id) < ($2, $4)
  order by ledger_entries.payment_id ${direction}, entry_id ${direction} limit $5`;
const oldestOfPaymentFirstSql = entriesOfPaymentIn(sql`asc`);
const newestOfPaymentFirstSql = entriesOfPaymentIn(sql`desc`);

/** The entries of one payment. */
export async function listEntriesOfPayment(
  tx: TenantTx,
  paymentId: string,
  range: EntryRange,
): Promise<LedgerEntry[]> {
  const { afterId, beforeId, limit, isNewestFirst } = range;
  await preferIndexScans(tx);
  const text = isNewestFirst ? newestOfPaymentFirstSql : oldestOfPaymentFirstSql;
  return await tx.query(text, [tx.companyId, paymentId, afterId, beforeId, limit]);
}
