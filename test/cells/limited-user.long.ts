// Moves by a user who is no superuser, with the rights that docs/cells.md names. From PostgreSQL 16 on they suffice; 15 wants a
// superuser, and says so.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { call, createLinkAs, logIn } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { runSql } from '../harness/run-sql.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellPlace, type CellsRig, openCellsRig } from './cells-rig.ts';
import { assertNothingLeft, cellsWithRows, type Mover, openMover, readFaults } from './move-rig.ts';

const password = randomBytes(12).toString('hex');
let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
let version = 0;

/** The addresses of a superuser, by the names of the cells. */
const adminUrls = new Map<string, string>();

/** Gives the database to a user who logs in with a password: who is no superuser must subscribe with one. */
async function giveToUser(place: CellPlace): Promise<CellPlace> {
  const { url } = place;
  adminUrls.set(place.name, url);
  const [server] = await runSql(
    url,
    `select current_setting('hba_file') as file, current_setting('server_version_num')::int as version`,
  );
  version = Number(server?.version);
  const file = String(server?.file);
  await writeFile(file, `host all paylink_user all scram-sha-256\n${await readFile(file, 'utf8')}`);
  await runSql(url, 'select pg_reload_conf()');
  const database = new URL(url).pathname.slice(1);
  // safe: both names and the password are of this file, or of the rig.
  await runSql(url, `create role paylink_user login createrole replication bypassrls password '${password}'`);
  await runSql(url, `alter database ${database} owner to paylink_user`);
  await runSql(url, 'grant pg_read_all_stats to paylink_user');
  if (version >= 160_000) await runSql(url, 'grant pg_create_subscription to paylink_user');
  const given = new URL(url);
  given.username = 'paylink_user';
  given.password = password;
  return { ...place, url: given.href };
}

before(async () => {
  rig = await openCellsRig({});
  for (const name of ['eu1', 'eu2']) await rig.add(await giveToUser(await rig.newPlace(name)));
  paylink = await rig.start();
  mover = await openMover(rig);
});
after(async () => {
  await paylink?.stop();
  await rig?.close();
});

async function openCompany() {
  const merchant = await paylink.createMerchant();
  const credentials = await logIn(paylink, merchant);
  const { link, code } = await createLinkAs(paylink, credentials);
  await payWith(link, { number: '4242424242424242' });
  const from = String((await mover.db.cellOf(merchant.companyId)).cell);
  return { companyId: merchant.companyId, credentials, code, from, to: from === 'eu1' ? 'eu2' : 'eu1' };
}

test('the user moves a company there and back, or is told what the server requires', async () => {
  const { companyId, credentials, code, from, to } = await openCompany();
  const isPaid = async () => {
    const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${code}`]);
    assert.equal(body.status, 'paid', JSON.stringify(body));
  };
  if (version < 160_000) {
    await assert.rejects(mover.move(companyId, to), /alter role paylink_user superuser;/);
    assert.deepEqual(await cellsWithRows(mover.db, companyId), [from]);
  } else
    for (const next of [to, from]) {
      assert.equal((await mover.move(companyId, next)).to, next);
      assert.deepEqual(await cellsWithRows(mover.db, companyId), [next]);
      await isPaid();
      assert.deepEqual(await readFaults(mover.db, companyId), []);
    }
  await assertNothingLeft(mover.db);
  await isPaid();
});

const rights = [
  {
    right: 'bypassrls',
    take: 'alter role paylink_user nobypassrls',
    give: 'alter role paylink_user bypassrls',
  },
  {
    right: 'replication',
    take: 'alter role paylink_user noreplication',
    give: 'alter role paylink_user replication',
  },
  {
    right: 'pg_read_all_stats',
    take: 'revoke pg_read_all_stats from paylink_user',
    give: 'grant pg_read_all_stats to paylink_user',
  },
] as const;

for (const { right, take, give } of rights)
  test(`without ${right} in either cell, the user is told to get it, and nothing is written`, async () => {
    const { companyId, from, to } = await openCompany();
    // 15 stops at the first cell anyway, because the user is no superuser, who has every right.
    const isOld = version < 160_000;
    for (const name of isOld ? [from] : [from, to]) {
      const url = adminUrls.get(name) ?? '';
      await runSql(url, take);
      try {
        const statement = isOld ? 'alter role paylink_user superuser' : give;
        const asked = new RegExp(`of the cell ${name} lacks rights.* ${statement};`);
        await assert.rejects(mover.move(companyId, to), asked);
      } finally {
        await runSql(url, give);
      }
    }
    assert.deepEqual(await cellsWithRows(mover.db, companyId), [from]);
    await assertNothingLeft(mover.db);
  });
