// Sets a new password with an emailed link, and ends all sessions of the account. The second factor stays.

import { normaliseEmail } from '../base/email-address.ts';
import { errors } from '../base/errors.ts';
import { companyOfSecretToken, digestToken } from '../base/ids.ts';
import { findAccount, type LoginAccount, updatePassword } from '../companies/account-store.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import { type Client, namesOfClient, trustClient } from '../passwords/login-pause.ts';
import { passwordError } from '../passwords/password-policy.ts';
import type { PasswordPool } from '../passwords/password-pool.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { endPasswordResets, findResettable, usePasswordReset } from './password-reset-store.ts';
import type { ResetDeps } from './request-password-reset.ts';
import { endSessions } from './session-store.ts';

async function findValid(
  deps: ResetDeps,
  companyId: string,
  tokenDigest: Buffer,
  now: Date,
): Promise<LoginAccount> {
  return await deps.db.inCompany(companyId, async (tx) => {
    const accountId = await findResettable(tx, tokenDigest, now);
    const account = accountId === null ? null : await findAccount(tx, accountId);
    if (!account || account.isDisabled) throw errors.invalidPasswordReset();
    return account;
  });
}

/** Throws `invalid_password_reset` for every invalid token, and `invalid_fields` for a weak password. */
export async function acceptPasswordReset(
  deps: ResetDeps & { passwords: PasswordPool },
  input: { token: string; password: string; client: Client },
): Promise<void> {
  const at = deps.clock.now();
  const companyId = companyOfSecretToken('reset', input.token);
  if (!companyId) throw errors.invalidPasswordReset();
  const tokenDigest = digestToken(input.token);
  const { accountId, email, passwordHash } = await findValid(deps, companyId, tokenDigest, at);
  const fault = await passwordError(input.password, email, 'password');
  if (fault) throw errors.invalidFields({ errors: [fault] });
  const to = await hashPassword(deps.passwords, input.client.networks, input.password);
  await deps.db.inCompany(companyId, async (tx) => {
    // Read again: hashing took a while, and another request may have used or ended it.
    const isUsed = (await usePasswordReset(tx, tokenDigest, at)) === accountId;
    if (!isUsed || !(await updatePassword(tx, { accountId, from: passwordHash, to })))
      throw errors.invalidPasswordReset();
    await endPasswordResets(tx, accountId, at);
    const endedSessions = await endSessions(tx, { accountId, exceptSessionId: null, at });
    await appendCallerEvent(
      tx,
      { accountId },
      { type: 'password.reset', data: { accountId, endedSessions }, at },
    );
  });
  // The person may be paused because of wrong passwords, their own or others'.
  await trustClient(deps, { account: normaliseEmail(email), clients: namesOfClient(input.client) }, at);
}
