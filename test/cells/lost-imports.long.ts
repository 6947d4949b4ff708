// Imports and removals that lose their lock, or whose commit is pending: what one command has done is not undone by another,
// and no company gets two homes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import type { Database } from '../../src/db/database.ts';
import { until } from '../harness/process.ts';
import { type CellName, type ImportRig, openImportRig, untilLockWait } from './import-rig.ts';
import { cellsWithRows, loseLock } from './move-rig.ts';

let imports: ImportRig;
let db: Database;
let eu2: Database;

before(async () => {
  imports = await openImportRig();
  db = imports.db;
  eu2 = await imports.rig.openRaw('eu2');
});
after(async () => await imports?.close());

/** The company is whole in one cell, and the directory knows its place and its address. */
async function assertIn(cell: CellName, companyId: string): Promise<void> {
  assert.deepEqual(await cellsWithRows(db, companyId), [cell]);
  assert.deepEqual((await verifyCells(db, companyId)).findings, []);
}

const isCommitting = "wait_event = 'SyncRep' and datname = current_database()";

/** Runs work on eu2 whose commit waits for a standby, and `meanwhile` while it waits. Returns how the work ended. */
async function withPendingCommit(
  work: () => Promise<unknown>,
  meanwhile: (release: () => Promise<void>) => Promise<void>,
): Promise<unknown> {
  const setStandby = async (change: string) => {
    await eu2.asOwner.query(`alter system ${change}`);
    await eu2.asOwner.query('select pg_reload_conf()');
  };
  const release = async () => await setStandby('reset synchronous_standby_names');
  const held = await imports.hold('eu2', 'lock table companies in share mode');
  const working = work();
  try {
    await untilLockWait(eu2, "relation = 'companies'::regclass");
    await setStandby("set synchronous_standby_names = 'nobody'");
    await held.end();
    await until(
      async () => (await eu2.asOwner.query(`select from pg_stat_activity where ${isCommitting}`)).length > 0,
      'the commit to wait for a standby',
    );
    await meanwhile(release);
  } finally {
    await held.end();
    await release();
  }
  return await working;
}

test('an import that has lost its lock leaves the place and the addresses of the company that another one has imported', async () => {
  const companyId = await imports.createIn('eu2', 'lost@example.com');
  const path = await imports.takeAway(companyId);
  // It holds up the first import before that writes anything in its cell.
  const held = await imports.hold('eu2', 'select pg_advisory_xact_lock(7310595316853)');
  const first = imports.importInto('eu2', path);
  try {
    await untilLockWait(eu2, "locktype = 'advisory'");
    await loseLock(db, companyId);
    assert.equal(await imports.importInto('eu1', path, await imports.openAnother()), null);
  } finally {
    await held.end();
  }
  assert.ok((await first) instanceof Error);
  await assertIn('eu1', companyId);
  await imports.takeAway(companyId);
});

test('while the commit of an import is pending, another one imports nothing and frees nothing', async () => {
  const companyId = await imports.createIn('eu2', 'pending@example.com');
  const path = await imports.takeAway(companyId);
  const first = await withPendingCommit(
    async () => await imports.importInto('eu2', path),
    async () => {
      await loseLock(db, companyId);
      const second = await imports.importInto('eu1', path, await imports.openAnother());
      assert.match(String(second), /An earlier command still writes co_\w+ in the cell eu2/);
    },
  );
  assert.equal(first, null);
  await assertIn('eu2', companyId);
  await imports.takeAway(companyId);
});

test('if that commit ends while another import waits, the other one says that the company exists, and it has one home', async () => {
  const companyId = await imports.createIn('eu2', 'ended@example.com');
  const path = await imports.takeAway(companyId);
  let second: unknown;
  const first = await withPendingCommit(
    async () => await imports.importInto('eu2', path),
    async (release) => {
      await loseLock(db, companyId);
      const importing = imports.importInto('eu1', path, await imports.openAnother());
      await untilLockWait(eu2, "locktype = 'transactionid'");
      await release();
      second = await importing;
    },
  );
  assert.equal(first, null);
  assert.match(String(second), /exists here already\. Nothing was imported\./);
  await assertIn('eu2', companyId);
  await imports.takeAway(companyId);
});

test('an import whose server ends the connection during the commit says that it may have imported, and frees nothing', async () => {
  const companyId = await imports.createIn('eu2', 'ending@example.com');
  const path = await imports.takeAway(companyId);
  const ended = await withPendingCommit(
    async () => await imports.importInto('eu2', path),
    async () =>
      void (await eu2.asOwner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where ${isCommitting}`,
      )),
  );
  assert.match(String(ended), /it is unknown whether co_\w+ was imported/);
  await assertIn('eu2', companyId);
  await imports.takeAway(companyId);
});

test('a removal that has lost its lock frees no place and no address, and says so; run again, it frees them', async () => {
  const companyId = await imports.createIn('eu2', 'removed@example.com');
  const path = await imports.export(companyId);
  const traces = async () =>
    await db.asOwner.query(
      `select cell as trace from company_cells where company = $1
       union all select email from directory_logins where company = $1`,
      [companyId],
    );
  const removing = await withPendingCommit(
    async () => await imports.remove(companyId, path).catch((error: unknown) => error),
    async () => await loseLock(db, companyId),
  );
  assert.match(
    String(removing),
    /was removed, but other databases may still know of it\. Run the command again/,
  );
  assert.equal((await traces()).length, 2);
  await assert.rejects(imports.remove(companyId, path), /There is no company/);
  assert.deepEqual(await traces(), []);
});
