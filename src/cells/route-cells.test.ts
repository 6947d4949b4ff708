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
