// Commands that act on what they read before: an earlier command whose last commit is pending, one that has lost its lock, a
// migration or a fail-over in between. The company keeps every row, in exactly one cell, and the command can be run again.

import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cancelMove } from '../../src/cell-moves/cancel-move.ts';
import { claimArrival } from '../../src/cell-moves/lock-homes.ts';
import type { Database } from '../../src/db/database.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellsRig, cellSettings, openCellsRig } from './cells-rig.ts';
import { assertMoved, loseLock, type Mover, openMover, readRows, readWhole } from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
/** A second command, beside the first. */
let other: Mover;
let companyId = '';

before(async () => {
  // A fault of a cell is one of no directory.
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' }, cellSettings, { directoryOn: 'directory' });
  // Without its own work, the rows of the company stay as they are.
  paylink = await rig.start({ isAtWork: false });
  mover = await openMover(rig);
  other = await openMover(rig);
  companyId = paylink.merchant.companyId;
  const credentials = await logIn(paylink, paylink.merchant);
  for (let made = 0; made < 5; made += 1)
    await payWith((await createLinkAs(paylink, credentials)).link, { number: '4242424242424242' });
  // Seals and words are there from the start.
  await mover.move(companyId, (await places()).to);
});

after(async () => {
  await paylink?.stop();
  await rig?.close();
});

async function places(): Promise<{ from: string; to: string; source: Database; target: Database }> {
  const from = String((await mover.db.cellOf(companyId)).cell);
  const to = from === 'eu1' ? 'eu2' : 'eu1';
  return { from, to, source: await rig.openRaw(from), target: await rig.openRaw(to) };
}

const outcomeOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.catch((error: unknown) => error);

const waitsForHome = async (cell: Database) =>
  (
    await cell.asOwner.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%company_homes%'`,
    )
  ).length > 0;

type Second = { begin: () => Promise<unknown>; waitsIn: Database; breakDown?: () => Promise<void> };

/** A move loses its lock once it has compared, and switches while a second command waits, which changes nothing then. */
async function switchBeside(to: string, { begin, waitsIn, breakDown }: Second): Promise<void> {
  const rows = await readWhole(mover, companyId);
  let second: Promise<unknown> = Promise.resolve();
  await outcomeOf(
    mover.move(companyId, to, {
      freezeLimitMs: 20_000,
      onStep: async (step) => {
        if (step !== 'compared') return;
        await loseLock(mover.db, companyId);
        await breakDown?.();
        second = outcomeOf(begin());
        await until(async () => await waitsForHome(waitsIn), 'the second command to wait');
      },
    }),
  );
  assert.match(String(await second), /is not at home in eu\d any more: an earlier command has switched it/);
  await other.move(companyId, to);
  await assertMoved(mover, { companyId, to, rows });
}

for (const kind of ['cancel', 'move'] as const)
  test(`a ${kind} that waits while a command without its lock switches removes nothing`, async () => {
    const { to, target } = await places();
    const begin = async () =>
      kind === 'cancel' ? await cancelMove(other.deps, companyId) : await other.move(companyId, to);
    await switchBeside(to, { begin, waitsIn: target });
  });

test('a cancel while the connection to the new cell is lost waits for the decision of the old one, and removes nothing', async () => {
  const { to, source, target } = await places();
  const breakDown = async () => {
    const ended = await target.asOwner.query(
      `select pg_terminate_backend(pid) from pg_locks
       where relation = 'company_homes'::regclass and mode = 'RowShareLock' and pid <> pg_backend_pid()`,
    );
    assert.equal(ended.length, 1, 'one command holds the row of the company');
  };
  const begin = async () => await cancelMove(other.deps, companyId);
  await switchBeside(to, { begin, waitsIn: source, breakDown });
});

test('an arrival in a cell that never knew the company is not claimed once another command has switched it there', async () => {
  const { from, to, source, target } = await places();
  const company = 'co_00000000';
  await source.asOwner.query("insert into company_homes (company, status) values ($1, 'home')", [company]);
  const switched = Promise.withResolvers<void>();
  const first = target.withConnection(async (sql) => {
    await sql.query('begin');
    await sql.query('insert into company_homes (company, status, other_cell) values ($1, $2, $3)', [
      ...[company, 'arriving', from],
    ]);
    await switched.promise;
    await sql.query('commit');
  });
  const cells = { home: { name: from, db: source }, other: { name: to, db: await rig.openRaw(to) } };
  const second = outcomeOf(claimArrival({ companyId: company, ...cells }));
  await until(async () => await waitsForHome(target), 'the second command to wait');
  await source.asOwner.query("update company_homes set status = 'gone', other_cell = $2 where company = $1", [
    company,
    to,
  ]);
  switched.resolve();
  await first;
  assert.match(String(await second), /an earlier command has switched it/);
  for (const cell of [source, target])
    await cell.asOwner.query('delete from company_homes where company = $1', [company]);
});

test('a command that is run again while the first one waits for a synchronous standby removes nothing', async () => {
  const { to, source } = await places();
  const rows = await readWhole(mover, companyId);
  const waitForStandby = async (name: string) => {
    // safe: a constant of the test.
    await source.asOwner.query(`alter system set synchronous_standby_names = '${name}'`);
    await source.asOwner.query('select pg_reload_conf()');
    await until(
      async () =>
        (await source.asOwner.query<{ name: string }>('show synchronous_standby_names')).length > 0 &&
        (
          await source.asOwner.query<{ name: string }>(
            `select current_setting('synchronous_standby_names') as name`,
          )
        )[0]?.name === name,
      'the setting',
    );
  };
  const first = await outcomeOf(
    mover.move(companyId, to, {
      onStep: async (step) => {
        if (step === 'compared') await waitForStandby('nobody');
      },
    }),
  );
  assert.match(String(first), /it is unknown whether .* Run the command again when both respond/);
  const second = outcomeOf(
    other.move(companyId, to, {
      onStep: async (step) => {
        if (step === 'subscribed') throw new Error('stopped by the test');
      },
    }),
  );
  await until(
    async () =>
      (await source.asOwner.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)).length > 1,
    'the second command to wait',
  );
  await waitForStandby('');
  assert.match(String(await second), /is not at home in eu\d any more: an earlier command has switched it/);
  assert.equal(String((await mover.db.cellOf(companyId)).cell), to);
  await other.move(companyId, to);
  await assertMoved(mover, { companyId, to, rows });
});

test('a migration during the copy ends the move, and the company stays with the rows of the new table', async () => {
  const { from, to, source, target } = await places();
  const rows = await readWhole(mover, companyId);
  const moved = mover.move(companyId, to, {
    onStep: async (step) => {
      if (step !== 'copied') return;
      for (const cell of [source, target]) {
        await cell.asOwner.query('create table new_things (company_id text primary key)');
        await cell.asOwner.query(
          `insert into schema_migrations (version, name, checksum)
           select max(version) + 1, 'new_things', 'none' from schema_migrations`,
        );
      }
      await source.asOwner.query('insert into new_things values ($1)', [companyId]);
    },
  });
  await assert.rejects(moved, /A cell was migrated during the move.* Run the command again/);
  const { new_things: kept } = await readRows(source, companyId);
  assert.equal(kept?.length, 1);
  for (const cell of [source, target]) {
    await cell.asOwner.query('drop table new_things');
    await cell.asOwner.query("delete from schema_migrations where name = 'new_things'");
  }
  await assertMoved(mover, { companyId, to: from, rows });
});

test('a fail-over of the new cell during the copy ends the move, and the company stays', async () => {
  const { from, to } = await places();
  const rows = await readWhole(mover, companyId);
  const { cluster } = rig.place(to);
  const data = join(cluster.folder, 'pg', 'data');
  const moved = mover.move(companyId, to, {
    onStep: async (step) => {
      if (step !== 'counted') return;
      // A recovery that ends without more log begins a new timeline, as the promotion of a standby does.
      await cluster.crash();
      await appendFile(join(data, 'postgresql.auto.conf'), "restore_command = 'false'\n");
      await writeFile(join(data, 'recovery.signal'), '');
      await cluster.restart();
      await until(async () => {
        const state = await rig.openRaw(to).catch(() => null);
        return state !== null && (await state.asOwner.query('select 1').catch(() => [])).length === 1;
      }, 'the new server');
    },
  });
  await assert.rejects(moved, /was replaced by a standby during the move.* Run the command again/);
  await assertMoved(mover, { companyId, to: from, rows });
  await mover.move(companyId, to);
  await assertMoved(mover, { companyId, to, rows });
});
