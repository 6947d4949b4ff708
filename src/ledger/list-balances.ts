// The balances of a company's accounts, from the totals that every posting updates. It reads a few rows per
// currency, however many entries there are.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import type { LedgerAccount } from './post-entry.ts';

export type LedgerBalance = { account: LedgerAccount; currency: Currency; balanceMinor: bigint };

/** The balance of each account with postings: debits less credits, in minor units, of any size. */
export async function listBalances(tx: TenantTx): Promise<LedgerBalance[]> {
  const rows = await tx.query<Omit<LedgerBalance, 'balanceMinor'> & { balance: string }>(
    `select account, currency, sum(amount)::text as balance
     from (select debit_account as account, currency, amount_minor as amount from ledger_totals where company_id = $1
           union all
           select credit_account, currency, -amount_minor from ledger_totals where company_id = $1) moved
     group by account, currency order by account, currency`,
    [tx.companyId],
  );
  return rows.map(({ balance, ...about }) => ({ ...about, balanceMinor: BigInt(balance) }));
}
