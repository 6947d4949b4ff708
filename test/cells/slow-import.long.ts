// An import that takes longer than its claims of email addresses last: no address gets a second account.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
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

let rig: CellsRig;
let db: Database;
const passwords = openPasswordPool(undefined, cheapPasswordCost);
const keyring = await openKeyring(masterKeys.current, null);

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'one' });
  // The fewest connections that a command has.
  db = await openAsCommand({ ...rig.settings(), DATABASE_POOL_SIZE: '3' });
  rig.cleaner.add(async () => await db.close());
});

after(async () => {
  await passwords.close();
  await rig?.close();
});

const deps = () => ({ db, keyring, clock: systemClock, version, onStep: () => undefined });

async function createIn(cell: 'eu1' | 'eu2', email: string): Promise<string> {
  await db.asOwner.query('update cells set weight = case name when $1 then 100 else 0 end', [cell]);
  const company = { name: 'Shop', country: 'DE', email, password };
  return (await createCompany({ db, clock: systemClock, passwords }, company)).companyId;
}

/** Exports a company and removes it. Returns the path of the file. */
async function takeAway(companyId: string): Promise<string> {
  const path = join(await rig.cleaner.folder(), 'shop.company');
  await exportCompany(deps(), { companyId, path });
  await removeCompany(deps(), { companyId, path });
  return path;
}

/** Imports a file into a cell, and runs work before the first row is inserted. Returns the error of the import. */
async function importMeanwhile(path: string, cell: 'eu1' | 'eu2', work: () => Promise<void>) {
  await db.asOwner.query('update cells set weight = case name when $1 then 100 else 0 end', [cell]);
  const raw = await rig.openRaw(cell);
  const [isLocked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = raw.withConnection(async (sql) => {
    await sql.query('begin');
    await sql.query('lock table companies in share mode');
    isLocked.resolve();
    await isOver.promise;
    await sql.query('commit');
  });
  await isLocked.promise;
  const importing = importCompany(deps(), { path }).then(
    () => null,
    (error: unknown) => error,
  );
  try {
    await until(async () => {
      const waiting = await raw.asOwner.query(
        "select from pg_locks where not granted and relation = 'companies'::regclass",
      );
      return waiting.length > 0;
    }, 'the import to insert');
    await work();
  } finally {
    isOver.resolve();
    await locking;
  }
  return await importing;
}

const passElevenMinutes = async () =>
  void (await db.asOwner.query(
    "update directory_logins set claimed_at = claimed_at - interval '11 minutes'",
  ));

async function listOwners(email: string): Promise<unknown[]> {
  const found = await Promise.all(
    db
      .cells()
      .map(
        async (cell) =>
          await cell.inSystem(
            async (tx) => await tx.query('select company_id from logins where email = $1', [email]),
          ),
      ),
  );
  return found.flat().map((row) => row.company_id);
}

test('after more than ten minutes an import keeps its addresses', async () => {
  const email = 'kept@example.com';
  for (const cell of ['eu1', 'eu2'] as const) {
    const companyId = await createIn(cell === 'eu1' ? 'eu2' : 'eu1', email);
    assert.equal(await importMeanwhile(await takeAway(companyId), cell, passElevenMinutes), null);
    assert.deepEqual(await listOwners(email), [companyId]);
    const claims = await db.asOwner.query(
      "select company, claimed_at > statement_timestamp() - interval '1 minute' as is_new from directory_logins where email = $1",
      [email],
    );
    assert.deepEqual(claims, [{ company: companyId, is_new: true }]);
    await takeAway(companyId);
  }
});

test('it imports nothing if another company has one of its addresses since', async () => {
  const email = 'taken@example.com';
  for (const cell of ['eu1', 'eu2'] as const) {
    const path = await takeAway(await createIn(cell, email));
    let other = '';
    const refused = await importMeanwhile(path, cell, async () => {
      await passElevenMinutes();
      other = await createIn(cell === 'eu1' ? 'eu2' : 'eu1', email);
    });
    assert.match(String(refused), /have an account of another company here: taken@example\.com/);
    assert.deepEqual(await listOwners(email), [other]);
    const claims = await db.asOwner.query('select company from directory_logins where email = $1', [email]);
    assert.deepEqual(claims, [{ company: other }]);
    await takeAway(other);
  }
});
