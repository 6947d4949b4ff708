// Ends sessions of the caller's account: its own (a logout), another one, or all others. The tokens of an
// ended session are refused from the next call on.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf } from '../http/roles.ts';
import { endSession, endSessions, hasSession } from './session-store.ts';

type SessionDeps = { db: Database; clock: Clock };

/** Ends one session. An ended session stays as it is. Throws `not_found` for that of another account. */
export async function endOneSession(deps: SessionDeps, caller: Principal, sessionId: string): Promise<void> {
  const at = deps.clock.now();
  const { companyId, accountId } = caller;
  await deps.db.inCompany(companyId, async (tx) => {
    if (await endSession(tx, { accountId, sessionId, at })) {
      await appendEvent(tx, {
        type: 'session.ended',
        isPublic: false,
        actor: actorOf(caller),
        data: { accountId, sessionId },
        at,
      });
      return;
    }
    if (!(await hasSession(tx, accountId, sessionId))) throw errors.notFound();
  });
}

/** Ends all sessions of the account except the caller's. */
export async function endOtherSessions(deps: SessionDeps, caller: Principal): Promise<void> {
  const at = deps.clock.now();
  const { companyId, accountId, sessionId } = caller;
  await deps.db.inCompany(companyId, async (tx) => {
    const endedSessions = await endSessions(tx, { accountId, exceptSessionId: sessionId, at });
    if (endedSessions === 0) return;
    await appendEvent(tx, {
      type: 'sessions.ended',
      isPublic: false,
      actor: actorOf(caller),
      data: { accountId, endedSessions },
      at,
    });
  });
}
