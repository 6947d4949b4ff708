// The ledger: one entry for each movement of money, written in the transaction of its cause and never
// changed. An entry moves one amount from one account to another, so it always balances. The same statement
// updates the totals, so that balances need no sum over entries.

import { newId } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { type Fragment, type RowOf, sql, t, type ValueOf } from '../db/statements.ts';
import { jsonRows } from '../db/unnest.ts';

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

/** The columns of an entry in a statement. */
export const LedgerRow = {
  entryId: t.text,
  kind: ledgerEntryKind,
  debitAccount: ledgerAccount,
  creditAccount: ledgerAccount,
  amountMinor: t.int8,
  currency: t.text,
  paymentId: t.text,
  sourceId: t.text,
  at: t.timestamptz,
};
export type LedgerRow = RowOf<typeof LedgerRow>;

export function toLedgerRow(entry: NewLedgerEntry): LedgerRow {
  const { debit, credit } = postingRules[entry.kind];
  return { ...entry, entryId: newId('led', entry.at), debitAccount: debit, creditAccount: credit };
}

/**
 * The parts of a `with` that post `rows`, with the alias `given` and the names of LedgerRow, also for a statement that makes
 * the changes of their causes. $1 is the company. An entry has the mode of its payment: a transaction may have both. The
 * totals have 32 shards: concurrent postings of one kind wait for each other only when their connections use the same
 * one, and a balance reads as many rows per pair of accounts and currency.
 */
export const postRows = (rows: Fragment): Fragment => sql`
  posted as (
    insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                payment_id, source_id, at, mode)
    select $1, "entryId", kind, "debitAccount", "creditAccount", "amountMinor", currency, "paymentId", "sourceId", at,
           (select p.mode from payments p where p.company_id = $1 and p.payment_id = given."paymentId")
    from ${rows}
    returning company_id, mode, debit_account, credit_account, currency, amount_minor
  ), totalled as (
    insert into ledger_totals as total (company_id, mode, debit_account, credit_account, currency, shard, amount_minor)
    select company_id, mode, debit_account, credit_account, currency, pg_backend_pid() % 32,
           sum(amount_minor)::bigint
    from posted
    group by company_id, mode, debit_account, credit_account, currency
    -- In one order, so that no two that share a shard can wait for each other.
    order by company_id, mode, debit_account, credit_account, currency
    on conflict (company_id, mode, debit_account, credit_account, currency, shard)
      do update set amount_minor = total.amount_minor + excluded.amount_minor
  )`;

const postEntrySql = sql`with ${postRows(jsonRows(LedgerRow, '$2', '$3'))} select`;

/** Posts a movement. Throws (unique violation) when it was posted before. */
export async function postEntry(tx: TenantTx, entry: NewLedgerEntry): Promise<void> {
  await tx.query(postEntrySql, [tx.companyId, JSON.stringify([toLedgerRow(entry)]), 1]);
}
