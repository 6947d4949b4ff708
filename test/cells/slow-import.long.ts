// An import that takes longer than its claims of email addresses last: no address gets a second account.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { type CellName, type ImportRig, openImportRig, untilLockWait } from './import-rig.ts';

let imports: ImportRig;
let db: Database;

before(async () => {
  imports = await openImportRig();
  db = imports.db;
});
after(async () => await imports?.close());

/** Imports a file into a cell, and runs work before the first row is inserted. Returns the error of the import. */
async function importMeanwhile(path: string, cell: CellName, work: () => Promise<void>) {
  const held = await imports.hold(cell, 'lock table companies in share mode');
  const importing = imports.importInto(cell, path);
  try {
    await untilLockWait(await imports.rig.openRaw(cell), "relation = 'companies'::regclass");
    await work();
  } finally {
    await held.end();
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
    const companyId = await imports.createIn(cell === 'eu1' ? 'eu2' : 'eu1', email);
    assert.equal(await importMeanwhile(await imports.takeAway(companyId), cell, passElevenMinutes), null);
    assert.deepEqual(await listOwners(email), [companyId]);
    const claims = await db.asOwner.query(
      "select company, claimed_at > statement_timestamp() - interval '1 minute' as is_new from directory_logins where email = $1",
      [email],
    );
    assert.deepEqual(claims, [{ company: companyId, is_new: true }]);
    await imports.takeAway(companyId);
  }
});

test('it imports nothing if another company has one of its addresses since', async () => {
  const email = 'taken@example.com';
  for (const cell of ['eu1', 'eu2'] as const) {
    const path = await imports.takeAway(await imports.createIn(cell, email));
    let other = '';
    const refused = await importMeanwhile(path, cell, async () => {
      await passElevenMinutes();
      other = await imports.createIn(cell === 'eu1' ? 'eu2' : 'eu1', email);
    });
    assert.match(String(refused), /have an account of another company here: taken@example\.com/);
    assert.deepEqual(await listOwners(email), [other]);
    const claims = await db.asOwner.query('select company from directory_logins where email = $1', [email]);
    assert.deepEqual(claims, [{ company: other }]);
    await imports.takeAway(other);
  }
});
