// Moves between the cells of a rig, and what tests compare before and after: all rows of a company, its chain and its ledger.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type MoveDeps,
  type MoveStep,
  type MoveSummary,
  moveCompany,
} from '../../src/cell-moves/move-company.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { listMovedTables, tablesOfCompanies } from '../../src/move/tables.ts';
import { findFaultsOf } from '../../src/move/verify-copy.ts';
import { openConfiguredDatabase } from '../../src/open-database.ts';
import { workInNewCell } from '../../src/work-in-new-cell.ts';
import type { CellsRig } from './cells-rig.ts';

/** The cells as a command opens them: beside the service, with pools of its own. */
export async function openAsCommand(settings: Readonly<Record<string, string>>): Promise<Database> {
  return await openConfiguredDatabase(readConfig({ ...settings }), {
    log: () => undefined,
    prepare: async () => undefined,
  });
}

export type Mover = {
  db: Database;
  lines: string[];
  deps: MoveDeps;
  move(companyId: string, to: string, more?: Partial<MoveDeps>): Promise<MoveSummary>;
};

/** `settings`: other addresses of the cells, such as those of proxies. The replication goes past them. */
export async function openMover(rig: CellsRig, settings = rig.settings()): Promise<Mover> {
  const db = await openAsCommand(settings);
  rig.cleaner.add(async () => await db.close());
  const lines: string[] = [];
  const deps: MoveDeps = {
    ...{ db, work: workInNewCell },
    addressOf: (name) => rig.place(name).url,
    log: (line) => void lines.push(line),
    // A busy machine may take longer than production does.
    freezeLimitMs: 5_000,
    // A server that a test has crashed does not come back by itself.
    outageLimitMs: 2_000,
  };
  return {
    ...{ db, lines, deps },
    move: async (companyId, to, more = {}) => await moveCompany({ ...deps, ...more }, { companyId, to }),
  };
}

/** Moves a company in a process of its own, which kills itself at a step. Returns how it ended. */
export async function runMoveProcess(
  rig: CellsRig,
  { companyId, to, killedAt }: { companyId: string; to: string; killedAt: MoveStep | '' },
): Promise<string> {
  const file = fileURLToPath(new URL('./move-process.ts', import.meta.url));
  const child = spawn(process.execPath, [file, companyId, to, killedAt], {
    env: { ...process.env, ...rig.settings() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  return await new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? (code === 0 ? 'done' : errors)));
  });
}

/** All rows of a company in one cell, by table, as texts in order. Tables without any are left out. */
export async function readRows(cell: Database, companyId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name, sqlName } of tablesOfCompanies(await listMovedTables(cell.asOwner))) {
    const found = await cell.asOwner.query<{ row: string }>(
      `select to_jsonb(r)::text as row from ${sqlName} r where company_id = $1 order by 1`,
      [companyId],
    );
    if (found.length > 0) rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** The faults of a company's chain and ledger. */
export const readFaults = async (db: Database, companyId: string): Promise<string[]> =>
  await db.inBothModes(companyId, findFaultsOf);

/** The names of the cells with rows of the company. */
export async function cellsWithRows(db: Database, companyId: string): Promise<string[]> {
  const names: string[] = [];
  for (const cell of db.cells())
    if (Object.keys(await readRows(cell, companyId)).length > 0) names.push(String(cell.cell));
  return names;
}

/** All rows of a company where it is at home, without those that the requests of a test and moves change; without faults. */
export async function readWhole({ db }: Mover, companyId: string): Promise<Record<string, string[]>> {
  assert.deepEqual(await readFaults(db, companyId), []);
  const rows = await readRows(await db.cellOf(companyId), companyId);
  for (const name of ['api_requests', 'payment_word_positions']) delete rows[name];
  return rows;
}

/** The company is at home in `to` with these rows, and nowhere else. No move left anything. */
export async function assertMoved(
  mover: Mover,
  { companyId, to, rows }: { companyId: string; to: string; rows: Record<string, string[]> },
): Promise<void> {
  const { db } = mover;
  assert.equal((await db.cellOf(companyId)).cell, to);
  assert.deepEqual(await readWhole(mover, companyId), rows);
  assert.deepEqual(await cellsWithRows(db, companyId), [to]);
  await assertNothingLeft(db);
  assert.deepEqual((await verifyCells(db, null)).findings, []);
}

/** Ends the connection of the command that holds the lock of a company, as a restart of the directory does. */
export async function loseLock({ asOwner }: Database, companyId: string): Promise<void> {
  const lost = await asOwner.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and ((classid::bigint << 32) | objid::bigint) = hashtextextended('move of ' || $1, 0)
       and database = (select oid from pg_database where datname = current_database())`,
    [companyId],
  );
  assert.equal(lost.length, 1, 'one command holds the lock');
}

/** What a move leaves in the catalogues of the servers: nothing. */
export async function assertNothingLeft(db: Database): Promise<void> {
  for (const { asOwner } of db.cells())
    assert.deepEqual(
      await asOwner.query(
        `select slot_name::text as name from pg_replication_slots union all select pubname::text from pg_publication
         union all select subname::text from pg_subscription`,
      ),
      [],
    );
}
