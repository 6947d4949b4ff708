// Keeps a transaction's statements on plans that go along an index and stop. A planner that knows nothing
// of a table yet, or the wrong thing, may believe that few rows match and that reading and sorting them all
// is cheaper. For statements whose index is known and whose answer is bounded; never for those that add up.

import type { Sql } from './engine.ts';

/**
 * From now until the transaction ends, sorting and reading without order are the last resort. What is one counts as so
 * dear that PostgreSQL would compile the statement first (JIT), which takes longer than running it: so it must not.
 */
export async function preferIndexScans(tx: Sql): Promise<void> {
  await tx.query(
    `select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
            set_config('enable_bitmapscan', 'off', true),
            set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`,
  );
}
