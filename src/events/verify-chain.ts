// Verifies the hash chain of a company's events: recomputes every hash from the stored events, from the first
// on, and finds events among the sealed ones that have no seal. An attacker who can rewrite events and all
// later seals is detected only by a chain head stored elsewhere. Must not: write.

import type { TenantTx } from '../db/database.ts';
import { omit, type RowOf, statement, t } from '../db/statements.ts';
import { chainStart, EventHashInput, hashEvent } from './event-hash.ts';

export type ChainViolation = {
  fault: 'changed' | 'removed' | 'inserted' | 'reordered' | 'gap' | 'future';
  /** The position of the invalid seal, or of the first missing one. Null for an event without a seal. */
  position: number | null;
  eventId: string | null;
  /** A plain sentence. */
  detail: string;
};

export const ChainHead = {
  /** The last seal; 0 and zeros when there is none yet. */
  position: t.int8,
  hashHex: t.text,
  unsealedEvents: t.int8,
};
export type ChainHead = RowOf<typeof ChainHead>;

const SealRow = {
  ...omit(EventHashInput, 'companyId', 'eventId'),
  eventId: t.text,
  hash: t.bytea,
  isAbovePrevious: t.bool,
  /** The event's current value; null when the event is gone. Its other columns are then empty. */
  eventXact: t.nullable(t.text),
};
type SealRow = RowOf<typeof SealRow>;
type SealGap = { from: number; to: number };
type ChainScan = { violations: ChainViolation[]; gaps: SealGap[]; hash: Buffer; position: number };

const pageSize = 1_000;
const maxViolations = 1_000;

const listSealsSql = statement(SealRow)`
  select s.position, s.event_id as "eventId", s.xact::text as xact, s.hash,
         (p.position is null or (s.xact, s.event_id) > (p.xact, p.event_id)) as "isAbovePrevious",
         e.xact::text as "eventXact", coalesce(e.type, '') as type, coalesce(e.is_public, false) as "isPublic",
         e.payment_id as "paymentId", e.attempt_id as "attemptId", coalesce(e.actor, '') as actor,
         coalesce(e.data::text, '') as "dataText",
         coalesce(to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '') as "atText"
  from event_seals s
  left join events e on e.company_id = s.company_id and e.event_id = s.event_id
  left join event_seals p on p.company_id = s.company_id and p.position = s.position - 1
  where s.company_id = $1 and s.position > $2 order by s.position limit $3`;

async function listSeals(tx: TenantTx, afterPosition: number): Promise<SealRow[]> {
  return await tx.query(listSealsSql, [tx.companyId, afterPosition, pageSize]);
}

function checkSeal(tx: TenantTx, scan: ChainScan, row: SealRow, isAfterGap: boolean): ChainViolation | null {
  const { position, eventId } = row;
  if (row.eventXact === null)
    return {
      fault: 'removed',
      position,
      eventId,
      detail: `Event ${eventId} was sealed and no longer exists.`,
    };
  if (row.eventXact !== row.xact || !row.isAbovePrevious) {
    const detail = `Event ${eventId} is no longer at the position where it was sealed.`;
    return { fault: 'reordered', position, eventId, detail };
  }
  // The previous seal is missing, so this hash cannot be recomputed. The gap is already reported.
  if (isAfterGap) return null;
  const hash = hashEvent(scan.hash, { ...row, companyId: tx.companyId });
  if (hash.equals(row.hash)) return null;
  return {
    fault: 'changed',
    position,
    eventId,
    detail: `Event ${eventId} or its seal was changed after it was sealed.`,
  };
}

function scanRow(tx: TenantTx, scan: ChainScan, row: SealRow): void {
  const expected = scan.position + 1;
  const isAfterGap = row.position !== expected;
  if (isAfterGap) {
    const gap = { from: expected, to: row.position - 1 };
    scan.gaps.push(gap);
    const which = gap.from === gap.to ? `Seal ${gap.from} is` : `Seals ${gap.from} to ${gap.to} are`;
    scan.violations.push({ fault: 'gap', position: expected, eventId: null, detail: `${which} missing.` });
  }
  const violation = checkSeal(tx, scan, row, isAfterGap);
  if (violation) scan.violations.push(violation);
  // Continue from the stored hash, so that one change is one violation, not the rest of the chain.
  scan.hash = row.hash;
  scan.position = row.position;
}

const listWithoutSealSql = statement({ eventId: t.text, nextPosition: t.int8 })`
  select e.event_id as "eventId",
         (select min(n.position) from event_seals n
          where n.company_id = e.company_id and (n.xact, n.event_id) > (e.xact, e.event_id)) as "nextPosition"
  from events e
  where e.company_id = $1
    and (e.xact, e.event_id) < (select l.xact, l.event_id from event_seals l
                                where l.company_id = $1 order by l.position desc limit 1)
    and not exists (select from event_seals s where s.company_id = e.company_id and s.event_id = e.event_id)
  order by e.xact, e.event_id limit $2`;

// Events below the last seal that have none, each with the seal that follows its place.
async function listWithoutSeal(tx: TenantTx): Promise<{ eventId: string; nextPosition: number }[]> {
  return await tx.query(listWithoutSealSql, [tx.companyId, maxViolations]);
}

/** Events inserted among sealed ones. An event that lost its seal to a gap is not reported again. */
function findInserted(
  scan: ChainScan,
  events: readonly { eventId: string; nextPosition: number }[],
): ChainViolation[] {
  const missing = new Map(scan.gaps.map(({ from, to }) => [to + 1, to - from + 1]));
  const violations: ChainViolation[] = [];
  for (const { eventId, nextPosition } of events) {
    const remaining = missing.get(nextPosition) ?? 0;
    missing.set(nextPosition, remaining - 1);
    if (remaining > 0) continue;
    const detail = `Event ${eventId} was inserted before seal ${nextPosition} after that seal was created.`;
    violations.push({ fault: 'inserted', position: null, eventId, detail });
  }
  return violations;
}

const listFutureEventsSql = statement({ eventId: t.text })`
  select event_id as "eventId" from events
  where company_id = $1 and xact >= next_event_number()
  order by xact, event_id limit $2`;

// An event with a number that no transaction has had yet: pg_dump copied the database to another server, or
// someone chose the number. The feed hides such events until the base of the numbers is raised.
async function findFutureEvents(tx: TenantTx): Promise<ChainViolation[]> {
  const rows = await tx.query(listFutureEventsSql, [tx.companyId, maxViolations]);
  return rows.map(({ eventId }) => {
    const detail = `Event ${eventId} has the number of a transaction that does not exist yet.`;
    return { fault: 'future' as const, position: null, eventId, detail };
  });
}

/**
 * Every violation in the chain of the transaction's company, up to about 1,000 of a kind; empty when it is
 * valid.
 */
export async function verifyChain(tx: TenantTx): Promise<ChainViolation[]> {
  const scan: ChainScan = { violations: [], gaps: [], hash: chainStart, position: 0 };
  for (;;) {
    const rows = await listSeals(tx, scan.position);
    for (const row of rows) scanRow(tx, scan, row);
    if (rows.length < pageSize || scan.violations.length >= maxViolations) break;
  }
  return [
    ...scan.violations,
    ...findInserted(scan, await listWithoutSeal(tx)),
    ...(await findFutureEvents(tx)),
  ];
}

const readChainHeadSql = statement(ChainHead)`
  select coalesce(l.position, 0) as position, encode(coalesce(l.hash, $2), 'hex') as "hashHex",
         (select count(*) from events e
          where e.company_id = $1 and (l.position is null or (e.xact, e.event_id) > (l.xact, l.event_id)))
           as "unsealedEvents"
  from (select 1) one left join lateral
       (select position, hash, xact, event_id from event_seals
        where company_id = $1 order by position desc limit 1) l on true`;

/** The end of the chain. Store it elsewhere, out of reach of those who can rewrite the database. */
export async function readChainHead(tx: TenantTx): Promise<ChainHead> {
  const [head] = await tx.query(readChainHeadSql, [tx.companyId, chainStart]);
  if (!head) throw new Error('a query of one row gave none');
  return head;
}
