// One company of an installation with cells: exported, removed, imported into another cell, and found there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { call, createLinkAs, logIn } from '../harness/client.ts';
import { payWith } from '../harness/visitor.ts';
import { countOf, openCommandStage, rowsOf } from './command-stage.ts';

const { rig, home, directory, eu2, merchantOf, withService, run, report, close } = await openCommandStage();
after(close);

const listColumns = async (database: Database, table: string) =>
  (
    await rowsOf(
      database,
      `select quote_ident(column_name) as name from information_schema.columns
       where table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
  ).map(({ name }) => String(name));

const file = () => join(home.folder, 'shop.company');
const traces = async (companyId: string) => [
  await countOf(directory, 'company_cells where company = $1', [companyId]),
  await countOf(directory, 'directory_logins where company = $1', [companyId]),
  await countOf(directory, 'company_homes where company = $1', [companyId]),
  await countOf(eu2, 'company_homes where company = $1', [companyId]),
];

test('a company is exported from its cell, and removed with its place and its addresses', async () => {
  const { companyId } = merchantOf('eu2');
  const { rows } = await report('admin', 'company', 'export', '--company', companyId, '--to', file());
  assert.ok(rows > 10, `${rows} rows`);
  assert.deepEqual(await traces(companyId), [1, 1, 0, 1]);
  await report('admin', 'company', 'remove', '--company', companyId, '--exported', file());
  assert.deepEqual(await traces(companyId), [0, 0, 0, 0]);
});

test('a company is not imported if its address has an account meanwhile, and a rehearsal says so', async () => {
  const { companyId, email } = merchantOf('eu2');
  const create = ['admin', 'company', 'create', '--name', 'Other', '--country', 'DE', '--email', email];
  const other = await report(...create);
  for (const more of [['--dry-run'], []]) {
    const { code, err } = await run('admin', 'company', 'import', '--from', file(), ...more);
    assert.deepEqual([code, err.includes(email), err.includes('Nothing was imported')], [2, true, true], err);
    assert.deepEqual(await traces(companyId), [0, 0, 0, 0]);
  }
  const otherFile = join(home.folder, 'other.company');
  await report('admin', 'company', 'export', '--company', other.companyId, '--to', otherFile);
  await report('admin', 'company', 'remove', '--company', other.companyId, '--exported', otherFile);
});

test('a company is imported into the cell that its weight chooses, works there, and is not imported twice', async () => {
  const merchant = merchantOf('eu2');
  const { companyId } = merchant;
  await report('admin', 'cells', 'weight', 'eu2', '0');
  await report('admin', 'company', 'import', '--from', file(), '--dry-run');
  assert.deepEqual(await traces(companyId), [0, 0, 0, 0]);
  const { cell, isImported } = await report('admin', 'company', 'import', '--from', file());
  assert.deepEqual([cell, isImported], ['eu1', true]);
  assert.deepEqual(await traces(companyId), [1, 1, 1, 1]);
  const again = await run('admin', 'company', 'import', '--from', file());
  assert.deepEqual([again.code, again.err.includes('exists here already')], [2, true], again.err);
  assert.deepEqual(await traces(companyId), [1, 1, 1, 1]);
  await withService(async (paylink) => {
    const owner = await logIn(paylink, merchant);
    const { body } = await call(paylink, owner, ['GET', '/v1/payments']);
    assert.equal((body.data as unknown[]).length, 1);
    const { link } = await createLinkAs(paylink, owner);
    await payWith(link, { number: '4242424242424242' });
    assert.equal((await paylink.app.deps.db.cellOf(companyId)).cell, 'eu1');
  });
  assert.equal((await report('audit', 'verify')).findings.length, 0);
});

test('a company that has moved is removed and imported again, and a process that remembers its former cells finds it', async () => {
  const merchant = merchantOf('eu2');
  const { companyId } = merchant;
  const copy = (name: string) => join(home.folder, `${name}.company`);
  const importInto = async (wanted: string, name: string) => {
    for (const each of ['eu1', 'eu2'])
      await report('admin', 'cells', 'weight', each, each === wanted ? '100' : '0');
    await report('admin', 'company', 'export', '--company', companyId, '--to', copy(name));
    await report('admin', 'company', 'remove', '--company', companyId, '--exported', copy(name));
    assert.deepEqual(await traces(companyId), [0, 0, 0, 0]);
    assert.deepEqual((await report('admin', 'cells', 'verify')).findings, []);
    assert.equal((await report('admin', 'company', 'import', '--from', copy(name))).cell, wanted);
    assert.deepEqual((await report('admin', 'cells', 'verify')).findings, []);
  };
  await withService(async (paylink) => {
    // Again each time: sessions are not exported.
    const assertWorks = async () => {
      const { link } = await createLinkAs(paylink, await logIn(paylink, merchant));
      await payWith(link, { number: '4242424242424242' });
    };
    await assertWorks();
    const fewConnections = { ...rig.settings(), DATABASE_POOL_SIZE: '2' };
    const moved = await home.run(fewConnections, 'admin', 'cells', 'move', companyId, 'eu2');
    assert.equal(moved.code, 0, moved.err);
    await assertWorks();
    await importInto('eu1', 'first');
    await assertWorks();
    await importInto('eu2', 'second');
    await assertWorks();
  });
});

test('a company is not removed while another cell has rows of it, from a move that was interrupted', async () => {
  const { companyId } = merchantOf('eu2');
  const last = join(home.folder, 'last.company');
  await report('admin', 'company', 'export', '--company', companyId, '--to', last);
  const columns = (await listColumns(directory, 'companies')).join(', ');
  const [row] = await rowsOf(eu2, 'select to_jsonb(c) as row from companies c where company_id = $1', [
    companyId,
  ]);
  // safe: the names are those of the columns of a table.
  const insert = `insert into companies (${columns}) select ${columns} from jsonb_populate_record(null::companies, $1)`;
  await directory.asOwner.query(insert, [row?.row]);
  const { code, err } = await run('admin', 'company', 'remove', '--company', companyId, '--exported', last);
  assert.deepEqual(
    [code, /The cell eu1 has rows of the company, .* Nothing was removed\./.test(err)],
    [2, true],
    err,
  );
  await report('admin', 'cells', 'move', companyId, 'eu2');
  const sealed = join(home.folder, 'sealed.company');
  await report('admin', 'company', 'export', '--company', companyId, '--to', sealed);
  await report('admin', 'company', 'remove', '--company', companyId, '--exported', sealed);
  assert.deepEqual(await traces(companyId), [0, 0, 0, 0]);
});
