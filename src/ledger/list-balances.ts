// The balances of a company's accounts, from the totals that every posting updates. It reads a few rows per
// currency, however many entries there are.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';
import { type LedgerAccount, ledgerAccount } from './post-entry.ts';

export type LedgerBalance = { account: LedgerAccount; currency: Currency; balanceMinor: bigint };

const listBalancesSql = statement({ account: ledgerAccount, currency: t.currency, balance: t.text })`
  select account, currency, sum(amount)::text as balance
  from (select debit_account as account, currency, amount_minor as amount from ledger_totals where company_id = $1
        union all
        select credit_account, currency, -amount_minor from ledger_totals where company_id = $1) moved
  group by account, currency order by account, currency`;

/** The balance of each account with postings: debits less credits, in minor units, of any size. */
export async function listBalances(tx: TenantTx): Promise<LedgerBalance[]> {
  const rows = await tx.query(listBalancesSql, [tx.companyId]);
  return rows.map(({ balance, ...about }) => ({ ...about, balanceMinor: BigInt(balance) }));
}
