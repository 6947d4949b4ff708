// All SQL of companies: one exported function per statement. account-store.ts has that of accounts and the
// directory.

import type { Mode, SystemTx, TenantTx } from '../db/database.ts';

export type RetryPolicy = 'none' | 'fixable' | 'all';
export type Company = {
  companyId: string;
  name: string;
  country: string;
  retryPolicy: RetryPolicy;
  allowedOrigins: string[];
  /** `#rrggbb`; null: the default colour. */
  brandColor: string | null;
  /** Part of the logo's URL; null if there is none. */
  logoHash: string | null;
  /** The mode of the key that a login returns if the request names none. */
  loginMode: Mode;
} & CompanyEmailSettings;
/** Which emails the company wants. The triggers of migrations/0009_mails.sql and 0010 turn it into rows. */
export type CompanyEmailSettings = {
  sendsReceipts: boolean;
  sendsNotices: boolean;
  /** Null: the owner with the oldest account. */
  noticeAddress: string | null;
  replyTo: string | null;
  /** How many hours before its expiry an unpaid link causes a reminder; null: never. */
  reminderHours: number | null;
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

export async function readLoginMode(tx: TenantTx): Promise<Mode> {
  const [company] = await tx.query<{ loginMode: Mode }>(
    'select login_mode as "loginMode" from companies where company_id = $1',
    [tx.companyId],
  );
  if (!company) throw new Error('the company of the caller does not exist');
  return company.loginMode;
}

/** Serializes changes of the company until the transaction ends. */
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

/** Replaces the logo; null removes it. Returns its hash. */
export async function updateLogo(tx: TenantTx, logo: Buffer | null): Promise<string | null> {
  const [row] = await tx.query<{ logoHash: string | null }>(
    'update companies set logo = $2 where company_id = $1 returning logo_hash as "logoHash"',
    [tx.companyId, logo],
  );
  return row?.logoHash ?? null;
}

/** A PNG and its hash. */
export type Logo = { bytes: Buffer; hash: string };

/** The company's logo; null if it has none. */
export async function findLogo(tx: TenantTx): Promise<Logo | null> {
  const [logo] = await tx.query<Logo>(
    'select logo as bytes, logo_hash as hash from companies where company_id = $1 and logo is not null',
    [tx.companyId],
  );
  return logo ?? null;
}

/** IDs of companies in order, after a cursor (the empty text: from the first). */
export async function listCompanyIds(tx: SystemTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ companyId: string }>(
    `select company_id as "companyId" from companies where company_id > $1 order by company_id limit $2`,
    [after, limit],
  );
  return rows.map(({ companyId }) => companyId);
}

/** Companies with reminders, after a cursor, with how long before the expiry of a link. */
export async function listCompaniesWithReminders(
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
