// A trial moves to a server, as an operator does it: by the command line, with the key file of the data folder. Everything
// that customers, merchants and programs hold continues to work there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { createHome, type ExitedCommand, type Home, type Settings } from '../harness/cli.ts';
import { call, type Json, logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { createProcessGroup, endOf, until } from '../harness/process.ts';
import { payWith, visit } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings, read } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { createMoveRig, follow, type Trial } from './move-rig.ts';

const rig = createMoveRig();
const stage = createProcessGroup();
const card = { number: '4242 4242 4242 4242' };

let receiver: Receiver;
let home: Home;
let trial: Trial;
let url: string;
let moved: ExitedCommand;
let paylink: Paylink;
const settings: Record<string, string> = {};

before(async () => {
  receiver = await startReceiver();
  home = await createHome();
  // Without the setting, the key is in the data folder.
  trial = await rig.trial({
    payments: 12,
    paid: 4,
    settings: { PAYLINK_MASTER_KEY: '', ...loopbackSettings },
    prepare: async (running, credentials) => {
      await createTestEndpoint(running, credentials, { url: receiver.at('shop') });
    },
  });
  url = (await rig.target()).url;
  const ofSource: Settings = { DATA_DIR: trial.dataDir, BASE_URL: trial.baseUrl };
  moved = await home.run(ofSource, 'admin', 'move', '--to', url);
  Object.assign(settings, {
    DATABASE_URL: url,
    PAYLINK_MASTER_KEY: readFileSync(join(trial.dataDir, 'master.key'), 'utf8').trim(),
    BASE_URL: trial.baseUrl,
    PORT: new URL(trial.baseUrl).port,
    ...loopbackSettings,
  });
  assert.equal(moved.code, 0, moved.err + moved.out);
  paylink = await startPaylink('server', { settings, isSearched: false });
});
after(async () => {
  await paylink?.stop();
  await stage.clear();
  await home?.remove();
  await receiver?.close();
  await rig.clean();
});

const at = () => ({ baseUrl: trial.baseUrl, merchant: trial.merchant });

describe('the move of a trial to a server', () => {
  test('the command says what it verified and what to set, and prints no password and no key', () => {
    const text = moved.out + moved.err;
    assert.match(moved.out, /^Moved and verified: \d+ rows in \d+ tables \(companies: 1\)\.$/m);
    assert.match(
      moved.out,
      /PAYLINK_MASTER_KEY, the content of .*master\.key: export PAYLINK_MASTER_KEY="\$\(cat /,
    );
    assert.match(moved.out, /BASE_URL=http/);
    assert.doesNotMatch(text, /secret@|:secret/);
    assert.ok(!text.includes(settings.PAYLINK_MASTER_KEY ?? ''), 'the key is not printed');
  });

  test('the token, the API key and the password of the trial work', async () => {
    const list = await call(at(), trial.credentials, ['GET', '/v1/payments?limit=100']);
    assert.equal(list.status, 200);
    assert.equal((list.body.data as Json[]).length, 12);
    const again = await logIn(at());
    assert.equal(again.apiKey, trial.credentials.apiKey);
    assert.equal(again.companyId, trial.credentials.companyId);
  });

  test('a paid link shows that it is paid, and an open one can be paid once', async () => {
    const paidPage = await visit(`${trial.baseUrl}/pay/${trial.paid[0]}`);
    assert.equal(paidPage.status, 200);
    assert.doesNotMatch(paidPage.text, /cc-number/);
    const link = `${trial.baseUrl}/pay/${trial.open[0]}`;
    await payWith(link, card);
    const { body } = await call(at(), trial.credentials, ['GET', `/v1/payments/${trial.open[0]}`]);
    assert.equal(body.status, 'paid');
    assert.doesNotMatch((await visit(link)).text, /cc-number/);
  });

  test('a merchant who holds a cursor gets each later event once, and none that he had', async () => {
    await payWith(`${trial.baseUrl}/pay/${trial.open[1]}`, card);
    const later = async () => await follow(at(), trial.credentials, trial.cursor);
    await until(async () => (await later()).ids.length >= 4, 'the events of two payments');
    const { ids } = await later();
    const all = (await follow(at(), trial.credentials, null)).ids;
    assert.ok(trial.eventIds.length > 12);
    assert.deepEqual(all.slice(0, trial.eventIds.length), trial.eventIds, 'the order is the same');
    assert.deepEqual(all.slice(trial.eventIds.length, trial.eventIds.length + ids.length), ids);
    assert.equal(new Set(all).size, all.length);
  });

  test('webhooks that were due arrive, each once', async () => {
    await until(
      () => trial.eventIds.every((id) => receiver.messages('shop').some((one) => read(one).id === id)),
      'the messages of the trial',
    );
    const ids = receiver.messages('shop').map((message) => read(message).id);
    for (const id of trial.eventIds) assert.equal(ids.filter((one) => one === id).length, 1, id);
  });

  test('a search finds the payments', async () => {
    const find = async () =>
      (await call(at(), trial.credentials, ['GET', '/v1/payments?text=order-7'])).body.data as Json[];
    await until(async () => (await find()).length === 1, 'the words of the payments');
  });

  test('the ledgers and the hash chains are intact, also with later events', async () => {
    for (const command of [['ledger', 'verify'], ['audit', 'verify'], ['doctor']]) {
      const { code, out, err } = await home.run(settings, ...command);
      assert.equal(code, 0, `${command}: ${out}${err}`);
    }
  });

  test('nothing opens the data folder of the trial any more, and it names where its data is', async () => {
    const refusal = /was moved to the database test_\w+ at .*: set DATABASE_URL to that database/;
    await assert.rejects(openDatabase({ dataDir: trial.dataDir, log: () => undefined }), refusal);
    const verify = await home.run({ DATA_DIR: trial.dataDir }, 'ledger', 'verify');
    assert.equal(verify.code, 2);
    assert.match(verify.err, refusal);
    const run = await stage.start({ through: 'server', dataDir: trial.dataDir });
    assert.deepEqual(await endOf(run), { code: 1, signal: null });
    assert.match(run.stderr(), refusal);
    assert.doesNotMatch(run.stderr(), /secret/);
  });

  test('the same command again says that the move was finished', async () => {
    const again = await home.run({ DATA_DIR: trial.dataDir }, 'admin', 'move', '--to', url);
    assert.equal(again.code, 0, again.err);
    assert.match(again.out, /^The move was finished before\.$/m);
  });

  test('the same command with another target is refused', async () => {
    const other = await rig.target();
    const refused = await home.run({ DATA_DIR: trial.dataDir }, 'admin', 'move', '--to', other.url);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /--to names another database: use the address of that move/);
  });
});
