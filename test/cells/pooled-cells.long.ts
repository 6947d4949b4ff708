// Cells behind poolers in transaction mode: the service works through them, and a move, which needs sessions of its own, goes
// past them by DATABASE_DIRECT_URLS.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keepsStatements, type Pooler, startPooler } from '../faults/pooler.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { logIn } from '../harness/client.ts';
import { loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { moveUnderLoad, type Stage } from './move-journeys.ts';
import { assertNothingLeft, cellsWithRows, openAsCommand } from './move-rig.ts';

let rig: CellsRig;
let home: Home;
let receiver: Receiver;
let paylink: Stage['paylink'];
const poolers = new Map<string, Pooler>();

const pooledUrl = (name: string) => {
  const url = new URL(rig.place(name).url);
  url.port = String(poolers.get(name)?.port);
  return url.href;
};
/** The cells through their poolers, and past them. */
const pooledSettings = () => ({
  ...rig.settings(),
  DATABASE_URLS: rig.cells.map(({ name }) => `${name}=${pooledUrl(name)}`).join(' '),
  DATABASE_DIRECT_URLS: rig.cells.map(({ name, url }) => `${name}=${url}`).join(' '),
  DATABASE_PREPARED_STATEMENTS: keepsStatements() ? 'on' : 'off',
});

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  for (const { name, url } of rig.cells) {
    const databasePort = Number(new URL(url).port);
    poolers.set(
      name,
      await startPooler({ databasePort, mode: 'transaction', poolSize: 6, preparedStatements: 200 }),
    );
  }
  home = await createHome();
  receiver = await startReceiver();
  paylink = await rig.start({ settings: { ...loopbackSettings, ...pooledSettings() } });
});
after(async () => {
  await paylink?.stop();
  await receiver?.close();
  for (const pooler of poolers.values()) await pooler.close();
  await rig?.close();
  await home?.remove();
});

test('a company moves there and back under load, and its clients notice nothing', async () => {
  const merchant = await paylink.createMerchant();
  const credentials = await logIn(paylink, merchant);
  const db = await openAsCommand(pooledSettings());
  rig.cleaner.add(async () => await db.close());
  const { companyId } = merchant;
  const from = String((await db.cellOf(companyId)).cell);
  const to = from === 'eu1' ? 'eu2' : 'eu1';
  // As an operator moves it: by the command, with the settings of the service.
  const move = async (_: string, next: string) => {
    const { code, err, out } = await home.run(
      pooledSettings(),
      'admin',
      'cells',
      'move',
      companyId,
      next,
      '--json',
    );
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const stage = { rig, paylink, receiver, mover: { db, lines: [], move } } as unknown as Stage;
  for (const [source, target] of [
    [from, to],
    [to, from],
  ] as const) {
    const company = { merchant, credentials, from: source, to: target };
    assert.deepEqual(await moveUnderLoad(stage, company), []);
    assert.deepEqual(await cellsWithRows(db, companyId), [target]);
  }
  await assertNothingLeft(db);
});

test('without the addresses past the poolers a move is refused with the remedy, and leaves nothing behind', async () => {
  const { companyId } = await paylink.createMerchant();
  const { DATABASE_DIRECT_URLS: _, ...settings } = pooledSettings();
  const db = await openAsCommand(pooledSettings());
  rig.cleaner.add(async () => await db.close());
  const from = String((await db.cellOf(companyId)).cell);
  const to = from === 'eu1' ? 'eu2' : 'eu1';
  for (let tried = 0; tried < 2; tried++) {
    const { code, err } = await home.run(settings, 'admin', 'cells', 'move', companyId, to);
    assert.deepEqual(
      [code, /could not subscribe to the source.*DATABASE_DIRECT_URLS/s.test(err)],
      [1, true],
      err,
    );
    assert.deepEqual(await cellsWithRows(db, companyId), [from]);
    await assertNothingLeft(db);
  }
  const { code, err } = await home.run(pooledSettings(), 'admin', 'cells', 'move', companyId, to);
  assert.equal(code, 0, err);
  assert.deepEqual(await cellsWithRows(db, companyId), [to]);
});
