// A cell, or the directory, is restored on another server: the server that was lost is not taken for it when it comes back.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { runSql } from '../harness/run-sql.ts';
import { postgresBin } from '../harness/services.ts';
import { type CellPlace, type CellsRig, masterKey, openCellsRig } from './cells-rig.ts';
import { openAsCommand } from './move-rig.ts';

let rig: CellsRig;
let home: Home;
/** Where the cells are now, and where they were first. */
const now: Record<string, string> = {};
const lost: Record<string, string> = {};

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  home = await createHome();
  for (const { name, url } of rig.cells) now[name] = lost[name] = url;
  // A dump contains no roles.
  const { url } = await rig.newPlace('roles', 'three');
  await runSql(url, 'create role paylink_tenant');
  await runSql(url, 'create role paylink_system');
});
after(async () => {
  await rig?.close();
  await home?.remove();
});

const settings = (places: Readonly<Record<string, string>>) => ({
  DATABASE_URLS: Object.entries(places)
    .map(([name, url]) => `${name}=${url}`)
    .join(' '),
  PAYLINK_MASTER_KEY: masterKey,
});
const start = async (places: Readonly<Record<string, string>>) =>
  await (await openAsCommand(settings(places))).close();
const run = async (...args: string[]) => await home.run(settings(now), 'admin', ...args);
const succeed = async (...args: string[]) => {
  const { code, out, err } = await run(...args);
  assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
};

/** Restores a backup of the cell on another server. */
async function restore(name: string): Promise<CellPlace> {
  const place = await rig.newPlace(name, 'three');
  const file = join(await rig.cleaner.folder(), `${name}.dump`);
  const tool = async (program: string, ...args: string[]) =>
    await promisify(execFile)(join(postgresBin(), program), args);
  await tool('pg_dump', '--format=custom', `--file=${file}`, String(now[name]));
  await tool('pg_restore', '--no-owner', `--dbname=${place.url}`, file);
  return place;
}

const isRefused =
  /^The cell eu2: .* is not the database that this cell has now: correct the address of eu2, or, if it was restored from a backup, run: paylink admin cells add eu2 --restored\. Nothing was written to it\.$/;
const refuses = async (places: Readonly<Record<string, string>>) =>
  await assert.rejects(start(places), ({ message }: Error) => isRefused.test(message));

test('after "cells add --restored", processes work in the restored cell and refuse the one that was lost', async () => {
  now.eu2 = (await restore('eu2')).url;
  await succeed('cells', 'add', 'eu2', '--restored');
  await succeed('migrate');
  await succeed('cells', 'verify');
  await start(now);
  await refuses(lost);
});

test('it can be run again if it was interrupted between the cell and the directory', async () => {
  const directory = await rig.openRaw('eu1');
  const options = { dataDir: 'unused', poolSize: 2, log: () => undefined };
  const cell = await openDatabase({ databaseUrl: String(now.eu2), ...options });
  await cell.asOwner.query('update this_cell set database_id = gen_random_uuid()');
  await cell.close();
  await refuses(now);
  await succeed('cells', 'add', 'eu2', '--restored');
  await start(now);
  const [row] = await directory.asOwner.query("select weight from cells where name = 'eu2'");
  assert.equal(row?.weight, 100);
});

test('after a restored directory, and "cells add --restored" for each cell, processes refuse the directory that was lost', async () => {
  const before = { ...now };
  now.eu1 = (await restore('eu1')).url;
  for (const name of ['eu1', 'eu2']) await succeed('cells', 'add', name, '--restored');
  await start(now);
  await refuses(before);
});

test('a database that is no backup of a cell is not made one by "--restored", and is not written to', async () => {
  const empty = await rig.newPlace('eu3', 'three');
  for (const [name, url] of [
    ['eu3', empty.url],
    ['eu2', empty.url],
  ] as const) {
    const { code, err } = await home.run(
      settings({ ...now, [name]: url }),
      ...['admin', 'cells', 'add', name, '--restored'],
    );
    assert.equal(code, 2, err);
    assert.match(
      err,
      /is no backup of a cell of the installation: correct its address, or leave out --restored\./,
    );
  }
  await start(now);
});
