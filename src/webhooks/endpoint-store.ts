// All SQL of webhook endpoints: one exported function per statement. Secrets are encrypted before they come
// here.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { first, insertOf, pick, type RowOf, statement, t, type ValueOf } from '../db/statements.ts';

export const disabledReason = t.oneOf('switched_off', 'gone', 'failing');
export type DisabledReason = ValueOf<typeof disabledReason>;

export const Endpoint = {
  companyId: t.text,
  endpointId: t.text,
  mode: t.mode,
  url: t.text,
  events: t.array(t.text),
  description: t.nullable(t.text),
  /** The version of the API in which it receives messages; null: the newest. */
  apiVersion: t.nullable(t.text),
  isEnabled: t.bool,
  offReason: t.nullable(disabledReason),
  /** The first failure since the last success. */
  failingSince: t.nullable(t.timestamptz),
  secret: t.bytea,
  /** Which roll created the secret. */
  secretId: t.text,
  previousSecret: t.nullable(t.bytea),
  previousUntil: t.nullable(t.timestamptz),
  createdBy: t.text,
  createdAt: t.timestamptz,
  updatedAt: t.timestamptz,
};
export type Endpoint = RowOf<typeof Endpoint>;

export const NewEndpoint = {
  ...pick(Endpoint, 'endpointId', 'mode', 'url', 'events', 'description', 'apiVersion', 'secret', 'secretId'),
  ...pick(Endpoint, 'createdBy', 'createdAt'),
};
export type NewEndpoint = RowOf<typeof NewEndpoint>;

const newEndpoint = insertOf(NewEndpoint, 3);
const insertEndpointSql = statement(Endpoint)`
  insert into webhook_endpoints (company_id, updated_at, ${newEndpoint.names}) values ($1, $2, ${newEndpoint.values})
  returning ${Endpoint}`;

export async function insertEndpoint(tx: TenantTx, endpoint: NewEndpoint): Promise<Endpoint> {
  const [inserted] = await tx.query(insertEndpointSql, [
    tx.companyId,
    endpoint.createdAt,
    ...newEndpoint.parameters(endpoint),
  ]);
  if (!inserted) throw new Error('an endpoint was inserted and is not there');
  return inserted;
}

const listEndpointsSql = statement(Endpoint)`
  select ${Endpoint} from webhook_endpoints
  where company_id = $1 and deleted_at is null and ($2::text is null or endpoint_id < $2)
  order by endpoint_id desc limit $3`;

/** The endpoints that were not deleted, newest first, after a cursor (null: from the newest). */
export async function listEndpoints(tx: TenantTx, before: string | null, limit: number): Promise<Endpoint[]> {
  return await tx.query(listEndpointsSql, [tx.companyId, before, limit]);
}

const countUnhealthyEndpointsSql = statement({ failing: t.int4, disabled: t.int4 })`
  select count(*) filter (where is_enabled and failing_since is not null)::integer as failing,
         count(*) filter (where off_reason in ('failing', 'gone'))::integer as disabled
  from webhook_endpoints where company_id = $1 and mode = $2 and deleted_at is null`;

/** How many endpoints of a mode fail, and how many were disabled for it. */
export async function countUnhealthyEndpoints(
  tx: TenantTx,
  mode: 'test' | 'live',
): Promise<{ failing: number; disabled: number }> {
  const [counted] = await tx.query(countUnhealthyEndpointsSql, [tx.companyId, mode]);
  return counted ?? { failing: 0, disabled: 0 };
}

const countFailingEndpointsSql = statement({ count: t.int4 })`
  select count(*)::integer as count from webhook_endpoints where is_enabled and failing_since is not null`;

/** How many endpoints of all companies fail. */
export async function countFailingEndpoints(tx: SystemTx): Promise<number> {
  return first(await tx.query(countFailingEndpointsSql))?.count ?? 0;
}

const findEndpointSql = statement(Endpoint)`
  select ${Endpoint} from webhook_endpoints
  where company_id = $1 and endpoint_id = $2 and deleted_at is null`;

/** An endpoint that was not deleted. */
export async function findEndpoint(tx: TenantTx, endpointId: string): Promise<Endpoint | null> {
  return first(await tx.query(findEndpointSql, [tx.companyId, endpointId]));
}

const lockEndpointSql = statement(Endpoint)`
  select ${Endpoint} from webhook_endpoints
  where company_id = $1 and endpoint_id = $2 and deleted_at is null for no key update`;

/** The same, locked until the transaction ends, to serialize changes. */
export async function lockEndpoint(tx: TenantTx, endpointId: string): Promise<Endpoint | null> {
  return first(await tx.query(lockEndpointSql, [tx.companyId, endpointId]));
}

export type EndpointChange = Pick<
  Endpoint,
  'url' | 'events' | 'description' | 'apiVersion' | 'isEnabled' | 'offReason'
> & {
  at: Date;
};

const updateEndpointSql = statement(Endpoint)`
  update webhook_endpoints
  set url = $3, events = $4, description = $5, is_enabled = $6, off_reason = $7, updated_at = $8, api_version = $9,
      failing_since = case when ($6 and not is_enabled) or url <> $3 then null else failing_since end
  where company_id = $1 and endpoint_id = $2 and deleted_at is null
  returning ${Endpoint}`;

/**
 * Writes what a company may change. An endpoint that is enabled again, or has a new URL, starts without
 * failures.
 */
export async function updateEndpoint(
  tx: TenantTx,
  endpointId: string,
  change: EndpointChange,
): Promise<Endpoint | null> {
  return first(
    await tx.query(updateEndpointSql, [
      tx.companyId,
      endpointId,
      change.url,
      change.events,
      change.description,
      change.isEnabled,
      change.offReason,
      change.at,
      change.apiVersion,
    ]),
  );
}

const replaceSecretSql = statement(Endpoint)`
  update webhook_endpoints
  set previous_secret = case when $5::timestamptz is null then null else secret end, previous_until = $5,
      secret = $3, secret_id = $4, updated_at = $6
  where company_id = $1 and endpoint_id = $2 and deleted_at is null
  returning ${Endpoint}`;

/** Replaces a secret. The old one also signs until a moment; without one it ends at once. */
export async function replaceSecret(
  tx: TenantTx,
  endpointId: string,
  roll: { secret: Buffer; secretId: string; previousUntil: Date | null; at: Date },
): Promise<Endpoint | null> {
  return first(
    await tx.query(replaceSecretSql, [
      tx.companyId,
      endpointId,
      roll.secret,
      roll.secretId,
      roll.previousUntil,
      roll.at,
    ]),
  );
}

/** The encrypted fields of an endpoint. */
export const EncryptedSecrets = { ...pick(Endpoint, 'companyId', 'endpointId', 'secret', 'previousSecret') };
export type EncryptedSecrets = RowOf<typeof EncryptedSecrets>;

const lockEncryptedSecretsSql = statement(EncryptedSecrets)`
  select ${EncryptedSecrets}
  from webhook_endpoints
  where company_id = $1 and deleted_at is null and endpoint_id > $2
  order by endpoint_id limit $3 for no key update`;

/** The encrypted secrets in the order of the endpoints, after a cursor, locked until the transaction ends. */
export async function lockEncryptedSecrets(
  tx: TenantTx,
  after: string,
  limit: number,
): Promise<EncryptedSecrets[]> {
  return await tx.query(lockEncryptedSecretsSql, [tx.companyId, after, limit]);
}

/** Replaces the encrypted form of the same secrets. */
export async function updateEncryptedSecrets(tx: TenantTx, sealed: EncryptedSecrets): Promise<void> {
  await tx.query(
    `update webhook_endpoints set secret = $3, previous_secret = $4
     where company_id = $1 and endpoint_id = $2 and deleted_at is null`,
    [tx.companyId, sealed.endpointId, sealed.secret, sealed.previousSecret],
  );
}

/** Deletes an endpoint and its secrets. Its deliveries stay. False if it was deleted before. */
export async function deleteEndpoint(tx: TenantTx, endpointId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update webhook_endpoints
     set deleted_at = $3, updated_at = $3, is_enabled = false, off_reason = coalesce(off_reason, 'switched_off'),
         secret = '', previous_secret = null, previous_until = null
     where company_id = $1 and endpoint_id = $2 and deleted_at is null
     returning endpoint_id`,
    [tx.companyId, endpointId, at],
  );
  return rows.length === 1;
}

/** Records that a delivery arrived. */
export async function recordEndpointSuccess(tx: TenantTx, endpointId: string): Promise<void> {
  await tx.query(
    `update webhook_endpoints set failing_since = null
     where company_id = $1 and endpoint_id = $2 and failing_since is not null`,
    [tx.companyId, endpointId],
  );
}

const recordEndpointFailureSql = statement({ failingSince: t.excludingNull(t.timestamptz) })`
  update webhook_endpoints set failing_since = coalesce(failing_since, $4)
  where company_id = $1 and endpoint_id = $2 and url = $3 returning failing_since as "failingSince"`;

/**
 * Records that a delivery to a URL failed, and returns the first failure since the last success. Null if the
 * endpoint has another URL by now, to which the failure does not apply.
 */
export async function recordEndpointFailure(
  tx: TenantTx,
  failed: Pick<Endpoint, 'endpointId' | 'url'>,
  at: Date,
): Promise<Date | null> {
  const [endpoint] = await tx.query(recordEndpointFailureSql, [
    tx.companyId,
    failed.endpointId,
    failed.url,
    at,
  ]);
  return endpoint?.failingSince ?? null;
}

const markEndpointDisabledSql = statement(Endpoint)`
  update webhook_endpoints set is_enabled = false, off_reason = $3, updated_at = $4
  where company_id = $1 and endpoint_id = $2 and is_enabled
  returning ${Endpoint}`;

/** Disables an endpoint. Null if it was disabled before. */
export async function markEndpointDisabled(
  tx: TenantTx,
  endpointId: string,
  off: { reason: DisabledReason; at: Date },
): Promise<Endpoint | null> {
  return first(await tx.query(markEndpointDisabledSql, [tx.companyId, endpointId, off.reason, off.at]));
}
