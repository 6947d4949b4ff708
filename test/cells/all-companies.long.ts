// What is done for all companies of the installation misses none of them while companies move, or after a move was killed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openKeyring } from '../../src/base/keyring.ts';
import type { Database } from '../../src/db/database.ts';
import { iterateCompanies } from '../../src/iterate-companies.ts';
import { reencryptAll } from '../../src/rotate-master-key.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { logIn } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type CellsRig, masterKey, masterKeys, openCellsRig } from './cells-rig.ts';
import { type Mover, openMover, runMoveProcess } from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
let home: Home;
/** The company of each cell, which has a secret. */
const companies = new Map<string, string>();
const companyOf = (cell: string): string => {
  const companyId = companies.get(cell);
  assert.ok(companyId, cell);
  return companyId;
};

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  home = await createHome();
  paylink = await rig.start({ isAtWork: false, settings: loopbackSettings });
  mover = await openMover(rig);
  while (companies.size < 2) {
    const merchant = await paylink.createMerchant();
    const cell = String((await mover.db.cellOf(merchant.companyId)).cell);
    if (companies.has(cell)) continue;
    companies.set(cell, merchant.companyId);
    const endpoint = { url: 'http://127.0.0.1:19999/none', events: ['refund.succeeded'] };
    await createTestEndpoint(paylink, await logIn(paylink, merchant), endpoint);
  }
});

after(async () => {
  await paylink?.stop();
  await rig?.close();
  await home?.remove();
});

async function listAll(): Promise<string[]> {
  const ids: string[] = [];
  for await (const companyId of iterateCompanies(mover.db)) ids.push(companyId);
  return ids;
}

/** Does something before the first transaction of a company. */
function beforeFirstUse(db: Database, work: () => Promise<unknown>): Database {
  let isFirst = true;
  const inBothModes: Database['inBothModes'] = async (...args) => {
    if (isFirst) {
      isFirst = false;
      await work();
    }
    return await db.inBothModes(...args);
  };
  return { ...db, inBothModes };
}

test('a rotation covers a company that moves from a cell not yet visited to one already visited', async () => {
  const companyId = companyOf('eu2');
  const keyring = await openKeyring(Buffer.alloc(32, 9), masterKeys.current);
  // The cell eu1 comes first, and its companies are known before the first is used.
  const db = beforeFirstUse(mover.db, async () => await mover.move(companyId, 'eu1'));
  const { companies: count, kinds } = await reencryptAll({ db, keyring });
  await mover.move(companyId, 'eu2');
  assert.equal(kinds.find(({ name }) => name === 'webhook secrets')?.resealed, 2);
  assert.equal(count, (await listAll()).length);
  const back = await openKeyring(masterKeys.current, Buffer.alloc(32, 9));
  await reencryptAll({ db: mover.db, keyring: back });
});

test('a company that moves to a cell not yet visited comes once', async () => {
  const companyId = companyOf('eu1');
  const ids: string[] = [];
  for await (const each of iterateCompanies(mover.db)) {
    if (each === companyId) await mover.move(companyId, 'eu2');
    ids.push(each);
  }
  await mover.move(companyId, 'eu1');
  assert.equal(ids.filter((id) => id === companyId).length, 1);
});

test('the place of a company that does not exist, as an interrupted creation leaves it, is left out', async () => {
  const before = await listAll();
  const ghost = companyOf('eu1').replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  await mover.db.asOwner.query("insert into company_cells (company, cell) values ($1, 'eu2')", [ghost]);
  assert.deepEqual(await listAll(), before);
  await mover.db.asOwner.query('delete from company_cells where company = $1', [ghost]);
});

test('after a move was killed past its switch, the commands and a rotation cover the company', async () => {
  const companyId = companyOf('eu2');
  const all = (await listAll()).length;
  const kill = async (to: string) =>
    assert.equal(await runMoveProcess(rig, { companyId, to, killedAt: 'switched' }), 'SIGKILL');
  const finish = async (to: string) => assert.equal((await mover.move(companyId, to)).rows, null);
  const report = async (settings: Record<string, string>, ...args: string[]) => {
    const { code, out, err } = await home.run({ ...rig.settings(), ...settings }, ...args, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  await kill('eu1');
  assert.equal((await report({}, 'ledger', 'verify')).companies, all);
  await finish('eu1');
  await kill('eu2');
  assert.equal((await report({}, 'audit', 'verify')).heads.length, all);
  await finish('eu2');
  await kill('eu1');
  const newKey = Buffer.alloc(32, 9).toString('base64');
  const both = { PAYLINK_MASTER_KEY: newKey, PAYLINK_OLD_MASTER_KEY: masterKey };
  const { companies: count, kinds } = await report(both, 'admin', 'rotate-master-key');
  assert.equal(count, all);
  assert.equal(kinds.find(({ name }: { name: string }) => name === 'webhook secrets').resealed, 2);
});
