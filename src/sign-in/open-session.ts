// Opens the session of an authenticated account. It locks and checks the account again: a concurrent change of the
// password, or a removal, ends only the sessions that exist.

import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { lockAccountRow } from '../companies/account-store.ts';
import type { TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import { challenge } from '../http/authentication.ts';
import type { Login } from '../second-factors/check-second-factor.ts';
import { insertSession } from './session-store.ts';

export type SessionKind = 'token' | 'browser';

/** Returns the session's ID. Throws `wrong_login` if the account has changed since the check. */
export async function openSession(
  tx: TenantTx,
  login: Login,
  session: { by: SessionKind; now: Date; expiresAt: Date },
): Promise<string> {
  const { account } = login;
  const { by, now, expiresAt } = session;
  const current = await lockAccountRow(tx, account.accountId);
  if (!current || current.isDisabled || current.passwordHash !== account.passwordHash)
    throw errors.wrongLogin({ headers: challenge() });
  const sessionId = newId('ses', now);
  await insertSession(tx, { sessionId, accountId: account.accountId, createdAt: now, expiresAt });
  await appendCallerEvent(tx, account, {
    type: 'session.opened',
    data: { sessionId, by, factor: login.factor },
    at: now,
  });
  return sessionId;
}
