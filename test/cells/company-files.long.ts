// One company of an installation with cells: exported, removed, imported into another cell, and found there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { placeImported } from '../../src/cells/place-company.ts';
import { call, createLinkAs, logIn } from '../harness/client.ts';
import { payWith } from '../harness/visitor.ts';
import { countOf, openCommandStage } from './command-stage.ts';
import { runMoveProcess } from './move-rig.ts';

const { rig, home, directory, eu2, merchantOf, withService, run, report, close } = await openCommandStage();
after(close);

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
  const importInto = async (wanted: string) => {
    for (const each of ['eu1', 'eu2'])
      await report('admin', 'cells', 'weight', each, each === wanted ? '100' : '0');
    const path = await takeOut(companyId);
    assert.deepEqual(await traces(companyId), [0, 0, 0, 0]);
    assert.deepEqual((await report('admin', 'cells', 'verify')).findings, []);
    assert.equal((await report('admin', 'company', 'import', '--from', path)).cell, wanted);
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
    await importInto('eu1');
    await assertWorks();
    await importInto('eu2');
    await assertWorks();
  });
});

/** The paths of exports of one company, each new. */
let exports = 0;
async function exportCompany(companyId: string): Promise<string> {
  exports += 1;
  const path = join(home.folder, `export-${exports}.company`);
  await report('admin', 'company', 'export', '--company', companyId, '--to', path);
  return path;
}
const remove = async (companyId: string, path: string) =>
  await run('admin', 'company', 'remove', '--company', companyId, '--exported', path);

/** Removes a company that a service works on, and returns the path of its export. What the service does in between is exported. */
async function takeOut(companyId: string): Promise<string> {
  for (;;) {
    const path = await exportCompany(companyId);
    const { code, err } = await remove(companyId, path);
    if (code === 0) return path;
    assert.match(err, /has changed since/);
  }
}

test('a company is not removed while another cell has something of it, from a move that was killed', async () => {
  const { companyId } = merchantOf('eu2');
  const isUnfinished = /the cell eu1 still has something of it.* cells verify co_\w+\. Nothing was removed\./;
  for (const killedAt of ['arriving', 'slot', 'copied', 'worked'] as const) {
    await report('admin', 'cells', 'move', companyId, killedAt === 'worked' ? 'eu1' : 'eu2');
    const to = killedAt === 'worked' ? 'eu2' : 'eu1';
    assert.equal(await runMoveProcess(rig, { companyId, to, killedAt }), 'SIGKILL');
    const { code, err } = await remove(companyId, await exportCompany(companyId));
    assert.deepEqual([code, isUnfinished.test(err)], [2, true], `${killedAt}: ${err}`);
    await report('admin', 'cells', 'cancel', companyId);
    assert.deepEqual((await report('admin', 'cells', 'verify')).findings, [], killedAt);
  }
});

test('an import that was killed can be run again into another cell, and one of two imports at once wins', async () => {
  const merchant = merchantOf('eu2');
  const { companyId } = merchant;
  const path = await exportCompany(companyId);
  assert.equal((await remove(companyId, path)).code, 0);
  const db = await rig.openInstallation();
  const eu1 = db.cells().find(({ cell }) => cell === 'eu1');
  assert.ok(eu1);
  // So far the killed import came.
  await placeImported(db, companyId, eu1);
  for (const [cell, weight] of [
    ['eu1', '0'],
    ['eu2', '100'],
  ] as const)
    await report('admin', 'cells', 'weight', cell, weight);
  const imports = await Promise.all(
    [1, 2].map(async () => await run('admin', 'company', 'import', '--from', path)),
  );
  const failed = imports.filter(({ code }) => code !== 0);
  assert.equal(failed.length, 1, imports.map(({ err }) => err).join());
  assert.match(String(failed[0]?.err), /Another command moves, imports or removes|exists here already/);
  assert.deepEqual((await report('admin', 'cells', 'verify')).findings, []);
  assert.deepEqual(await traces(companyId), [1, 1, 1, 1]);
  await withService(async (paylink) => {
    const { link } = await createLinkAs(paylink, await logIn(paylink, merchant));
    await payWith(link, { number: '4242424242424242' });
    assert.equal((await paylink.app.deps.db.cellOf(companyId)).cell, 'eu2');
  });
});
