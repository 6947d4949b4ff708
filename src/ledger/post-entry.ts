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
export type Account = 'processor' | 'merchant' | 'refunds' | 'fees' | 'suspense';

export type EntryKind = 'capture' | 'refund' | 'surplus' | 'surplus_refund';

/** Which account each kind of movement debits and credits. */
export const movements: Readonly<Record<EntryKind, { debit: Account; credit: Account }>> = {
  capture: { debit: 'processor', credit: 'merchant' },
  refund: { debit: 'refunds', credit: 'processor' },
  surplus: { debit: 'processor', credit: 'suspense' },
  surplus_refund: { debit: 'suspense', credit: 'processor' },
};

export type NewEntry = {
  kind: EntryKind;
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

/** Posts one movement. Throws (unique violation) when this movement has been posted before. */
export async function postEntry(tx: TenantTx, entry: NewEntry): Promise<void> {
  const { debit, credit } = movements[entry.kind];
  await tx.query(
    `with posted as (
       insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                   payment_id, source_id, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning company_id, debit_account, credit_account, currency, amount_minor
     )
     insert into ledger_totals as total (company_id, debit_account, credit_account, currency, shard, amount_minor)
     select company_id, debit_account, credit_account, currency, pg_backend_pid() % $11::integer, amount_minor from posted
     on conflict (company_id, debit_account, credit_account, currency, shard)
       do update set amount_minor = total.amount_minor + excluded.amount_minor`,
    [
      tx.companyId,
      newId('led', entry.at),
      entry.kind,
      debit,
      credit,
      entry.amountMinor,
      entry.currency,
      entry.paymentId,
      entry.sourceId,
      entry.at,
      shards,
    ],
  );
}
