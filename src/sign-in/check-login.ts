// Checks a login. An unknown address and a wrong password give the same error after the same time.

import { normaliseEmail } from '../base/email-address.ts';
import { errors } from '../base/errors.ts';
import { findAccount } from '../companies/account-store.ts';
import { findLoginOf } from '../companies/logins.ts';
import { challenge } from '../http/authentication.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import {
  type Client,
  clearLoginFailures,
  countLoginAttempt,
  namesOfClient,
} from '../passwords/login-pause.ts';
import type { DeriveHash } from '../passwords/password-pool.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import {
  checkSecondFactor,
  type Login,
  type SecondFactorInput,
} from '../second-factors/check-second-factor.ts';

export type LoginAttempt = SecondFactorInput & { email: string; password: string; client: Client };

// No company has this ID. The lookup for an unknown address costs the same as for a known one.
const unknownAccount = { companyId: 'co_00000000', accountId: 'acc_unknown' };

/** Throws `wrong_login`, `login_paused` after 10 failures in 30 minutes, and as `checkSecondFactor` and the pool do. */
export async function checkLogin(deps: LoginDeps, attempt: LoginAttempt, now: Date): Promise<Login> {
  return await deps.passwords.run(
    attempt.client.networks,
    async (derive) => await verifyLogin(deps, derive, attempt, now),
  );
}

async function verifyLogin(
  deps: LoginDeps,
  derive: DeriveHash,
  attempt: LoginAttempt,
  now: Date,
): Promise<Login> {
  const email = normaliseEmail(attempt.email);
  const counted = await countLoginAttempt(
    deps,
    { account: email, clients: namesOfClient(attempt.client) },
    now,
  );
  const login = (await findLoginOf(deps.db, email)) ?? unknownAccount;
  const account = await deps.db.inCompany(
    login.companyId,
    async (tx) => await findAccount(tx, login.accountId),
  );
  const isCorrect = await verifyPassword(derive, attempt.password, account?.passwordHash ?? null);
  if (!isCorrect || !account || account.isDisabled) throw errors.wrongLogin({ headers: challenge() });
  const { companyId } = login;
  // Before the failures are cleared: the password alone is not enough.
  const factor = await checkSecondFactor(deps, { companyId, accountId: account.accountId }, attempt, now);
  await clearLoginFailures(deps, counted);
  return { companyId, account, factor };
}
