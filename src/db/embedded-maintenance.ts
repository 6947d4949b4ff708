// Does what the embedded engine lacks: checkpoints, without which the log grows without limit, and vacuum, without
// which dead rows stay. Must not: run when nothing was written, or hold the thread for long in one statement.

import type pg from 'pg';

export const maintenanceIntervalMs = 60_000;

/** Replaying a log of this length takes well under a second. */
const checkpointAfterBytes = 16 * 1024 * 1024;

/** Like autovacuum's threshold, with a higher minimum: reading a small table costs nothing. */
const vacuumAfterRows = 1_000;
const vacuumAfterFraction = 0.2;

/** Does what is due. `pool` must belong to the embedded engine. Returns what was done, for tests. */
export async function runMaintenance(pool: pg.Pool): Promise<{ hasCheckpoint: boolean; vacuumed: string[] }> {
  // The session counts its dead rows and publishes the sum occasionally or on request.
  await pool.query('select pg_stat_force_next_flush()');
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name
       from pg_stat_user_tables
      where n_dead_tup > $1 + $2::float8 * n_live_tup
      order by 1`,
    [vacuumAfterRows, vacuumAfterFraction],
  );
  // safe: the names are quoted by format's %I, and vacuum takes no parameters.
  for (const { name } of tables) await pool.query(`vacuum (analyze) ${name}`);
  const { rows: logs } = await pool.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()`,
  );
  const hasCheckpoint = (logs[0]?.bytes ?? 0) > checkpointAfterBytes;
  if (hasCheckpoint) await pool.query('checkpoint');
  return { hasCheckpoint, vacuumed: tables.map((table) => table.name) };
}
