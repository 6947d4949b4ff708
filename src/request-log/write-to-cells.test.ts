import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, SystemTx } from '../db/database.ts';
import type { NewCall } from './store.ts';
import { writeToCells } from './write-to-cells.ts';

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

async function write(db: Partial<Database>, companyIds: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  await writeToCells(db as Database, companyIds.map(callOf), async (calls, work) => {
    await work().catch(() => lost.push(...calls.map(({ companyId }) => companyId)));
  });
  return lost;
}

test('the calls of other cells are written while a cell hangs, and only its calls are lost', async () => {
  const good = openCell(['co_good']);
  const hanging = {
    inSystem: async () => {
      await sleep(200);
      throw new Error('timeout expired');
    },
  } as unknown as Database;
  const many = Array.from({ length: 100 }, (_, number) => `co_bad${number}`);
  const startedAt = performance.now();
  const lost = await write({ lastCellOf: async (id) => (id === 'co_good' ? good.cell : hanging) }, [
    ...many,
    'co_good',
  ]);
  assert.equal(good.written.count, 1);
  assert.deepEqual(lost, many);
  assert.ok(performance.now() - startedAt < 100 * 200, 'it waits once for the cell, not for each company');
});

test('a call of a company that has moved is written where it is now', async () => {
  const [before, now] = [openCell([]), openCell(['co_moved'])];
  const lost = await write({ lastCellOf: async () => before.cell, cellOf: async () => now.cell }, [
    'co_moved',
  ]);
  assert.deepEqual([lost, before.written.count, now.written.count], [[], 0, 1]);
});
