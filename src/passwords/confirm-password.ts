// Requires the password of a signed-in person again before sensitive actions. Wrong passwords count with failed logins.

import { normaliseEmail } from '../base/email-address.ts';
import { invalidField } from '../base/errors.ts';
import { findAccount, type LoginAccount } from '../companies/account-store.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import type { LoginDeps } from './deps.ts';
import { type Client, clearLoginFailures, countLoginAttempt, namesOfClient } from './login-pause.ts';
import { verifyPassword } from './passwords.ts';

export type PasswordDeps = Pick<LoginDeps, 'db' | 'clock' | 'keyring' | 'passwords'>;

export type Confirmation = { currentPassword: string; client: Client };

export const wrongPassword = () =>
  invalidField('currentPassword', 'wrong', 'This is not the password of your account.');

async function readOwnAccount(deps: PasswordDeps, caller: AccountPrincipal): Promise<LoginAccount> {
  const { companyId, accountId } = caller;
  const account = await deps.db.inCompany(companyId, async (tx) => await findAccount(tx, accountId));
  if (!account) throw new Error('the account of the caller does not exist');
  return account;
}

/** Throws `invalid_fields` or `login_paused`. For an unknown client, failures count for the session. */
export async function requirePassword(
  deps: PasswordDeps,
  account: LoginAccount,
  { currentPassword, client, sessionId }: Confirmation & Pick<AccountPrincipal, 'sessionId'>,
): Promise<void> {
  const source = {
    account: normaliseEmail(account.email),
    clients: namesOfClient(client),
    session: `session:${sessionId}`,
  };
  await deps.passwords.run(client.networks, async (derive) => {
    const counted = await countLoginAttempt(deps, source, deps.clock.now());
    if (!(await verifyPassword(derive, currentPassword, account.passwordHash))) throw wrongPassword();
    await clearLoginFailures(deps, counted);
  });
}

/** The caller's account, if the password is correct. Throws as `requirePassword` does. */
export async function confirmPassword(
  deps: PasswordDeps,
  caller: AccountPrincipal,
  confirmation: Confirmation,
): Promise<LoginAccount> {
  const account = await readOwnAccount(deps, caller);
  await requirePassword(deps, account, { ...confirmation, sessionId: caller.sessionId });
  return account;
}
