// Live mode: who can create live keys and where, which key a login returns, and that a live key creates live payments.
// On PostgreSQL behind https; the refusals elsewhere.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createPaylink } from '../sdk/src/index.ts';
import { issueFormToken } from '../src/checkout/form-token.ts';
import type { Role } from '../src/http/authentication.ts';
import { createHome } from './harness/cli.ts';
import {
  type Answer,
  type Credentials,
  call,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
  processPayment,
} from './harness/client.ts';
import {
  type Engine,
  type Merchant,
  type Paylink,
  password,
  startPaylink,
  testCsc,
} from './harness/paylink.ts';
import { addMember, join, setRoles } from './harness/people.ts';

const faultsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ field, code }) => [field, code]);
const createKey = async (paylink: Paylink, who: Credentials, body: Json, key?: string): Promise<Answer> =>
  await post(`${paylink.baseUrl}/v1/api-keys`, body, {
    authorization: `Bearer ${who.token}`,
    'x-api-key': who.apiKey,
    'x-company-id': who.companyId,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });

describe('a service that allows live mode', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('server', { settings: { BASE_URL: 'https://pay.example' } });
  });
  after(async () => await paylink.stop());

  const login = async ({ email }: Merchant, mode?: string): Promise<Answer> =>
    await post(`${paylink.baseUrl}/v1/auth/login`, {
      email,
      password,
      ...(mode === undefined ? {} : { mode }),
    });
  const keyOf = (answer: Answer): string => {
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.headers.get('x-api-key') ?? '';
  };
  const setLoginMode = async (who: Credentials, loginMode: string): Promise<Answer> =>
    await call(paylink, who, ['PATCH', '/v1/company'], { loginMode });

  /** A company with a live key and a test key. */
  const goLive = async (): Promise<{ merchant: Merchant; who: Credentials; live: Json }> => {
    const merchant = await paylink.createMerchant();
    const who = await logIn(paylink, merchant);
    const { status, body } = await createKey(paylink, who, { name: 'Live', mode: 'live' });
    assert.equal(status, 200, JSON.stringify(body));
    return { merchant, who, live: body };
  };

  test('only owners and admins create live keys', async () => {
    const { merchant, who, live } = await goLive();
    assert.match(String(live.key), /^plk_live_/);
    assert.equal(live.mode, 'live');
    for (const [role, status] of [
      ['admin', 200],
      ['developer', 403],
    ] as const satisfies readonly [Role, number][]) {
      const { credentials } = await addMember(paylink, who, [role]);
      const asked = await createKey(paylink, credentials, { mode: 'live' });
      assert.equal(asked.status, status, role);
      const byDefault = await createKey(paylink, { ...credentials, apiKey: String(live.key) }, {});
      assert.deepEqual(
        [byDefault.status, byDefault.body.mode],
        [status, status === 200 ? 'live' : undefined],
        role,
      );
      assert.equal((await createKey(paylink, credentials, {})).status, 200, `${role}, a test key`);
    }
    assert.equal((await login(merchant)).body.mode, 'test', 'the login goes on as before');
  });

  test('a role without keys:live cannot list, roll or revoke live keys, but can do so with test keys', async () => {
    const { who, live } = await goLive();
    const own = await createKey(paylink, who, {});
    const developer = (await addMember(paylink, who, ['developer'])).credentials;
    const admin = (await addMember(paylink, who, ['admin'])).credentials;
    const modesFor = async (credentials: Credentials) => {
      const { body } = await call(paylink, credentials, ['GET', '/v1/api-keys']);
      return [...new Set((body.data as Json[]).map(({ mode }) => mode))].sort();
    };
    const roll = async (credentials: Credentials, keyId: unknown): Promise<Answer> =>
      await call(paylink, credentials, ['POST', `/v1/api-keys/${keyId}/roll`], {});
    const revoke = async (credentials: Credentials, keyId: unknown): Promise<Answer> =>
      await call(paylink, credentials, ['DELETE', `/v1/api-keys/${keyId}`]);
    assert.deepEqual([await modesFor(developer), await modesFor(admin)], [['test'], ['live', 'test']]);
    for (const refused of [await roll(developer, live.keyId), await revoke(developer, live.keyId)]) {
      assert.deepEqual([refused.status, refused.body.code], [403, 'role_not_allowed']);
      assert.equal(refused.body.key, undefined);
    }
    assert.equal((await roll(developer, 'nothing')).status, 404);
    assert.equal((await roll(developer, own.body.keyId)).body.mode, 'test');
    const rolled = await roll(admin, live.keyId);
    assert.deepEqual([rolled.status, rolled.body.mode], [200, 'live']);
    assert.equal((await revoke(developer, own.body.keyId)).status, 200);
  });

  test('the replay of a rolled live key is not shown to a former admin', async () => {
    const { who, live } = await goLive();
    const admin = await addMember(paylink, who, ['admin']);
    const roll = async (credentials: Credentials): Promise<Answer> =>
      await post(
        `${paylink.baseUrl}/v1/api-keys/${live.keyId}/roll`,
        {},
        { ...credentialHeaders(credentials), 'idempotency-key': 'rolling' },
      );
    assert.equal((await roll(admin.credentials)).status, 200);
    await setRoles(paylink, who, admin, ['developer']);
    const replayed = await roll(await logIn(paylink, admin));
    assert.deepEqual([replayed.status, replayed.body.code], [403, 'role_not_allowed']);
  });

  test('a role without keys:live logs in with the test key, and is refused a live key', async () => {
    const { who, live } = await goLive();
    const people = await Promise.all(
      (['developer', 'support', 'viewer'] as const).map(
        async (role) => await join(paylink, who, [role], `${role}-${live.keyId}@example.com`),
      ),
    );
    assert.equal((await setLoginMode(who, 'live')).status, 200);
    for (const person of people) {
      const plain = await login(person);
      assert.deepEqual([keyOf(plain), plain.body.mode], [who.apiKey, 'test'], person.email);
      const asked = await login(person, 'live');
      assert.deepEqual([asked.status, asked.body.code], [403, 'role_not_allowed'], person.email);
      assert.equal(asked.headers.get('x-api-key'), null);
      const wrong = await post(`${paylink.baseUrl}/v1/auth/login`, {
        ...{ email: person.email, password: 'not this one', mode: 'live' },
      });
      assert.equal(wrong.status, 401, 'strangers learn nothing about roles');
      const { body } = await call(paylink, await logIn(paylink, person), ['GET', '/v1/me/sessions']);
      assert.equal((body.data as Json[]).length, 2, 'the refused login opened no session');
    }
    const admin = await join(paylink, who, ['admin']);
    assert.equal(keyOf(await login(admin)), live.key);
    assert.equal(keyOf(await login(admin, 'live')), live.key);
  });

  test('the replay of a created live key is not shown to a former admin', async () => {
    const { who } = await goLive();
    const admin = await addMember(paylink, who, ['admin']);
    const made = await createKey(paylink, admin.credentials, { mode: 'live' }, 'going-live');
    assert.equal(made.status, 200);
    const path = `/v1/members/${admin.accountId}`;
    const unmade = await call(paylink, who, ['PATCH', path], { roles: ['developer'] });
    assert.equal(unmade.status, 200);
    // A change of roles ends existing sessions.
    const again = await logIn(paylink, admin);
    const replayed = await createKey(paylink, again, { mode: 'live' }, 'going-live');
    assert.deepEqual([replayed.status, replayed.body.code], [403, 'role_not_allowed']);
  });

  test('a login returns the key of the requested mode, or of the company’s default mode', async () => {
    const { merchant, who, live } = await goLive();
    assert.equal(keyOf(await login(merchant)), who.apiKey);
    assert.equal(keyOf(await login(merchant, 'live')), live.key);
    const changed = await setLoginMode(who, 'live');
    assert.deepEqual([changed.status, changed.body.loginMode], [200, 'live']);
    assert.equal((await call(paylink, who, ['GET', '/v1/company'])).body.loginMode, 'live');
    const plain = await login(merchant);
    assert.deepEqual([keyOf(plain), plain.body.mode], [live.key, 'live']);
    assert.equal(keyOf(await login(merchant, 'test')), who.apiKey);
    const { baseUrl } = paylink;
    const client = createPaylink({ baseUrl, email: merchant.email, password, mode: 'test' });
    assert.equal((await client.apiKeys.create()).mode, 'test', 'the client passes the mode on');
    const unknown = await login(merchant, 'lively');
    assert.deepEqual([unknown.status, faultsOf(unknown)], [422, [['mode', 'not_allowed']]]);
  });

  test('a login without a key in its mode fails and opens no session', async () => {
    const merchant = await paylink.createMerchant();
    const who = await logIn(paylink, merchant);
    for (const answer of [await login(merchant, 'live'), await setLoginMode(who, 'live')])
      assert.deepEqual([answer.status, answer.body.code], [409, 'no_key_of_mode']);
    const wrong = await post(`${paylink.baseUrl}/v1/auth/login`, {
      email: merchant.email,
      password: 'not this one',
      mode: 'live',
    });
    assert.deepEqual(
      [wrong.status, wrong.body.code],
      [401, 'wrong_login'],
      'strangers learn nothing about keys',
    );
    const { body } = await call(paylink, who, ['GET', '/v1/me/sessions']);
    assert.equal((body.data as Json[]).length, 1);
    assert.equal((await call(paylink, who, ['GET', '/v1/company'])).body.loginMode, 'test');
  });

  test('the last permanent test key cannot be revoked, nor the last live key while logins return it', async () => {
    const { merchant, who, live } = await goLive();
    const revoke = async (keyId: unknown): Promise<Answer> =>
      await call(paylink, who, ['DELETE', `/v1/api-keys/${keyId}`]);
    const { body } = await call(paylink, who, ['GET', '/v1/api-keys']);
    const testKey = (body.data as Json[]).find(({ mode }) => mode === 'test');
    assert.equal((await revoke(testKey?.keyId)).body.code, 'last_key', 'the login returns it');
    const spare = (await createKey(paylink, who, { mode: 'live' })).body;
    assert.equal((await revoke(spare.keyId)).status, 200);
    await setLoginMode(who, 'live');
    assert.equal((await revoke(live.keyId)).body.code, 'last_key', 'the login returns it now');
    const rolled = await call(paylink, who, ['POST', `/v1/api-keys/${live.keyId}/roll`], { overlapHours: 1 });
    assert.equal(rolled.body.mode, 'live');
    assert.equal((await revoke(live.keyId)).status, 200, 'another one lasts');
    assert.equal(keyOf(await login(merchant)), rolled.body.key);
    assert.equal((await revoke(rolled.body.keyId)).body.code, 'last_key');
    assert.equal((await revoke(testKey?.keyId)).body.code, 'last_key', 'other roles log in with it');
    assert.equal((await setLoginMode(who, 'test')).status, 200);
    assert.equal((await revoke(rolled.body.keyId)).status, 200, 'no login returns it any more');
  });

  test('a payment has the mode of its key; a live one is strict and never uses the sandbox', async () => {
    const { who, live } = await goLive();
    const lively = { ...who, apiKey: String(live.key) };
    const made = await processPayment(paylink, lively, orderOf());
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const code = String(made.body.PaymentLinkCode);
    const shown = await call(paylink, lively, ['GET', `/v1/payments/${code}`]);
    assert.equal(shown.body.mode, 'live');
    const http = orderOf({ success_url: 'http://shop.example/' });
    const refused = await processPayment(paylink, lively, http);
    assert.deepEqual([refused.status, faultsOf(refused)], [422, [['success_url', 'not_allowed']]]);
    assert.equal((await processPayment(paylink, who, http)).status, 200, 'a test key may');
    // A customer may post the form even if the page does not offer it.
    const token = issueFormToken(paylink.app.deps.keyring, code, new Date());
    const card = { cc_name: 'Ada', cc_number: '4242424242424242', cc_exp: '12/34', cc_csc: testCsc };
    const posted = await fetch(`${paylink.baseUrl}/pay/${code}`, {
      method: 'POST',
      body: new URLSearchParams({ form_token: token, ...card }),
      redirect: 'manual',
    });
    assert.equal(posted.status, 303, 'a test card pays nothing real');
    assert.equal(posted.headers.get('location'), `/pay/${code}`);
    const page = await (await fetch(`${paylink.baseUrl}/pay/${code}`)).text();
    assert.match(page, /No payment method available/);
    const charges = await paylink.app.deps.db.asOwner.query('select 1 as one from sandbox_charges');
    assert.equal(charges.length, 0);
  });

  test('the command line creates a live key and logs in with it', async () => {
    const { email } = await paylink.createMerchant();
    const home = await createHome();
    try {
      const settings = { PAYLINK_URL: paylink.baseUrl, PAYLINK_EMAIL: email, PAYLINK_PASSWORD: password };
      const none = await home.run(settings, 'login', '--mode', 'live');
      assert.deepEqual([none.code, none.out], [4, '']);
      assert.equal((await home.run(settings, 'login')).code, 0);
      const made = await home.run(settings, 'keys', 'create', '--mode', 'live');
      assert.match(made.out, /^plk_live_\S+\n$/);
      const live = await home.run(settings, 'login', '--mode', 'live');
      assert.deepEqual([live.code, live.err], [0, '']);
      assert.match(live.out, /, in live mode, until /);
      const next = await home.run({}, 'keys', 'create', '--json');
      assert.equal(
        (JSON.parse(next.out) as Json).mode,
        'live',
        'without a word the mode of the login goes on',
      );
      const file = path.join(home.folder, 'config', 'paylink', 'credentials.json');
      const kept = JSON.parse(await readFile(file, 'utf8')) as { default: Json };
      kept.default.expiresAt = '2020-01-01T00:00:00.000Z';
      await writeFile(file, JSON.stringify(kept));
      const fresh = await home.run({ PAYLINK_PASSWORD: password }, 'keys', 'create', '--json');
      assert.equal((JSON.parse(fresh.out) as Json).mode, 'live', 'also after a new login');
    } finally {
      await home.remove();
    }
  });
});

for (const [engine, reasons] of [
  ['server', ['base_url_not_https']],
  ['embedded', ['base_url_not_https', 'embedded_database']],
] as const satisfies readonly [Engine, string[]][])
  test(`a service on http and the ${engine} database refuses live keys, with every reason`, async () => {
    const paylink = await startPaylink(engine);
    try {
      const who = await logIn(paylink);
      const refused = await createKey(paylink, who, { mode: 'live' });
      assert.deepEqual([refused.status, refused.body.code], [409, 'live_not_possible']);
      assert.deepEqual(
        faultsOf(refused),
        reasons.map((code) => ['mode', code]),
      );
      const { body } = await call(paylink, who, ['GET', '/v1/api-keys']);
      assert.equal((body.data as Json[]).length, 1, 'nothing was made');
    } finally {
      await paylink.stop();
    }
  });
