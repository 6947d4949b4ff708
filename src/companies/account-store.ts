// All SQL of accounts and of the directory of their email addresses: one exported function per statement.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { first, pick, type RowOf, statement, t } from '../db/statements.ts';
import { type Role, role } from '../http/authentication.ts';

export const LoginAccount = {
  accountId: t.text,
  email: t.text,
  passwordHash: t.text,
  roles: t.array(role),
  createdAt: t.timestamptz,
  /** Whether the account was removed: it can neither log in nor use a token. */
  isDisabled: t.computed('disabled_at is not null', t.bool),
};
export type LoginAccount = RowOf<typeof LoginAccount>;

export async function insertAccount(
  tx: TenantTx,
  account: { accountId: string; email: string; passwordHash: string; roles: readonly Role[] },
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into accounts (company_id, account_id, email, password_hash, roles, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [tx.companyId, account.accountId, account.email, account.passwordHash, account.roles, at],
  );
}

/** In lower case. False if it is taken. */
export async function insertLogin(tx: TenantTx, email: string, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    `insert into logins (email, company_id, account_id) values ($1, $2, $3)
     on conflict (email) do nothing returning email`,
    [email, tx.companyId, accountId],
  );
  return rows.length === 1;
}

const findLoginSql = statement({ companyId: t.text, accountId: t.text })`
  select company_id as "companyId", account_id as "accountId" from logins where email = $1`;

export async function findLogin(
  tx: SystemTx,
  email: string,
): Promise<{ companyId: string; accountId: string } | null> {
  return first(await tx.query(findLoginSql, [email]));
}

const Login = { email: t.text, companyId: t.text, accountId: t.text };
export type Login = RowOf<typeof Login>;

const listLoginsSql = statement(Login)`
  select ${Login} from logins
  where email > $1 and ($2::text is null or company_id = $2) order by email limit 500`;

/** Logins of all companies, or of one, in the order of their addresses, after one of them; 500 at most. */
export async function listLogins(
  tx: SystemTx,
  { after, companyId }: { after: string; companyId: string | null },
): Promise<Login[]> {
  return await tx.query(listLoginsSql, [after, companyId]);
}

const findLoginsSql = statement(Login)`select ${Login} from logins where email = any($1)`;

export async function findLogins(tx: SystemTx, emails: readonly string[]): Promise<Login[]> {
  return await tx.query(findLoginsSql, [emails]);
}

/** Whether any login exists. */
export async function hasAnyLogin(tx: SystemTx): Promise<boolean> {
  const rows = await tx.query('select 1 as one from logins limit 1');
  return rows.length > 0;
}

const findAccountSql = statement(LoginAccount)`
  select ${LoginAccount}
  from accounts where company_id = $1 and account_id = $2`;

export async function findAccount(tx: TenantTx, accountId: string): Promise<LoginAccount | null> {
  return first(await tx.query(findAccountSql, [tx.companyId, accountId]));
}

const lockAccountRowSql = statement(LoginAccount)`
  select ${LoginAccount}
  from accounts where company_id = $1 and account_id = $2 for share`;

/** The account, locked against changes until the transaction ends. */
export async function lockAccountRow(tx: TenantTx, accountId: string): Promise<LoginAccount | null> {
  return first(await tx.query(lockAccountRowSql, [tx.companyId, accountId]));
}

/** Replaces the password with the hash `from`. False if that is no longer the current password. */
export async function updatePassword(
  tx: TenantTx,
  change: { accountId: string; from: string; to: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update accounts set password_hash = $4
     where company_id = $1 and account_id = $2 and password_hash = $3 and disabled_at is null
     returning account_id`,
    [tx.companyId, change.accountId, change.from, change.to],
  );
  return rows.length === 1;
}

export const Member = { ...pick(LoginAccount, 'accountId', 'email', 'roles', 'createdAt') };
export type Member = RowOf<typeof Member>;

const listMembersSql = statement(Member)`
  select ${Member}
  from accounts where company_id = $1 and disabled_at is null and account_id > $2
  order by account_id limit $3`;

/** Accounts that were not removed, oldest first, after a cursor (the empty text: from the first). */
export async function listMembers(tx: TenantTx, after: string, limit: number): Promise<Member[]> {
  return await tx.query(listMembersSql, [tx.companyId, after, limit]);
}

const lockOwnersSql = statement({ accountId: t.text })`
  select account_id as "accountId" from accounts
  where company_id = $1 and disabled_at is null and 'owner' = any(roles)
  order by account_id for update`;

/** The owners, locked against changes until the transaction ends. */
export async function lockOwners(tx: TenantTx): Promise<string[]> {
  // In the order of IDs, so that two callers never deadlock. After a wait, each row is read as it is then.
  const rows = await tx.query(lockOwnersSql, [tx.companyId]);
  return rows.map(({ accountId }) => accountId);
}

const updateRolesSql = statement(Member)`
  update accounts set roles = $3 where company_id = $1 and account_id = $2 and disabled_at is null
  returning ${Member}`;

/** Null if the member does not exist. */
export async function updateRoles(
  tx: TenantTx,
  accountId: string,
  roles: readonly Role[],
): Promise<Member | null> {
  return first(await tx.query(updateRolesSql, [tx.companyId, accountId, roles]));
}

/** Removes a member. The row stays for the audit log. False if the member does not exist. */
export async function disableAccount(tx: TenantTx, accountId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update accounts set disabled_at = $3 where company_id = $1 and account_id = $2 and disabled_at is null
     returning account_id`,
    [tx.companyId, accountId, at],
  );
  return rows.length === 1;
}

/** Removes an account's address from the directory, so that it is free. */
export async function deleteLogin(tx: TenantTx, accountId: string): Promise<void> {
  await tx.query('delete from logins where company_id = $1 and account_id = $2', [tx.companyId, accountId]);
}

/** Whether an address, in lower case, belongs to a member of the transaction's company. */
export async function isMemberEmail(tx: TenantTx, email: string): Promise<boolean> {
  const rows = await tx.query('select 1 as one from logins where company_id = $1 and email = $2', [
    tx.companyId,
    email,
  ]);
  return rows.length > 0;
}
