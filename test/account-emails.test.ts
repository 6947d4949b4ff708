// Emails about changes to how an account signs in: one for each change, to the account only, without links or secrets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Credentials, call, logIn } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { acceptReset, resetToken } from './harness/password-resets.ts';
import { engines, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { until } from './harness/process.ts';
import { addPasskey, addTotp } from './harness/second-factors.ts';
import { openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';

const newPassword = 'four quiet rivers at dawn';

for (const engine of engines) {
  describe(`emails about an account on the ${engine} database`, () => {
    const clock = manualClock(new Date('2026-11-22T09:30:00Z'));
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
    /** The emails to an address, without its invitation, which may or may not have been sent. */
    const mailsTo = (email: string) =>
      box.mailsTo(email).filter((mail) => !mail.email.subject?.includes('invites you'));
    /** The subjects of the first `count` emails, in any order. */
    const subjectsOf = async (email: string, count: number) => {
      await until(() => mailsTo(email).length >= count, `${count} emails`);
      return mailsTo(email)
        .map((mail) => mail.email.subject)
        .sort();
    };
    const english = async (owner: Credentials) =>
      await call(paylink, owner, ['PATCH', '/v1/company'], { country: 'GB' });

    test('a member gets an email for each change to their factors and password, and the owner gets none', async () => {
      const merchant = await paylink.createMerchant();
      const owner = await logIn(paylink, merchant);
      await english(owner);
      const { email, credentials } = await addMember(paylink, owner, ['viewer']);
      const confirmation = { currentPassword: password };
      await addTotp(paylink, credentials);
      const { passkeyId } = await addPasskey(paylink, credentials);
      for (const [method, path] of [
        ['POST', '/v1/me/recovery-codes'],
        ['POST', `/v1/me/passkeys/${passkeyId}/remove`],
        ['POST', '/v1/me/totp/remove'],
      ] as const) {
        const { status, body } = await call(paylink, credentials, [method, path], confirmation);
        assert.ok(status < 300, `${path} ${JSON.stringify(body)}`);
      }
      const passwords = { ...confirmation, newPassword };
      assert.equal((await call(paylink, credentials, ['POST', '/v1/me/password'], passwords)).status, 204);
      assert.deepEqual(await subjectsOf(email, 6), [
        'A passkey was added',
        'A passkey was removed',
        'An authenticator app was added',
        'An authenticator app was removed',
        'New recovery codes were generated',
        'Your password was changed',
      ]);
      for (const { email: mail } of mailsTo(email)) {
        const texts = `${mail.text} ${mail.html}`;
        assert.match(texts, /your account at Café Zürich/i);
        assert.match(texts, /November 22, 2026 at 09:30 UTC/);
        assert.doesNotMatch(texts, /href|https?:/);
        assert.ok(!texts.includes(newPassword) && !texts.includes(password));
      }
      assert.deepEqual(box.mailsTo(merchant.email), []);
    });

    test('a password reset causes an email in the language of the company’s country', async () => {
      const merchant = await paylink.createMerchant();
      const token = await resetToken(paylink, merchant);
      assert.equal((await acceptReset(paylink, token, newPassword)).status, 204);
      // The email with the link may have been sent or dropped.
      const isNotified = () =>
        box.mailsTo(merchant.email).some(({ email }) => email.subject === 'Ihr Passwort wurde zurückgesetzt');
      await until(isNotified, 'the email about the reset');
    });
  });
}
