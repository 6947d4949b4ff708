// What a move refuses before it writes anything.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cancelMove } from '../../src/cell-moves/cancel-move.ts';
import { checkMove } from '../../src/cell-moves/check-move.ts';
import { moveCompany } from '../../src/cell-moves/move-company.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import type { Paylink } from '../harness/paylink.ts';
import { openClient, runSql } from '../harness/run-sql.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import {
  assertNothingLeft,
  cellsWithRows,
  loseLock,
  type Mover,
  openAsCommand,
  openMover,
} from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
let from = '';
let to = '';

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  paylink = await rig.start({ isAtWork: false });
  mover = await openMover(rig);
  from = String((await mover.db.cellOf(paylink.merchant.companyId)).cell);
  to = from === 'eu1' ? 'eu2' : 'eu1';
});
after(async () => {
  await paylink?.stop();
  await rig?.close();
});

async function assertRefused(message: RegExp): Promise<void> {
  const { companyId } = paylink.merchant;
  await assert.rejects(mover.move(companyId, to), message);
  assert.deepEqual(await cellsWithRows(mover.db, companyId), [from]);
  await assertNothingLeft(mover.db);
}

const cellOf = (name: string) => {
  const cell = mover.db.cells().find((each) => each.cell === name);
  assert.ok(cell, name);
  return cell;
};
const cellNamed = (name: string) => cellOf(name).asOwner;

test('a user who may not subscribe, or who is bound by row-level security, is refused with what to run', async () => {
  const admin = rig.place(to).url.replace('postgres@', 'second_admin@');
  await cellNamed(to).query('create role second_admin superuser login');
  await cellNamed(to).query('grant paylink_tenant, paylink_system to postgres');
  await cellNamed(to).query('alter role postgres nosuperuser nobypassrls');
  try {
    await assertRefused(
      /The user postgres of the cell eu\d lacks rights.* alter role postgres (bypassrls|superuser);/,
    );
  } finally {
    await runSql(admin, 'alter role postgres superuser bypassrls');
  }
});

test('cells of different versions are refused', async () => {
  await cellNamed(to).query(
    "insert into schema_migrations (version, name, checksum) select 9999, 'later', checksum from schema_migrations limit 1",
  );
  try {
    await assertRefused(
      /The cell eu\d: .*newer.*9999_later\.sql\. Run this command with the version of Paylink/,
    );
  } finally {
    await cellNamed(to).query('delete from schema_migrations where version = 9999');
  }
});

test('servers whose clocks differ by more than a few seconds are refused', async () => {
  const [source, target] = [cellOf(from), cellOf(to)];
  const { query } = target.asOwner;
  for (const [byMs, refusal] of [
    [3_000, null],
    [10_000, /The clocks of the servers of eu\d and eu\d are 10 s apart/],
    [-10_000, /The clocks of the servers of eu\d and eu\d are 10 s apart/],
  ] as const) {
    const asOwner: typeof target.asOwner = {
      ...target.asOwner,
      query: async (...asked: Parameters<typeof query>) => {
        const rows = await query(...asked);
        for (const row of rows) if (row.now instanceof Date) row.now.setTime(row.now.getTime() + byMs);
        return rows as never;
      },
    };
    const checked = checkMove({ name: from, db: source }, { name: to, db: { ...target, asOwner } });
    if (refusal) await assert.rejects(checked, refusal);
    else await checked;
  }
});

test('a table whose replica identity lacks the company is refused by name, before it is published', async () => {
  await cellNamed(from).query('alter table logins replica identity default');
  const steps: string[] = [];
  try {
    const moved = mover.move(paylink.merchant.companyId, to, { onStep: (step) => void steps.push(step) });
    await assert.rejects(
      moved,
      /The replica identity of these tables of the cell eu\d has no company_id: logins\./,
    );
  } finally {
    await cellNamed(from).query('alter table logins replica identity using index logins_of_company');
  }
  assert.deepEqual(steps, []);
  assert.deepEqual(await cellsWithRows(mover.db, paylink.merchant.companyId), [from]);
  await assertNothingLeft(mover.db);
});

test('a server without free replication slots is refused', async () => {
  await cellNamed(to).query(
    "select pg_create_physical_replication_slot('taken_' || i) from generate_series(1, 39) i",
  );
  try {
    await assert.rejects(
      mover.move(paylink.merchant.companyId, to),
      /The server of the cell eu\d has no free replication slots: raise max_replication_slots/,
    );
  } finally {
    await cellNamed(to).query("select pg_drop_replication_slot('taken_' || i) from generate_series(1, 39) i");
  }
  assert.deepEqual(await cellsWithRows(mover.db, paylink.merchant.companyId), [from]);
});

test('a company that is at home in none of the cells that know it is refused with what "cells verify" says', async () => {
  const companyId = 'co_zzzzzzzz';
  await cellNamed(to).query(
    "insert into company_homes (company, status, other_cell) values ($1, 'gone', $2)",
    [companyId, from],
  );
  try {
    const [finding] = (await verifyCells(mover.db, companyId)).findings;
    const says =
      /at home in no cell \(known in eu\d\)\. If its import .* restore the cell that it was in last\./;
    assert.match(String(finding?.sentence), says);
    await assert.rejects(mover.move(companyId, to), says);
    await assert.rejects(cancelMove(mover.deps, companyId), says);
  } finally {
    await cellNamed(to).query('delete from company_homes where company = $1', [companyId]);
  }
});

test('an address that leads to another database from the target ends the move, and nothing is left', async () => {
  const { companyId } = paylink.merchant;
  const wrong = mover.move(companyId, to, { addressOf: () => rig.place(to).url });
  await assert.rejects(wrong, /the address of the source leads to another database/);
  const closed = mover.move(companyId, to, { addressOf: () => 'postgres://postgres@127.0.0.1:1/paylink' });
  await assert.rejects(closed, /The server of the target could not subscribe to the source/);
  assert.deepEqual(await cellsWithRows(mover.db, companyId), [from]);
  await assertNothingLeft(mover.db);
});

test('a freeze that gets no connection is given up within its limit, again and again, and the company goes on', async () => {
  const { companyId } = paylink.merchant;
  // Of the cell with the lock and the last transaction, no connection is left for the end of the log.
  const db = await openAsCommand({ ...rig.settings(), DATABASE_POOL_SIZE: '2' });
  rig.cleaner.add(async () => await db.close());
  await mover.move(companyId, 'eu1');
  const frozen: number[] = [];
  const moving = moveCompany(
    {
      ...mover.deps,
      db,
      freezeLimitMs: 1_000,
      onStep: (step) => void (step === 'frozen' && frozen.push(performance.now())),
    },
    { companyId, to: 'eu2' },
  );
  await assert.rejects(
    moving,
    /The company could not be held up for a switch: the database gave no answer within \d+ ms\./,
  );
  const pauses = frozen.slice(1).map((at, index) => at - (frozen[index] ?? 0));
  assert.equal(frozen.length, 6);
  assert.ok(Math.max(...pauses) < 4_000, `freezes began after ${pauses.map(Math.round).join(', ')} ms`);
  assert.deepEqual(await cellsWithRows(mover.db, companyId), ['eu1']);
  await assertNothingLeft(mover.db);
});

test('a freeze in which a comparison has to wait is given up in time, and the next one moves the company', async () => {
  const { companyId } = paylink.merchant;
  assert.deepEqual(await cellsWithRows(mover.db, companyId), ['eu1']);
  const blocker = openClient(rig.place('eu2').url);
  await blocker.connect();
  const steps: string[] = [];
  try {
    const moved = await mover.move(companyId, 'eu2', {
      // Shorter than the server waits for a lock.
      freezeLimitMs: 800,
      onStep: async (step) => {
        steps.push(step);
        const tries = steps.filter((each) => each === step).length;
        if (step === 'caught-up' && tries === 1)
          await blocker.query('begin; lock table companies in access exclusive mode');
        if (step === 'frozen' && tries === 2) await blocker.query('commit');
      },
    });
    assert.equal(moved.from, 'eu1');
  } finally {
    await blocker.end();
  }
  assert.ok(steps.filter((step) => step === 'frozen').length > 1);
  assert.equal(steps.filter((step) => step === 'copied').length, 1, 'it is copied once');
  assert.deepEqual(await cellsWithRows(mover.db, companyId), ['eu2']);
  await assertNothingLeft(mover.db);
});

test('a command that has lost its lock stops before it decides or undoes anything, and another one goes on', async () => {
  const { companyId } = paylink.merchant;
  await mover.move(companyId, 'eu1');
  for (const lostAt of ['counted', 'settled'] as const) {
    const stopped = mover.move(companyId, 'eu2', {
      onStep: async (step) => {
        if (step === lostAt) await loseLock(mover.db, companyId);
      },
    });
    await assert.rejects(stopped, /The connection to the directory was lost, .* Run this one again\./);
    const home = lostAt === 'counted' ? 'eu1' : 'eu2';
    assert.equal((await mover.db.cellOf(companyId)).cell, home);
    assert.deepEqual(await cellsWithRows(mover.db, companyId), ['eu1', 'eu2']);
    if (lostAt === 'counted')
      // What it left still serves a move, which was not undone.
      assert.equal((await cellNamed('eu2').query('select subname from pg_subscription')).length, 1);
  }
  await mover.move(companyId, 'eu2');
  assert.deepEqual(await cellsWithRows(mover.db, companyId), ['eu2']);
  await assertNothingLeft(mover.db);
});
