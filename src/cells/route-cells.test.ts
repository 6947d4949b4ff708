import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { CompanyUnavailableError } from '../db/outage.ts';
import { routeCells } from './route-cells.ts';

test('two cells that send on to each other are asked with pauses, and not without an end', async (context) => {
  const startedAt = performance.now();
  let asked = 0;
  // Each transaction seems to take half a second, so that the test does not wait for the end of a move.
  const now = performance.now.bind(performance);
  context.mock.method(performance, 'now', () => now() + asked * 500);
  const sendingOn = (cell: string, other: string) => ({
    cell,
    inCompany: async () => {
      asked += 1;
      const refusal = new pg.DatabaseError('the company is not at home in this cell', 0, 'error');
      throw Object.assign(refusal, { code: 'PL001', detail: `gone ${other}` });
    },
  });
  const directory = { ...sendingOn('eu1', 'eu2'), inSystem: async () => 'eu1' } as unknown as Database;
  const other = sendingOn('eu2', 'eu1') as unknown as Database;
  const db = routeCells({
    directory,
    cells: [
      { name: 'eu1', database: directory },
      { name: 'eu2', database: other },
    ],
    onOpen: () => undefined,
    onFault: () => undefined,
    close: async () => undefined,
  });
  await assert.rejects(
    db.inCompany('co_1', async () => undefined),
    CompanyUnavailableError,
  );
  context.mock.restoreAll();
  assert.ok(asked <= 11, `${asked} transactions`);
  assert.ok(performance.now() - startedAt > 400, 'it pauses');
});

test('a cell that the settings do not name is reported once, whatever uses its companies', async () => {
  const faults: (readonly [string, string])[] = [];
  const directory = {
    inSystem: async () => 'eu4',
    poolState: () => ({ idle: 0, busy: 0, waiting: 0, size: 0 }),
  } as unknown as Database;
  const installation = routeCells({
    directory,
    cells: [{ name: 'eu1', database: directory }],
    onOpen: () => undefined,
    onFault: (...fault) => faults.push(fault),
    close: async () => undefined,
  });
  for (const companyId of ['co_aaaaaaaa', 'co_bbbbbbbb', 'co_aaaaaaaa'])
    await assert.rejects(
      installation.inCompany(companyId, async () => undefined),
      CompanyUnavailableError,
    );
  assert.deepEqual(faults, [
    [
      'a company is in the cell eu4, which DATABASE_URLS of this process does not name: add it, and restart',
      'eu4',
    ],
  ]);
});
