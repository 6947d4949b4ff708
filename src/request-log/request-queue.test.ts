import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, SystemTx } from '../db/database.ts';
import { openRequestQueue } from './request-queue.ts';
import type { NewCall } from './store.ts';

const callOf = (companyId: string) => ({ companyId, at: new Date(0) }) as NewCall;

/** An installation whose cell eu2 hangs until `end` is called, and how many calls were written to each. */
function openInstallation() {
  const written = { eu1: 0, eu2: 0 };
  const hangs = Promise.withResolvers<void>();
  const cellOf = (name: keyof typeof written, ready: Promise<void>) => {
    const query = async (text: string, [value]: readonly unknown[]) => {
      if (text.includes('enter_companies')) return (value as string[]).map((companyId) => ({ companyId }));
      written[name] += (JSON.parse(String(value)) as unknown[]).length;
      return [];
    };
    const inSystem = async (work: (tx: SystemTx) => Promise<unknown>) => {
      await ready;
      return await work({ query } as SystemTx);
    };
    return { cell: name, inSystem } as unknown as Database;
  };
  const [eu1, eu2] = [cellOf('eu1', Promise.resolve()), cellOf('eu2', hangs.promise)];
  const lastCellOf = async (companyId: string) => {
    if (companyId === 'co_nowhere') throw new Error('the cell is unavailable');
    return companyId === 'co_bad' ? eu2 : eu1;
  };
  const db = { hasDirectory: true, lastCellOf } as unknown as Database;
  return { db, written, end: hangs.resolve };
}

test('a cell that hangs keeps only its own calls waiting, and only its calls are lost', async () => {
  const { db, written, end } = openInstallation();
  let dropped = 0;
  const onDropped = (count: number) => {
    dropped += count;
  };
  const queue = openRequestQueue({ db, log: { warn: () => undefined }, onDropped, pauseMs: 1 });
  for (let round = 0; round < 30; round += 1) {
    for (let made = 0; made < 100; made += 1) queue.add(callOf(`co_good${made % 7}`));
    queue.add(callOf('co_bad'));
    await sleep(1);
  }
  queue.add(callOf('co_nowhere'));
  await sleep(50);
  assert.deepEqual([written, dropped], [{ eu1: 3_000, eu2: 0 }, 1]);
  end();
  await queue.flush();
  assert.deepEqual([written, dropped], [{ eu1: 3_000, eu2: 30 }, 1]);
  await queue.close();
  queue.add(callOf('co_good'));
  assert.equal(dropped, 2);
});
