// The ledger's entries page by page, in the order of their ids, which is that of time. Each page is one
// look into one index: a row comparison fixes which, so that no plan can read more than the page.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { followIndexes } from '../db/index-order.ts';
import type { Account, EntryKind } from './post-entry.ts';

export type Entry = {
  entryId: string;
  kind: EntryKind;
  debitAccount: Account;
  creditAccount: Account;
  amountMinor: number;
  currency: Currency;
  paymentId: string;
  /** The attempt or refund whose money moved. */
  sourceId: string;
  at: Date;
};

/** Ids that the entries lie between, neither included. */
export type EntryRange = { above: string; below: string; limit: number };

const columns = `entry_id as "entryId", kind, debit_account as "debitAccount", credit_account as "creditAccount",
  amount_minor as "amountMinor", currency, payment_id as "paymentId", source_id as "sourceId", at`;

/** The entries of a company, oldest first. */
export async function listEntries(tx: TenantTx, { above, below, limit }: EntryRange): Promise<Entry[]> {
  await followIndexes(tx);
  return await tx.query<Entry>(
    `select ${columns} from ledger_entries
     where company_id = $1 and entry_id > $2 and entry_id < $3 order by entry_id limit $4`,
    [tx.companyId, above, below, limit],
  );
}

/** The entries of one payment, oldest first. */
export async function listEntriesOfPayment(
  tx: TenantTx,
  paymentId: string,
  { above, below, limit }: EntryRange,
): Promise<Entry[]> {
  await followIndexes(tx);
  return await tx.query<Entry>(
    `select ${columns} from ledger_entries
     where company_id = $1 and (payment_id, entry_id) > ($2, $3) and (payment_id, entry_id) < ($2, $4)
     order by ledger_entries.payment_id, entry_id limit $5`,
    [tx.companyId, paymentId, above, below, limit],
  );
}
