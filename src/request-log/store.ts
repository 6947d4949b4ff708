// All SQL of the request log. Must not: write in the transaction of a call.

import type { SystemTx, TenantTx } from '../db/database.ts';
import {
  builtStatement,
  type Fragment,
  first,
  insertAllOf,
  type RowOf,
  sql,
  statement,
  t,
} from '../db/statements.ts';

/** A call, without its bodies. */
export const LoggedRequest = {
  logId: t.text,
  requestId: t.text,
  mode: t.mode,
  at: t.timestamptz,
  method: t.text,
  path: t.text,
  query: t.nullable(t.text),
  status: t.int4,
  durationMs: t.int4,
  actor: t.text,
  keyId: t.nullable(t.text),
  client: t.text,
  errorCode: t.nullable(t.text),
  isReplay: t.bool,
};
export type LoggedRequest = RowOf<typeof LoggedRequest>;

export const LoggedBodies = { requestBody: t.nullable(t.text), responseBody: t.nullable(t.text) };
const LoggedCall = { ...LoggedRequest, ...LoggedBodies };
export type LoggedCall = RowOf<typeof LoggedCall>;

const NewCall = { companyId: t.text, ...LoggedCall };
/** A call as it is written. */
export type NewCall = RowOf<typeof NewCall>;

const added = insertAllOf(NewCall, 1);
const insertSql = sql`insert into api_requests (${added.names}) select ${added.names} from ${added.rows}`;

/** Writes the calls of all companies. */
export async function insertCalls(tx: SystemTx, calls: readonly NewCall[]): Promise<void> {
  await tx.query(insertSql, [added.rowsParameter(calls)]);
}

const findSql = statement(LoggedCall)`
  select ${LoggedCall} from api_requests
  where company_id = $1 and mode = current_mode() and request_id = $2
  order by log_id desc limit 1`;

/** The last call with a request ID. */
export async function findCall(tx: TenantTx, requestId: string): Promise<LoggedCall | null> {
  return first(await tx.query(findSql, [tx.companyId, requestId]));
}

/** A status, or the first and the last of a class. */
export type StatusRange = { from: number; to: number };

/** Filters without an index. */
export type CallFilters = {
  status?: StatusRange;
  method?: string;
  pathPrefix?: string;
  keyId?: string;
};

export type CallRange = { fromId: string; beforeId: string; requestId: string | null };

type CallRead = CallRange & { companyId: string; filters: CallFilters; limit: number };

/** How many calls one query reads to apply its filters. */
export const callScanRows = 2_000;

const sampleRange = { companyId: '', fromId: '', beforeId: '', limit: 1 };
const allFilters: CallFilters = { status: { from: 1, to: 2 }, method: '', pathPrefix: '', keyId: '' };
const samples: CallRead[] = [{}, allFilters].flatMap((filters) =>
  [null, ''].map((requestId) => ({ ...sampleRange, filters, requestId })),
);

type Bind = (value: unknown) => Fragment;

const inRange = ({ companyId, fromId, beforeId, requestId }: CallRead, bind: Bind): Fragment => sql`
  api_requests where company_id = ${bind(companyId)} and mode = current_mode()
    and log_id >= ${bind(fromId)} and log_id < ${bind(beforeId)}
    and ${requestId === null ? sql`true` : sql`request_id = ${bind(requestId)}`}`;

function matching({ status, method, pathPrefix, keyId }: CallFilters, bind: Bind): Fragment {
  const ofStatus = status ? sql`status between ${bind(status.from)} and ${bind(status.to)}` : sql`true`;
  const ofMethod = method === undefined ? sql`true` : sql`method = ${bind(method)}`;
  const ofPath = pathPrefix === undefined ? sql`true` : sql`starts_with(path, ${bind(pathPrefix)})`;
  const ofKey = keyId === undefined ? sql`true` : sql`key_id = ${bind(keyId)}`;
  return sql`${ofStatus} and ${ofMethod} and ${ofPath} and ${ofKey}`;
}

const scanEnd = builtStatement(
  { logId: t.text },
  samples,
  (read, bind) => sql`
  select log_id as "logId" from ${inRange(read, bind)}
  order by log_id desc offset ${bind(callScanRows - 1)} limit 1`,
);

const callPage = builtStatement(
  LoggedRequest,
  samples,
  (read, bind) => sql`
  select ${LoggedRequest} from ${inRange(read, bind)}
    and ${matching(read.filters, bind)}
  order by log_id desc limit ${bind(read.limit + 1)}`,
);

/** The ID of the call at which a query with filters stops reading; null when fewer are left. */
export async function findScanEnd(tx: TenantTx, range: CallRange): Promise<string | null> {
  const [end] = await tx.query(...scanEnd({ ...range, companyId: tx.companyId, filters: {}, limit: 0 }));
  return end?.logId ?? null;
}

/** The calls of a range that match, newest first: one more than the limit if there are more. */
export async function listCalls(
  tx: TenantTx,
  range: CallRange,
  { filters, limit }: { filters: CallFilters; limit: number },
): Promise<LoggedRequest[]> {
  return await tx.query(...callPage({ ...range, companyId: tx.companyId, filters, limit }));
}

const deleteSql = `
  delete from api_requests where at <= (
    select max(at) from (
      select at from api_requests where at < now() - make_interval(days => $2) order by at limit $1) oldest)
  returning at`;

/** Deletes the oldest of the calls older than `days`, of all companies. Returns how many. */
export async function deleteOldCalls(
  tx: SystemTx,
  { limit, days }: { limit: number; days: number },
): Promise<number> {
  return (await tx.query(deleteSql, [limit, days])).length;
}
