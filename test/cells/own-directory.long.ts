// The directory in a database of its own (DIRECTORY_DATABASE_URL), on a third cluster: no cell is special.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createHome, type Home } from '../harness/cli.ts';
import { call, createLinkAs, logIn, post } from '../harness/client.ts';
import { type Merchant, type Paylink, password } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { postgresBin } from '../harness/services.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellsRig, cellSettings, masterKey, openCellsRig } from './cells-rig.ts';
import { openMover } from './move-rig.ts';

let rig: CellsRig;
let home: Home;
let paylink: Paylink;
/** A company of each cell. */
const merchants = new Map<string, Merchant>();

const cellOf = async ({ companyId }: Merchant) => (await paylink.app.deps.db.cellOf(companyId)).cell ?? '';

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' }, cellSettings, { directoryOn: 'three' });
  home = await createHome();
  paylink = await rig.start();
  while (merchants.size < 2) {
    const merchant = await paylink.createMerchant();
    merchants.set(await cellOf(merchant), merchant);
  }
});
after(async () => {
  await paylink?.stop();
  await rig?.close();
  await home?.remove();
});

const merchantOf = (cell: string): Merchant => {
  const merchant = merchants.get(cell);
  assert.ok(merchant, cell);
  return merchant;
};

async function assertWorks(merchant: Merchant): Promise<void> {
  const credentials = await logIn(paylink, merchant);
  const { link, code } = await createLinkAs(paylink, credentials);
  await payWith(link, { number: '4242424242424242' });
  const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${code}`]);
  assert.equal(body.status, 'paid', JSON.stringify(body));
}

const isReady = async () => (await fetch(`${paylink.baseUrl}/readyz`)).status === 200;
const run = async (...line: string[]) => await home.run(rig.settings(), ...line);

test('companies of both cells log in, create links and are paid, and the directory has none of them', async () => {
  for (const merchant of merchants.values()) await assertWorks(merchant);
  const { db } = paylink.app.deps;
  assert.deepEqual(
    db.cells().map(({ cell }) => cell),
    ['directory', 'eu1', 'eu2'],
  );
  const counts = [];
  for (const each of db.cells()) {
    const [row] = await each.asOwner.query<{ count: number }>('select count(*)::int as count from payments');
    counts.push(row?.count);
  }
  assert.deepEqual(counts, [0, 1, 1]);
});

test('a company moves from cell to cell, and logs in there', async () => {
  const merchant = await paylink.createMerchant();
  const from = await cellOf(merchant);
  const to = from === 'eu1' ? 'eu2' : 'eu1';
  const mover = await openMover(rig);
  await mover.move(merchant.companyId, to);
  assert.equal(await cellOf(merchant), to);
  await assertWorks(merchant);
  const verified = await run('admin', 'cells', 'verify');
  assert.equal(verified.code, 0, verified.out + verified.err);
});

test('the commands name the directory beside the cells', async () => {
  const listed = await run('admin', 'cells', 'list', '--json');
  assert.deepEqual(
    JSON.parse(listed.out).cells.map(({ name }: { name: string }) => name),
    ['eu1', 'eu2'],
  );
  const migrated = await run('admin', 'migrate');
  assert.deepEqual([migrated.code, migrated.err], [0, '']);
  assert.match(migrated.out, /^directory: No migration is pending\.\neu1: .*\neu2: /m);
  const doctor = await run('doctor', '--json');
  const checks = JSON.parse(doctor.out).findings.map(({ check }: { check: string }) => check);
  for (const name of ['directory', 'eu1', 'eu2'])
    assert.ok(checks.includes(`database of ${name}`), checks.join());
  const added = await run('admin', 'cells', 'add', 'eu2');
  assert.deepEqual([added.code, added.err], [0, '']);
});

test('a backup of the directory can be rehearsed', async () => {
  const file = join(home.folder, 'directory.dump');
  await promisify(execFile)(join(postgresBin(), 'pg_dump'), [
    '--format=custom',
    `--file=${file}`,
    String(rig.settings().DIRECTORY_DATABASE_URL),
  ]);
  const { code, out, err } = await run('admin', 'rehearse-restore', file, '--json');
  const { restorable, checks } = JSON.parse(out);
  assert.deepEqual([code, restorable], [0, true], out + err);
  const rows = checks.find(({ check }: { check: string }) => check === 'rows');
  assert.match(rows.detail, /cells eu1, eu2; companies in them [1-9]/);
});

test('while the first cell is down, only its companies wait: others log in, pay, and new ones come', async () => {
  const { cluster } = rig.place('eu1');
  await cluster.crash();
  const { email } = merchantOf('eu1');
  assert.equal((await post(`${paylink.baseUrl}/v1/auth/login`, { email, password })).status, 503);
  await assertWorks(merchantOf('eu2'));
  assert.equal(await cellOf(await paylink.createMerchant()), 'eu2');
  const unknown = await post(`${paylink.baseUrl}/v1/auth/login`, { email: 'nobody@example.com', password });
  assert.equal(unknown.status, 401);
  const own = await logIn(paylink, merchantOf('eu2'));
  const nobody = await call(paylink, { ...own, companyId: 'co_zzzzzzzz' }, ['GET', '/v1/payments']);
  assert.equal(nobody.status, 403);
  const link = await fetch((await createLinkAs(paylink, own)).link.replace(/[^/]+$/, 'zzzzzzzzzzzzzzzzzzzz'));
  assert.equal(link.status, 404, await link.text());
  assert.ok(await isReady());
  await cluster.restart();
  await until(
    async () => (await post(`${paylink.baseUrl}/v1/auth/login`, { email, password })).status === 200,
    'the companies of the first cell to log in again',
  );
  await assertWorks(merchantOf('eu1'));
});

test('without the directory a process is not ready, and ready again with it', async () => {
  const cluster = rig.directoryCluster();
  await cluster.crash();
  await until(async () => !(await isReady()), 'the process to be unready');
  await cluster.restart();
  await until(isReady, 'the process to be ready again');
  for (const merchant of merchants.values()) await assertWorks(merchant);
});

test('a change of the master key re-encrypts all three databases, and a process starts with the new key', async () => {
  await paylink.stop();
  const next = randomBytes(32).toString('base64');
  const changed = { ...rig.settings(), PAYLINK_MASTER_KEY: next, PAYLINK_OLD_MASTER_KEY: masterKey };
  const rotated = await home.run(changed, 'admin', 'rotate-master-key');
  assert.equal(rotated.code, 0, rotated.out + rotated.err);
  const { findings } = JSON.parse((await run('doctor', '--json')).out);
  const refused = findings.filter(({ state }: { state: string }) => state === 'fail');
  assert.deepEqual(
    refused.map(({ check }: { check: string }) => check),
    ['directory', 'eu1', 'eu2'].map((name) => `master key of the database of ${name}`),
  );
  paylink = await rig.start({ settings: { PAYLINK_MASTER_KEY: next } });
  for (const merchant of merchants.values()) await assertWorks(merchant);
});
