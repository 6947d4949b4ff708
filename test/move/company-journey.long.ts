// One company of a trial moves to a server where another company is at work, as an operator does it by the command line.
// What customers, merchants and programs hold continues to work there, and the other companies notice nothing.

import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createHome, type ExitedCommand, type Home } from '../harness/cli.ts';
import { call, type Json, logIn } from '../harness/client.ts';
import { until } from '../harness/process.ts';
import { payWith, visit } from '../harness/visitor.ts';
import { read } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { fillShop, type Installation, readRowsOf, type Shop, startInstallation } from './company-rig.ts';
import { createMoveRig, follow } from './move-rig.ts';

const rig = createMoveRig();
const card = { number: '4242 4242 4242 4242' };

let receiver: Receiver;
let home: Home;
let source: Installation;
let target: Installation;
let shop: Shop;
let stays: Shop;
let file: string;
let companyId: string;
const ran: Record<string, ExitedCommand> = {};

/** Runs a command that must succeed. */
async function operate(name: string, { settings }: Installation, ...args: string[]): Promise<void> {
  const result = await home.run(settings, 'admin', 'company', ...args);
  assert.equal(result.code, 0, `${name}: ${result.err}${result.out}`);
  ran[name] = result;
}

before(async () => {
  receiver = await startReceiver();
  home = await createHome();
  source = await startInstallation(rig, 'embedded');
  target = await startInstallation(rig, 'server', { isAtWork: true });
  shop = await fillShop(source, source.paylink.merchant, { url: receiver.at('shop') });
  stays = await fillShop(source, await source.paylink.createMerchant(), { url: receiver.at('stays') });
  await source.paylink.stop();
  ({ companyId } = shop.merchant);
  file = join(await rig.cleaner.folder(), 'shop.company');
  await operate('export', source, 'export', '--company', companyId, '--to', file);
  await operate('dry run', target, 'import', '--from', file, '--dry-run');
  await operate('remove', source, 'remove', '--company', companyId, '--exported', file);
  await operate('import', target, 'import', '--from', file);
});
after(async () => {
  await target?.paylink.stop();
  await home?.remove();
  await receiver?.close();
  await rig.clean();
});

const at = () => ({ baseUrl: target.paylink.baseUrl, merchant: shop.merchant });

describe('a company that moves from a trial to a server with another company', () => {
  test('the commands say what they did, and print no key', () => {
    assert.match(
      ran.export?.out ?? '',
      /^Exported co_\w+ to .*: \d+ rows of \d+ tables \(exported at \S+, SHA-256 [0-9a-f]{12}…\)\.$/m,
    );
    assert.match(ran['dry run']?.out ?? '', /can be imported: \d+ rows .*Nothing was imported\.$/m);
    assert.match(
      ran.remove?.out ?? '',
      /^Removed co_\w+: \d+ rows\.\nIts only copy is the file .* \(exported at /m,
    );
    assert.match(
      ran.import?.out ?? '',
      /^Imported and verified co_\w+: \d+ rows of \d+ tables \(exported at /m,
    );
    const key = source.settings.PAYLINK_MASTER_KEY ?? '?';
    assert.ok(!JSON.stringify(ran).includes(key), 'the key is not printed');
  });

  test('only the owner of the file can read it', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('the password and the API key work, and who was signed in signs in again', async () => {
    const old = await call(at(), shop.credentials, ['GET', '/v1/payments']);
    assert.equal(old.status, 401);
    const again = await logIn(at());
    assert.equal(again.apiKey, shop.credentials.apiKey);
    const list = await call(at(), again, ['GET', '/v1/payments']);
    assert.equal(list.status, 200);
    assert.equal((list.body.data as Json[]).length, 4);
  });

  test('a paid link shows that it is paid, and an open one can be paid once', async () => {
    const { baseUrl } = at();
    assert.doesNotMatch((await visit(`${baseUrl}/pay/${shop.paid[0]}`)).text, /cc-number/);
    const link = `${baseUrl}/pay/${shop.open[0]}`;
    await payWith(link, card);
    const { body } = await call(at(), await logIn(at()), ['GET', `/v1/payments/${shop.open[0]}`]);
    assert.equal(body.status, 'paid');
    assert.doesNotMatch((await visit(link)).text, /cc-number/);
  });

  test('who holds a cursor gets each later event once, and none that he had', async () => {
    const credentials = await logIn(at());
    await payWith(`${at().baseUrl}/pay/${shop.open[1]}`, card);
    const later = async () => (await follow(at(), credentials, shop.cursor)).ids;
    await until(async () => (await later()).length >= 4, 'the events of two payments');
    const ids = await later();
    const all = (await follow(at(), credentials, null)).ids;
    assert.deepEqual(all.slice(0, shop.eventIds.length), shop.eventIds, 'the order is the same');
    assert.deepEqual(all.slice(shop.eventIds.length, shop.eventIds.length + ids.length), ids);
  });

  test('webhooks that were due arrive, each once', async () => {
    const arrived = () => receiver.messages('shop').map((message) => read(message).id);
    await until(() => shop.eventIds.every((id) => arrived().includes(id)), 'the messages');
    for (const id of shop.eventIds) assert.equal(arrived().filter((one) => one === id).length, 1, id);
  });

  test('a search finds the payments, and every event is sealed', async () => {
    const credentials = await logIn(at());
    const find = async () =>
      (await call(at(), credentials, ['GET', '/v1/payments?text=order-3'])).body.data as Json[];
    await until(async () => (await find()).length === 1, 'the words of the payments');
    const { db } = target.paylink.app.deps;
    const isSealed = async () => {
      const { events = [], event_seals: seals = [] } = await readRowsOf(db, companyId);
      return events.length === seals.length;
    };
    await until(isSealed, 'the seals');
  });

  test('the audit log says when the company was imported', async () => {
    const { body } = await call(at(), await logIn(at()), ['GET', '/v1/audit-events']);
    const types = (body.data as Json[]).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'company.imported').length, 1);
  });

  test('the ledgers and hash chains of the target are intact', async () => {
    for (const command of ['ledger', 'audit']) {
      const { code, out, err } = await home.run(target.settings, command, 'verify');
      assert.equal(code, 0, `${command}: ${out}${err}`);
    }
  });

  test('the source has nothing of it any more, and the company that stays is whole', async () => {
    const db = await source.open();
    try {
      const left = await readRowsOf(db, companyId);
      assert.deepEqual(Object.values(left).flat(), []);
      const { payments = [] } = await readRowsOf(db, stays.merchant.companyId);
      assert.equal(payments.length, 4);
    } finally {
      await db.close();
    }
    for (const command of ['ledger', 'audit']) {
      const { code, out, err } = await home.run(source.settings, command, 'verify');
      assert.equal(code, 0, `${command}: ${out}${err}`);
    }
  });
});
