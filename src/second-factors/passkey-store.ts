// All SQL of passkeys and of their challenges: one exported function per statement.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { insertOf, omit, type RowOf, sql, statement, t } from '../db/statements.ts';

export const Passkey = {
  passkeyId: t.text,
  accountId: t.text,
  name: t.text,
  credentialId: t.text,
  publicKey: t.bytea,
  /** A bigint, as text. */
  counter: t.computed('counter::text', t.text),
  transports: t.array(t.text),
  createdAt: t.timestamptz,
  lastUsedAt: t.nullable(t.timestamptz),
};
export type Passkey = RowOf<typeof Passkey>;

const NewPasskey = { ...omit(Passkey, 'lastUsedAt'), counter: t.int8 };

const newPasskey = insertOf(NewPasskey);

/** False if the company has this passkey already. */
export async function insertPasskey(tx: TenantTx, passkey: RowOf<typeof NewPasskey>): Promise<boolean> {
  const rows = await tx.query(
    sql`
      insert into passkeys (company_id, ${newPasskey.names}) values ($1, ${newPasskey.values})
      on conflict (company_id, credential_id) do nothing returning passkey_id`,
    [tx.companyId, ...newPasskey.parameters(passkey)],
  );
  return rows.length === 1;
}

const listPasskeysSql = statement(Passkey)`
  select ${Passkey}
  from passkeys where company_id = $1 and account_id = $2 order by passkey_id`;

export async function listPasskeys(tx: TenantTx, accountId: string): Promise<Passkey[]> {
  return await tx.query(listPasskeysSql, [tx.companyId, accountId]);
}

/** Records the use of a passkey, unless its counter has advanced since it was read. */
export async function updatePasskeyUse(
  tx: TenantTx,
  use: { passkeyId: string; from: string; to: number; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update passkeys set counter = $4, last_used_at = $5
     where company_id = $1 and passkey_id = $2 and counter = $3::bigint returning passkey_id`,
    [tx.companyId, use.passkeyId, use.from, use.to, use.at],
  );
  return rows.length === 1;
}

/** False if the account has no such passkey. */
export async function deletePasskey(tx: TenantTx, accountId: string, passkeyId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from passkeys where company_id = $1 and account_id = $2 and passkey_id = $3 returning passkey_id',
    [tx.companyId, accountId, passkeyId],
  );
  return rows.length === 1;
}

export async function insertChallenge(
  tx: SystemTx,
  challenge: { challenge: string; accountId: string | null; expiresAt: Date },
): Promise<void> {
  await tx.query('insert into passkey_challenges (challenge, account_id, expires_at) values ($1, $2, $3)', [
    challenge.challenge,
    challenge.accountId,
    challenge.expiresAt,
  ]);
}

/** Uses up a challenge. False if it was not issued for this purpose, has expired, or was used. */
export async function useChallenge(
  tx: SystemTx,
  use: { challenge: string; accountId: string | null; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `delete from passkey_challenges
     where challenge = $1 and account_id is not distinct from $2 and expires_at > $3 returning challenge`,
    [use.challenge, use.accountId, use.now],
  );
  return rows.length === 1;
}

/** Deletes the oldest challenges that expired before a time. Returns how many. */
export async function deleteOldChallenges(tx: SystemTx, before: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from passkey_challenges where challenge in (
       select challenge from passkey_challenges where expires_at < $1 order by expires_at limit $2)
     returning challenge`,
    [before, limit],
  );
  return rows.length;
}
