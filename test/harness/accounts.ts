// More people for a company, straight into the database: tests need every role before there is a way to
// invite one. Must never be used where how somebody joins is what a test is about.

import { randomBase32 } from '../../src/base/ids.ts';
import type { Role } from '../../src/http/authentication.ts';
import { type Credentials, logIn } from './client.ts';
import type { Merchant, Paylink } from './paylink.ts';

/** Adds an account with the password of all tests to a company. */
export async function addAccount(
  paylink: Paylink,
  companyId: string,
  roles: readonly Role[],
): Promise<Merchant> {
  const accountId = `acc_${randomBase32(26)}`;
  const email = `${roles[0]}-${randomBase32(8)}@example.com`;
  await paylink.app.deps.db.inTenant(companyId, async (tx) => {
    await tx.query(
      `insert into accounts (company_id, account_id, email, password_hash, roles, created_at)
       select company_id, $2, $3, password_hash, $4, now() from accounts where company_id = $1 limit 1`,
      [companyId, accountId, email, roles],
    );
    await tx.query('insert into logins (email, company_id, account_id) values ($1, $2, $3)', [
      email,
      companyId,
      accountId,
    ]);
  });
  return { companyId, accountId, email };
}

/** Adds an account and logs it in. */
export async function addMember(
  paylink: Paylink,
  companyId: string,
  roles: readonly Role[],
): Promise<Credentials & { accountId: string }> {
  const merchant = await addAccount(paylink, companyId, roles);
  return { ...(await logIn(paylink, merchant)), accountId: merchant.accountId };
}

/** Gives an account other roles. */
export async function setRoles(
  paylink: Paylink,
  account: { companyId: string; accountId: string },
  roles: readonly Role[],
): Promise<void> {
  await paylink.app.deps.db.inTenant(account.companyId, async (tx) => {
    await tx.query('update accounts set roles = $3 where company_id = $1 and account_id = $2', [
      account.companyId,
      account.accountId,
      roles,
    ]);
  });
}
