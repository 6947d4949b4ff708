// `paylink processors` as a process, with a stub processor: how secrets are read, that none is printed or an option, and
// the output of each command.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createHome, type ExitedCommand, type Home } from './harness/cli.ts';
import { type Credentials, type Json, logIn } from './harness/client.ts';
import { type ConnectionFixture, startConnectionFixture } from './harness/connection-fixture.ts';
import { password } from './harness/paylink.ts';
import { badKey, goodCredentials } from './harness/stub-processor.ts';

const { secretKey } = goodCredentials;
const asLines = (credentials: Record<string, string>): string =>
  Object.entries(credentials)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

describe('paylink processors', () => {
  let x: ConnectionFixture;
  let home: Home;
  let who: Credentials;
  before(async () => {
    [x, home] = await Promise.all([startConnectionFixture('server'), createHome()]);
    const { email } = x.paylink.merchant;
    const login = ['login', '--url', x.paylink.baseUrl, '--email', email];
    const { code, out } = await home.feed(`${password}\n`, {}, ...login);
    assert.equal(code, 0, out);
    who = await logIn(x.paylink);
  });
  after(async () => {
    await home.remove();
    await x.paylink.stop();
  });

  const run = async (...args: string[]): Promise<ExitedCommand> => await home.run({}, 'processors', ...args);
  const feed = async (input: string, ...args: string[]): Promise<ExitedCommand> =>
    await home.feed(input, {}, 'processors', ...args);
  const refuseSecrets = ({ out, err }: ExitedCommand) => {
    for (const secret of [secretKey, badKey])
      assert.ok(!(out + err).includes(secret), 'a secret was printed');
  };
  const jsonOf = (ended: ExitedCommand): Json => {
    assert.equal(ended.code, 0, ended.err + ended.out);
    return JSON.parse(ended.out) as Json;
  };

  test('credentials are read from standard input; the output has the webhook URL and no secret', async () => {
    const connected = await feed(
      `\r\nsecretKey = ${secretKey}\r\n`,
      ...['connect', 'desk', '--set', 'account=A-7', '--name', 'Main', '--currency', 'EUR'],
    );
    assert.equal(connected.code, 0, connected.err);
    refuseSecrets(connected);
    assert.match(connected.out, /^Holder +Holder of A-7$/m);
    assert.match(connected.out, /^secretKey +set \(not shown\)$/m);
    assert.match(
      connected.err,
      /^Enter this webhook URL at The Desk: http\S+\/processors\/desk\/webhook\/con_/,
    );
    const [made] = await x.listed(who);
    assert.deepEqual(await x.kept(who, made?.id), { account: 'A-7', secretKey });
  });

  test('credentials can be read from the environment', async () => {
    const settings = { PAYLINK_CREDENTIALS: asLines(goodCredentials) };
    const made = jsonOf(await home.run(settings, 'processors', 'connect', 'desk', '--off', '--json'));
    assert.deepEqual([made.enabled, made.holder], [false, 'Holder of A-1001']);
    assert.equal(jsonOf(await run('remove', String(made.id), '--json')).id, made.id);
  });

  test('a secret given as an option is rejected, not sent and not repeated', async () => {
    const asked = x.stubProcessor.checked.length;
    const refused = await run('connect', 'desk', '--set', `secretKey=${secretKey}`);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /secretKey is a secret, and other users of this machine can see options/);
    refuseSecrets(refused);
    const stray = await feed(`${secretKey}\n`, 'connect', 'desk');
    assert.equal(stray.code, 2);
    assert.match(stray.err, /must have the form NAME=VALUE/);
    refuseSecrets(stray);
    const unknown = await feed(`secretkey=${secretKey}\n`, 'connect', 'desk');
    assert.match(unknown.err, /"secretkey" is not expected\. Expected: account, secretKey, seal, branch\./);
    refuseSecrets(unknown);
    assert.equal(x.stubProcessor.checked.length, asked);
  });

  test('credentials that the processor rejects exit with 4 and name the field', async () => {
    const refused = await feed(
      asLines({ ...goodCredentials, secretKey: badKey }),
      'connect',
      'desk',
      '--json',
    );
    assert.equal(refused.code, 4);
    refuseSecrets(refused);
    const { error } = JSON.parse(refused.out) as { error: { code: string; errors: Json[] } };
    assert.deepEqual(
      [error.code, error.errors.map(({ field }) => field)],
      ['invalid_fields', ['credentials.secretKey']],
    );
    const none = await run('connect', 'dask');
    assert.deepEqual([none.code, none.out], [2, '']);
    assert.match(none.err, /There is no processor "dask"\. There are: sandbox, desk\./);
  });

  test('a change replaces only the named fields, and reads input only with --ask', async () => {
    const { id } = await x.connect(who);
    const changed = jsonOf(await run('change', String(id), '--off', '--position', '9', '--json'));
    assert.deepEqual([changed.enabled, changed.position, changed.name], [false, 9, 'The Desk']);
    const replaced = await feed('seal=s-2\n', 'change', String(id), '--ask', 'seal', '--set', 'branch=4');
    assert.equal(replaced.code, 0, replaced.err);
    assert.deepEqual(await x.kept(who, id), { ...goodCredentials, seal: 's-2', branch: '4' });
    const unknown = await run('change', String(id), '--ask', 'sael');
    assert.deepEqual([unknown.code, unknown.out], [2, '']);
    assert.match(unknown.err, /This processor needs account, secretKey, seal, branch\./);
    assert.equal((await run('change', String(id), '--on', '--off')).code, 2);
    assert.equal((await run('change', String(id), '--position', 'first')).code, 2);
    jsonOf(await run('remove', String(id), '--json'));
  });

  test('connections are listed, ordered, checked and removed', async () => {
    const [one, two] = [await x.connect(who, { name: 'One' }), await x.connect(who, { name: 'Two' })];
    const before = (await x.listed(who)).map(({ id }) => String(id));
    const ordered = await run('order', before.toReversed().join(','));
    assert.equal(ordered.code, 0, ordered.err);
    assert.ok(ordered.out.indexOf('Two') < ordered.out.indexOf('One'));
    assert.match(
      ordered.out.split('\n')[0] ?? '',
      /^CONNECTION_ID +PROCESSOR +NAME +HOLDER +MODE +CURRENCIES +STATE$/,
    );
    assert.deepEqual(
      (jsonOf(await run('list', '--json')).data as Json[]).map(({ id }) => id),
      before.toReversed(),
    );
    const missing = await run('order', String(one.id));
    assert.equal(missing.code, 4);
    assert.equal((await run('check', String(two.id))).code, 0);
    assert.match(
      (await run('remove', String(two.id))).out,
      /^Deleted the connection con_\w+ with The Desk\.\n$/,
    );
    assert.equal((await run('check', String(two.id))).code, 4);
    const kinds = await run('kinds');
    assert.match(
      kinds.out,
      /^desk +The Desk +page +test live +EUR +account, secretKey \(secret\), seal \(secret, optional\)/m,
    );
  });
});
