// All SQL of API keys: one exported function per statement. A row contains a key's ID and how long the key is
// valid. The key itself is derived (api-keys.ts) and must not be stored here.

import type { Mode, TenantTx } from '../db/database.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

export const ApiKey = {
  keyId: t.text,
  name: t.text,
  mode: t.mode,
  createdAt: t.timestamptz,
  /** An account ID, or `system`. */
  createdBy: t.text,
  /** When a rolled key expires; null: it is valid until it is revoked. */
  expiresAt: t.nullable(t.timestamptz),
  revokedAt: t.nullable(t.timestamptz),
};
export type ApiKey = RowOf<typeof ApiKey>;

/** Whether one of the keys has the mode and does not expire. */
export function hasPermanentKey(active: readonly ApiKey[], mode: Mode): boolean {
  return active.some((key) => key.mode === mode && key.expiresAt === null);
}

export async function insertApiKey(
  tx: TenantTx,
  key: Pick<ApiKey, 'keyId' | 'name' | 'mode' | 'createdAt' | 'createdBy'>,
): Promise<void> {
  await tx.query(
    `insert into api_keys (company_id, key_id, name, mode, created_at, created_by) values ($1, $2, $3, $4, $5, $6)`,
    [tx.companyId, key.keyId, key.name, key.mode, key.createdAt, key.createdBy],
  );
}

const findNewestApiKeySql = statement({ keyId: t.text, mode: t.mode })`
  select key_id as "keyId", mode from api_keys
  where company_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)
    and mode = coalesce($3, (select login_mode from companies where company_id = $1))
  order by expires_at is null desc, created_at desc, key_id desc limit 1`;

/** The key that a login returns (mode null: the company's setting): the newest one, those without an expiry first. */
export async function findNewestApiKey(
  tx: TenantTx,
  mode: Mode | null,
  now: Date,
): Promise<{ keyId: string; mode: Mode } | null> {
  return first(await tx.query(findNewestApiKeySql, [tx.companyId, now, mode]));
}

const listApiKeysSql = statement(ApiKey)`
  select ${ApiKey}
  from api_keys
  where company_id = $1 and ($2::text is null or (created_at, key_id) <
    (select created_at, key_id from api_keys where company_id = $1 and key_id = $2))
    and ($4::text is null or mode = $4)
  order by created_at desc, key_id desc limit $3`;

/** Active and ended keys of a mode (null: of both), newest first, after a cursor (null: from the newest). */
export async function listApiKeys(
  tx: TenantTx,
  look: { before: string | null; limit: number; mode: Mode | null },
): Promise<ApiKey[]> {
  return await tx.query(listApiKeysSql, [tx.companyId, look.before, look.limit, look.mode]);
}

const listActiveKeysSql = statement(ApiKey)`
  select ${ApiKey}
  from api_keys where company_id = $1 and revoked_at is null`;

/** The keys that were not revoked. A caller that decides by them must lock the company first. */
export async function listActiveKeys(tx: TenantTx): Promise<ApiKey[]> {
  return await tx.query(listActiveKeysSql, [tx.companyId]);
}

const findApiKeySql = statement(ApiKey)`
  select ${ApiKey}
  from api_keys where company_id = $1 and key_id = $2`;

export async function findApiKey(tx: TenantTx, keyId: string): Promise<ApiKey | null> {
  return first(await tx.query(findApiKeySql, [tx.companyId, keyId]));
}

export async function expireApiKey(tx: TenantTx, keyId: string, expiresAt: Date): Promise<void> {
  await tx.query('update api_keys set expires_at = $3 where company_id = $1 and key_id = $2', [
    tx.companyId,
    keyId,
    expiresAt,
  ]);
}

export async function revokeApiKey(tx: TenantTx, keyId: string, at: Date): Promise<void> {
  await tx.query('update api_keys set revoked_at = $3 where company_id = $1 and key_id = $2', [
    tx.companyId,
    keyId,
    at,
  ]);
}

/** Whether the company has a key of the mode that is neither revoked nor about to expire. */
export async function hasKeyOfMode(tx: TenantTx, mode: Mode): Promise<boolean> {
  return hasPermanentKey(await listActiveKeys(tx), mode);
}
