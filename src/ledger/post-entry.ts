// The ledger: one entry for each movement of money, written in the transaction of its cause and never
// changed. An entry moves one amount from one account to another, so it always balances. The same statement
// updates the totals, so that balances need no sum over entries.

import { newId } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { t, type ValueOf } from '../db/statements.ts';

/**
 * The accounts of a company, one set per currency: the processor's debt, the merchant's money, refunds, fees,
 * and the suspense account for overpayments until they are refunded.
 */
export const ledgerAccount = t.oneOf('processor', 'merchant', 'refunds', 'fees', 'suspense');
export type LedgerAccount = ValueOf<typeof ledgerAccount>;

export const ledgerEntryKind = t.oneOf(
  'capture',
  'refund',
  'surplus',
  'surplus_refund',
  /** A succeeded refund failed later: its money is back at the processor. */
  'refund_reversal',
  'surplus_refund_reversal',
);
export type LedgerEntryKind = ValueOf<typeof ledgerEntryKind>;

/** The accounts that each kind of movement debits and credits. */
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
  /** The attempt or refund whose money moves; unique together with the kind. */
  sourceId: string;
  at: Date;
};

/**
 * Concurrent postings of one kind wait for each other only when their connections use the same shard. A
 * balance reads this many rows per pair of accounts and currency.
 */
const shards = 32;

/** Posts movements in one statement. Throws (unique violation) when one of them was posted before. */
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
