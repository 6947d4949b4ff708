// All SQL of service keys: one exported function per statement. Must not: write a key; a row has its digest.

import type { TenantTx } from '../db/database.ts';
import { first, insertOf, omit, type RowOf, statement, t } from '../db/statements.ts';
import { serviceKeyScopes } from '../http/roles.ts';

const ServiceKeyRow = {
  keyId: t.text,
  mode: t.mode,
  name: t.text,
  secretDigest: t.bytea,
  scopes: t.array(t.oneOf(...serviceKeyScopes)),
  /** Addresses and ranges; none: the key may be used from anywhere. */
  allowedAddresses: t.array(t.text),
  /** The key with which the chain of rolls began. */
  firstKeyId: t.text,
  createdAt: t.timestamptz,
  /** The ID of an account. */
  createdBy: t.text,
  expiresAt: t.nullable(t.timestamptz),
  /** The ID of the key that a roll created in its place. */
  replacedBy: t.nullable(t.text),
  revokedAt: t.nullable(t.timestamptz),
  lastUsedAt: t.nullable(t.timestamptz),
};
export type ServiceKey = RowOf<typeof ServiceKeyRow>;

const NewServiceKey = omit(ServiceKeyRow, 'replacedBy', 'revokedAt', 'lastUsedAt');
export type NewServiceKey = RowOf<typeof NewServiceKey>;

const insert = insertOf(NewServiceKey);
const insertServiceKeySql = statement(ServiceKeyRow)`
  insert into service_keys (company_id, ${insert.names}) values ($1, ${insert.values})
  returning ${ServiceKeyRow}`;

export async function insertServiceKey(tx: TenantTx, key: NewServiceKey): Promise<ServiceKey> {
  const [row] = await tx.query(insertServiceKeySql, [tx.companyId, ...insert.parameters(key)]);
  if (!row) throw new Error('the new service key was not returned');
  return row;
}

const findServiceKeySql = statement(ServiceKeyRow)`
  select ${ServiceKeyRow} from service_keys where company_id = $1 and key_id = $2`;

export async function findServiceKey(tx: TenantTx, keyId: string): Promise<ServiceKey | null> {
  return first(await tx.query(findServiceKeySql, [tx.companyId, keyId]));
}

const lockServiceKeySql = statement(ServiceKeyRow)`
  select ${ServiceKeyRow} from service_keys where company_id = $1 and key_id = $2 for no key update`;

export async function lockServiceKey(tx: TenantTx, keyId: string): Promise<ServiceKey | null> {
  return first(await tx.query(lockServiceKeySql, [tx.companyId, keyId]));
}

const listServiceKeysSql = statement(ServiceKeyRow)`
  select ${ServiceKeyRow}
  from service_keys
  where company_id = $1 and ($2::text is null or (created_at, key_id) <
    (select created_at, key_id from service_keys where company_id = $1 and key_id = $2))
    and ($4::text is null or mode = $4)
  order by created_at desc, key_id desc limit $3`;

/** Active and ended keys of a mode (null: of both), newest first, after a cursor (null: from the newest). */
export async function listServiceKeys(
  tx: TenantTx,
  look: { before: string | null; limit: number; mode: ServiceKey['mode'] | null },
): Promise<ServiceKey[]> {
  return await tx.query(listServiceKeysSql, [tx.companyId, look.before, look.limit, look.mode]);
}

/** What verification reads of a key. */
export const ServiceKeyState = {
  ...omit(ServiceKeyRow, 'name', 'createdAt', 'createdBy'),
  /** Of the company's test clock, for a key of test mode. */
  offsetMs: t.nullable(t.int8),
};
export type ServiceKeyState = RowOf<typeof ServiceKeyState>;

const readServiceKeyStatesSql = statement(ServiceKeyState)`
  select key_id as "keyId", k.mode, k.secret_digest as "secretDigest", k.scopes,
         k.allowed_addresses as "allowedAddresses", k.first_key_id as "firstKeyId", k.expires_at as "expiresAt",
         k.replaced_by as "replacedBy", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
         case when k.mode = 'test' then (select offset_ms from test_clocks where company_id = $1 and mode = 'test') end
           as "offsetMs"
  from unnest($2::text[]) as look (key_id) join service_keys k using (key_id)
  where k.company_id = $1`;

/** Of those of the keys that exist, all as of one moment. The transaction is over both modes. */
export async function readServiceKeyStates(
  tx: TenantTx,
  keyIds: readonly string[],
): Promise<ServiceKeyState[]> {
  return await tx.query(readServiceKeyStatesSql, [tx.companyId, keyIds]);
}

const updateServiceKeySql = statement(ServiceKeyRow)`
  update service_keys set name = $3, allowed_addresses = $4 where company_id = $1 and key_id = $2
  returning ${ServiceKeyRow}`;

export async function updateServiceKey(
  tx: TenantTx,
  { keyId, name, allowedAddresses }: Pick<ServiceKey, 'keyId' | 'name' | 'allowedAddresses'>,
): Promise<ServiceKey> {
  const [row] = await tx.query(updateServiceKeySql, [tx.companyId, keyId, name, allowedAddresses]);
  if (!row) throw new Error('a service key that was locked is gone');
  return row;
}

/** Ends a key at a time, because another replaces it. */
export async function replaceServiceKey(
  tx: TenantTx,
  { keyId, replacedBy, expiresAt }: { keyId: string; replacedBy: string; expiresAt: Date },
): Promise<void> {
  await tx.query(
    'update service_keys set replaced_by = $3, expires_at = $4 where company_id = $1 and key_id = $2',
    [tx.companyId, keyId, replacedBy, expiresAt],
  );
}

const revokeServiceKeySql = statement(ServiceKeyRow)`
  update service_keys set revoked_at = coalesce(revoked_at, $3) where company_id = $1 and key_id = $2
  returning ${ServiceKeyRow}`;

/** Null for an unknown key. A key that was revoked before keeps its time. */
export async function revokeServiceKey(tx: TenantTx, keyId: string, at: Date): Promise<ServiceKey | null> {
  return first(await tx.query(revokeServiceKeySql, [tx.companyId, keyId, at]));
}

/** Records a use, unless one was recorded since `before`: of many concurrent calls, one writes. */
export async function updateLastUsed(
  tx: TenantTx,
  use: { keyId: string; at: Date; before: Date },
): Promise<void> {
  await tx.query(
    `update service_keys set last_used_at = $3
     where company_id = $1 and key_id = $2 and (last_used_at is null or last_used_at <= $4)`,
    [tx.companyId, use.keyId, use.at, use.before],
  );
}
