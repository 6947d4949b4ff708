// The SQL of connections, their circuits and their webhooks. Credentials are always encrypted here.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { deleteOldest } from '../db/delete-in-batches.ts';
import { first, insertOf, omit, type RowOf, statement, t, type ValueOf } from '../db/statements.ts';
import type { Mode } from '../processors/processor.ts';

export const StoredConnection = {
  companyId: t.text,
  connectionId: t.text,
  processor: t.text,
  mode: t.mode,
  /** The merchant's name for it, and the holder of the account, as the processor reports it. */
  name: t.text,
  holder: t.text,
  /** The permanent identifier of that account at the processor; empty if it never reported one. */
  account: t.text,
  currencies: t.array(t.currency),
  /** What customers can use at the processor, by its brand, as the processor reports it. */
  offers: t.array(t.text),
  position: t.int4,
  isEnabled: t.bool,
  /** Null once it is deleted. */
  sealed: t.nullable(t.bytea),
  keyId: t.nullable(t.text),
  createdBy: t.text,
  createdAt: t.timestamptz,
  updatedAt: t.timestamptz,
  /** The end of the open circuit; null when it is closed. */
  openUntil: t.nullable(t.timestamptz),
  /** Up to when its records are compared with the processor's list. */
  comparedUntil: t.timestamptz,
};
export type StoredConnection = RowOf<typeof StoredConnection>;

const findConnectionSql = statement(StoredConnection)`
  select ${StoredConnection} from connections where company_id = $1 and connection_id = $2`;

/** A connection by its ID, even a deleted one: its attempts may still be queried. */
export async function findConnection(tx: TenantTx, connectionId: string): Promise<StoredConnection | null> {
  return first(await tx.query(findConnectionSql, [tx.companyId, connectionId]));
}

const shareLockConnectionSql = statement(StoredConnection)`
  select ${StoredConnection} from connections
  where company_id = $1 and connection_id = $2 and deleted_at is null for key share`;

/** Locks a connection against deletion until the transaction ends. Null when it is already deleted. */
export async function shareLockConnection(
  tx: TenantTx,
  connectionId: string,
): Promise<StoredConnection | null> {
  return first(await tx.query(shareLockConnectionSql, [tx.companyId, connectionId]));
}

/** A new attempt (foreign key) and a refund (`shareLockConnection`) lock it too: they and this wait for each other. */
export async function lockConnection(tx: TenantTx, connectionId: string): Promise<void> {
  await tx.query(
    'select connection_id from connections where company_id = $1 and connection_id = $2 for update',
    [tx.companyId, connectionId],
  );
}

export const NewConnection = omit(StoredConnection, 'companyId', 'updatedAt', 'openUntil', 'comparedUntil');
export type NewConnection = RowOf<typeof NewConnection>;

const newConnection = insertOf(NewConnection, 3);
const insertConnectionSql = statement(StoredConnection)`
  insert into connections (company_id, updated_at, compared_until, ${newConnection.names})
  values ($1, $2, $2, ${newConnection.values})
  returning ${StoredConnection}`;

export async function insertConnection(tx: TenantTx, connection: NewConnection): Promise<StoredConnection> {
  const [inserted] = await tx.query(insertConnectionSql, [
    tx.companyId,
    connection.createdAt,
    ...newConnection.parameters(connection),
  ]);
  if (!inserted) throw new Error('the inserted connection was not returned');
  return inserted;
}

type ConnectionUpdate = Pick<
  StoredConnection,
  'name' | 'holder' | 'account' | 'currencies' | 'offers' | 'position' | 'isEnabled'
> & { seal: { sealed: Buffer; keyId: string } | null; at: Date };

const updateConnectionSql = statement(StoredConnection)`
  update connections
  set name = $3, holder = $4, currencies = $5, position = $6, is_enabled = $7, updated_at = $10, account = $11, offers = $12,
      sealed = coalesce($8::bytea, sealed), key_id = coalesce($9::text, key_id),
      failures = case when ($7 and not is_enabled) or $8::bytea is not null then 0 else failures end,
      open_until = case when ($7 and not is_enabled) or $8::bytea is not null then null else open_until end
  where company_id = $1 and connection_id = $2 and deleted_at is null
  returning ${StoredConnection}`;

/** Enabling or new credentials close the circuit. Without new ones the ciphertext stays: a rotation may rewrite it. */
export async function updateConnection(
  tx: TenantTx,
  connectionId: string,
  change: ConnectionUpdate,
): Promise<StoredConnection> {
  const { name, holder, currencies, position, isEnabled, seal, at, account, offers } = change;
  const [updated] = await tx.query(updateConnectionSql, [
    ...[tx.companyId, connectionId, name, holder, currencies, position, isEnabled],
    ...[seal?.sealed ?? null, seal?.keyId ?? null, at, account, offers],
  ]);
  if (!updated) throw new Error('the locked connection does not exist');
  return updated;
}

export async function moveConnection(
  tx: TenantTx,
  connectionId: string,
  move: { position: number; at: Date },
): Promise<void> {
  await tx.query(
    `update connections set position = $3, updated_at = $4 where company_id = $1 and connection_id = $2`,
    [tx.companyId, connectionId, move.position, move.at],
  );
}

export async function deleteConnection(tx: TenantTx, connectionId: string, at: Date): Promise<void> {
  await tx.query(
    `update connections set deleted_at = $3, updated_at = $3, is_enabled = false, sealed = null, key_id = null
     where company_id = $1 and connection_id = $2`,
    [tx.companyId, connectionId, at],
  );
}

/** Records that a connection is compared up to a time. An earlier time changes nothing. */
export async function markCompared(tx: TenantTx, connectionId: string, until: Date): Promise<void> {
  await tx.query(
    `update connections set compared_until = $3
     where company_id = $1 and connection_id = $2 and compared_until < $3`,
    [tx.companyId, connectionId, until],
  );
}

const hasUnsettledWorkSql = statement({ isUnsettled: t.bool })`
  select exists (
    select from attempts a
    where a.company_id = $1 and a.connection_id = $2
      and a.state in ('created', 'requires_action', 'processing', 'unknown')
  ) or exists (
    select from refunds r join attempts a using (company_id, attempt_id)
    where r.company_id = $1 and a.connection_id = $2 and r.state in ('created', 'processing', 'unknown')
  ) as "isUnsettled"`;

/** Whether a payment or a refund through a connection is under way. */
export async function hasUnsettledWork(tx: TenantTx, connectionId: string): Promise<boolean> {
  const [row] = await tx.query(hasUnsettledWorkSql, [tx.companyId, connectionId]);
  return row?.isUnsettled ?? false;
}

const listConnectionsSql = statement(StoredConnection)`
  select ${StoredConnection} from connections
  where company_id = $1 and mode = $2 and deleted_at is null
  order by position, connection_id limit 200`;

/** In the merchant's order. */
export async function listConnections(tx: TenantTx, mode: Mode): Promise<StoredConnection[]> {
  return await tx.query(listConnectionsSql, [tx.companyId, mode]);
}

/**
 * The health of a connection: failing from the failures that open its circuit until its processor answers a payment or a
 * check; off if a person switched it off.
 */
const connectionHealth = t.oneOf('healthy', 'failing', 'off');
export type ConnectionHealth = ValueOf<typeof connectionHealth>;

export const ConnectionCount = { processor: t.text, mode: t.mode, health: connectionHealth, count: t.int4 };
export type ConnectionCount = RowOf<typeof ConnectionCount>;

const countAllConnectionsSql = statement(ConnectionCount)`
  select processor, mode,
    case when not is_enabled then 'off' when open_until is not null then 'failing' else 'healthy' end as health,
    count(*)::integer as count
  from connections where deleted_at is null group by 1, 2, 3 order by 1, 2, 3`;

/** How many connections of all companies have each health. */
export async function countAllConnections(tx: SystemTx): Promise<ConnectionCount[]> {
  return await tx.query(countAllConnectionsSql);
}

const listAllConnectionsSql = statement(StoredConnection)`
  select ${StoredConnection} from connections where company_id = $1 order by connection_id`;

/** Every connection, including deleted ones: money may have moved through it. */
export async function listAllConnections(tx: TenantTx): Promise<StoredConnection[]> {
  return await tx.query(listAllConnectionsSql, [tx.companyId]);
}

/** The encrypted part of a connection, and the ID of its master key. */
export const EncryptedCredentials = {
  companyId: t.text,
  connectionId: t.text,
  sealed: t.excludingNull(t.bytea),
  keyId: t.excludingNull(t.text),
};
export type EncryptedCredentials = RowOf<typeof EncryptedCredentials>;

const lockEncryptedCredentialsSql = statement(EncryptedCredentials)`
  select ${EncryptedCredentials}
  from connections
  where company_id = $1 and sealed is not null and connection_id > $2
  order by connection_id limit $3 for no key update`;

/** The encrypted credentials after a connection, in order, locked until the transaction ends. */
export async function lockEncryptedCredentials(
  tx: TenantTx,
  after: string,
  limit: number,
): Promise<EncryptedCredentials[]> {
  return await tx.query(lockEncryptedCredentialsSql, [tx.companyId, after, limit]);
}

export async function updateEncryptedCredentials(tx: TenantTx, row: EncryptedCredentials): Promise<void> {
  await tx.query(
    `update connections set sealed = $3, key_id = $4
     where company_id = $1 and connection_id = $2 and sealed is not null`,
    [tx.companyId, row.connectionId, row.sealed, row.keyId],
  );
}

const countFailureSql = statement({ failures: t.int4, openUntil: t.nullable(t.timestamptz) })`
  update connections
  set failures = failures + 1, open_until = case when failures + 1 >= $3 then $4 else open_until end
  where company_id = $1 and connection_id = $2
  returning failures, open_until as "openUntil"`;

/** Counts a failure, and opens the circuit at the threshold. A success resets the count. */
export async function countFailure(
  tx: TenantTx,
  connectionId: string,
  failure: { threshold: number; openUntil: Date },
): Promise<{ failures: number; openUntil: Date | null }> {
  const { threshold, openUntil } = failure;
  const [counted] = await tx.query(countFailureSql, [tx.companyId, connectionId, threshold, openUntil]);
  if (!counted) throw new Error('the connection does not exist');
  return counted;
}

export async function resetFailures(tx: TenantTx, connectionId: string): Promise<void> {
  await tx.query(
    `update connections set failures = 0, open_until = null
     where company_id = $1 and connection_id = $2 and failures > 0`,
    [tx.companyId, connectionId],
  );
}

export async function updateOffers(
  tx: TenantTx,
  connectionId: string,
  offers: readonly string[],
): Promise<void> {
  await tx.query(
    `update connections set offers = $3 where company_id = $1 and connection_id = $2 and offers <> $3`,
    [tx.companyId, connectionId, offers],
  );
}

/** Whether a webhook was already processed. */
export async function hasProcessorWebhook(
  tx: TenantTx,
  connectionId: string,
  noticeId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select notice_id from processor_notices
     where company_id = $1 and connection_id = $2 and notice_id = $3`,
    [tx.companyId, connectionId, noticeId],
  );
  return rows.length === 1;
}

/** Records that a webhook was processed; a second record is ignored. */
export async function insertProcessorWebhook(
  tx: TenantTx,
  notice: { connectionId: string; noticeId: string; at: Date },
): Promise<void> {
  await tx.query(
    `insert into processor_notices (company_id, connection_id, notice_id, received_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [tx.companyId, notice.connectionId, notice.noticeId, notice.at],
  );
}

export const processorWebhookVerdict = t.oneOf('accepted', 'irrelevant', 'replayed', 'mismatched', 'forged');
export type ProcessorWebhookVerdict = ValueOf<typeof processorWebhookVerdict>;

/** Counts a webhook in the mode of its connection. A transaction over both modes may do this too. */
export async function countProcessorWebhook(
  tx: TenantTx,
  notice: { connectionId: string; verdict: ProcessorWebhookVerdict; at: Date },
): Promise<void> {
  await tx.query(
    `insert into processor_notice_counts as counted (company_id, mode, connection_id, verdict, count, last_at)
     select $1, mode, connection_id, $3, 1, $4 from connections where company_id = $1 and connection_id = $2
     on conflict (company_id, mode, connection_id, verdict)
       do update set count = counted.count + 1, last_at = greatest(counted.last_at, excluded.last_at)`,
    [tx.companyId, notice.connectionId, notice.verdict, notice.at],
  );
}

export const ProcessorWebhookCount = {
  connectionId: t.text,
  verdict: processorWebhookVerdict,
  count: t.int8,
  lastAt: t.timestamptz,
};
export type ProcessorWebhookCount = RowOf<typeof ProcessorWebhookCount>;

const listProcessorWebhookCountsSql = statement(ProcessorWebhookCount)`
  select ${ProcessorWebhookCount}
  from processor_notice_counts where company_id = $1`;

export async function listProcessorWebhookCounts(tx: TenantTx): Promise<ProcessorWebhookCount[]> {
  return await tx.query(listProcessorWebhookCountsSql, [tx.companyId]);
}

/** Deletes the oldest records of webhooks older than 60 days, over all companies. Returns how many. */
export const deleteOldProcessorWebhooks = deleteOldest('processor_notices', 'received_at', '60 days');
