// All SQL of companies, accounts, logins, sessions and keys: one exported function per statement.

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
};
export type Account = {
  accountId: string;
  email: string;
  passwordHash: string;
  roles: Role[];
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
    `select company_id as "companyId", name, country, retry_policy as "retryPolicy", allowed_origins as "allowedOrigins"
     from companies where company_id = $1`,
    [tx.companyId],
  );
  return company ?? null;
}

/** Ids of companies in their order, following one (the empty text: from the first). */
export async function listCompanyIds(tx: SystemTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ companyId: string }>(
    `select company_id as "companyId" from companies where company_id > $1 order by company_id limit $2`,
    [after, limit],
  );
  return rows.map(({ companyId }) => companyId);
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
    `select account_id as "accountId", email, password_hash as "passwordHash", roles, disabled_at is not null as "isDisabled"
     from accounts where company_id = $1 and account_id = $2`,
    [tx.companyId, accountId],
  );
  return account ?? null;
}

export async function insertSession(
  tx: TenantTx,
  session: { sessionId: string; accountId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `insert into sessions (company_id, session_id, account_id, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
    [tx.companyId, session.sessionId, session.accountId, session.createdAt, session.expiresAt],
  );
}

export async function insertApiKey(
  tx: TenantTx,
  key: { keyId: string; mode: KeyMode },
  at: Date,
): Promise<void> {
  await tx.query('insert into api_keys (company_id, key_id, mode, created_at) values ($1, $2, $3, $4)', [
    tx.companyId,
    key.keyId,
    key.mode,
    at,
  ]);
}

/** The newest key that is still good, which a login returns. */
export async function findNewestApiKey(tx: TenantTx): Promise<{ keyId: string; mode: KeyMode } | null> {
  const [key] = await tx.query<{ keyId: string; mode: KeyMode }>(
    `select key_id as "keyId", mode from api_keys
     where company_id = $1 and revoked_at is null order by created_at desc, key_id desc limit 1`,
    [tx.companyId],
  );
  return key ?? null;
}

export type CredentialState = { roles: Role[] | null; keyMode: KeyMode | null };

/** In one look: the roles, if the session and its account are good, and the mode of the key, if that is. */
export async function readCredentialState(
  tx: TenantTx,
  look: { sessionId: string; accountId: string; keyId: string; now: Date },
): Promise<CredentialState> {
  const [state] = await tx.query<CredentialState>(
    `select
       (select a.roles from sessions s join accounts a using (company_id, account_id)
        where s.company_id = $1 and s.session_id = $2 and s.account_id = $3
          and s.ended_at is null and s.expires_at > $5 and a.disabled_at is null) as roles,
       (select k.mode from api_keys k
        where k.company_id = $1 and k.key_id = $4 and k.revoked_at is null) as "keyMode"`,
    [tx.companyId, look.sessionId, look.accountId, look.keyId, look.now],
  );
  return state ?? { roles: null, keyMode: null };
}

export type LoginPair = { accountDigest: string; clientDigest: string };

/** Makes tries of one account from one client wait for each other, until the transaction ends. */
export async function lockLoginPair(tx: SystemTx, pair: LoginPair): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked', [
    `${pair.accountDigest}:${pair.clientDigest}`,
  ]);
}

/** The moments of the latest failures of an account from a client, newest first. */
export async function listLoginFailures(
  tx: SystemTx,
  pair: LoginPair,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await tx.query<{ failedAt: Date }>(
    `select failed_at as "failedAt" from login_failures
     where account_digest = $1 and client_digest = $2 and failed_at > $3 order by failed_at desc limit $4`,
    [pair.accountDigest, pair.clientDigest, since, limit],
  );
  return rows.map((row) => row.failedAt);
}

export async function insertLoginFailure(tx: SystemTx, pair: LoginPair, at: Date): Promise<void> {
  await tx.query(
    'insert into login_failures (account_digest, client_digest, failed_at) values ($1, $2, $3)',
    [pair.accountDigest, pair.clientDigest, at],
  );
}

export async function deleteLoginFailures(tx: SystemTx, pair: LoginPair): Promise<void> {
  await tx.query('delete from login_failures where account_digest = $1 and client_digest = $2', [
    pair.accountDigest,
    pair.clientDigest,
  ]);
}

/** Forgets failures older than a moment. Returns how many. */
export async function purgeLoginFailures(tx: SystemTx, before: Date): Promise<number> {
  const rows = await tx.query('delete from login_failures where failed_at < $1 returning failed_at', [
    before,
  ]);
  return rows.length;
}
