// Asks who is signed in for the password again, before what a stranger at an open window must not do. Wrong ones count
// with failed logins.

import { errors } from '../base/errors.ts';
import type { Principal } from '../http/authentication.ts';
import type { LoginDeps } from './check-login.ts';
import { normaliseEmail } from './create-company.ts';
import { forgiveTries, spendTry } from './login-pause.ts';
import { verifyPassword } from './passwords.ts';
import { type Account, findAccount } from './store.ts';

export type PasswordDeps = Pick<LoginDeps, 'db' | 'clock' | 'keyring'>;

/** Who knows the password, and from where. */
export type Confirmation = { currentPassword: string; client: string };

/** The refusal of a password that is not the current one. */
export function wrongPassword() {
  return errors.invalidFields({
    errors: [
      { field: 'currentPassword', code: 'wrong', detail: 'This is not the password of your account.' },
    ],
  });
}

/** The account of a caller. */
export async function readOwnAccount(deps: PasswordDeps, caller: Principal): Promise<Account> {
  const { companyId, accountId } = caller;
  const account = await deps.db.inTenant(companyId, async (tx) => await findAccount(tx, accountId));
  if (!account) throw new Error('an account that made a call does not exist');
  return account;
}

/** Throws `invalid_fields` for a wrong password, and `login_paused` after as many as pause a login. */
export async function requirePassword(
  deps: PasswordDeps,
  account: Account,
  { currentPassword, client }: Confirmation,
): Promise<void> {
  const guesser = { email: normaliseEmail(account.email), client };
  await spendTry(deps, guesser, deps.clock.now());
  if (!(await verifyPassword(currentPassword, account.passwordHash))) throw wrongPassword();
  await forgiveTries(deps, guesser);
}

/** The caller's account, once the password was right. Throws as `requirePassword` does. */
export async function confirmPassword(
  deps: PasswordDeps,
  caller: Principal,
  confirmation: Confirmation,
): Promise<Account> {
  const account = await readOwnAccount(deps, caller);
  await requirePassword(deps, account, confirmation);
  return account;
}
