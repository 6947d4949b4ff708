// The SQL of companies. account-store.ts has that of accounts and the directory.

import type { Mode, SystemTx, TenantTx } from '../db/database.ts';
import { first, type RowOf, statement, t, type ValueOf } from '../db/statements.ts';

export const retryPolicy = t.oneOf('none', 'fixable', 'all');
export type RetryPolicy = ValueOf<typeof retryPolicy>;

/** Which emails the company wants. The triggers of migrations/0009_mails.sql and 0010 turn it into rows. */
export const CompanyEmailSettings = {
  sendsReceipts: t.bool,
  attachesReceipts: t.bool,
  sendsNotices: t.bool,
  /** Null: the owner with the oldest account. */
  noticeAddress: t.nullable(t.text),
  replyTo: t.nullable(t.text),
  /** How many hours before its expiry an unpaid link causes a reminder; null: never. */
  reminderHours: t.nullable(t.int4),
};
export type CompanyEmailSettings = RowOf<typeof CompanyEmailSettings>;

/** How customers recognise and reach the company. Null: not given. */
export const CompanyIdentity = {
  supportEmail: t.nullable(t.text),
  supportPhone: t.nullable(t.text),
  website: t.nullable(t.text),
  /** At most five lines. */
  postalAddress: t.nullable(t.text),
  vatId: t.nullable(t.text),
  imprintUrl: t.nullable(t.text),
  termsUrl: t.nullable(t.text),
  privacyUrl: t.nullable(t.text),
  /** What a card statement shows, where the processor takes it. */
  statementDescriptor: t.nullable(t.text),
};
export type CompanyIdentity = RowOf<typeof CompanyIdentity>;

export const Company = {
  companyId: t.text,
  name: t.text,
  country: t.text,
  retryPolicy,
  allowedOrigins: t.array(t.text),
  /** `#rrggbb`; null: the default colour. */
  brandColor: t.nullable(t.text),
  /** Of the small logo in the settings; null if there is none. */
  logoHash: t.nullable(t.text),
  /** The name of the uploaded logo in its URL; null if there is none. logo-store.ts has its content. */
  logoFile: t.nullable(t.text),
  /** The same for its variant on dark pages. */
  darkLogoFile: t.nullable(t.text),
  /** The width of the logo that pages show, per 1,000 of its height; null if there is none, or its shape is unknown. */
  logoRatio: t.nullable(t.int4),
  /** The mode of the key that a login returns if the request names none. */
  loginMode: t.mode,
  ...CompanyEmailSettings,
  ...CompanyIdentity,
};
export type Company = RowOf<typeof Company>;

export async function insertCompany(
  tx: TenantTx,
  company: Pick<Company, 'name' | 'country'>,
  at: Date,
): Promise<void> {
  const sql = 'insert into companies (company_id, name, country, created_at) values ($1, $2, $3, $4)';
  await tx.query(sql, [tx.companyId, company.name, company.country, at]);
}

const findCompanySql = statement(Company)`
  select ${Company}
  from companies where company_id = $1`;

export async function findCompany(tx: TenantTx): Promise<Company | null> {
  return first(await tx.query(findCompanySql, [tx.companyId]));
}

const readLoginModeSql = statement({ loginMode: t.mode })`
  select login_mode as "loginMode" from companies where company_id = $1`;

export async function readLoginMode(tx: TenantTx): Promise<Mode> {
  const [company] = await tx.query(readLoginModeSql, [tx.companyId]);
  if (!company) throw new Error('the company of the caller does not exist');
  return company.loginMode;
}

/** Serializes changes of the company until the transaction ends. */
export async function lockCompany(tx: TenantTx): Promise<void> {
  await tx.query('select company_id from companies where company_id = $1 for no key update', [tx.companyId]);
}

export async function updateCompany(tx: TenantTx, company: Company): Promise<void> {
  const { name, country, retryPolicy, allowedOrigins, brandColor, loginMode } = company;
  const { sendsReceipts, attachesReceipts, sendsNotices, noticeAddress, replyTo, reminderHours } = company;
  const { supportEmail, supportPhone, website, postalAddress, vatId, imprintUrl, termsUrl, privacyUrl } =
    company;
  await tx.query(
    `update companies set name = $2, country = $3, retry_policy = $4, allowed_origins = $5, brand_color = $6,
            sends_receipts = $7, sends_notices = $8, notice_address = $9, reply_to = $10, reminder_hours = $11,
            login_mode = $12, attaches_receipts = $13, support_email = $14, support_phone = $15, website = $16,
            postal_address = $17, vat_id = $18, imprint_url = $19, terms_url = $20, privacy_url = $21,
            statement_descriptor = $22
     where company_id = $1`,
    [
      ...[tx.companyId, name, country, retryPolicy, allowedOrigins, brandColor],
      ...[sendsReceipts, sendsNotices, noticeAddress, replyTo, reminderHours, loginMode, attachesReceipts],
      ...[supportEmail, supportPhone, website, postalAddress, vatId, imprintUrl, termsUrl, privacyUrl],
      company.statementDescriptor,
    ],
  );
}

const hasCompaniesSql = statement({ found: t.bool })`select exists (select from companies) as found`;

/** Whether there is any company. */
export async function hasAnyCompany(tx: SystemTx): Promise<boolean> {
  return first(await tx.query(hasCompaniesSql))?.found ?? false;
}

const listCompanyIdsSql = statement({ companyId: t.text })`
  select company_id as "companyId" from companies where company_id > $1 order by company_id limit $2`;

/** IDs of companies in order, after a cursor (the empty text: from the first). */
export async function listCompanyIds(tx: SystemTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.query(listCompanyIdsSql, [after, limit]);
  return rows.map(({ companyId }) => companyId);
}

const listCompaniesWithRemindersSql = statement({
  companyId: t.text,
  reminderHours: t.excludingNull(t.int4),
})`
  select company_id as "companyId", reminder_hours as "reminderHours" from companies
  where reminder_hours is not null and company_id > $1 order by company_id limit $2`;

/** Companies with reminders, after a cursor, with how long before the expiry of a link. */
export async function listCompaniesWithReminders(
  tx: SystemTx,
  after: string,
  limit: number,
): Promise<{ companyId: string; reminderHours: number }[]> {
  return await tx.query(listCompaniesWithRemindersSql, [after, limit]);
}
