// Imports of a company into the cells of a rig, and what is held up meanwhile.

import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { openKeyring } from '../../src/base/keyring.ts';
import { createCompany } from '../../src/create-company.ts';
import type { Database } from '../../src/db/database.ts';
import { exportCompany } from '../../src/move/export-company.ts';
import { importCompany } from '../../src/move/import-company.ts';
import { removeCompany } from '../../src/move/remove-company.ts';
import { openPasswordPool } from '../../src/passwords/password-pool.ts';
import { version } from '../../src/version.ts';
import { cheapPasswordCost, password } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { type CellsRig, masterKeys, openCellsRig } from './cells-rig.ts';
import { openAsCommand } from './move-rig.ts';

export type CellName = 'eu1' | 'eu2';

export type ImportRig = {
  rig: CellsRig;
  /** The cells as one command opens them. */
  db: Database;
  /** The cells as another command opens them. */
  openAnother(): Promise<Database>;
  /** New companies, and imported ones, go to this cell. */
  choose(cell: CellName): Promise<void>;
  createIn(cell: CellName, email: string): Promise<string>;
  export(companyId: string): Promise<string>;
  remove(companyId: string, path: string): Promise<unknown>;
  /** Exports a company and removes it. Returns the path of the file. */
  takeAway(companyId: string): Promise<string>;
  /** Imports a file into a cell. Returns the error of the import, or null. */
  importInto(cell: CellName, path: string, db?: Database): Promise<unknown>;
  /** Runs statements in a transaction of a cell, and keeps it until `end`. */
  hold(cell: CellName, statements: string): Promise<{ end(): Promise<void> }>;
  close(): Promise<void>;
};

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => null,
    (error: unknown) => error,
  );

/** Waits until a statement of any database of the cell's server waits for a lock. */
export async function untilLockWait(raw: Database, condition: string): Promise<void> {
  await until(
    async () =>
      (await raw.asOwner.query(`select from pg_locks where not granted and ${condition}`)).length > 0,
    `a wait for a lock: ${condition}`,
  );
}

/** eu1, which has the directory, and eu2, each on a cluster of its own. */
export async function openImportRig(): Promise<ImportRig> {
  const rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  const passwords = openPasswordPool(undefined, cheapPasswordCost);
  rig.cleaner.add(async () => await passwords.close());
  const keyring = await openKeyring(masterKeys.current, null);
  // The fewest connections that a command has.
  const openAnother = async () => {
    const database = await openAsCommand({ ...rig.settings(), DATABASE_POOL_SIZE: '3' });
    rig.cleaner.add(async () => await database.close());
    return database;
  };
  const db = await openAnother();
  const deps = { db, keyring, clock: systemClock, version, onStep: () => undefined };
  const choose: ImportRig['choose'] = async (cell) =>
    void (await db.asOwner.query('update cells set weight = case name when $1 then 100 else 0 end', [cell]));
  const exportIt: ImportRig['export'] = async (companyId) => {
    const path = join(await rig.cleaner.folder(), 'shop.company');
    await exportCompany(deps, { companyId, path });
    return path;
  };
  const remove: ImportRig['remove'] = async (companyId, path) =>
    await removeCompany(deps, { companyId, path });
  return {
    ...{ rig, db, openAnother, choose, export: exportIt, remove },
    createIn: async (cell, email) => {
      await choose(cell);
      const company = { name: 'Shop', country: 'DE', email, password };
      return (await createCompany({ db, clock: systemClock, passwords }, company)).companyId;
    },
    takeAway: async (companyId) => {
      const path = await exportIt(companyId);
      await remove(companyId, path);
      return path;
    },
    importInto: async (cell, path, other = db) => {
      await choose(cell);
      return await errorOf(importCompany({ ...deps, db: other }, { path }));
    },
    hold: async (cell, statements) => {
      const raw = await rig.openRaw(cell);
      const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = raw.withConnection(async (sql) => {
        await sql.query('begin');
        await sql.query(statements);
        isHeld.resolve();
        await isOver.promise;
        await sql.query('commit');
      });
      holding.catch(isHeld.reject);
      await isHeld.promise;
      return {
        end: async () => {
          isOver.resolve();
          await holding;
        },
      };
    },
    close: async () => await rig.close(),
  };
}
