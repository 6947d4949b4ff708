// A move runs again after an interruption, whatever the first run has left on the server and in the data folder.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { ensureDatabaseFolder } from '../../src/db/data-folder.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/engine.ts';
import { readFolderMove } from '../../src/db/folder-move.ts';
import { refuseUnfinishedMove } from '../../src/db/move-store.ts';
import { finishInterruptedMove, moveDatabase } from '../../src/move/move-database.ts';
import { createMoveRig, moveHere, onServer, readFolder, readServer, type Trial } from './move-rig.ts';

const rig = createMoveRig();
const log = () => undefined;
let trial: Trial;

before(async () => {
  trial = await rig.trial({ payments: 2, paid: 1 });
});
after(rig.clean);

/** A move during which `disturb` runs before the copy begins. */
const disturbed = (disturb: () => Promise<unknown>): typeof moveDatabase => {
  let isPrepared = false;
  return async (deps) => {
    const { source, onStep } = deps;
    const withConnection = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
      if (isPrepared) await disturb();
      return await source.withConnection(work);
    };
    return await moveDatabase({
      ...deps,
      source: { ...source, withConnection },
      onStep: (step) => {
        isPrepared ||= step === 'prepared the tables of the target';
        onStep(step);
      },
    });
  };
};

const stopAt = (step: string) => (name: string) => {
  if (name === step) throw new Error(name);
};

test('a row that somebody adds after the checks, and that row-level security hides from the user, is found', async () => {
  const { url, adminUrl } = await rig.target();
  const countAccounts = 'select count(*)::text as count from accounts';
  let seen: unknown;
  // The user may see the rows of companies, to which accounts refer. So this one has no company.
  const addAccount = async () => {
    await onServer(
      adminUrl,
      `set session_replication_role = replica;
       insert into accounts (company_id, account_id, email, password_hash, roles, created_at)
       values ('co_00000000', 'acc_0', 'other@example.com', 'none', array['owner'], now())`,
    );
    seen = [await onServer(url, countAccounts), await onServer(adminUrl, countAccounts)];
  };
  await assert.rejects(moveHere(trial.dataDir, url, { move: disturbed(addAccount) }), {
    name: 'OperatorError',
    message: /^The target is not empty: it has rows in the table accounts\./,
  });
  assert.deepEqual(seen, [[{ count: '0' }], [{ count: '1' }]], 'the user sees no row, and there is one');
});

test('the commit of an interrupted run that arrives late belongs to the same move', async () => {
  const dataDir = await rig.copyOf(trial.dataDir);
  const original = await readFolder(dataDir);
  const { url, adminUrl } = await rig.target();
  await assert.rejects(moveHere(dataDir, url, { onStep: stopAt('noted the move in the data folder') }));
  const { moveId } = readFolderMove(dataDir) ?? {};
  const arriveLate = async () =>
    await onServer(adminUrl, `insert into database_moves (move_id, state) values ('${moveId}', 'arrived')`);
  await moveHere(dataDir, url, { move: disturbed(arriveLate) });
  assert.deepEqual(await readServer(adminUrl), original);
  assert.equal(await readFolder(dataDir), null);
});

test('while the interrupted run still holds its locks, a move and a service ask to wait', async () => {
  const dataDir = await rig.copyOf(trial.dataDir);
  const { url } = await rig.target();
  await assert.rejects(moveHere(dataDir, url, { onStep: stopAt('the target has committed') }));
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  const db = await openDatabase({ databaseUrl: url, dataDir: 'unused', log });
  try {
    await holder.query('begin; lock table database_moves in access exclusive mode');
    const wait = {
      name: 'OperatorError',
      message:
        /^An interrupted move still runs on the server: wait up to 10 minutes, then run the command again\.$/,
    };
    await Promise.all([
      assert.rejects(moveHere(dataDir, url), wait),
      assert.rejects(refuseUnfinishedMove(db), wait),
    ]);
  } finally {
    await db.close();
    await holder.end();
  }
  await moveHere(dataDir, url);
});

/** What release 0.1.0 does with the folder of a database: it does not read `move.json`. */
const openAsRelease010 = async (dataDir: string) =>
  await ensureDatabaseFolder(dataDir, '18', async () => assert.fail('it creates a new database'));

test('a release that does not know the note refuses the folder, and an interrupted renaming is finished', async () => {
  const dataDir = await rig.copyOf(trial.dataDir);
  const { url } = await rig.target();
  await moveHere(dataDir, url);
  const [place, aside] = [join(dataDir, 'pg'), join(dataDir, 'pg.moved')];
  const isSetAside = async () => {
    await assert.rejects(openAsRelease010(dataDir), /is not empty and holds no database/);
    assert.deepEqual(readdirSync(place), ['MOVED.txt']);
    assert.match(readFileSync(join(place, 'MOVED.txt'), 'utf8'), /^This database was moved to the target \(/);
    assert.ok(readdirSync(aside).includes('PG_VERSION'));
  };
  await isSetAside();
  const target = await openDatabase({ databaseUrl: url, dataDir: 'unused', log });
  const finish = async () => {
    const note = readFolderMove(dataDir);
    assert.ok(note);
    await finishInterruptedMove({ target, dataDir, onStep: log }, note);
  };
  try {
    rmSync(place, { recursive: true });
    await finish();
    await isSetAside();
    rmSync(place, { recursive: true });
    renameSync(aside, place);
    await finish();
    await isSetAside();
    await finish();
    await isSetAside();
    // Somebody stores the backup elsewhere.
    rmSync(aside, { recursive: true });
    await finish();
    assert.deepEqual(readdirSync(place), ['MOVED.txt']);
  } finally {
    await target.close();
  }
});
