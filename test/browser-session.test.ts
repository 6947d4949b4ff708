// Signing in with a browser: the cookie replaces the three headers, expires, and cannot be used by other sites.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rights } from '../src/http/roles.ts';
import { deleteOldPasswordResets } from '../src/sign-in/password-reset-store.ts';
import { purgeOldSignIns } from '../src/sign-in/purge-sign-ins.ts';
import { type Answer, call, credentialHeaders, type Json, logIn, orderOf } from './harness/client.ts';
import { type Browser, browse, browserOf, signIn } from './harness/dashboard.ts';
import { manualClock } from './harness/manual-clock.ts';
import { askReset } from './harness/password-resets.ts';
import {
  dumpAllRows,
  engines,
  type Merchant,
  type Paylink,
  password,
  startPaylink,
} from './harness/paylink.ts';
import { addMember } from './harness/people.ts';

const minuteMs = 60_000;
const codeOf = ({ status, body }: Answer) => [status, body.code];

/** The number of rows that sign-ins leave. */
async function countSignIns(paylink: Paylink): Promise<{ sessions: number; resets: number }> {
  const [counted] = await paylink.app.deps.db.asOwner.query<{ sessions: number; resets: number }>(
    `select (select count(*) from browser_sessions)::integer as sessions,
            (select count(*) from password_resets)::integer as resets`,
  );
  assert.ok(counted);
  return counted;
}

for (const engine of engines) {
  describe(`a browser's session on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    let merchant: Merchant;
    let browser: Browser;
    before(async () => {
      paylink = await startPaylink(engine, { clock });
      merchant = await paylink.createMerchant();
      browser = await signIn(paylink, merchant);
    });
    after(async () => await paylink.stop());

    const look = async (who: Browser | null, headers: Record<string, string> = {}) =>
      await browse(paylink, who, ['GET', '/v1/me'], { headers });
    const sessionOf = async (who: Browser | null, headers: Record<string, string> = {}) =>
      (await browse(paylink, who, ['GET', '/v1/session'], { headers })).body.session as Json | null;
    const order = async (who: Browser, headers: Record<string, string> = {}, body = orderOf()) =>
      await browse(paylink, who, ['POST', '/v1/payment/process'], { body, headers });
    const inBackground = { 'x-paylink-background': 'true' };

    test('signing in returns the account, and sets a cookie that scripts and other sites cannot read', async () => {
      const answer = await browse(paylink, null, ['POST', '/v1/session'], {
        body: { email: merchant.email, password },
      });
      const [setCookie = ''] = answer.headers.getSetCookie();
      assert.match(
        setCookie,
        /^paylink=browser_[0-9a-z]{72}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
      );
      const secret = browserOf(answer).cookie.slice('paylink='.length);
      assert.ok(!JSON.stringify(answer.body).includes(secret));
      const { sessionId, csrfToken: _, idleEndsAt, expiresAt, ...rest } = answer.body.session as Json;
      const { accountId, companyId, email } = merchant;
      assert.deepEqual(rest, {
        ...{ accountId, companyId, email, companyName: 'Café Zürich', roles: ['owner'] },
        ...{ rights: Object.keys(rights), modes: ['test'], loginMode: 'test', isOperator: false },
      });
      const now = clock.now().getTime();
      assert.equal(Date.parse(String(idleEndsAt)), now + 30 * minuteMs);
      assert.equal(Date.parse(String(expiresAt)), now + 12 * 60 * minuteMs);
      assert.match(String(sessionId), /^ses_/);
    });

    test('the cookie replaces the three headers, for reads and writes', async () => {
      const answer = await look(browser);
      assert.deepEqual([answer.status, answer.body.accountId], [200, merchant.accountId]);
      assert.equal((await sessionOf(browser))?.sessionId, answer.body.sessionId);
      const made = await order(browser);
      assert.deepEqual([made.status, made.body.mode], [200, 'test']);
    });

    test('a write with the cookie requires a same-origin request and the CSRF token', async () => {
      const other = await signIn(paylink, merchant);
      const refused: Record<string, string>[] = [
        { 'x-paylink-csrf': '' },
        { 'x-paylink-csrf': 'wrong' },
        { 'x-paylink-csrf': other.csrfToken },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': '' },
        { 'sec-fetch-site': '', origin: 'https://evil.example' },
        { 'sec-fetch-site': '', origin: 'null' },
        { 'sec-fetch-site': 'cross-site', origin: paylink.baseUrl },
      ];
      for (const headers of refused) {
        const answer = await order(browser, headers);
        assert.deepEqual(codeOf(answer), [403, 'csrf_refused'], JSON.stringify(headers));
        assert.equal((answer.body.errors as Json[]).length, 1);
      }
      const allowed = await order(browser, { 'sec-fetch-site': '', origin: paylink.baseUrl });
      assert.equal(allowed.status, 200);
      const ended = await browse(paylink, browser, ['DELETE', '/v1/session'], {
        headers: { 'x-paylink-csrf': '' },
      });
      assert.deepEqual(codeOf(ended), [403, 'csrf_refused']);
      assert.equal((await look(browser)).status, 200);
    });

    test('a read needs no CSRF token, and gets no data of another session', async () => {
      assert.equal((await look(browser, { 'x-paylink-csrf': '' })).status, 200);
      const other = await signIn(paylink, merchant);
      const answer = await look(browser, { 'x-paylink-csrf': other.csrfToken });
      assert.deepEqual(codeOf(answer), [403, 'csrf_refused']);
    });

    test('another site cannot sign a user in', async () => {
      const body = { email: merchant.email, password };
      for (const headers of [
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': '', origin: 'https://evil.example' },
      ]) {
        const answer = await browse(paylink, null, ['POST', '/v1/session'], { body, headers });
        assert.deepEqual(codeOf(answer), [403, 'csrf_refused']);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
    });

    test('an unknown address and a wrong password give the same error', async () => {
      const enter = async (email: string) => {
        const answer = await browse(paylink, null, ['POST', '/v1/session'], {
          body: { email, password: 'wrong' },
        });
        const { requestId: _r, instance: _i, ...rest } = answer.body;
        return { status: answer.status, rest, cookies: answer.headers.getSetCookie() };
      };
      const refused = await enter(merchant.email);
      assert.deepEqual([refused.status, refused.rest.code, refused.cookies], [401, 'wrong_login', []]);
      assert.deepEqual(await enter('nobody@example.com'), refused);
    });

    test('if any of the three headers is sent, the cookie is ignored', async () => {
      const credentials = await logIn(paylink, merchant);
      const headers = credentialHeaders(credentials);
      assert.equal((await look({ ...browser, cookie: 'paylink=wrong' }, headers)).status, 200);
      for (const [name, value] of Object.entries(headers)) {
        const answer = await look(browser, { [name]: value });
        assert.deepEqual(codeOf(answer), [401, 'missing_credentials'], name);
      }
    });

    test('a missing, invented or malformed cookie is refused', async () => {
      assert.equal(await sessionOf(null), null);
      const [name = '', value = ''] = browser.cookie.split('=');
      const madeUp = `${value.slice(0, -4)}${value.endsWith('0000') ? '1111' : '0000'}`;
      for (const cookie of [
        `${name}=${madeUp}`,
        `${name}=x`,
        `${name}=${value.replace('browser_', 'invite_')}`,
      ]) {
        assert.equal(await sessionOf({ ...browser, cookie }), null, cookie);
        assert.deepEqual(codeOf(await look({ ...browser, cookie })), [401, 'session_ended'], cookie);
      }
    });

    test('the database contains no usable cookie', async () => {
      const rows = await dumpAllRows(paylink.app);
      assert.ok(rows.includes('cookie_digest'));
      assert.ok(!rows.includes(browser.cookie.slice('paylink='.length)));
      assert.ok(!paylink.log().includes(browser.cookie.slice('paylink='.length)));
    });

    test('a session ends after 30 minutes without a call, and background calls do not extend it', async () => {
      const used = await signIn(paylink, merchant);
      clock.advanceMs(29 * minuteMs);
      assert.equal((await look(used)).status, 200);
      clock.advanceMs(29 * minuteMs);
      const session = await sessionOf(used, inBackground);
      assert.equal(Date.parse(String(session?.idleEndsAt)), clock.now().getTime() + minuteMs);
      assert.equal((await look(used, inBackground)).status, 200);
      clock.advanceMs(minuteMs);
      assert.deepEqual(codeOf(await look(used)), [401, 'session_ended']);
      assert.equal(await sessionOf(used), null);
    });

    test('the list shows which sessions are browsers, and none that was idle for 30 minutes', async () => {
      const person = await paylink.createMerchant();
      const idle = await signIn(paylink, person);
      clock.advanceMs(29 * minuteMs);
      const used = await signIn(paylink, person);
      await logIn(paylink, person);
      const listed = async () => {
        const { body } = await browse(paylink, used, ['GET', '/v1/me/sessions']);
        return (body.data as Json[]).map(({ kind, isCurrent }) => [kind, isCurrent]);
      };
      const [token, current, other] = [
        ['token', false],
        ['browser', true],
        ['browser', false],
      ];
      assert.deepEqual(await listed(), [token, current, other]);
      clock.advanceMs(minuteMs);
      assert.deepEqual(await listed(), [token, current]);
      assert.equal(await sessionOf(idle), null);
    });

    test('a session ends after 12 hours, even with activity', async () => {
      const used = await signIn(paylink, merchant);
      for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
        clock.advanceMs(20 * minuteMs);
        assert.equal((await look(used)).status, 200, `${passed}`);
      }
      const session = await sessionOf(used);
      assert.equal(session?.idleEndsAt, session?.expiresAt);
      clock.advanceMs(20 * minuteMs);
      assert.deepEqual(codeOf(await look(used)), [401, 'session_ended']);
    });

    test('activity is recorded at most once a minute', async () => {
      const used = await signIn(paylink, merchant);
      const { sessionId } = (await look(used)).body;
      const seenAt = async () => {
        const text =
          'select seen_at as "seenAt", xmin::text as version from browser_sessions where session_id = $1';
        const [row] = await paylink.app.deps.db.asOwner.query<{ seenAt: Date; version: string }>(text, [
          sessionId,
        ]);
        return row;
      };
      const first = await seenAt();
      clock.advanceMs(minuteMs - 1);
      await Promise.all(Array.from({ length: 5 }, async () => await look(used)));
      assert.deepEqual(await seenAt(), first);
      clock.advanceMs(1);
      await Promise.all(Array.from({ length: 5 }, async () => await look(used)));
      assert.equal((await seenAt())?.seenAt.getTime(), clock.now().getTime());
    });

    test('signing out ends the session and deletes the cookie; repeating it changes nothing', async () => {
      const used = await signIn(paylink, merchant);
      for (const round of [1, 2]) {
        const answer = await browse(paylink, used, ['DELETE', '/v1/session']);
        assert.equal(answer.status, 204, `${round}`);
        assert.match(answer.headers.getSetCookie()[0] ?? '', /^paylink=; Max-Age=0; Path=\/;/);
      }
      assert.deepEqual(codeOf(await look(used)), [401, 'session_ended']);
    });

    test('a new password ends all sessions except the current one', async () => {
      const own = await paylink.createMerchant();
      const [first, second] = [await signIn(paylink, own), await signIn(paylink, own)];
      const body = { currentPassword: password, newPassword: 'four quiet rivers at dawn' };
      const changed = await browse(paylink, first, ['POST', '/v1/me/password'], { body });
      assert.equal(changed.status, 204);
      assert.deepEqual([(await look(first)).status, (await look(second)).status], [200, 401]);
    });

    test('a removed member is signed out everywhere', async () => {
      const owner = await logIn(paylink, merchant);
      const member = await addMember(paylink, owner, ['viewer']);
      const used = await signIn(paylink, member);
      assert.equal((await look(used)).status, 200);
      await call(paylink, owner, ['DELETE', `/v1/members/${member.accountId}`]);
      assert.deepEqual(codeOf(await look(used)), [401, 'session_ended']);
    });

    test('a browser can repeat a request safely, and never gets a response of another account', async () => {
      const headers = { 'idempotency-key': 'one' };
      const used = await signIn(paylink, merchant);
      const body = { name: 'Till' };
      const make = async (who: Browser) =>
        await browse(paylink, who, ['POST', '/v1/api-keys'], { headers, body });
      const first = await make(used);
      const again = await make(await signIn(paylink, merchant));
      assert.deepEqual([again.body.key, again.headers.get('idempotent-replayed')], [first.body.key, 'true']);
      const member = await addMember(paylink, await logIn(paylink, merchant), ['developer']);
      assert.notEqual((await make(await signIn(paylink, member))).body.key, first.body.key);
    });

    test('without a live key the cookie works in test mode only, and an unknown mode is refused', async () => {
      const used = await signIn(paylink, merchant);
      assert.deepEqual(codeOf(await order(used, { 'x-paylink-mode': 'live' })), [409, 'no_key_of_mode']);
      assert.deepEqual(codeOf(await order(used, { 'x-paylink-mode': 'Live' })), [422, 'invalid_fields']);
    });

    test('old sessions and password resets are deleted after 30 days, and nothing else', async () => {
      const { db } = paylink.app.deps;
      const person = await paylink.createMerchant();
      const stays = await signIn(paylink, person);
      await askReset(paylink, person.email);
      const kept = await countSignIns(paylink);
      const olds = [await paylink.createMerchant(), await paylink.createMerchant()];
      for (const old of olds) {
        for (let count = 0; count < 3; count++) {
          clock.advanceMs(1);
          await signIn(paylink, old);
        }
        await askReset(paylink, old.email);
      }
      const left = await countSignIns(paylink);
      assert.deepEqual([left.sessions - kept.sessions, left.resets - kept.resets], [6, 2]);
      await purgeOldSignIns(paylink.app.deps);
      assert.deepEqual(await countSignIns(paylink), left, 'nothing is so old');
      // The database's own clock cannot be moved, so the rows are.
      // safe: literals of this test.
      for (const [table, column] of [
        ['browser_sessions', 'seen_at'],
        ['password_resets', 'created_at'],
      ])
        await db.asOwner.query(
          `update ${table} set ${column} = ${column} - interval '60 days' where company_id = any($1)`,
          [olds.map(({ companyId }) => companyId)],
        );
      assert.equal(await db.inSystem(async (tx) => await deleteOldPasswordResets(tx, 1)), 1);
      assert.equal(await purgeOldSignIns(paylink.app.deps, 2), 7);
      assert.deepEqual(await countSignIns(paylink), kept);
      assert.ok(await sessionOf(stays));
    });
  });
}

test('over https the cookie has the __Host- prefix, and with a live key the mode header selects live mode', async () => {
  const paylink = await startPaylink('server', { settings: { BASE_URL: 'https://pay.example' } });
  try {
    const own = { 'sec-fetch-site': '', origin: 'https://pay.example' };
    const at = { baseUrl: `http://127.0.0.1:${paylink.app.deps.config.port}`, merchant: paylink.merchant };
    const used = await signIn(at, paylink.merchant);
    assert.match(used.cookie, /^__Host-paylink=browser_/);
    const body = orderOf();
    const order = async (headers: Record<string, string>) =>
      await browse(at, used, ['POST', '/v1/payment/process'], { body, headers: { ...own, ...headers } });
    assert.deepEqual(codeOf(await order({ 'x-paylink-mode': 'live' })), [409, 'no_key_of_mode']);
    const key = await browse(at, used, ['POST', '/v1/api-keys'], { body: { mode: 'live' }, headers: own });
    assert.equal(key.status, 200);
    const { modes } = (await browse(at, used, ['GET', '/v1/session'])).body.session as Json;
    assert.deepEqual(modes, ['test', 'live']);
    const made = await order({ 'x-paylink-mode': 'live' });
    assert.deepEqual([made.status, made.body.mode], [200, 'live']);
    const unprefixed = { ...used, cookie: used.cookie.replace('__Host-', '') };
    assert.deepEqual(codeOf(await browse(at, unprefixed, ['GET', '/v1/me'])), [401, 'missing_credentials']);
    const again = await browse(at, null, ['POST', '/v1/session'], {
      body: { email: paylink.merchant.email, password },
    });
    assert.match(again.headers.getSetCookie()[0] ?? '', /; Secure$/);
  } finally {
    await paylink.stop();
  }
});

test('all browser sessions of an account share one rate limit', async () => {
  const paylink = await startPaylink('server', { settings: { RATE_LIMIT_API_PER_SECOND: '3' } });
  try {
    const browsers = await Promise.all([1, 2, 3].map(async () => await signIn(paylink, paylink.merchant)));
    const calls = Array.from({ length: 30 }, async (_, index) => {
      const browser = browsers[index % 3] as Browser;
      return (await browse(paylink, browser, ['GET', '/v1/me'])).status;
    });
    const statuses = await Promise.all(calls);
    assert.ok(statuses.includes(429) && statuses.includes(200), statuses.join());
    const other = await signIn(paylink, await paylink.createMerchant());
    assert.equal((await browse(paylink, other, ['GET', '/v1/me'])).status, 200);
  } finally {
    await paylink.stop();
  }
});
