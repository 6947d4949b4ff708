import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitWithinBudget } from '../base/time-budget.ts';
import type { Database, SystemTx } from '../db/database.ts';
import type { NewCall } from './store.ts';
import { writeToCell } from './write-to-cell.ts';

/** A cell that has companies at home, and counts the rows that are written to it. */
function openCell(atHome: readonly string[]) {
  const written = { count: 0 };
  const query = async (text: string, [value]: readonly unknown[]) => {
    if (text.includes('enter_companies'))
      return (value as string[]).filter((id) => atHome.includes(id)).map((companyId) => ({ companyId }));
    written.count += (JSON.parse(String(value)) as unknown[]).length;
    return [];
  };
  const cell = {
    inSystem: async (work: (tx: SystemTx) => Promise<unknown>) => await work({ query } as SystemTx),
  };
  return { written, cell: cell as unknown as Database };
}

const callOf = (companyId: string) => ({ companyId, at: new Date(0) }) as NewCall;

/** Returns the companies whose calls were lost. */
async function write(
  deps: { db: Partial<Database>; cell: Database },
  companyIds: readonly string[],
): Promise<string[]> {
  const lost: string[] = [];
  const db = deps.db as Database;
  await writeToCell({ db, cell: deps.cell }, companyIds.map(callOf), async (calls, work) => {
    await work().catch(() => lost.push(...calls.map(({ companyId }) => companyId)));
  });
  return lost;
}

test('a call of a company that has moved is written where it is now', async () => {
  const [before, now] = [openCell(['co_here']), openCell(['co_moved'])];
  const lost = await write({ db: { cellOf: async () => now.cell }, cell: before.cell }, [
    'co_moved',
    'co_here',
  ]);
  assert.deepEqual([lost, before.written.count, now.written.count], [[], 1, 1]);
});

test('a company that has moved to a cell that hangs does not hold up the calls of the cell that it has left', async () => {
  const cell = openCell(['co_here']);
  const hangs = new Promise<never>(() => undefined);
  const cellOf = async () =>
    await waitWithinBudget(
      async () => await hangs,
      () => undefined,
    );
  const startedAt = performance.now();
  assert.deepEqual(await write({ db: { cellOf }, cell: cell.cell }, ['co_here', 'co_moved']), ['co_moved']);
  assert.equal(cell.written.count, 1);
  // Without a limit it would never end.
  assert.ok(performance.now() - startedAt < 30_000);
});
