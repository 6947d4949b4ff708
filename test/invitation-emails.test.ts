// Invitations by email: the invited person gets the link once, in the language of the company's country, while it is valid.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, call, logIn, post, repeatRefused } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { dumpAllRows, engines, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';

for (const engine of engines) {
  describe(`invitations by email on the ${engine} database`, () => {
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
    const newOwner = async (country = 'DE') => {
      const owner = await logIn(paylink, await paylink.createMerchant());
      await call(paylink, owner, ['PATCH', '/v1/company'], { country });
      return owner;
    };
    const invite = async (owner: Awaited<ReturnType<typeof newOwner>>, email: string): Promise<Answer> =>
      await call(paylink, owner, ['POST', '/v1/members'], { email, roles: ['developer'] });
    const linkIn = (text = '') => /(\S+)\/dashboard\/invitation#(invite_\w+)/.exec(text) ?? [];

    test('an invited person gets an email with a link that creates the account, and no table or log contains its token', async () => {
      const owner = await newOwner('GB');
      const made = await invite(owner, `grace-${engine}@example.com`);
      assert.deepEqual([made.status, made.body.isMailed], [200, true]);
      const [mail] = await box.waitFor(`grace-${engine}@example.com`);
      assert.equal(mail?.email.subject, 'Café Zürich invites you to Paylink');
      assert.equal(mail?.email.from?.name, 'Paylink');
      assert.match(mail?.email.text ?? '', /valid until November 29, 2026 at 09:30 UTC/);
      const [link = '', base, token = ''] = linkIn(mail?.email.text);
      assert.equal(base, paylink.baseUrl);
      assert.equal(made.body.url, link);
      assert.ok(mail?.email.html?.includes(link));
      const texts = `${await dumpAllRows(paylink.app)} ${paylink.log()}`;
      assert.ok(!texts.includes(token) && !texts.includes(token.slice(-64)));
      const joined = await post(`${paylink.baseUrl}/v1/invitations/accept`, { token, password });
      assert.deepEqual([joined.status, joined.body.roles], [200, ['developer']]);
    });

    test('a German company invites in German', async () => {
      const email = `heinz-${engine}@example.com`;
      await invite(await newOwner(), email);
      const [mail] = await box.waitFor(email);
      assert.equal(mail?.email.subject, 'Café Zürich lädt Sie zu Paylink ein');
      assert.match(mail?.email.text ?? '', /Die Einladung gilt bis/);
    });

    test('a repeated Idempotency-Key sends one email', async () => {
      const owner = await newOwner();
      const email = `once-${engine}@example.com`;
      const ask = async () =>
        await post(
          `${paylink.baseUrl}/v1/members`,
          { email, roles: ['viewer'] },
          {
            authorization: `Bearer ${owner.token}`,
            'x-api-key': owner.apiKey,
            'x-company-id': owner.companyId,
            'idempotency-key': 'invite-once',
          },
        );
      const [first, second] = [await ask(), await ask()];
      assert.deepEqual(second.body, first.body);
      const rows = await paylink.app.deps.db.asOwner.query<{ kind: string }>(
        'select kind from mails where recipient = $1',
        [email],
      );
      assert.deepEqual(rows, [{ kind: 'invitation' }]);
    });

    test('an email whose invitation was replaced meanwhile is dropped', async () => {
      const owner = await newOwner();
      const email = `late-${engine}@example.com`;
      const states = async () =>
        await paylink.app.deps.db.asOwner.query<{ state: string; lastError: string | null }>(
          `select state, last_error as "lastError" from mails where recipient = $1 order by created_at, mail_id`,
          [email],
        );
      box.answers.message = () => ({ code: 451, text: 'not now' });
      await invite(owner, email);
      await until(async () => Boolean((await states())[0]?.lastError), 'the first attempt');
      box.answers.message = () => 'take';
      clock.advanceMs(1);
      await invite(owner, email);
      clock.advanceMs(60_000);
      await until(
        async () => (await states()).every(({ state }) => state !== 'queued'),
        'both emails to end',
      );
      assert.deepEqual(
        (await states()).map(({ state }) => state),
        ['dropped', 'sent'],
      );
    });
  });
}

test('without an SMTP server the response says so, and contains the link', async () => {
  const paylink = await startPaylink('server');
  try {
    const owner = await logIn(paylink);
    const { body } = await call(paylink, owner, ['POST', '/v1/members'], {
      ...{ email: 'grace@example.com', roles: ['viewer'] },
    });
    assert.equal(body.isMailed, false);
    assert.match(String(body.url), /\/dashboard\/invitation#invite_/);
  } finally {
    await paylink.stop();
  }
});

test('a company that sends too many invitations gets 429', async () => {
  const paylink = await startPaylink('server');
  try {
    const owner = await logIn(paylink);
    let calls = 0;
    const invite = async (each: number) => {
      calls += 1;
      const body = { email: `person-${each}@example.com`, roles: ['viewer'] };
      return await call(paylink, owner, ['POST', '/v1/members'], body);
    };
    const answers = await Promise.all(
      Array.from({ length: 105 }, async (_, each) => await repeatRefused(async () => await invite(each))),
    );
    // The quota refills every 36 s, so a slow machine may see one or two more. A call that waited too long for the
    // database may have used it, too.
    const refused = answers.filter(({ status }) => status === 429).length;
    assert.ok(refused >= 1 && refused <= calls - 100, `${refused} of ${calls}`);
  } finally {
    await paylink.stop();
  }
});
