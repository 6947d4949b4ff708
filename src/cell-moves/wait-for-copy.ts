// Waits until the target has the rows of a company, and follows what is written meanwhile. A connection that breaks is built
// up again by PostgreSQL. Must not: wait for a copy that fails again and again, such as by a row that the target has already, or
// that makes no progress.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import type { Sql } from '../db/engine.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';
import type { Cell } from './find-company.ts';
import { moveNameOf } from './move-names.ts';
import { createStallWatch, retryOutage } from './wait-limits.ts';

const pollMs = 200;
const reportMs = 5_000;
/** PostgreSQL tries again after each failure, at intervals of 5 s. */
const failuresInARow = 3;
/** How long the target may have no worker: its server starts one every 5 s. */
const noWorkerMs = 60_000;
/** The target follows closely if this is all that it has not got yet: the rest is done during the freeze. */
const closeBytes = 4 * 1024 * 1024;

const CopyState = {
  tables: t.int4,
  ready: t.int4,
  isEnabled: t.bool,
  hasWorker: t.bool,
  copyFailures: t.int4,
  applyFailures: t.int4,
  /** Of the tables that are being copied now. */
  rows: t.int8,
  bytes: t.int8,
  /** The states of the tables, and what those that are copied already have got of later changes. */
  states: t.text,
};

const readCopySql = statement(CopyState)`
  select (select count(*)::int from pg_subscription_rel r where r.srsubid = s.oid) as tables,
         (select count(*)::int from pg_subscription_rel r where r.srsubid = s.oid and r.srsubstate = 'r') as ready,
         s.subenabled as "isEnabled",
         exists (select from pg_stat_subscription w where w.subid = s.oid and w.relid is null and w.pid is not null)
           as "hasWorker",
         coalesce(e.sync_error_count, 0)::int as "copyFailures", coalesce(e.apply_error_count, 0)::int as "applyFailures",
         coalesce((select sum(tuples_processed)::int8 from pg_stat_progress_copy c
                   where c.datid = s.subdbid and c.relid in (
                     select r.srrelid from pg_subscription_rel r where r.srsubid = s.oid and r.srsubstate <> 'r')), 0) as rows,
         coalesce((select sum(bytes_processed)::int8 from pg_stat_progress_copy c
                   where c.datid = s.subdbid and c.relid in (
                     select r.srrelid from pg_subscription_rel r where r.srsubid = s.oid and r.srsubstate <> 'r')), 0) as bytes,
         concat((select string_agg(concat(r.srrelid, ' ', r.srsubstate), ',' order by r.srrelid)
                 from pg_subscription_rel r where r.srsubid = s.oid),
                (select string_agg(concat(w.relid, ' ', w.received_lsn), ',' order by w.relid)
                 from pg_stat_subscription w where w.subid = s.oid and w.relid is not null)) as states
  from pg_subscription s left join pg_stat_subscription_stats e on e.subid = s.oid
  where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`;

const SlotState = { isLost: t.bool, confirmed: t.text, behind: t.int8 };

const readSlotSql = statement(SlotState)`
  select coalesce(wal_status = 'lost', false) as "isLost", coalesce(confirmed_flush_lsn, '0/0')::text as confirmed,
         coalesce(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), confirmed_flush_lsn), 0)::int8 as behind
  from pg_replication_slots where slot_name = $1 and database = current_database()`;

export const lostSlot =
  'The source has removed log that the target needs: raise max_slot_wal_keep_size there, and run the command again.';

type Reading = { copy: RowOf<typeof CopyState>; slot: RowOf<typeof SlotState> };

const ended = (what: string) =>
  new OperatorError(`The ${what} of the move is gone: somebody else has dropped it. Run the command again.`);

async function read({ source, target }: { source: Sql; target: Sql }, name: string): Promise<Reading> {
  const copy = first(await target.query(readCopySql, [name]));
  const slot = first(await source.query(readSlotSql, [name]));
  if (!copy) throw ended('subscription');
  if (!slot) throw ended('slot');
  if (slot.isLost) throw new OperatorError(lostSlot);
  return { copy, slot };
}

/** What changes while the copy makes progress. Before all tables are copied, the target confirms what it has no use for yet. */
const progressOf = ({ copy, slot }: Reading): string =>
  copy.ready === copy.tables ? slot.confirmed : `${copy.states} ${copy.rows} ${copy.bytes}`;

/** Notices what does not get better. Each call is given the next reading. */
function createWatch(targetName: string, stallLimitMs: number) {
  const hasStalled = createStallWatch(stallLimitMs);
  let at = { ready: -1, copyFailures: 0, confirmed: '', applyFailures: 0 };
  let withoutWorkerSince: number | null = null;
  return (reading: Reading): void => {
    const { copy, slot } = reading;
    const isCopying = copy.ready > at.ready;
    const isFollowing = slot.confirmed !== at.confirmed;
    at = {
      ready: Math.max(copy.ready, at.ready),
      copyFailures: isCopying ? copy.copyFailures : at.copyFailures,
      confirmed: slot.confirmed,
      applyFailures: isFollowing ? copy.applyFailures : at.applyFailures,
    };
    const failures = copy.copyFailures - at.copyFailures + copy.applyFailures - at.applyFailures;
    if (failures >= failuresInARow || !copy.isEnabled)
      throw new OperatorError(
        `The copy to ${targetName} fails again and again: the log of the server of ${targetName} says why, such as a row ` +
          'that is there already.',
      );
    withoutWorkerSince = copy.hasWorker ? null : (withoutWorkerSince ?? performance.now());
    if (withoutWorkerSince !== null && performance.now() - withoutWorkerSince > noWorkerMs)
      throw new OperatorError(
        `The server of ${targetName} does not keep a worker for the copy: its log says why. It may need a higher ` +
          'max_logical_replication_workers or max_worker_processes.',
      );
    if (hasStalled(progressOf(reading)))
      throw new OperatorError(
        `The copy to ${targetName} makes no progress. A lock there, a transaction in the old cell that has been open for long, or ` +
          'too few max_logical_replication_workers for all subscriptions hold it up. Run the command again without that.',
      );
  };
}

export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;

function describe({ copy, slot }: Reading): string {
  const { tables, ready, rows, bytes } = copy;
  if (ready === tables) return `all tables are copied; the target is ${megabytes(slot.behind)} behind`;
  const current = rows > 0 ? `; in those being copied ${rows} rows, ${megabytes(bytes)}` : '';
  return `copied ${ready} of ${tables} tables${current}`;
}

export type WaitLimits = { outageLimitMs: number; stallLimitMs: number };

/** Resolves when all tables are copied and the target follows closely. Throws an OperatorError if it will not. */
export async function waitForCopy(
  { source, target, log }: { source: Cell; target: Cell; log: (message: string) => void },
  companyId: string,
  { outageLimitMs, stallLimitMs }: WaitLimits,
): Promise<void> {
  const name = moveNameOf(companyId);
  const watch = createWatch(target.name, stallLimitMs);
  const sides = { source: source.db.asOwner, target: target.db.asOwner };
  let reportAt = performance.now() + reportMs;
  for (;;) {
    const reading = await retryOutage(outageLimitMs, async () => await read(sides, name));
    const { copy, slot } = reading;
    if (copy.tables > 0 && copy.ready === copy.tables && slot.behind < closeBytes) return;
    watch(reading);
    if (performance.now() > reportAt) {
      log(describe(reading));
      reportAt = performance.now() + reportMs;
    }
    await pause(pollMs);
  }
}
