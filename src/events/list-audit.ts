// The audit log for people: newest first, in the order of IDs, which is the order of time. It is a view, not
// a feed: an event that commits late appears at the place of its time, even if a reader has passed it. Must
// not: read more than a bounded number of rows.

import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { eventColumns, type StoredEvent } from './list-events.ts';

/** The events to read: all, those of no payment, or those of one payment, which are few. */
export type AuditSource = 'all' | 'company' | { paymentId: string };

export type AuditScanRange = {
  source: AuditSource;
  fromId: string;
  beforeId: string;
};

/** A whole text, or the start of a text. */
export type AuditTextMatch = { text: string; isPrefix: boolean };

/** Filters without an index. */
export type AuditFilters = { type?: AuditTextMatch; actor?: AuditTextMatch };

/** How many events one query reads to apply its filters. */
export const auditScanRows = 2_000;

type BindParameter = (value: unknown) => string;

/** The events of a source. Those of one payment are collected first: their index has another order. */
function sourceSql(source: AuditSource, bind: BindParameter): string {
  if (source === 'all') return 'events where company_id = $1';
  if (source === 'company') return 'events where company_id = $1 and payment_id is null';
  const columns = 'company_id, event_id, type, is_public, mode, payment_id, attempt_id, actor, data, at';
  return `(select ${columns} from events where company_id = $1 and payment_id = ${bind(source.paymentId)} offset 0)
    events where true`;
}

function matchSql(column: 'type' | 'actor', match: AuditTextMatch | undefined, bind: BindParameter): string {
  if (!match) return '';
  return match.isPrefix
    ? ` and starts_with(${column}, ${bind(match.text)})`
    : ` and ${column} = ${bind(match.text)}`;
}

/** The ID where a query has read its number of rows; null when fewer are left. */
async function findAuditEnd(
  tx: TenantTx,
  { source, fromId, beforeId }: AuditScanRange,
): Promise<string | null> {
  const values: unknown[] = [tx.companyId];
  const bind: BindParameter = (value) => `$${values.push(value)}`;
  const [end] = await tx.query<{ eventId: string }>(
    // safe: names are literals of this file, values are parameters.
    `select event_id as "eventId" from ${sourceSql(source, bind)}
       and event_id >= ${bind(fromId)} and event_id < ${bind(beforeId)}
     order by events.event_id desc offset ${bind(auditScanRows - 1)} limit 1`,
    values,
  );
  return end?.eventId ?? null;
}

export type AuditPage = {
  events: StoredEvent[];
  /** The next page has the events before this ID; null on the last page. */
  next: string | null;
};

/**
 * A page of the audit log, newest first. With selective filters it may have fewer than `limit` entries, or
 * none, although more pages follow.
 */
export async function listAudit(
  tx: TenantTx,
  range: AuditScanRange,
  { filters, limit }: { filters: AuditFilters; limit: number },
): Promise<AuditPage> {
  // The events of one payment are few and must be sorted. With sorting as a last resort, their artificial
  // cost would trigger JIT compilation, which takes a hundred times as long as reading them.
  if (typeof range.source === 'string') await preferIndexScans(tx);
  const isExact = Object.keys(filters).length === 0;
  // Find the end first: events that arrive between the two statements are on this page or after its end.
  const end = isExact ? null : await findAuditEnd(tx, range);
  const values: unknown[] = [tx.companyId];
  const bind: BindParameter = (value) => `$${values.push(value)}`;
  const found = await tx.query<StoredEvent>(
    // safe: names are literals of this module, values are parameters.
    `select ${eventColumns} from ${sourceSql(range.source, bind)}
       and event_id >= ${bind(end ?? range.fromId)} and event_id < ${bind(range.beforeId)}
       ${matchSql('type', filters.type, bind)}${matchSql('actor', filters.actor, bind)}
     order by events.event_id desc limit ${bind(limit + 1)}`,
    values,
  );
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events, next: found.length > limit && last ? last.eventId : end };
}
