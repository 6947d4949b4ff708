import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../db/database.ts';
import { CompanyUnavailableError } from '../db/outage.ts';
import { routeCells } from './route-cells.ts';

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
