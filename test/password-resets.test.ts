// Password resets: an emailed link that works once within half an hour, and reveals nothing to others.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newCompanyId, secretToken } from '../src/base/ids.ts';
import { type Answer, call, logIn, post } from './harness/client.ts';
import { browse, signIn } from './harness/dashboard.ts';
import { manualClock } from './harness/manual-clock.ts';
import { acceptReset, askReset, listResets, resetToken } from './harness/password-resets.ts';
import {
  dumpAllRows,
  engines,
  type Merchant,
  type Paylink,
  password,
  startPaylink,
} from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';

const minuteMs = 60_000;
const newPassword = 'four quiet rivers at dawn';
const codeOf = ({ status, body }: Answer) => [status, body.code];

for (const engine of engines) {
  describe(`forgotten passwords on the ${engine} database`, () => {
    const clock = manualClock();
    let box: TestSmtpServer;
    let paylink: Paylink;
    before(async () => {
      box = await openSmtpServer();
      const settings = { SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' };
      paylink = await startPaylink(engine, { clock, settings, workTimings: { pollMs: 100 } });
    });
    after(async () => {
      await paylink.stop();
      await box.stop();
    });
    const enter = async ({ email }: Merchant, word: string) =>
      await post(`${paylink.baseUrl}/v1/auth/login`, { email, password: word });

    test('the email links to a page that sets a new password once, which ends every session', async () => {
      const merchant = await paylink.createMerchant();
      const [browser, credentials] = [await signIn(paylink, merchant), await logIn(paylink, merchant)];
      assert.equal((await askReset(paylink, ` ${merchant.email.toUpperCase()}`.trim())).status, 202);
      const [mail] = await box.waitFor(merchant.email);
      assert.equal(mail?.email.subject, 'Ihr Paylink-Passwort zurücksetzen');
      assert.equal(mail?.email.from?.name, 'Paylink');
      const [, base, token = ''] = /(\S+)\/dashboard\/reset#(reset_\w+)/.exec(mail?.email.text ?? '') ?? [];
      assert.equal(base, paylink.baseUrl);
      assert.ok(mail?.email.html?.includes(`${base}/dashboard/reset#${token}`));
      assert.equal((await acceptReset(paylink, token, newPassword)).status, 204);
      assert.deepEqual(codeOf(await browse(paylink, browser, ['GET', '/v1/me'])), [401, 'session_ended']);
      assert.deepEqual(codeOf(await call(paylink, credentials, ['GET', '/v1/me'])), [401, 'invalid_token']);
      assert.deepEqual(codeOf(await enter(merchant, password)), [401, 'wrong_login']);
      assert.equal((await enter(merchant, newPassword)).status, 200);
      const again = await acceptReset(paylink, token, 'five quiet rivers at dawn');
      assert.deepEqual(codeOf(again), [404, 'invalid_password_reset']);
      const texts = `${await dumpAllRows(paylink.app)} ${paylink.log()}`;
      assert.ok(!texts.includes(token) && !texts.includes(token.slice(-64)));
    });

    test('a company in Great Britain gets the email in English', async () => {
      const merchant = await paylink.createMerchant();
      await call(paylink, await logIn(paylink, merchant), ['PATCH', '/v1/company'], { country: 'GB' });
      await askReset(paylink, merchant.email);
      const [mail] = await box.waitFor(merchant.email);
      assert.equal(mail?.email.subject, 'Reset your Paylink password');
      assert.match(mail?.email.text ?? '', /requested a password reset for your account at Café Zürich/);
    });

    test('an address without an account gives exactly the same response', async () => {
      const shown = async (email: string) => {
        const { status, headers, body } = await askReset(paylink, email);
        return { status, body, headers: [...headers.keys()] };
      };
      const known = await shown((await paylink.createMerchant()).email);
      assert.deepEqual(await shown('nobody@example.com'), known);
      assert.deepEqual([known.status, known.body], [202, {}]);
      assert.deepEqual(box.mailsTo('nobody@example.com'), []);
    });

    test('a link ends after 30 minutes, with a newer link, a new password or the removal of the account', async () => {
      const merchant = await paylink.createMerchant();
      const refused = async (token: string) =>
        assert.deepEqual(codeOf(await acceptReset(paylink, token, newPassword)), [
          404,
          'invalid_password_reset',
        ]);
      const first = await resetToken(paylink, merchant);
      const second = await resetToken(paylink, merchant);
      await refused(first);
      clock.advanceMs(30 * minuteMs);
      await refused(second);
      const third = await resetToken(paylink, merchant);
      const owner = await logIn(paylink, merchant);
      const change = { currentPassword: password, newPassword: 'five quiet rivers at dawn' };
      assert.equal((await call(paylink, owner, ['POST', '/v1/me/password'], change)).status, 204);
      await refused(third);
      const fourth = await resetToken(paylink, merchant);
      const text = 'update accounts set disabled_at = now() where account_id = $1';
      await paylink.app.deps.db.asOwner.query(text, [merchant.accountId]);
      await refused(fourth);
      await askReset(paylink, merchant.email);
      assert.equal((await listResets(paylink, merchant)).length, 4);
    });

    test('an invented token is refused like an expired one, and no token works in another company', async () => {
      const merchant = await paylink.createMerchant();
      const token = await resetToken(paylink, merchant);
      const secret = Buffer.from(token.slice(-64), 'hex');
      const madeUp = [
        secretToken('reset', merchant.companyId, Buffer.alloc(32)),
        secretToken('reset', newCompanyId(), secret),
        secretToken('invite', merchant.companyId, secret),
        'x',
      ];
      for (const wrong of madeUp)
        assert.deepEqual(codeOf(await acceptReset(paylink, wrong, newPassword)), [
          404,
          'invalid_password_reset',
        ]);
      assert.equal((await acceptReset(paylink, token, newPassword)).status, 204);
    });

    test('a weak password is refused, and the link stays valid', async () => {
      const merchant = await paylink.createMerchant();
      const token = await resetToken(paylink, merchant);
      for (const easy of ['short', merchant.email, 'passwordpassword'])
        assert.deepEqual(codeOf(await acceptReset(paylink, token, easy)), [422, 'invalid_fields'], easy);
      assert.equal((await acceptReset(paylink, token, newPassword)).status, 204);
    });

    test('of many concurrent uses of a link, one sets the password', async () => {
      const merchant = await paylink.createMerchant();
      const token = await resetToken(paylink, merchant);
      const words = Array.from({ length: 6 }, (_, index) => `${newPassword} ${index}`);
      const answers = await Promise.all(words.map(async (word) => await acceptReset(paylink, token, word)));
      const winners = words.filter((_, index) => answers[index]?.status === 204);
      assert.equal(winners.length, 1);
      assert.equal((await enter(merchant, winners[0] ?? '')).status, 200);
    });

    test('a new password ends every link of the account, even one requested at the same moment', async () => {
      const reopen = `update password_resets set ended_at = null where account_id = $1`;
      for (const used of [0, 1, 2]) {
        const merchant = await paylink.createMerchant();
        const tokens = [];
        for (let asked = 0; asked < 3; asked++) tokens.push(await resetToken(paylink, merchant));
        // Requests at the same moment do not see each other's links, and end none.
        await paylink.app.deps.db.asOwner.query(reopen, [merchant.accountId]);
        const [token = '', ...others] = [tokens[used] ?? '', ...tokens.filter((_, place) => place !== used)];
        assert.equal((await acceptReset(paylink, token, newPassword)).status, 204);
        for (const other of others)
          assert.deepEqual(codeOf(await acceptReset(paylink, other, 'five quiet rivers at dawn')), [
            404,
            'invalid_password_reset',
          ]);
        assert.equal((await enter(merchant, newPassword)).status, 200);
      }
    });

    test('an account gets at most five emails an hour', async () => {
      const merchant = await paylink.createMerchant();
      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => await askReset(paylink, merchant.email)),
      );
      assert.ok(answers.every(({ status }) => status === 202));
      assert.equal((await listResets(paylink, merchant)).length, 5);
    });

    test('after a login pause the new password works at once', async () => {
      const merchant = await paylink.createMerchant();
      for (let count = 0; count < 10; count++) await enter(merchant, 'wrong');
      assert.deepEqual(codeOf(await enter(merchant, password)), [429, 'login_paused']);
      await acceptReset(paylink, await resetToken(paylink, merchant), newPassword);
      assert.equal((await enter(merchant, newPassword)).status, 200);
    });

    test('an email is dropped if its link has expired before it is sent', async () => {
      const merchant = await paylink.createMerchant();
      const text = `select m.state, m.last_error as "lastError" from mails m join events e using (company_id, event_id)
                    where m.kind = 'password' and e.data ->> 'accountId' = $1 order by m.created_at`;
      const mails = async () =>
        await paylink.app.deps.db.asOwner.query<Record<string, string>>(text, [merchant.accountId]);
      box.answers.message = () => ({ code: 451, text: 'not now' });
      await askReset(paylink, merchant.email);
      await until(async () => Boolean((await mails())[0]?.lastError), 'the first try');
      box.answers.message = () => 'take';
      await askReset(paylink, merchant.email);
      clock.advanceMs(minuteMs);
      await until(async () => (await mails()).every(({ state }) => state !== 'queued'), 'both mails to end');
      assert.deepEqual((await mails()).map(({ state }) => state).sort(), ['dropped', 'sent']);
    });

    test('the request and the reset are in the audit log, without the address or the token', async () => {
      const merchant = await paylink.createMerchant();
      const token = await resetToken(paylink, merchant);
      await acceptReset(paylink, token, newPassword);
      const text = `select type, actor, data::text as data from events where type like 'password.%' and data ->> 'accountId' = $1
                    order by event_id`;
      const rows = await paylink.app.deps.db.asOwner.query<Record<string, string>>(text, [
        merchant.accountId,
      ]);
      const actors = rows.map(({ type, actor }) => `${type} by ${actor}`);
      const own = `account:${merchant.accountId}`;
      assert.deepEqual(actors, ['password.reset_asked by system', `password.reset by ${own}`]);
      for (const { data = '' } of rows) assert.ok(!data.includes(merchant.email) && !data.includes(token));
    });
  });
}
