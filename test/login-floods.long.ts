// Floods of wrong passwords, at one account or many: they must not lock the owner out, fill the database, or prevent
// other logins. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '../src/base/errors.ts';
import { networksOf } from '../src/http/client-network.ts';
import { purgeOldFailures } from '../src/passwords/login-pause.ts';
import { checkLogin } from '../src/sign-in/check-login.ts';
import { assertAllows } from './harness/allowed-calls.ts';
import { type Answer, call, credentialHeaders, type Json, post } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { resetToken } from './harness/password-resets.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';

const clock = manualClock();
let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server', {
    clock,
    settings: { TRUSTED_PROXIES: 'loopback' },
    passwordLimits: { threads: 1, maxItems: 8, maxPerClient: 3 },
    hasRealPasswordCost: true,
    // The nightly job deletes failures, which the tests count.
    isAtWork: false,
  });
});
after(async () => await paylink.stop());

const attempt = async (
  ip: string,
  { email }: { email: string },
  word = 'not it at all',
  headers = {},
): Promise<Answer> =>
  await post(
    `${paylink.baseUrl}/v1/auth/login`,
    { email, password: word },
    { 'x-forwarded-for': ip, ...headers },
  );
const codeOf = ({ status, body }: Answer) => `${status} ${body.code ?? ''}`.trim();
const count = async (table: 'login_failures' | 'known_clients'): Promise<number> => {
  const [row] = await paylink.app.deps.db.asOwner.query<{ rows: number }>(
    // safe: one of two literals of this file.
    `select count(*)::int as rows from ${table}`,
  );
  return row?.rows ?? -1;
};

/** Occupies places of the password pool until the returned function is called. */
function occupy(ip: string, places: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { passwords } = paylink.app.deps;
  const held = Array.from({ length: places }, async () =>
    passwords.run(networksOf(ip), async () => await promise),
  );
  return async () => {
    resolve();
    await Promise.all(held);
  };
}

test('a client over its share gets 429, and another client can log in meanwhile', async () => {
  const leave = occupy('198.51.100.1', 3);
  const refused = await attempt('198.51.100.1', paylink.merchant, password);
  assert.equal(codeOf(refused), '429 rate_limited');
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.equal((await attempt('198.51.100.2', paylink.merchant, password)).status, 200);
  await leave();
  assert.equal((await attempt('198.51.100.1', paylink.merchant, password)).status, 200);
});

test('a full queue gives 503 with Retry-After for every call with a password', async () => {
  const merchant = await paylink.createMerchant();
  const first = await attempt('198.51.100.9', merchant, password);
  const credentials = {
    token: String(first.body.token),
    apiKey: first.headers.get('x-api-key') ?? '',
    companyId: merchant.companyId,
  };
  const invited = await call(paylink, credentials, ['POST', '/v1/members'], {
    ...{ email: 'new@example.com', roles: ['viewer'] },
  });
  const invitation = String(invited.body.url).split('#')[1];
  const reset = await resetToken(paylink, merchant);
  const leaves = [1, 2, 3].map((host) => occupy(`198.51.100.${host}`, host === 3 ? 2 : 3));
  const { baseUrl } = paylink;
  const own = credentialHeaders(credentials);
  const word = 'four quiet rivers at dawn';
  const { email } = merchant;
  const calls: [path: string, body: Json, headers?: Record<string, string>][] = [
    ['/v1/auth/login', { email, password }],
    ['/v1/session', { email, password }, { 'sec-fetch-site': 'same-origin' }],
    ['/v1/me/password', { currentPassword: password, newPassword: word }, own],
    ['/v1/me/totp', { currentPassword: password }, own],
    ['/v1/password-resets/accept', { token: reset, password: word }],
    ['/v1/invitations/accept', { token: invitation, password: word }],
  ];
  const failures = await count('login_failures');
  for (const [path, body, headers = {}] of calls) {
    const refused = await post(baseUrl + path, body, { 'x-forwarded-for': '198.51.100.9', ...headers });
    assert.equal(codeOf(refused), '503 unavailable', path);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1, path);
  }
  assert.equal(await count('login_failures'), failures, 'what was not checked is no failure');
  await Promise.all(leaves.map(async (leave) => await leave()));
  for (const path of ['/v1/invitations/accept', '/v1/password-resets/accept']) {
    const [, body = {}] = calls.find(([each]) => each === path) ?? [];
    assert.ok((await post(baseUrl + path, body)).status < 300, `${path}: the token is still good`);
  }
});

/** Guesses once from each of many addresses, 8 at a time. Returns the count of each response. */
async function guessFrom(
  addresses: readonly string[],
  target: { email: string },
): Promise<Record<string, number>> {
  const codes: Record<string, number> = {};
  const left = [...addresses];
  const work = async () => {
    for (let ip = left.pop(); ip; ip = left.pop()) {
      const code = codeOf(await attempt(ip, target));
      codes[code] = (codes[code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return codes;
}
const addressesOf = (length: number) =>
  Array.from({ length }, (_, each) => `10.${each >> 16}.${(each >> 8) & 255}.${each & 255}`);

test('10,000 addresses share ten guesses at an account, and the merchant’s server can still log in', async () => {
  const merchant = await paylink.createMerchant();
  const server = '192.0.2.1';
  assert.equal((await attempt(server, merchant, password)).status, 200);
  // Bypasses the router, which would take most of the time of this test.
  const { deps } = paylink.app;
  const codes: Record<string, number> = {};
  const left = addressesOf(10_000);
  const work = async () => {
    for (let ip = left.pop(); ip; ip = left.pop()) {
      const guess = {
        email: merchant.email,
        password: 'not it at all',
        client: { networks: networksOf(ip) },
      };
      const fault: unknown = await checkLogin(deps, guess, clock.now()).catch((error: unknown) => error);
      assert.ok(fault instanceof ApiError, String(fault));
      codes[fault.code] = (codes[fault.code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  assert.deepEqual(codes, { wrong_login: 10, login_paused: 9_990 });
  assert.equal((await attempt(server, merchant, password)).status, 200);
  const stranger = await attempt('192.0.2.2', merchant, password);
  assert.equal(codeOf(stranger), '429 login_paused');
  assert.ok(Number(stranger.headers.get('retry-after')) > 0);
  assert.match(String(stranger.body.detail), /password-resets/);
});

test('an unknown account is paused with exactly the same response', async () => {
  const merchant = await paylink.createMerchant();
  assert.equal((await attempt('192.0.2.1', merchant, password)).status, 200);
  const nobody = { email: 'nobody-at-all@example.com' };
  const [known, unknown] = [
    await guessFrom(addressesOf(14), merchant),
    await guessFrom(addressesOf(14), nobody),
  ];
  assert.deepEqual(known, { '401 wrong_login': 10, '429 login_paused': 4 });
  assert.deepEqual(unknown, known);
  const answers = await Promise.all(
    [merchant, nobody].map(async (target) => await attempt('10.9.9.9', target)),
  );
  const [one, other] = answers.map(({ body, headers }) => [
    body.title,
    body.detail,
    headers.get('retry-after'),
  ]);
  assert.deepEqual(one, other);
});

test('an attempt during a pause writes nothing and does not extend the pause', async () => {
  const merchant = await paylink.createMerchant();
  await guessFrom(addressesOf(10), merchant);
  const failures = await count('login_failures');
  for (let minute = 0; minute < 29; minute++) {
    clock.advanceMs(60_000);
    assert.equal(codeOf(await attempt('10.1.1.1', merchant, password)), '429 login_paused');
  }
  assert.equal(await count('login_failures'), failures);
  clock.advanceMs(60_001);
  assert.equal((await attempt('10.1.1.1', merchant, password)).status, 200);
});

test('a login of the owner from a new address gives others no new guesses', async () => {
  const merchant = await paylink.createMerchant();
  await guessFrom(addressesOf(9), merchant);
  assert.equal((await attempt('192.0.2.50', merchant, password)).status, 200);
  assert.deepEqual(await guessFrom(addressesOf(3), merchant), {
    '401 wrong_login': 1,
    '429 login_paused': 2,
  });
});

test('a server with a new address is known by its API key', async () => {
  const merchant = await paylink.createMerchant();
  const key = (await attempt('192.0.2.1', merchant, password)).headers.get('x-api-key') ?? '';
  const other = await paylink.createMerchant();
  const otherKey = (await attempt('192.0.2.1', other, password)).headers.get('x-api-key') ?? '';
  await guessFrom(addressesOf(10), merchant);
  const madeUp = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  const withKey = async (apiKey: string, word = password) =>
    await attempt('192.0.2.77', merchant, word, { 'x-api-key': apiKey });
  assert.equal(codeOf(await withKey(otherKey)), '429 login_paused', 'a key of another account');
  assert.equal(codeOf(await withKey(madeUp)), '429 login_paused', 'a key that was made up');
  assert.equal((await withKey(key)).status, 200);
});

test('a server that sends its key can log in during guesses from its own address', async () => {
  const merchant = await paylink.createMerchant();
  const shared = '192.0.2.140';
  const key = (await attempt(shared, merchant, password)).headers.get('x-api-key') ?? '';
  const codes = [];
  for (let guess = 0; guess < 11; guess++) codes.push(codeOf(await attempt(shared, merchant)));
  assert.deepEqual(codes, [...Array(10).fill('401 wrong_login'), '429 login_paused']);
  assert.equal((await attempt(shared, merchant, password, { 'x-api-key': key })).status, 200);
  assert.equal(codeOf(await attempt(shared, merchant, password)), '429 login_paused');
});

test('a known key also has ten wrong guesses', async () => {
  const merchant = await paylink.createMerchant();
  const key = (await attempt('192.0.2.1', merchant, password)).headers.get('x-api-key') ?? '';
  await guessFrom(addressesOf(10), merchant);
  const codes = [];
  for (const ip of addressesOf(12))
    codes.push(codeOf(await attempt(ip, merchant, 'wrong words here', { 'x-api-key': key })));
  assert.deepEqual(codes, [...Array(10).fill('401 wrong_login'), ...Array(2).fill('429 login_paused')]);
});

test('after a password reset a paused owner can log in at once from that client', async () => {
  const merchant = await paylink.createMerchant();
  await guessFrom(addressesOf(10), merchant);
  const ip = '192.0.2.90';
  assert.equal(codeOf(await attempt(ip, merchant, password)), '429 login_paused');
  const word = 'four quiet rivers at dawn';
  const token = await resetToken(paylink, merchant);
  const accepted = await post(
    `${paylink.baseUrl}/v1/password-resets/accept`,
    { token, password: word },
    { 'x-forwarded-for': ip },
  );
  assert.equal(accepted.status, 204);
  assert.equal((await attempt(ip, merchant, word)).status, 200);
  assert.equal(codeOf(await attempt('192.0.2.91', merchant, word)), '429 login_paused');
});

test('a stolen session has ten guesses at the password, over all addresses', async () => {
  const merchant = await paylink.createMerchant();
  const first = await attempt('192.0.2.1', merchant, password);
  const headers = credentialHeaders({
    token: String(first.body.token),
    apiKey: first.headers.get('x-api-key') ?? '',
    companyId: merchant.companyId,
  });
  const codes: string[] = [];
  for (const ip of addressesOf(12)) {
    const body = { currentPassword: 'wrong words here', newPassword: 'four quiet rivers at dawn' };
    const from = { ...headers, 'x-forwarded-for': ip };
    codes.push(codeOf(await post(`${paylink.baseUrl}/v1/me/password`, body, from)));
  }
  assert.deepEqual(codes, [...Array(10).fill('422 invalid_fields'), ...Array(2).fill('429 login_paused')]);
});

test('an address is known for 90 days after its last login', async () => {
  const merchant = await paylink.createMerchant();
  const days = (number: number) => clock.advanceMs(number * 24 * 3600 * 1000);
  const logInAt = async (ip: string) => (await attempt(ip, merchant, password)).status;
  assert.deepEqual([await logInAt('192.0.2.1'), await logInAt('192.0.2.3')], [200, 200]);
  days(80);
  assert.equal(await logInAt('192.0.2.1'), 200);
  days(11);
  await guessFrom(addressesOf(10), merchant);
  assert.deepEqual([await logInAt('192.0.2.1'), await logInAt('192.0.2.3')], [200, 429]);
  days(91);
  await purgeOldFailures(paylink.app.deps);
  assert.deepEqual([await count('known_clients'), await count('login_failures')], [0, 0]);
});

test('the database contains no client address', async () => {
  const ip = '203.0.113.207';
  assert.equal((await attempt(ip, paylink.merchant, password)).status, 200);
  await attempt(ip, paylink.merchant);
  const { asOwner } = paylink.app.deps.db;
  for (const table of ['known_clients', 'login_failures']) {
    // safe: one of two literals of this file.
    const rows = await asOwner.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`);
    assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(ip)));
  }
});

test('an IPv6 /64 has one login limit, its /56 twice and its /48 four times as much', async () => {
  const limited = await startPaylink('server', {
    settings: { TRUSTED_PROXIES: 'loopback', RATE_LIMIT_LOGIN_PER_MINUTE: '5' },
  });
  try {
    const guess = async (ip: string) =>
      await post(
        `${limited.baseUrl}/v1/auth/login`,
        { email: 'nobody@example.com' },
        { 'x-forwarded-for': ip },
      );
    const guesses = (length: number, of: (each: number) => string) => async () =>
      await Promise.all(Array.from({ length }, async (_, each) => await guess(of(each))));
    await assertAllows(
      5,
      guesses(8, (each) => `2001:db8:1:aa00::${each + 1}`),
      'in a /64',
    );
    await assertAllows(
      10,
      guesses(16, (each) => `2001:db8:2:aa${each + 10}::1`),
      'in a /56',
    );
    await assertAllows(
      20,
      guesses(40, (each) => `2001:db8:3:${each + 10}00::1`),
      'in a /48',
    );
    assert.notEqual((await guess('2001:db8:4:1::1')).status, 429);
  } finally {
    await limited.stop();
  }
});
