// The SQL of sessions with a cookie. session-store.ts has the row that every session has.

import type { TenantTx } from '../db/database.ts';
import { deleteOldest } from '../db/delete-in-batches.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';
import { role } from '../http/authentication.ts';

export const BrowserSession = {
  sessionId: t.text,
  accountId: t.text,
  roles: t.array(role),
  /** The latest end of the session. */
  expiresAt: t.timestamptz,
  /** The last activity, to the minute. */
  seenAt: t.timestamptz,
  /** Whether the company has an active live key. Without one it moves no real money, in the dashboard either. */
  hasLiveKey: t.bool,
  /** Of the company's test clock. */
  offsetMs: t.nullable(t.int8),
};
export type BrowserSession = RowOf<typeof BrowserSession>;

export async function insertBrowserSession(
  tx: TenantTx,
  session: { sessionId: string; cookieDigest: Buffer; seenAt: Date },
): Promise<void> {
  await tx.query(
    'insert into browser_sessions (company_id, session_id, cookie_digest, seen_at) values ($1, $2, $3, $4)',
    [tx.companyId, session.sessionId, session.cookieDigest, session.seenAt],
  );
}

const findBrowserSessionSql = statement(BrowserSession)`
  select s.session_id as "sessionId", s.account_id as "accountId", a.roles, s.expires_at as "expiresAt",
         b.seen_at as "seenAt",
         exists (select 1 from api_keys k
                 where k.company_id = $1 and k.mode = 'live' and k.revoked_at is null
                   and (k.expires_at is null or k.expires_at > $3)) as "hasLiveKey",
         (select offset_ms from test_clocks where company_id = $1 and mode = 'test') as "offsetMs"
  from browser_sessions b join sessions s using (company_id, session_id)
       join accounts a using (company_id, account_id)
  where b.company_id = $1 and b.cookie_digest = $2 and b.seen_at > $4
    and s.ended_at is null and s.expires_at > $3 and a.disabled_at is null`;

/** The session of a cookie, by a transaction over both modes, if it and its account are valid and it was active after a time; else null. */
export async function findBrowserSession(
  tx: TenantTx,
  look: { cookieDigest: Buffer; now: Date; seenAfter: Date },
): Promise<BrowserSession | null> {
  return first(
    await tx.query(findBrowserSessionSql, [tx.companyId, look.cookieDigest, look.now, look.seenAfter]),
  );
}

/** Records activity, unless some was recorded since `before`: of many concurrent calls, one writes. */
export async function updateLastSeen(
  tx: TenantTx,
  sign: { sessionId: string; at: Date; before: Date },
): Promise<void> {
  await tx.query(
    'update browser_sessions set seen_at = $3 where company_id = $1 and session_id = $2 and seen_at <= $4',
    [tx.companyId, sign.sessionId, sign.at, sign.before],
  );
}

/** Deletes the longest inactive sessions of all companies, inactive for 30 days. Returns how many. */
export const deleteOldBrowserSessions = deleteOldest('browser_sessions', 'seen_at', '30 days');
