// Opens the session of an account that has shown who it is. It looks at the account once more and holds it: who
// changes a password or removes an account ends its sessions, and a login that was checked before that and opens its
// session after it would slip through.

import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { lockAccountRow } from '../companies/account-store.ts';
import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { challenge } from '../http/authentication.ts';
import { actorOf } from '../http/roles.ts';
import type { Login } from '../second-factors/check-second-factor.ts';
import { insertSession } from './session-store.ts';

/** What a session is opened for: calls with a token, or a browser with a cookie. */
export type SessionKind = 'token' | 'browser';

/** Gives the session's id. Throws `wrong_login` when the account is not any more what was checked. */
export async function openSession(
  tx: TenantTx,
  login: Login,
  session: { by: SessionKind; now: Date; expiresAt: Date },
): Promise<string> {
  const { account } = login;
  const { by, now, expiresAt } = session;
  const held = await lockAccountRow(tx, account.accountId);
  if (!held || held.isDisabled || held.passwordHash !== account.passwordHash)
    throw errors.wrongLogin({ headers: challenge() });
  const sessionId = newId('ses', now);
  await insertSession(tx, { sessionId, accountId: account.accountId, createdAt: now, expiresAt });
  await appendEvent(tx, {
    type: 'session.opened',
    isPublic: false,
    actor: actorOf(account),
    data: { sessionId, by, factor: login.factor },
    at: now,
  });
  return sessionId;
}
