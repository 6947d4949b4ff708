// Creates a company: its row, its owner with a login, and its first key, in one transaction.

import { defaultKeyName } from './api-keys/create-api-key.ts';
import { insertApiKey } from './api-keys/store.ts';
import type { Clock } from './base/clock.ts';
import { normaliseEmail } from './base/email-address.ts';
import { newApiKeyId, newCompanyId, newId } from './base/ids.ts';
import { placeCompany } from './cells/place-company.ts';
import { insertAccount, insertLogin } from './companies/account-store.ts';
import { EmailTaken, type RequireClaim, withClaimedEmail } from './companies/logins.ts';
import { insertCompany } from './companies/store.ts';
import type { Database, TenantTx } from './db/database.ts';
import { appendEvent } from './events/append-event.ts';
import type { Role } from './http/authentication.ts';
import type { PasswordPool } from './passwords/password-pool.ts';
import { hashPassword } from './passwords/passwords.ts';

export type NewCompany = {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  email: string;
  password: string;
  roles?: readonly Role[];
};

/** Creates a company in test mode. Throws EmailTaken if the owner's email address already has a login. */
export async function createCompany(
  deps: { db: Database; clock: Clock; passwords: PasswordPool },
  company: NewCompany,
): Promise<{ companyId: string; accountId: string; keyId: string }> {
  const at = deps.clock.now();
  const companyId = newCompanyId();
  const accountId = newId('acc', at);
  const keyId = newApiKeyId(companyId);
  const passwordHash = await hashPassword(deps.passwords, [], company.password);
  const { db } = deps;
  const email = normaliseEmail(company.email);
  const write = async (tx: TenantTx, requireClaim: RequireClaim) => {
    await requireClaim(tx);
    await insertCompany(tx, company, at);
    await insertAccount(
      tx,
      { accountId, email: company.email, passwordHash, roles: company.roles ?? ['owner'] },
      at,
    );
    if (!(await insertLogin(tx, email, accountId)))
      throw new EmailTaken('this email address already has an account');
    await insertApiKey(tx, {
      keyId,
      name: defaultKeyName,
      mode: 'test',
      createdAt: at,
      createdBy: 'system',
    });
    await appendEvent(tx, {
      type: 'company.created',
      isPublic: false,
      actor: 'system',
      data: { name: company.name, accountId, keyId },
      at,
    });
  };
  await withClaimedEmail(db, { email, companyId, accountId }, async (requireClaim) => {
    await placeCompany(db, companyId);
    await db.inCompany(companyId, async (tx) => await write(tx, requireClaim));
  });
  return { companyId, accountId, keyId };
}
