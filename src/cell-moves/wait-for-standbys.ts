// Waits until the standbys of a cell have what was written there. The rows of a company are removed from its old cell after a
// move: if a standby without them replaced the server of the new cell, nobody would have them. Must not: wait for a standby
// that does not follow any more.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import type { Database } from '../db/database.ts';
import { CompanyUnavailableError } from '../db/outage.ts';
import { first, statement, t } from '../db/statements.ts';
import type { Cell } from './find-company.ts';
import { megabytes } from './wait-for-copy.ts';
import { createStallWatch } from './wait-limits.ts';

const pollMs = 100;
const reportMs = 5_000;

const flushSql = statement({ end: t.nullable(t.text) })`
  select case when not pg_is_in_recovery() then pg_logical_emit_message(true, 'paylink move', '')::text end as "end"
  from set_config('synchronous_commit', $1, true)`;

/**
 * Flushes the log of a server, and returns a place in it that is after everything that was committed before. `local`: without
 * its standbys. Only what is flushed is sent, and an idle server would flush the last commits late if they did not wait for it.
 */
export async function flushLog(db: Database, mode: 'local' | 'on'): Promise<string> {
  const end = first(await db.asOwner.query(flushSql, [mode]))?.end;
  if (!end) throw new CompanyUnavailableError(`the server of the cell ${db.cell} is not promoted yet`);
  return end;
}

const Behind = { name: t.text, flushed: t.text, bytes: t.int8 };

// Subscribers are no standbys, nor are copies of the log, which replay nothing.
const listBehindSql = statement(Behind)`
  select coalesce(nullif(r.application_name, ''), host(r.client_addr), r.pid::text) as name, r.flush_lsn::text as flushed,
         pg_wal_lsn_diff($1::pg_lsn, r.flush_lsn)::int8 as bytes
  from pg_stat_replication r
  where r.flush_lsn < $1::pg_lsn and r.replay_lsn is not null and not exists (
    select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
  order by r.pid`;

/**
 * Resolves when each standby that is connected to a cell has stored what was committed there before the call. Throws an
 * OperatorError if one makes no progress.
 */
export async function waitForStandbys(
  { name, db }: Cell,
  { log, limitMs }: { log: (message: string) => void; limitMs: number },
): Promise<void> {
  const end = await flushLog(db, 'local');
  const hasStalled = createStallWatch(limitMs);
  for (let reportAt = performance.now() + reportMs; ; await pause(pollMs)) {
    const behind = await db.asOwner.query(listBehindSql, [end]);
    if (behind.length === 0) return;
    const names = behind.map((each) => each.name).join(', ');
    if (hasStalled(behind.map((each) => `${each.name} ${each.flushed}`).join()))
      throw new OperatorError(
        `These standbys of ${name} do not receive its log: ${names}. Without it, the cell would lack rows of the company if one ` +
          'of them became its server. Repair or stop them, and run the command again.',
      );
    if (performance.now() < reportAt) continue;
    log(
      `the standbys of ${name} are up to ${megabytes(Math.max(...behind.map(({ bytes }) => bytes)))} behind: ${names}`,
    );
    reportAt = performance.now() + reportMs;
  }
}
