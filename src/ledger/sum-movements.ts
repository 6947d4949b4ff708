// What moved in a span of time, added up: entries of one mode by currency, kind and slot. It goes along the order
// of the entries, which is that of time, from the beginning of the span; the span is for the caller to bound.

import { firstIdAt } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import type { EntryKind } from './post-entry.ts';

export type Movement = {
  currency: Currency;
  kind: EntryKind;
  /** The place of the last of `starts` that is not after the entry, from 0. */
  slot: number;
  count: number;
  amountMinor: number;
};

/** What moved since the first of `starts`, for each slot between them and since the last. `starts` ascend. */
export async function sumMovements(
  tx: TenantTx,
  look: { mode: 'test' | 'live'; starts: readonly [Date, ...Date[]] },
): Promise<Movement[]> {
  const { mode, starts } = look;
  return await tx.query<Movement>(
    `select currency, kind, width_bucket(at, $4::timestamptz[]) - 1 as slot, count(*)::integer as count,
            sum(amount_minor)::bigint as "amountMinor"
     from ledger_entries
     where company_id = $1 and entry_id >= $2 and mode = $3
     group by currency, kind, slot`,
    [tx.companyId, firstIdAt('led', starts[0]), mode, starts],
  );
}
