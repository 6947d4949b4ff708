// The ledger: one entry for each movement of money, written in the transaction that makes it true. An
// entry moves one amount from one account to another, so it balances by its form. Never changed. The same
// statement counts it into the totals, so that a balance is told without adding up entries.

import { newId } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';

/**
 * Accounts of a company, one set for each currency: what the processor owes, what is the merchant's,
 * what was given back, fees, and money that nobody owed and that is on its way back.
 */
export type LedgerAccount = 'processor' | 'merchant' | 'refunds' | 'fees' | 'suspense';

export type LedgerEntryKind =
  | 'capture'
  | 'refund'
  | 'surplus'
  | 'surplus_refund'
  /** A refund that had succeeded failed after all: its money is back at the processor. */
  | 'refund_reversal'
  | 'surplus_refund_reversal';

/** Which account each kind of movement debits and credits. */
export const postingRules: Readonly<
  Record<LedgerEntryKind, { debit: LedgerAccount; credit: LedgerAccount }>
> = {
  capture: { debit: 'processor', credit: 'merchant' },
  refund: { debit: 'refunds', credit: 'processor' },
  surplus: { debit: 'processor', credit: 'suspense' },
  surplus_refund: { debit: 'suspense', credit: 'processor' },
  refund_reversal: { debit: 'processor', credit: 'refunds' },
  surplus_refund_reversal: { debit: 'processor', credit: 'suspense' },
};

export type NewLedgerEntry = {
  kind: LedgerEntryKind;
  amountMinor: number;
  currency: Currency;
  paymentId: string;
  /** The attempt or refund whose money moves; with the kind it is unique. */
  sourceId: string;
  at: Date;
};

/**
 * Postings of one kind that are under way at once wait for each other only when their connections fall
 * into the same shard. A balance reads so many rows for each pair of accounts and currency.
 */
const shards = 32;

/** Posts movements, in one statement. Throws (unique violation) when one of them has been posted before. */
export async function postEntries(tx: TenantTx, entries: readonly NewLedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const all = <Value>(read: (entry: NewLedgerEntry) => Value) => entries.map(read);
  await tx.query(
    `with posted as (
       insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                   payment_id, source_id, at, mode)
       select $1, entry_id, kind, debit_account, credit_account, amount_minor, currency, payment_id, source_id, at,
              (select p.mode from payments p where p.company_id = $1 and p.payment_id = new.payment_id)
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
                   $10::timestamptz[])
         as new (entry_id, kind, debit_account, credit_account, amount_minor, currency, payment_id, source_id, at)
       returning company_id, mode, debit_account, credit_account, currency, amount_minor
     )
     insert into ledger_totals as total (company_id, mode, debit_account, credit_account, currency, shard, amount_minor)
     select company_id, mode, debit_account, credit_account, currency, pg_backend_pid() % $11::integer, sum(amount_minor)::bigint
     from posted
     group by company_id, mode, debit_account, credit_account, currency
     -- In one order, so that no two that share a shard can wait for each other.
     order by company_id, mode, debit_account, credit_account, currency
     on conflict (company_id, mode, debit_account, credit_account, currency, shard)
       do update set amount_minor = total.amount_minor + excluded.amount_minor`,
    [
      tx.companyId,
      all(({ at }) => newId('led', at)),
      all(({ kind }) => kind),
      all(({ kind }) => postingRules[kind].debit),
      all(({ kind }) => postingRules[kind].credit),
      all(({ amountMinor }) => amountMinor),
      all(({ currency }) => currency),
      all(({ paymentId }) => paymentId),
      all(({ sourceId }) => sourceId),
      all(({ at }) => at),
      shards,
    ],
  );
}

/** `postEntries` for a single one. */
export async function postEntry(tx: TenantTx, entry: NewLedgerEntry): Promise<void> {
  await postEntries(tx, [entry]);
}
