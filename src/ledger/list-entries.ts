// The ledger's entries in pages, in the order of their IDs, which is the order of time. A row comparison
// restricts each page to one index, so that no plan reads more than the page.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import type { LedgerAccount, LedgerEntryKind } from './post-entry.ts';

export type LedgerEntry = {
  entryId: string;
  kind: LedgerEntryKind;
  debitAccount: LedgerAccount;
  creditAccount: LedgerAccount;
  amountMinor: number;
  currency: Currency;
  paymentId: string;
  /** The attempt or refund whose money moved. */
  sourceId: string;
  at: Date;
};

/** Entries between two IDs, both excluded, and from which end to read. */
export type EntryRange = { afterId: string; beforeId: string; limit: number; isNewestFirst?: boolean };

const columns = `entry_id as "entryId", kind, debit_account as "debitAccount", credit_account as "creditAccount",
  amount_minor as "amountMinor", currency, payment_id as "paymentId", source_id as "sourceId", at`;

const directionOf = ({ isNewestFirst = false }: EntryRange) => (isNewestFirst ? 'desc' : 'asc');

/** The entries of a company. */
export async function listEntries(tx: TenantTx, range: EntryRange): Promise<LedgerEntry[]> {
  const { afterId, beforeId, limit } = range;
  await preferIndexScans(tx);
  return await tx.query<LedgerEntry>(
    // safe: columns and directions are literals of this file, values are parameters.
    `select ${columns} from ledger_entries
     where company_id = $1 and mode = current_mode() and entry_id > $2 and entry_id < $3 order by entry_id ${directionOf(range)} limit $4`,
    [tx.companyId, afterId, beforeId, limit],
  );
}

/** The entries of one payment. */
export async function listEntriesOfPayment(
  tx: TenantTx,
  paymentId: string,
  range: EntryRange,
): Promise<LedgerEntry[]> {
  const { afterId, beforeId, limit } = range;
  const direction = directionOf(range);
  await preferIndexScans(tx);
  return await tx.query<LedgerEntry>(
    // safe: as above.
    `select ${columns} from ledger_entries
     where company_id = $1 and (payment_id, entry_id) > ($2, $3) and (payment_id, entry_id) < ($2, $4)
     order by ledger_entries.payment_id ${direction}, entry_id ${direction} limit $5`,
    [tx.companyId, paymentId, afterId, beforeId, limit],
  );
}
