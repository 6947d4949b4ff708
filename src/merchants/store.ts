// All SQL of companies, accounts, the directory of logins and failed logins: one exported function per
// statement. Keys, sessions and invitations have stores of their own beside it.

import type { SystemTx, TenantTx } from '../db/database.ts';
import type { Role } from '../http/authentication.ts';
import type { KeyMode } from './api-keys.ts';

export type RetryPolicy = 'none' | 'fixable' | 'all';
export type Company = {
  companyId: string;
  name: string;
  country: string;
  retryPolicy: RetryPolicy;
  allowedOrigins: string[];
  /** `#rrggbb`; null: the colour of the house. */
  brandColor: string | null;
  /** Names the logo in its address; null: there is none. */
  logoHash: string | null;
  /** Of which mode the key is that a login returns where it is not told. */
  loginMode: KeyMode;
} & CompanyMail;
/** Which mail the company wants; the triggers of migrations/0009_mails.sql and 0010 turn it into rows. */
export type CompanyMail = {
  sendsReceipts: boolean;
  sendsNotices: boolean;
  /** Null: the owner who has been there longest. */
  noticeAddress: string | null;
  replyTo: string | null;
  /** How long before its end an unpaid link is brought to mind; null: never. */
  reminderHours: number | null;
};
export type Account = {
  accountId: string;
  email: string;
  passwordHash: string;
  roles: Role[];
  createdAt: Date;
  /** Whether it was removed: it can neither log in nor use a token. */
  isDisabled: boolean;
};

export async function insertCompany(
  tx: TenantTx,
  company: Pick<Company, 'name' | 'country'>,
  at: Date,
): Promise<void> {
  await tx.query('insert into companies (company_id, name, country, created_at) values ($1, $2, $3, $4)', [
    tx.companyId,
    company.name,
    company.country,
    at,
  ]);
}

export async function findCompany(tx: TenantTx): Promise<Company | null> {
  const [company] = await tx.query<Company>(
    `select company_id as "companyId", name, country, retry_policy as "retryPolicy",
            allowed_origins as "allowedOrigins", brand_color as "brandColor", logo_hash as "logoHash",
            sends_receipts as "sendsReceipts", sends_notices as "sendsNotices", notice_address as "noticeAddress",
            reply_to as "replyTo", reminder_hours as "reminderHours", login_mode as "loginMode"
     from companies where company_id = $1`,
    [tx.companyId],
  );
  return company ?? null;
}

export async function readLoginMode(tx: TenantTx): Promise<KeyMode> {
  const [company] = await tx.query<{ loginMode: KeyMode }>(
    'select login_mode as "loginMode" from companies where company_id = $1',
    [tx.companyId],
  );
  if (!company) throw new Error('a company that made a call does not exist');
  return company.loginMode;
}

/** Makes changes of the company wait for each other, until the transaction ends. */
export async function lockCompany(tx: TenantTx): Promise<void> {
  await tx.query('select company_id from companies where company_id = $1 for no key update', [tx.companyId]);
}

export async function updateCompany(tx: TenantTx, company: Company): Promise<void> {
  await tx.query(
    `update companies set name = $2, country = $3, retry_policy = $4, allowed_origins = $5, brand_color = $6,
            sends_receipts = $7, sends_notices = $8, notice_address = $9, reply_to = $10, reminder_hours = $11,
            login_mode = $12
     where company_id = $1`,
    [
      tx.companyId,
      company.name,
      company.country,
      company.retryPolicy,
      company.allowedOrigins,
      company.brandColor,
      company.sendsReceipts,
      company.sendsNotices,
      company.noticeAddress,
      company.replyTo,
      company.reminderHours,
      company.loginMode,
    ],
  );
}

/** Puts a logo in place of the one before; null takes it away. Returns the hash that names it. */
export async function updateLogo(tx: TenantTx, logo: Buffer | null): Promise<string | null> {
  const [row] = await tx.query<{ logoHash: string | null }>(
    'update companies set logo = $2 where company_id = $1 returning logo_hash as "logoHash"',
    [tx.companyId, logo],
  );
  return row?.logoHash ?? null;
}

/** A PNG, with the hash that names it. */
export type Logo = { bytes: Buffer; hash: string };

/** The company's logo; null when it has none. */
export async function findLogo(tx: TenantTx): Promise<Logo | null> {
  const [logo] = await tx.query<Logo>(
    'select logo as bytes, logo_hash as hash from companies where company_id = $1 and logo is not null',
    [tx.companyId],
  );
  return logo ?? null;
}

/** Ids of companies in their order, following one (the empty text: from the first). */
export async function listCompanyIds(tx: SystemTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ companyId: string }>(
    `select company_id as "companyId" from companies where company_id > $1 order by company_id limit $2`,
    [after, limit],
  );
  return rows.map(({ companyId }) => companyId);
}

/** Companies that want reminders, following one, with how long before the end of a link. */
export async function listRemindingCompanies(
  tx: SystemTx,
  after: string,
  limit: number,
): Promise<{ companyId: string; reminderHours: number }[]> {
  return await tx.query<{ companyId: string; reminderHours: number }>(
    `select company_id as "companyId", reminder_hours as "reminderHours" from companies
     where reminder_hours is not null and company_id > $1 order by company_id limit $2`,
    [after, limit],
  );
}

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

/** Enters an address, in lower case, into the directory. False when it is taken. */
export async function insertLogin(tx: TenantTx, email: string, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    `insert into logins (email, company_id, account_id) values ($1, $2, $3)
     on conflict (email) do nothing returning email`,
    [email, tx.companyId, accountId],
  );
  return rows.length === 1;
}

export async function findLogin(
  tx: SystemTx,
  email: string,
): Promise<{ companyId: string; accountId: string } | null> {
  const [login] = await tx.query<{ companyId: string; accountId: string }>(
    'select company_id as "companyId", account_id as "accountId" from logins where email = $1',
    [email],
  );
  return login ?? null;
}

/** Whether anybody can log in at all; an empty directory means an empty database. */
export async function hasAnyLogin(tx: SystemTx): Promise<boolean> {
  const rows = await tx.query('select 1 as one from logins limit 1');
  return rows.length > 0;
}

export async function findAccount(tx: TenantTx, accountId: string): Promise<Account | null> {
  const [account] = await tx.query<Account>(
    `select account_id as "accountId", email, password_hash as "passwordHash", roles, created_at as "createdAt",
            disabled_at is not null as "isDisabled"
     from accounts where company_id = $1 and account_id = $2`,
    [tx.companyId, accountId],
  );
  return account ?? null;
}

/** The account as it stands, which nobody changes until the transaction ends. */
export async function holdAccount(tx: TenantTx, accountId: string): Promise<Account | null> {
  const [account] = await tx.query<Account>(
    `select account_id as "accountId", email, password_hash as "passwordHash", roles, created_at as "createdAt",
            disabled_at is not null as "isDisabled"
     from accounts where company_id = $1 and account_id = $2 for share`,
    [tx.companyId, accountId],
  );
  return account ?? null;
}

/** The addresses of accounts, of those that were removed, too, by their ids. */
export async function listEmails(
  tx: TenantTx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<Pick<Account, 'accountId' | 'email'>>(
    `select account_id as "accountId", email from accounts where company_id = $1 and account_id = any($2)`,
    [tx.companyId, [...new Set(accountIds)]],
  );
  return new Map(rows.map(({ accountId, email }) => [accountId, email]));
}

/** Sets a password in place of the one with the hash `from`. False when that is not the password any more. */
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

export type Member = Pick<Account, 'accountId' | 'email' | 'roles' | 'createdAt'>;

/** Accounts that were not removed, the oldest first, following one (the empty text: from the first). */
export async function listMembers(tx: TenantTx, after: string, limit: number): Promise<Member[]> {
  return await tx.query<Member>(
    `select account_id as "accountId", email, roles, created_at as "createdAt"
     from accounts where company_id = $1 and disabled_at is null and account_id > $2
     order by account_id limit $3`,
    [tx.companyId, after, limit],
  );
}

/** The owners, whom nobody else makes or unmakes until the transaction ends. */
export async function lockOwners(tx: TenantTx): Promise<string[]> {
  // In the order of their ids, so that two who lock them wait for each other and never in a ring. Who had
  // to wait sees each row as it stands then: an owner who has been unmade meanwhile is not among them.
  const rows = await tx.query<{ accountId: string }>(
    `select account_id as "accountId" from accounts
     where company_id = $1 and disabled_at is null and 'owner' = any(roles)
     order by account_id for update`,
    [tx.companyId],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Gives a member other roles. Null when there is no such member. */
export async function updateRoles(
  tx: TenantTx,
  accountId: string,
  roles: readonly Role[],
): Promise<Member | null> {
  const [member] = await tx.query<Member>(
    `update accounts set roles = $3 where company_id = $1 and account_id = $2 and disabled_at is null
     returning account_id as "accountId", email, roles, created_at as "createdAt"`,
    [tx.companyId, accountId, roles],
  );
  return member ?? null;
}

/** Removes a member, whose row stays for the audit trail. False when there is no such member. */
export async function disableAccount(tx: TenantTx, accountId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update accounts set disabled_at = $3 where company_id = $1 and account_id = $2 and disabled_at is null
     returning account_id`,
    [tx.companyId, accountId, at],
  );
  return rows.length === 1;
}

/** Takes an account's address out of the directory, so that it is free. */
export async function deleteLogin(tx: TenantTx, accountId: string): Promise<void> {
  await tx.query('delete from logins where company_id = $1 and account_id = $2', [tx.companyId, accountId]);
}

/** Whether an address, in lower case, is that of a member of the transaction's company. */
export async function isMemberEmail(tx: TenantTx, email: string): Promise<boolean> {
  const rows = await tx.query('select 1 as one from logins where company_id = $1 and email = $2', [
    tx.companyId,
    email,
  ]);
  return rows.length > 0;
}
