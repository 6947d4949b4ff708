// Makes a transaction's statements follow an index and stop early. With missing or wrong statistics, the
// planner may assume that few rows match and that reading and sorting them all is cheaper. For statements
// with a known index and a bounded result; not for aggregates.

import type { Sql } from './engine.ts';

/**
 * Until the transaction ends, sorts and sequential scans are the last resort. Their artificial cost would
 * also trigger JIT compilation, which takes longer than the statement, so JIT is off.
 */
export async function preferIndexScans(tx: Sql): Promise<void> {
  await tx.query(
    `select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
            set_config('enable_bitmapscan', 'off', true),
            set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`,
  );
}
