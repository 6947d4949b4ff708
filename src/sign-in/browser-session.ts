// Sessions with a cookie: 30 minutes after the last activity, 12 hours at most. Must not write at every call.

import { randomBytes } from 'node:crypto';
import { type Clock, runInTestTime } from '../base/clock.ts';
import { companyOfSecretToken, digestToken, secretToken } from '../base/ids.ts';
import type { Database, TenantTx } from '../db/database.ts';
import type { Login } from '../second-factors/check-second-factor.ts';
import {
  type BrowserSession,
  findBrowserSession,
  insertBrowserSession,
  updateLastSeen,
} from './browser-session-store.ts';
import { openSession } from './open-session.ts';

export const browserSessionTtlSeconds = 12 * 60 * 60;
const idleLimitMs = 30 * 60 * 1000;
/** Activity within this time of the last record is not written. */
const lastSeenIntervalMs = 60 * 1000;

export function idleExpiryOf({ seenAt, expiresAt }: Pick<BrowserSession, 'seenAt' | 'expiresAt'>): Date {
  return new Date(Math.min(seenAt.getTime() + idleLimitMs, expiresAt.getTime()));
}

/** Sessions without activity after this time have ended. */
export function idleCutoff(now: Date): Date {
  return new Date(now.getTime() - idleLimitMs);
}

export type OpenedSession = { companyId: string; session: BrowserSession; cookie: string };

/** The valid session of a cookie. The call counts as activity unless it is a background call. */
export async function findSession(
  deps: { db: Database; clock: Clock },
  { cookie, isInBackground }: { cookie: string; isInBackground: boolean },
): Promise<OpenedSession | null> {
  const companyId = companyOfSecretToken('browser', cookie);
  if (!companyId) return null;
  const now = deps.clock.now();
  const seenAfter = idleCutoff(now);
  const before = new Date(now.getTime() - lastSeenIntervalMs);
  const find = async (tx: TenantTx) => {
    const session = await findBrowserSession(tx, { cookieDigest: digestToken(cookie), now, seenAfter });
    if (!session) return null;
    if (isInBackground || session.seenAt > before) return { companyId, session, cookie };
    await updateLastSeen(tx, { sessionId: session.sessionId, at: now, before });
    return { companyId, session: { ...session, seenAt: now }, cookie };
  };
  return await runInTestTime(null, async () => await deps.db.inBothModes(companyId, find));
}

/** Opens a session after a login, in the caller's transaction. Returns its cookie. Throws `wrong_login`. */
export async function openBrowserSession(tx: TenantTx, login: Login, now: Date): Promise<string> {
  const cookie = secretToken('browser', tx.companyId, randomBytes(32));
  const expiresAt = new Date(now.getTime() + browserSessionTtlSeconds * 1000);
  const sessionId = await openSession(tx, login, { by: 'browser', now, expiresAt });
  await insertBrowserSession(tx, { sessionId, cookieDigest: digestToken(cookie), seenAt: now });
  return cookie;
}
