// Changes a company's data and branding. A missing field stays unchanged.

import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Database, Mode, TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { checkCompanyChange, readBase64 } from './check-company.ts';
import { applyIdentity } from './check-identity.ts';
import { findSmallLogo, type Logo, updateLogo } from './logo-store.ts';
import type { CompanyChange } from './schema.ts';
import { type Company, findCompany, lockCompany, updateCompany } from './store.ts';

/** The changed fields, each with its old and new value, for the audit log. */
function differences(before: Company, after: Company): Record<string, { from: unknown; to: unknown }> {
  const names = Object.keys(after) as (keyof Company)[];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

export type CompanyDeps = {
  db: Database;
  clock: Clock;
  /** Whether the company has an API key of the mode that is neither revoked nor about to expire. */
  hasKeyOfMode: (tx: TenantTx, mode: Mode) => Promise<boolean>;
};

export type ChangedCompany = { company: Company; logo: Logo | null };

/** Changes the locked company, and writes an event with what changed. `change` returns the company as it is stored. */
export async function changeStoredCompany(
  deps: CompanyDeps,
  caller: Principal,
  change: (tx: TenantTx, before: Company) => Promise<Company>,
): Promise<ChangedCompany> {
  const at = deps.clock.now();
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    await lockCompany(tx);
    const before = await findCompany(tx);
    if (!before) throw new Error('the company of the caller does not exist');
    const company = await change(tx, before);
    const changes = differences(before, company);
    if (Object.keys(changes).length > 0)
      await appendCallerEvent(tx, caller, { type: 'company.changed', data: { changes }, at });
    return { company, logo: await findSmallLogo(tx) };
  });
}

function applyChange(before: Company, change: CompanyChange): Company {
  const { name, country, retryPolicy, loginMode, allowedOrigins } = change;
  const { branding = {}, identity = {}, mail = {} } = change;
  return {
    ...before,
    ...applyIdentity(before, identity),
    name: name?.trim() ?? before.name,
    country: country ?? before.country,
    retryPolicy: retryPolicy ?? before.retryPolicy,
    loginMode: loginMode ?? before.loginMode,
    allowedOrigins: allowedOrigins ?? before.allowedOrigins,
    brandColor: branding.color === undefined ? before.brandColor : branding.color,
    sendsReceipts: mail.receipts ?? before.sendsReceipts,
    attachesReceipts: mail.attachReceipts ?? before.attachesReceipts,
    sendsNotices: mail.notices ?? before.sendsNotices,
    noticeAddress: mail.noticeAddress === undefined ? before.noticeAddress : mail.noticeAddress,
    replyTo: mail.replyTo === undefined ? before.replyTo : mail.replyTo,
    reminderHours: mail.reminderHours === undefined ? before.reminderHours : mail.reminderHours,
  };
}

/** Returns the company and its logo after the change. Throws `invalid_fields` or `no_key_of_mode`. */
export async function changeCompany(
  deps: CompanyDeps,
  caller: Principal,
  change: CompanyChange,
): Promise<ChangedCompany> {
  checkCompanyChange(change, caller.mode);
  return await changeStoredCompany(deps, caller, async (tx, before) => {
    const after = applyChange(before, change);
    // A login must find the key that it returns. Changes of keys take the same lock on the company.
    if (after.loginMode !== before.loginMode && !(await deps.hasKeyOfMode(tx, after.loginMode)))
      throw errors.noKeyOfMode();
    await updateCompany(tx, after);
    const logo = change.branding?.logo;
    if (logo === undefined) return after;
    return { ...after, logoHash: await updateLogo(tx, logo === null ? null : readBase64(logo)) };
  });
}
