// Sets a new password with the link of an email. Ends all sessions of the account. The second factor stays. An
// invalid token reveals nothing.

import { normaliseEmail } from '../base/email-address.ts';
import { errors } from '../base/errors.ts';
import { companyOfSecretToken, digestToken } from '../base/ids.ts';
import { findAccount, type LoginAccount, updatePassword } from '../companies/account-store.ts';
import { appendEvent } from '../events/append-event.ts';
import { actorOf } from '../http/roles.ts';
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

/**
 * Throws `invalid_password_reset` for every invalid token, whatever the reason, and `invalid_fields` for a weak
 * password, after which the token is still valid.
 */
export async function acceptPasswordReset(
  deps: ResetDeps & { passwords: PasswordPool },
  answer: { token: string; password: string; client: Client },
): Promise<void> {
  const at = deps.clock.now();
  const companyId = companyOfSecretToken('reset', answer.token);
  if (!companyId) throw errors.invalidPasswordReset();
  const tokenDigest = digestToken(answer.token);
  const { accountId, email, passwordHash } = await findValid(deps, companyId, tokenDigest, at);
  const fault = await passwordError(answer.password, email, 'password');
  if (fault) throw errors.invalidFields({ errors: [fault] });
  const to = await hashPassword(deps.passwords, answer.client.networks, answer.password);
  await deps.db.inCompany(companyId, async (tx) => {
    // Read again: hashing took a while, and another request may have used or ended it.
    const isUsed = (await usePasswordReset(tx, tokenDigest, at)) === accountId;
    if (!isUsed || !(await updatePassword(tx, { accountId, from: passwordHash, to })))
      throw errors.invalidPasswordReset();
    await endPasswordResets(tx, accountId, at);
    const endedSessions = await endSessions(tx, { accountId, exceptSessionId: null, at });
    await appendEvent(tx, {
      type: 'password.reset',
      isPublic: false,
      actor: actorOf({ accountId }),
      data: { accountId, endedSessions },
      at,
    });
  });
  // This person probably tried some passwords, and may be paused because of others' attempts. They must not wait
  // now.
  await trustClient(deps, { account: normaliseEmail(email), clients: namesOfClient(answer.client) }, at);
}
