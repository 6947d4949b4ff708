// Changes the password of the caller's account. Ends all its other sessions. The calling session continues.

import { errors } from '../base/errors.ts';
import { findAccount, updatePassword } from '../companies/account-store.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import { listEventsById } from '../events/list-events.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import {
  type Confirmation,
  type PasswordDeps,
  requirePassword,
  wrongPassword,
} from '../passwords/confirm-password.ts';
import { passwordError } from '../passwords/password-policy.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { endPasswordResets } from './password-reset-store.ts';
import { endSessions } from './session-store.ts';

/** Idempotent by `eventId`. Throws `invalid_fields` (weak, or wrong current one) or `login_paused`. */
export async function changePassword(
  deps: PasswordDeps,
  caller: AccountPrincipal,
  change: Confirmation & { newPassword: string; eventId: string },
): Promise<void> {
  const at = deps.clock.now();
  const { companyId, accountId, sessionId } = caller;
  const { account, isDone } = await deps.db.inCompany(companyId, async (tx) => ({
    account: await findAccount(tx, accountId),
    isDone: (await listEventsById(tx, [change.eventId])).length > 0,
  }));
  // An earlier run was interrupted after the change.
  if (isDone) return;
  if (!account) throw new Error('the account of the caller does not exist');
  const fault = await passwordError(change.newPassword, account.email, 'newPassword');
  if (fault) throw errors.invalidFields({ errors: [fault] });
  await requirePassword(deps, account, { ...change, sessionId });
  const to = await hashPassword(deps.passwords, change.client.networks, change.newPassword);
  await deps.db.inCompany(companyId, async (tx) => {
    const isChanged = await updatePassword(tx, { accountId, from: account.passwordHash, to });
    // Another request changed the password meanwhile.
    if (!isChanged) throw wrongPassword();
    await endPasswordResets(tx, accountId, at);
    const endedSessions = await endSessions(tx, { accountId, exceptSessionId: sessionId, at });
    await appendCallerEvent(tx, caller, {
      eventId: change.eventId,
      type: 'password.changed',
      data: { accountId, endedSessions },
      at,
    });
  });
}
