// The command line with a service key: it is stored like a password's login, sent alone, and never printed.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createHome, type ExitedCommand, type Home } from './harness/cli.ts';
import { createLink, logIn } from './harness/client.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { createServiceKey } from './harness/service-keys.ts';

let paylink: Paylink;
let home: Home;
let keys: { payments: string; webhooks: string };

before(async () => {
  [paylink, home] = await Promise.all([startPaylink('server'), createHome()]);
  const owner = await logIn(paylink);
  const [payments, webhooks] = [
    await createServiceKey(paylink, owner),
    await createServiceKey(paylink, owner, { scopes: ['webhooks:read'] }),
  ];
  keys = { payments: payments.key, webhooks: webhooks.key };
});
after(async () => {
  await home.remove();
  await paylink.stop();
});

/** A key that the service does not know, with another end than the one it knows. */
const unknownKey = () => `${keys.payments.slice(0, -4)}${keys.payments.endsWith('0000') ? '1111' : '0000'}`;

const fileOf = (place: Home) => join(place.folder, 'config', 'paylink', 'credentials.json');
const readLogins = (place: Home) =>
  JSON.parse(readFileSync(fileOf(place), 'utf8')) as Record<string, Record<string, string>>;

function refuseKeys({ out, err }: ExitedCommand): void {
  for (const key of Object.values(keys))
    assert.ok(!(out + err).includes(key.slice(-20)), 'a key was printed');
}

/** Records the headers of each request, and responds with an empty list. */
async function startRecorder(): Promise<{ url: string; seen: IncomingHttpHeaders[]; close(): void }> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], nextCursor: null }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => void server.close(),
  };
}

describe('a service key as a login', () => {
  test('it is read from standard input, stored for its owner only, and used by commands', async () => {
    const { code } = await createLink(paylink);
    const login = ['login', '--service-key', '--url', paylink.baseUrl];
    const entered = await home.feed(`${keys.payments}\n`, {}, ...login);
    assert.deepEqual(entered, {
      code: 0,
      out: `Logged in at ${paylink.baseUrl} with a service key, in test mode.\n`,
      err: '',
    });
    assert.equal(statSync(fileOf(home)).mode & 0o777, 0o600);
    assert.deepEqual(readLogins(home), { default: { url: paylink.baseUrl, serviceKey: keys.payments } });
    const cancelled = await home.run({}, 'payments', 'cancel', code, '--yes');
    assert.equal(cancelled.code, 0, cancelled.err);
    const refused = await home.run({}, 'webhooks', 'endpoints', 'list', '--json');
    assert.equal(refused.code, 4);
    assert.match(refused.err, /^Rejected: 403 scope_not_allowed: /);
    for (const ended of [entered, cancelled, refused]) refuseKeys(ended);
  });

  test('a key is checked before it is stored; one without a scope for payments is accepted', async () => {
    await using place = await createHome();
    const login = ['login', '--service-key', '--url', paylink.baseUrl];
    const wrong = await place.feed(unknownKey(), {}, ...login);
    assert.deepEqual(wrong, {
      code: 3,
      out: '',
      err: `${paylink.baseUrl} does not accept this service key.\n`,
    });
    const other = await place.feed('sk_test_secret', {}, ...login);
    assert.deepEqual([other.code, other.out], [2, '']);
    assert.match(
      other.err,
      /^What you entered is not a whole service key\. One begins with pls_test_ or pls_live_\.\n$/,
    );
    const withMode = await place.feed(keys.payments, {}, ...login, '--mode', 'live');
    assert.match(withMode.err, /^--mode is for accounts/);
    assert.throws(() => readLogins(place), /ENOENT/);
    const entered = await place.run({ PAYLINK_SERVICE_KEY: keys.webhooks }, ...login);
    assert.equal(entered.code, 0, entered.err);
    const out = await place.run({}, 'logout');
    assert.deepEqual([out.code, out.out], [0, `Logged out of ${paylink.baseUrl}.\n`]);
    assert.match(out.err, /^The service key stays valid until you revoke it\.\n$/);
    assert.deepEqual(readLogins(place), {});
  });

  test('PAYLINK_SERVICE_KEY alone is enough, goes before a stored account, and is not printed', async () => {
    await using place = await createHome();
    const url = { PAYLINK_URL: paylink.baseUrl };
    const listed = await place.run({ ...url, PAYLINK_SERVICE_KEY: keys.payments }, 'payments', 'list');
    assert.equal(listed.code, 0, listed.err);
    const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
    assert.equal((await place.feed(password, {}, ...login)).code, 0);
    const narrow = await place.run({ PAYLINK_SERVICE_KEY: keys.webhooks }, 'payments', 'list');
    assert.match(narrow.err, /scope_not_allowed/);
    const malformed = await place.run({ PAYLINK_SERVICE_KEY: 'hunter2' }, 'payments', 'list');
    assert.deepEqual([malformed.code, malformed.out], [2, '']);
    assert.match(malformed.err, /^PAYLINK_SERVICE_KEY is not a whole service key/);
    assert.ok(!malformed.err.includes('hunter2'));
    const wrong = await place.run({ PAYLINK_SERVICE_KEY: unknownKey() }, 'payments', 'list');
    assert.equal(wrong.code, 3);
    assert.match(wrong.err, /invalid_service_key[\s\S]*paylink login\n$/);
    for (const ended of [listed, narrow, wrong]) refuseKeys(ended);
  });

  test('the key is sent alone, and a stored one never to another address or beside another account', async () => {
    await using place = await createHome();
    const recorder = await startRecorder();
    try {
      const key = `pls_test_${'a'.repeat(16)}_${'b'.repeat(64)}`;
      const entered = await place.feed(key, {}, 'login', '--service-key', '--url', recorder.url);
      assert.equal(entered.code, 0, entered.err);
      assert.equal((await place.run({}, 'get', '/v1/payments')).code, 0);
      assert.deepEqual(
        recorder.seen.map((headers) => [
          headers.authorization,
          headers['x-api-key'],
          headers['x-company-id'],
        ]),
        Array.from({ length: 2 }, () => [`Bearer ${key}`, undefined, undefined]),
      );
      const elsewhere = { PAYLINK_URL: recorder.url.replace('127.0.0.1', 'localhost') };
      assert.equal((await place.run(elsewhere, 'payments', 'list')).code, 3);
      assert.equal((await place.run({ PAYLINK_EMAIL: 'ada@example.com' }, 'payments', 'list')).code, 3);
      assert.equal(recorder.seen.length, 2);
    } finally {
      recorder.close();
    }
  });
});
