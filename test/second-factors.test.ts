// Second factors: required at every login, each code works once, guesses are limited, and recovery codes replace a lost
// factor.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openKeyring } from '../src/base/keyring.ts';
import { reencryptTotpSecrets } from '../src/second-factors/totp-secret.ts';
import { type Answer, type Credentials, call, type Json, logIn, post } from './harness/client.ts';
import { browse, browserOf } from './harness/dashboard.ts';
import { manualClock } from './harness/manual-clock.ts';
import { acceptReset, resetToken } from './harness/password-resets.ts';
import {
  dumpAllRows,
  engines,
  type Merchant,
  type Paylink,
  password,
  startPaylink,
} from './harness/paylink.ts';
import { addTotp, beginTotp } from './harness/second-factors.ts';

const minuteMs = 60_000;
const stepMs = 30_000;
const codeOf = ({ status, body }: Answer) => [status, body.code];
const faultOf = ({ body }: Answer) => (body.errors as Json[])[0];

for (const engine of engines) {
  describe(`second factors on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, { clock, settings: { TRUSTED_PROXIES: 'loopback' } });
    });
    after(async () => await paylink.stop());

    type Own = { merchant: Merchant; owner: Credentials };
    async function newOwner(): Promise<Own> {
      const merchant = await paylink.createMerchant();
      return { merchant, owner: await logIn(paylink, merchant) };
    }
    const signIn = async ({ email }: Merchant, more: Json = {}, headers: Record<string, string> = {}) =>
      await browse(paylink, null, ['POST', '/v1/session'], { body: { email, password, ...more }, headers });
    const enter = async ({ email }: Merchant, more: Json = {}) =>
      await post(`${paylink.baseUrl}/v1/auth/login`, { email, password, ...more });
    const own = async (who: Credentials, path: string, body: Json) =>
      await call(paylink, who, ['POST', `/v1/me/${path}`], body);
    const factorsOf = async (who: Credentials) =>
      (await call(paylink, who, ['GET', '/v1/me/second-factors'])).body;
    const confirmation = { currentPassword: password };

    test('an app is active once a code confirms it, and the first factor gives ten recovery codes', async () => {
      const { merchant, owner } = await newOwner();
      assert.deepEqual(await factorsOf(owner), { totp: null, passkeys: [], recoveryCodesLeft: 0 });
      const app = await beginTotp(paylink, owner);
      assert.deepEqual(await factorsOf(owner), { totp: null, passkeys: [], recoveryCodesLeft: 0 });
      assert.equal((await signIn(merchant)).status, 200, 'it is not asked for yet');
      const wrong = await own(owner, 'totp/confirm', { otp: app.code(9) });
      assert.deepEqual([...codeOf(wrong), faultOf(wrong)?.field], [422, 'invalid_fields', 'otp']);
      const confirmed = await own(owner, 'totp/confirm', { otp: app.code() });
      const codes = confirmed.body.recoveryCodes as string[];
      assert.deepEqual(
        [new Set(codes).size, codes.every((code) => /^(\w{4}-){3}\w{4}$/.test(code))],
        [10, true],
      );
      const confirmedAt = clock.now().toISOString();
      assert.deepEqual(await factorsOf(owner), {
        totp: { confirmedAt },
        passkeys: [],
        recoveryCodesLeft: 10,
      });
      const rows = await dumpAllRows(paylink.app);
      for (const code of codes) assert.ok(!rows.includes(code) && !rows.includes(code.replaceAll('-', '')));
    });

    test('the password alone is not enough, for a browser or a token', async () => {
      const { merchant, owner } = await newOwner();
      const app = await addTotp(paylink, owner);
      for (const go of [signIn, enter]) {
        const refused = await go(merchant);
        assert.deepEqual(
          [...codeOf(refused), faultOf(refused)?.field],
          [401, 'second_factor_required', 'otp'],
        );
        assert.deepEqual(refused.headers.getSetCookie(), []);
        assert.equal(refused.headers.get('x-api-key'), null);
        assert.deepEqual(codeOf(await go(merchant, { otp: app.code(5) })), [401, 'wrong_second_factor']);
        assert.deepEqual(codeOf(await go(merchant, { password: 'wrong', otp: app.code() })), [
          401,
          'wrong_login',
        ]);
      }
      const browser = browserOf(await signIn(merchant, { otp: app.code() }));
      assert.equal((await browse(paylink, browser, ['GET', '/v1/me'])).status, 200);
      clock.advanceMs(stepMs);
      assert.equal((await enter(merchant, { otp: app.code() })).status, 200);
      assert.equal((await call(paylink, owner, ['GET', '/v1/me'])).status, 200, 'who is in stays in');
    });

    test('a code works once, even concurrently, and earlier codes no longer work', async () => {
      const { merchant, owner } = await newOwner();
      const app = await addTotp(paylink, owner);
      clock.advanceMs(2 * stepMs);
      const otp = app.code();
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () => await signIn(merchant, { otp })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const used of [otp, app.code(-1)])
        assert.deepEqual(codeOf(await signIn(merchant, { otp: used })), [401, 'wrong_second_factor']);
      assert.equal((await signIn(merchant, { otp: app.code(1) })).status, 200);
    });

    test('a recovery code works once, in any spelling, and its use is in the audit log', async () => {
      const { merchant, owner } = await newOwner();
      const { recoveryCodes } = await addTotp(paylink, owner);
      const [first = '', second = ''] = recoveryCodes;
      assert.equal((await signIn(merchant, { recoveryCode: first })).status, 200);
      assert.deepEqual(codeOf(await signIn(merchant, { recoveryCode: first })), [401, 'wrong_second_factor']);
      const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
      assert.equal((await enter(merchant, { recoveryCode: typed })).status, 200);
      assert.equal((await factorsOf(owner)).recoveryCodesLeft, 8);
      const text = `select type, data from events where company_id = $1 and type like '%reco%' order by event_id`;
      const rows = await paylink.app.deps.db.asOwner.query<{ data: Json }>(text, [merchant.companyId]);
      assert.deepEqual(
        rows.map(({ data }) => data.recoveryCodesLeft),
        [9, 8],
      );
    });

    test('codes of one account do not work for another', async () => {
      const [one, other] = [await newOwner(), await newOwner()];
      const app = await addTotp(paylink, one.owner);
      await addTotp(paylink, other.owner);
      for (const answer of [{ otp: app.code() }, { recoveryCode: app.recoveryCodes[0] ?? '' }])
        assert.deepEqual(codeOf(await signIn(other.merchant, answer)), [401, 'wrong_second_factor']);
    });

    test('ten wrong codes from any addresses pause the account’s codes, not its password', async () => {
      const { merchant, owner } = await newOwner();
      const app = await addTotp(paylink, owner);
      const guess = async (index: number) =>
        await signIn(merchant, { otp: '000000' }, { 'x-forwarded-for': `203.0.113.${index}` });
      const answers = await Promise.all(Array.from({ length: 15 }, async (_, index) => await guess(index)));
      assert.equal(answers.filter(({ status }) => status === 401).length, 10);
      const paused = await signIn(merchant, { otp: app.code() }, { 'x-forwarded-for': '203.0.113.99' });
      assert.deepEqual(codeOf(paused), [429, 'login_paused']);
      assert.doesNotMatch(String(paused.body.detail), /Other clients/);
      clock.advanceMs(30 * minuteMs + stepMs);
      assert.equal((await signIn(merchant, { otp: app.code() })).status, 200);
    });

    test('a login without a code counts, too', async () => {
      const { merchant, owner } = await newOwner();
      await addTotp(paylink, owner);
      for (let count = 0; count < 10; count++) await signIn(merchant);
      assert.deepEqual(codeOf(await signIn(merchant)), [429, 'login_paused']);
    });

    test('actions that show a secret or weaken the account require the password again', async () => {
      const { owner } = await newOwner();
      await addTotp(paylink, owner);
      for (const path of ['totp', 'totp/remove', 'recovery-codes']) {
        const answer = await own(owner, path, { currentPassword: 'wrong' });
        assert.deepEqual(
          [...codeOf(answer), faultOf(answer)?.field],
          [422, 'invalid_fields', 'currentPassword'],
        );
      }
      assert.notEqual((await factorsOf(owner)).totp, null);
    });

    test('after removing the app the password is enough, and the recovery codes are deleted', async () => {
      const { merchant, owner } = await newOwner();
      const { recoveryCodes } = await addTotp(paylink, owner);
      assert.deepEqual(codeOf(await own(owner, 'totp', confirmation)), [409, 'second_factor_on']);
      for (const round of [1, 2])
        assert.equal((await own(owner, 'totp/remove', confirmation)).status, 204, `${round}`);
      assert.deepEqual(await factorsOf(owner), { totp: null, passkeys: [], recoveryCodesLeft: 0 });
      assert.equal((await signIn(merchant)).status, 200);
      assert.deepEqual(codeOf(await own(owner, 'recovery-codes', confirmation)), [409, 'no_second_factor']);
      assert.deepEqual(codeOf(await own(owner, 'totp/confirm', { otp: '000000' })), [
        409,
        'no_second_factor',
      ]);
      await addTotp(paylink, owner);
      const old = await signIn(merchant, { recoveryCode: recoveryCodes[0] ?? '' });
      assert.deepEqual(codeOf(old), [401, 'wrong_second_factor']);
    });

    test('new recovery codes replace the old ones', async () => {
      const { merchant, owner } = await newOwner();
      const { recoveryCodes } = await addTotp(paylink, owner);
      const made = await own(owner, 'recovery-codes', confirmation);
      const [fresh] = made.body.recoveryCodes as string[];
      const old = await signIn(merchant, { recoveryCode: recoveryCodes[0] ?? '' });
      assert.deepEqual(codeOf(old), [401, 'wrong_second_factor']);
      assert.equal((await signIn(merchant, { recoveryCode: fresh ?? '' })).status, 200);
    });

    test('a password reset keeps the second factor', async () => {
      const { merchant, owner } = await newOwner();
      const app = await addTotp(paylink, owner);
      const newPassword = 'four quiet rivers at dawn';
      assert.equal(
        (await acceptReset(paylink, await resetToken(paylink, merchant), newPassword)).status,
        204,
      );
      const again = { password: newPassword };
      assert.deepEqual(codeOf(await signIn(merchant, again)), [401, 'second_factor_required']);
      assert.equal((await signIn(merchant, { ...again, otp: app.code() })).status, 200);
    });

    test('changes of factors are in the audit log, and every session names its factor', async () => {
      const { merchant, owner } = await newOwner();
      const app = await addTotp(paylink, owner);
      await signIn(merchant, { otp: app.code() });
      await own(owner, 'totp/remove', confirmation);
      const text = `select type, data ->> 'factor' as factor from events
                    where company_id = $1 and type <> 'company.created' order by event_id`;
      const rows = await paylink.app.deps.db.asOwner.query<Json>(text, [merchant.companyId]);
      assert.deepEqual(
        rows.map(({ type, factor }) => `${type} ${factor}`),
        [
          'session.opened none',
          'second_factor.added totp',
          'session.opened totp',
          'second_factor.removed totp',
        ],
      );
    });

    test('after a rotation of the master key the secret is re-encrypted and codes still work', async () => {
      const { merchant, owner } = await newOwner();
      await addTotp(paylink, owner);
      const { db } = paylink.app.deps;
      const at = { companyId: merchant.companyId, batchSize: 1 };
      const changed = await openKeyring(Buffer.alloc(32, 8), Buffer.alloc(32, 7));
      const deps = { db, keyring: changed };
      assert.deepEqual(await reencryptTotpSecrets(deps, at), { resealed: 1, upToDate: 0, unopened: [] });
      assert.deepEqual(await reencryptTotpSecrets(deps, at), { resealed: 0, upToDate: 1, unopened: [] });
      const back = await openKeyring(Buffer.alloc(32, 7), Buffer.alloc(32, 8));
      assert.deepEqual(await reencryptTotpSecrets({ db, keyring: back }, at), {
        resealed: 1,
        upToDate: 0,
        unopened: [],
      });
    });
  });
}
