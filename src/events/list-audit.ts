// The audit log for people: newest first, in the order of IDs, which is the order of time. It is a view, not
// a feed: an event that commits late appears at the place of its time, even if a reader has passed it. Must
// not: read more than a bounded number of rows.

import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { type Bind, builtStatement, type Fragment, sql, t } from '../db/statements.ts';
import { StoredEvent } from './list-events.ts';

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

/** The events of a source. Those of one payment are collected first: their index has another order. */
function fromSource(source: AuditSource, companyId: string, bind: Bind): Fragment {
  const ofCompany = sql`company_id = ${bind(companyId)}`;
  if (source === 'all') return sql`events where ${ofCompany}`;
  if (source === 'company') return sql`events where ${ofCompany} and payment_id is null`;
  return sql`(
    select company_id, event_id, type, is_public, mode, payment_id, attempt_id, actor, data, at
    from events where ${ofCompany} and payment_id = ${bind(source.paymentId)} offset 0) events where true`;
}

function matches(column: Fragment, match: AuditTextMatch | undefined, bind: Bind): Fragment {
  if (!match) return sql`true`;
  return match.isPrefix
    ? sql`starts_with(${column}, ${bind(match.text)})`
    : sql`${column} = ${bind(match.text)}`;
}

type AuditRead = AuditScanRange & { companyId: string; filters: AuditFilters; limit: number };

const sampleFilters: AuditFilters[] = [
  {},
  { type: { text: '', isPrefix: true }, actor: { text: '', isPrefix: false } },
];
const samples = (['all', 'company', { paymentId: '' }] as const).flatMap((source) =>
  sampleFilters.map(
    (filters): AuditRead => ({ companyId: '', source, filters, fromId: '', beforeId: '', limit: 1 }),
  ),
);

const auditEnd = builtStatement(
  { eventId: t.text },
  samples,
  ({ companyId, source, fromId, beforeId }, bind) => sql`
  select event_id as "eventId" from ${fromSource(source, companyId, bind)}
    and event_id >= ${bind(fromId)} and event_id < ${bind(beforeId)}
  order by events.event_id desc offset ${bind(auditScanRows - 1)} limit 1`,
);

const auditPage = builtStatement(
  StoredEvent,
  samples,
  ({ companyId, source, fromId, beforeId, filters, limit }, bind) => sql`
  select ${StoredEvent} from ${fromSource(source, companyId, bind)}
    and event_id >= ${bind(fromId)} and event_id < ${bind(beforeId)}
    and ${matches(sql`type`, filters.type, bind)} and ${matches(sql`actor`, filters.actor, bind)}
  order by events.event_id desc limit ${bind(limit + 1)}`,
);

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
  const read = { ...range, companyId: tx.companyId, filters, limit };
  // Find the end first: events that arrive between the two statements are on this page or after its end.
  // The end is the ID where a query has read its number of rows; null when fewer are left.
  const [end] = isExact ? [] : await tx.query(...auditEnd(read));
  const found = await tx.query(...auditPage({ ...read, fromId: end?.eventId ?? range.fromId }));
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events, next: found.length > limit && last ? last.eventId : (end?.eventId ?? null) };
}
