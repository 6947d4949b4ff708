// The people behind events: the email addresses of the accounts in events.

import type { TenantTx } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';

const listEmailsSql = statement({ accountId: t.text, email: t.text })`
  select account_id as "accountId", email from accounts where company_id = $1 and account_id = any($2)`;

/** The addresses of accounts by their IDs, including removed accounts. */
export async function listEmails(
  tx: TenantTx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query(listEmailsSql, [tx.companyId, [...new Set(accountIds)]]);
  return new Map(rows.map(({ accountId, email }) => [accountId, email]));
}
