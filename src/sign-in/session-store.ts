// The SQL of sessions, and the query that decides whether a call's credentials are still valid.

import type { TenantTx } from '../db/database.ts';
import { type RowOf, statement, t, type ValueOf } from '../db/statements.ts';
import { role } from '../http/authentication.ts';

export const Session = { sessionId: t.text, createdAt: t.timestamptz, expiresAt: t.timestamptz };
export type Session = RowOf<typeof Session>;
/** A session in a list: a browser session has a cookie, any other a token. */
export const ListedSession = { ...Session, kind: t.oneOf('browser', 'token') };
export type ListedSession = RowOf<typeof ListedSession>;

export async function insertSession(tx: TenantTx, session: Session & { accountId: string }): Promise<void> {
  await tx.query(
    `insert into sessions (company_id, session_id, account_id, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
    [tx.companyId, session.sessionId, session.accountId, session.createdAt, session.expiresAt],
  );
}

const listSessionsSql = statement(ListedSession)`
  select session_id as "sessionId", s.created_at as "createdAt", s.expires_at as "expiresAt",
         case when b.session_id is null then 'token' else 'browser' end as kind
  from sessions s left join browser_sessions b using (company_id, session_id)
  where s.company_id = $1 and s.account_id = $2 and s.ended_at is null and s.expires_at > $3
    and ($4::text is null or s.session_id < $4) and (b.seen_at is null or b.seen_at > $6)
  order by s.session_id desc limit $5`;

/** Newest first, after a cursor (null: from the newest). A browser session is valid if it was active after a time. */
export async function listSessions(
  tx: TenantTx,
  query: { accountId: string; now: Date; seenAfter: Date; before: string | null; limit: number },
): Promise<ListedSession[]> {
  const { accountId, now, before, limit, seenAfter } = query;
  return await tx.query(listSessionsSql, [tx.companyId, accountId, now, before, limit, seenAfter]);
}

/** Whether an account has or had a session. */
export async function hasSession(tx: TenantTx, accountId: string, sessionId: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 as one from sessions where company_id = $1 and account_id = $2 and session_id = $3',
    [tx.companyId, accountId, sessionId],
  );
  return rows.length > 0;
}

/** Ends a session of an account. False if there is none that could end. */
export async function endSession(
  tx: TenantTx,
  session: { accountId: string; sessionId: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update sessions set ended_at = $4
     where company_id = $1 and account_id = $2 and session_id = $3 and ended_at is null returning session_id`,
    [tx.companyId, session.accountId, session.sessionId, session.at],
  );
  return rows.length === 1;
}

const endSessionsSql = statement({ wasGood: t.bool })`
  update sessions set ended_at = $4
  where company_id = $1 and account_id = $2 and session_id is distinct from $3 and ended_at is null
  returning expires_at > $4 as "wasGood"`;

/** Ends the sessions of an account except one (null: all). Returns how many valid ones were ended. */
export async function endSessions(
  tx: TenantTx,
  options: { accountId: string; exceptSessionId: string | null; at: Date },
): Promise<number> {
  const { accountId, exceptSessionId, at } = options;
  const rows = await tx.query(endSessionsSql, [tx.companyId, accountId, exceptSessionId, at]);
  return rows.filter(({ wasGood }) => wasGood).length;
}

export const keyState = t.oneOf('good', 'unknown', 'revoked', 'expired');
export type KeyState = ValueOf<typeof keyState>;
export const CredentialState = {
  roles: t.nullable(t.array(role)),
  keyState,
  keyMode: t.nullable(t.mode),
  /** Of the company's test clock, for a key of test mode. */
  offsetMs: t.nullable(t.int8),
};
export type CredentialState = RowOf<typeof CredentialState>;

export type CredentialQuery = { sessionId: string; accountId: string; keyId: string };

const readCredentialStatesSql = statement(CredentialState)`
  select
    (select a.roles from sessions s join accounts a using (company_id, account_id)
     where s.company_id = $1 and s.session_id = look.session_id and s.account_id = look.account_id
       and s.ended_at is null and s.expires_at > $5 and a.disabled_at is null) as roles,
    k.mode as "keyMode",
    case when k.key_id is null then 'unknown'
         when k.revoked_at is not null then 'revoked'
         when k.expires_at <= $5 then 'expired'
         else 'good' end as "keyState",
    case when k.mode = 'test' then (select offset_ms from test_clocks where company_id = $1 and mode = 'test') end
      as "offsetMs"
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as look (session_id, account_id, key_id, place)
  left join api_keys k on k.company_id = $1 and k.key_id = look.key_id
  order by look.place`;

/** In the order of the queries, all as of one moment. The transaction is over both modes. Roles only if the session and its account are valid. */
export async function readCredentialStates(
  tx: TenantTx,
  queries: readonly CredentialQuery[],
  now: Date,
): Promise<CredentialState[]> {
  return await tx.query(readCredentialStatesSql, [
    tx.companyId,
    queries.map(({ sessionId }) => sessionId),
    queries.map(({ accountId }) => accountId),
    queries.map(({ keyId }) => keyId),
    now,
  ]);
}
