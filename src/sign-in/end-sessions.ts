// Ends sessions of the caller's account: one, or all others.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import { endSession, endSessions, hasSession } from './session-store.ts';

type SessionDeps = { db: Database; clock: Clock };

/** Ends one session. An ended session stays as it is. Throws `not_found` for that of another account. */
export async function endOneSession(
  deps: SessionDeps,
  caller: AccountPrincipal,
  sessionId: string,
): Promise<void> {
  const at = deps.clock.now();
  const { companyId, accountId } = caller;
  await deps.db.inCompany(companyId, async (tx) => {
    if (await endSession(tx, { accountId, sessionId, at })) {
      await appendCallerEvent(tx, caller, { type: 'session.ended', data: { accountId, sessionId }, at });
      return;
    }
    if (!(await hasSession(tx, accountId, sessionId))) throw errors.notFound();
  });
}

export async function endOtherSessions(deps: SessionDeps, caller: AccountPrincipal): Promise<void> {
  const at = deps.clock.now();
  const { companyId, accountId, sessionId } = caller;
  await deps.db.inCompany(companyId, async (tx) => {
    const endedSessions = await endSessions(tx, { accountId, exceptSessionId: sessionId, at });
    if (endedSessions === 0) return;
    await appendCallerEvent(tx, caller, { type: 'sessions.ended', data: { accountId, endedSessions }, at });
  });
}
