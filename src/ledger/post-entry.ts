// The ledger: one entry for each movement of money, written in the transaction that makes it true. An
// entry moves one amount from one account to another, so it balances by its form. Never changed.

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

/** Posts one movement. Throws (unique violation) when this movement has been posted before. */
export async function postEntry(tx: TenantTx, entry: NewEntry): Promise<void> {
  const { debit, credit } = movements[entry.kind];
  await tx.query(
    `insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                 payment_id, source_id, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
    ],
  );
}

export type Balance = { account: Account; currency: Currency; balanceMinor: number };

/** The balance of each account: debits less credits, in minor units, summed by the database. */
export async function listBalances(tx: TenantTx): Promise<Balance[]> {
  return await tx.query<Balance>(
    `select account, currency, sum(amount)::bigint as "balanceMinor"
     from (select debit_account as account, currency, amount_minor as amount from ledger_entries where company_id = $1
           union all
           select credit_account, currency, -amount_minor from ledger_entries where company_id = $1) moved
     group by account, currency order by account, currency`,
    [tx.companyId],
  );
}
