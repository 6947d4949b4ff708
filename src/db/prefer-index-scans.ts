// Makes a transaction's statements follow an index and stop early. With missing or wrong statistics, the
// planner may assume that few rows match and that reading and sorting them all is cheaper. For statements
// with a known index and a bounded result; not for aggregates.

import type { Sql } from './engine.ts';
import { type Settings, setLocal } from './session-settings.ts';

/**
 * Sorts and sequential scans are the last resort. Their artificial cost would also trigger JIT compilation, which takes
 * longer than the statement, so JIT is off.
 */
export const indexScanSettings: Settings = {
  ...{ enable_sort: 'off', enable_incremental_sort: 'off', enable_bitmapscan: 'off', enable_seqscan: 'off' },
  jit: 'off',
};

/** Sets this until the transaction ends. */
export async function preferIndexScans(tx: Sql): Promise<void> {
  await tx.query(setLocal(indexScanSettings));
}
