// The commands of operators: move, drain, verify and cancel, as processes of their own.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHome, type Home } from '../harness/cli.ts';
import { logIn } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { assertNothingLeft, cellsWithRows, type Mover, openMover } from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
let home: Home;
const companies: string[] = [];

before(async () => {
  // Two cells share a server.
  rig = await openCellsRig({ eu1: 'one', eu2: 'two', eu3: 'two' });
  paylink = await rig.start({ isAtWork: false });
  mover = await openMover(rig);
  home = await createHome();
  companies.push(paylink.merchant.companyId);
  for (let more = 0; more < 4; more += 1) companies.push((await paylink.createMerchant()).companyId);
});
after(async () => {
  await home?.remove();
  await paylink?.stop();
  await rig?.close();
});

const run = async (...words: string[]) => await home.run(rig.settings(), 'admin', 'cells', ...words);
const cellOf = async (companyId: string) => String((await mover.db.cellOf(companyId)).cell);

test('a company moves between two cells of one server, by the command', async () => {
  const [companyId = ''] = companies;
  for (const to of ['eu2', 'eu3', 'eu2']) {
    const { code, out, err } = await run('move', companyId, to);
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`${companyId} (has moved from eu\\d to ${to}|is in ${to})`));
    assert.deepEqual(await cellsWithRows(mover.db, companyId), [to]);
  }
  assert.ok(await logIn(paylink));
});

test('a drained cell takes no new company, and its companies are in the others', async () => {
  const drained = await cellOf(companies[1] ?? '');
  const { code, out, err } = await run('drain', drained);
  assert.equal(code, 0, err);
  assert.match(out, new RegExp(`Companies moved from ${drained}: [1-5]; not moved: 0\\.`));
  for (const companyId of companies) assert.notEqual(await cellOf(companyId), drained);
  for (let more = 0; more < 4; more += 1)
    assert.notEqual(await cellOf((await paylink.createMerchant()).companyId), drained);
  await assertNothingLeft(mover.db);
});

test('verify reports each fault with its remedy, and its exit code says that there are some', async () => {
  const [companyId = ''] = companies;
  const clean = await run('verify');
  assert.equal(clean.code, 0, clean.out);
  assert.match(clean.out, /Every company is at home in one cell \(companies: \d+\)\./);
  const cell = mover.db.cells().find((each) => each.cell !== mover.db.cells()[0]?.cell);
  assert.ok(cell);
  const tag = companyId.slice(3);
  await cell.asOwner.query(`create publication paylink_move_${tag}`);
  await mover.db.asOwner.query(
    'update company_cells set cell = (select name from cells where name <> company_cells.cell limit 1) where company = $1',
    [companyId],
  );
  const { code, out } = await run('verify', companyId);
  assert.equal(code, 1);
  assert.match(
    out,
    new RegExp(
      `${companyId}: The directory names the cell eu\\d, and it is in eu\\d: paylink admin cells move`,
    ),
  );
  assert.match(
    out,
    new RegExp(
      `${companyId}: (A move of it left a publication in eu\\d|Its move to eu\\d was interrupted after the switch)`,
    ),
  );
  const cancelled = await run('cancel', companyId);
  assert.equal(cancelled.code, 0, cancelled.err);
  const moved = await run('move', companyId, await cellOf(companyId));
  assert.equal(moved.code, 0, moved.err);
  assert.equal((await run('verify', companyId)).code, 0);
});

test('a company, or a cell, that does not exist ends a command with its name', async () => {
  const unknown = await run('move', 'co_zzzzzzzz', 'eu1');
  assert.deepEqual([unknown.code, /There is no company co_zzzzzzzz/.test(unknown.err)], [1, true]);
  const nowhere = await run('move', companies[0] ?? '', 'eu9');
  assert.deepEqual([nowhere.code, /There is no cell eu9/.test(nowhere.err)], [1, true]);
  assert.match((await run('verify', 'co_zzzzzzzz')).out, /No cell knows it/);
});
