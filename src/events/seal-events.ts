// Seals events shortly after they were written: each seal contains the hash of the previous one, so that
// later changes are detected. Writers of events never wait for it. Must not: seal an event at or above the
// horizon (another could still precede it), or let two processes continue from the same seal.

import type { Clock } from '../base/clock.ts';
import type { Database, SystemTx, TenantTx } from '../db/database.ts';
import { first, omit, type RowOf, statement, t } from '../db/statements.ts';
import { chainStart, EventHashInput, hashEvent } from './event-hash.ts';
import { readEventHorizon } from './event-numbers.ts';

type SealEventsDeps = { db: Database; clock: Clock };
const ChainTail = { position: t.int8, hash: t.bytea, xact: t.text, eventId: t.text };
type ChainTail = RowOf<typeof ChainTail>;
const UnsealedEvent = { ...omit(EventHashInput, 'companyId', 'position') };
type UnsealedEvent = RowOf<typeof UnsealedEvent>;

/** Events per transaction: milliseconds of work, so that the embedded database stays free for others. */
const batchSize = 500;
const companiesAtATime = 500;

const listUnsealedSql = statement({ companyId: t.text })`
  select distinct company_id as "companyId" from events
  where xact < $1::xid8 and company_id > $2 order by company_id limit $3`;

/** Companies with unsealed events below the horizon. The role cannot see sealed events. */
async function listUnsealed(tx: SystemTx, horizon: string, after: string): Promise<string[]> {
  const rows = await tx.query(listUnsealedSql, [horizon, after, companiesAtATime]);
  return rows.map(({ companyId }) => companyId);
}

const findOldestUnsealedSql = statement({ at: t.timestamptz })`
  select at from events where xact >= (select sealed_below from seal_progress) order by xact, company_id limit 1`;

/** The time of the oldest event that may have no seal yet. Null if there is none. */
export async function findOldestUnsealed(tx: SystemTx): Promise<Date | null> {
  return first(await tx.query(findOldestUnsealedSql))?.at ?? null;
}

const lockChainSql = statement({ isLocked: t.bool })`
  select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isLocked"`;

/** The lock for sealing one chain; false when another process holds it. */
async function lockChain(tx: TenantTx): Promise<boolean> {
  const [row] = await tx.query(lockChainSql, [`seal-events:${tx.companyId}`]);
  return row?.isLocked ?? false;
}

const findTailSql = statement(ChainTail)`
  select position, hash, xact::text as xact, event_id as "eventId" from event_seals
  where company_id = $1 order by position desc limit 1`;

async function findTail(tx: TenantTx): Promise<ChainTail> {
  const [tail] = await tx.query(findTailSql, [tx.companyId]);
  return tail ?? { position: 0, hash: chainStart, xact: '0', eventId: '' };
}

const listNextSql = statement(UnsealedEvent)`
  select event_id as "eventId", xact::text as xact, type, is_public as "isPublic", payment_id as "paymentId",
         attempt_id as "attemptId", actor, data::text as "dataText",
         to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as "atText"
  from events e
  where company_id = $1 and (xact, event_id) > ($2::xid8, $3)
    and xact < event_horizon()
    and not exists (select from event_seals s where s.company_id = e.company_id and s.event_id = e.event_id)
  order by e.xact, event_id limit $4`;

// An event that was moved forward has its seal already. verifyChain reports it, and sealing continues.
async function listNext(tx: TenantTx, tail: ChainTail): Promise<UnsealedEvent[]> {
  return await tx.query(listNextSql, [tx.companyId, tail.xact, tail.eventId, batchSize]);
}

async function insertSeals(tx: TenantTx, tail: ChainTail, events: UnsealedEvent[], at: Date): Promise<void> {
  const positions: number[] = [];
  const hashes: string[] = [];
  let { hash } = tail;
  for (const [index, event] of events.entries()) {
    const position = tail.position + index + 1;
    hash = hashEvent(hash, { ...event, companyId: tx.companyId, position });
    positions.push(position);
    hashes.push(hash.toString('hex'));
  }
  await tx.query(
    `insert into event_seals (company_id, position, event_id, xact, hash, sealed_at)
     select $1, position, event_id, xact, decode(hash, 'hex'), $6
     from unnest($2::bigint[], $3::text[], $4::xid8[], $5::text[]) as sealed (position, event_id, xact, hash)`,
    [
      tx.companyId,
      positions,
      events.map(({ eventId }) => eventId),
      events.map(({ xact }) => xact),
      hashes,
      at,
    ],
  );
}

/** Seals one batch of a company. Returns the number of seals, or null when another process does it. */
async function sealBatch(tx: TenantTx, at: Date): Promise<number | null> {
  if (!(await lockChain(tx))) return null;
  // Separate statements under the lock: they see what its last holder committed.
  const tail = await findTail(tx);
  const events = await listNext(tx, tail);
  if (events.length > 0) await insertSeals(tx, tail, events, at);
  return events.length;
}

/** Seals a company up to the horizon; null when another process does it. */
export async function sealCompany(deps: SealEventsDeps, companyId: string): Promise<number | null> {
  let sealed = 0;
  for (;;) {
    const at = deps.clock.now();
    const count = await deps.db.inBothModes(companyId, async (tx) => await sealBatch(tx, at));
    if (count === null) return null;
    sealed += count;
    if (count < batchSize) return sealed;
  }
}

/** Seals all events below the horizon of every company, in the feed's order. Returns the number of seals. */
export async function sealEvents(deps: SealEventsDeps): Promise<number> {
  const { db } = deps;
  const horizon = await db.inSystem(readEventHorizon);
  let sealed = 0;
  let isComplete = true;
  let after = '';
  for (;;) {
    const companies = await db.inSystem(async (tx) => await listUnsealed(tx, horizon, after));
    for (const companyId of companies) {
      const count = await sealCompany(deps, companyId);
      if (count === null) isComplete = false;
      else sealed += count;
    }
    after = companies.at(-1) ?? '';
    if (companies.length < companiesAtATime) break;
  }
  // Another process may die half-way: only a process that saw every chain complete moves the mark.
  if (isComplete)
    await db.inSystem(
      async (tx) =>
        await tx.query('update seal_progress set sealed_below = $1::xid8 where sealed_below < $1::xid8', [
          horizon,
        ]),
    );
  return sealed;
}
