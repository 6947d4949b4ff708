// Sums the entries of a period: those of one mode by currency, kind and slot. It reads them in the order of
// time, from the start of the period. The caller must bound the period.

import { firstIdAt } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { statement, t } from '../db/statements.ts';
import { type LedgerEntryKind, ledgerEntryKind } from './post-entry.ts';

export type EntrySum = {
  currency: Currency;
  kind: LedgerEntryKind;
  /** The index of the last of `starts` that is not after the entry, from 0. */
  slot: number;
  count: number;
  amountMinor: bigint;
};

const sumEntriesSql = statement({
  currency: t.currency,
  kind: ledgerEntryKind,
  slot: t.int4,
  count: t.int4,
  amount: t.text,
})`
  select currency, kind, width_bucket(at, $3::timestamptz[]) - 1 as slot, count(*)::integer as count,
         sum(amount_minor)::text as amount
  from (select currency, kind, at, amount_minor from ledger_entries
        where company_id = $1 and mode = current_mode() and entry_id >= $2 order by entry_id offset 0) moved
  group by currency, kind, slot`;

/**
 * The movements in the transaction's mode since the first of `starts`, for each slot between two starts and
 * since the last. `starts` ascend.
 */
export async function sumEntries(
  tx: TenantTx,
  { starts }: { starts: readonly [Date, ...Date[]] },
): Promise<EntrySum[]> {
  // Use the one index in this order, whose range is the period.
  await preferIndexScans(tx);
  const rows = await tx.query(sumEntriesSql, [tx.companyId, firstIdAt('led', starts[0]), starts]);
  return rows.map(({ amount, ...about }) => ({ ...about, amountMinor: BigInt(amount) }));
}
