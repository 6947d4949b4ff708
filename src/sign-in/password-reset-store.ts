// All SQL of password reset links: one exported function per statement.

import type { TenantTx } from '../db/database.ts';
import { deleteOldest } from '../db/delete-in-batches.ts';
import { type RowOf, statement, t } from '../db/statements.ts';

export const PasswordReset = {
  resetId: t.text,
  accountId: t.text,
  tokenDigest: t.bytea,
  expiresAt: t.timestamptz,
};
export type PasswordReset = RowOf<typeof PasswordReset>;

export async function insertPasswordReset(
  tx: TenantTx,
  reset: PasswordReset & { createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into password_resets (company_id, reset_id, account_id, token_digest, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [tx.companyId, reset.resetId, reset.accountId, reset.tokenDigest, reset.createdAt, reset.expiresAt],
  );
}

const listOpenPasswordResetsSql = statement(PasswordReset)`
  select ${PasswordReset}
  from password_resets where company_id = $1 and reset_id = any($2) and ended_at is null`;

/** Those of the given resets that were neither used nor replaced. */
export async function listOpenPasswordResets(
  tx: TenantTx,
  resetIds: readonly string[],
): Promise<PasswordReset[]> {
  return await tx.query(listOpenPasswordResetsSql, [tx.companyId, resetIds]);
}

const findResettableSql = statement({ accountId: t.text })`
  select account_id as "accountId" from password_resets
  where company_id = $1 and token_digest = $2 and ended_at is null and expires_at > $3`;

/** The account of a valid token; null for any other token. */
export async function findResettable(tx: TenantTx, tokenDigest: Buffer, now: Date): Promise<string | null> {
  const [reset] = await tx.query(findResettableSql, [tx.companyId, tokenDigest, now]);
  return reset?.accountId ?? null;
}

const usePasswordResetSql = statement({ accountId: t.text })`
  update password_resets set ended_at = $3
  where company_id = $1 and token_digest = $2 and ended_at is null and expires_at > $3
  returning account_id as "accountId"`;

/** Uses up a token. Of concurrent calls, one gets the account, and the others null. */
export async function usePasswordReset(tx: TenantTx, tokenDigest: Buffer, at: Date): Promise<string | null> {
  const [reset] = await tx.query(usePasswordResetSql, [tx.companyId, tokenDigest, at]);
  return reset?.accountId ?? null;
}

export async function endPasswordResets(tx: TenantTx, accountId: string, at: Date): Promise<void> {
  await tx.query(
    'update password_resets set ended_at = $3 where company_id = $1 and account_id = $2 and ended_at is null',
    [tx.companyId, accountId, at],
  );
}

/** Deletes the oldest of all companies, created 30 days ago. Returns how many. */
export const deleteOldPasswordResets = deleteOldest('password_resets', 'created_at', '30 days');
