// The mail about a webhook endpoint that was switched off: who gets it, what it says, and what it never says.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatTimestamp } from '../src/base/format-timestamp.ts';
import { call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer, type ReceivedEmail, type TestSmtpServer } from './harness/smtp-server.ts';
import {
  createTestEndpoint,
  endpointsPath,
  loopbackSettings,
  type TestEndpoint,
} from './harness/webhook-endpoints.ts';
import { type Behaviour, type Receiver, startReceiver } from './receiver/receiver.ts';

const dayMs = 24 * 60 * 60 * 1000;
const plain = (text: string | undefined) => (text ?? '').replace(/\s+/gu, ' ');
/** Some receivers know the sender by a password in the query. */
const withToken = (name: string) => `${name}?token=hunter2`;
const customer = 'ada.lovelace@example.com';

for (const engine of engines)
  describe(`mails about endpoints on the ${engine} database`, () => {
    const clock = manualClock(new Date());
    let box: TestSmtpServer;
    let receiver: Receiver;
    let paylink: Paylink;
    before(async () => {
      [box, receiver] = await Promise.all([openSmtpServer(), startReceiver()]);
      paylink = await startPaylink(engine, {
        clock,
        settings: { ...loopbackSettings, SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' },
        // Nothing but the signal of a commit makes the outbox look.
        emailPollIntervalMs: 60 * 60 * 1000,
      });
    });
    after(async () => {
      await paylink.stop();
      await Promise.all([receiver.close(), box.stop()]);
    });
    const sweep = async () => await paylink.app.deps.webhooks.sweep();

    /** A company whose endpoint behaves like this, and a payment that it is told of. */
    async function openShop(
      company: Json,
      name: string,
      behaviour: Behaviour,
    ): Promise<{ merchant: Merchant; hook: TestEndpoint; order: string }> {
      const merchant = await paylink.createMerchant();
      const owner = await logIn(paylink, merchant);
      const { status } = await call(paylink, owner, ['PATCH', '/v1/company'], company);
      assert.equal(status, 200);
      const url = receiver.at(withToken(name), behaviour);
      const hook = await createTestEndpoint(paylink, owner, { url, events: ['payment.created'] });
      const order = `order-of-${name}`;
      await createLinkAs(paylink, owner, { email: customer, customerOrderId: order });
      await receiver.waitFor(withToken(name), 1);
      await sweep();
      return { merchant, hook, order };
    }

    /** No customer, order or amount, and nothing of the query, in which a password may be. */
    function assertDiscreet({ raw, email }: ReceivedEmail, order: string): void {
      for (const form of [raw, email.html ?? '', email.text ?? '', email.subject ?? ''])
        for (const secret of [customer, 'Lovelace', order, '19.99', '19,99', 'hunter2', 'whsec_'])
          assert.ok(!form.includes(secret), `${secret} is in the mail`);
    }

    test('an endpoint that is gone: the notice address is told which, why, since when and what to do, wanted or not', async () => {
      const noticeAddress = `notices-${engine}@shop.example`;
      const company = { country: 'GB', mail: { notices: false, noticeAddress } };
      const { hook, order } = await openShop(company, 'gone', { status: 410 });
      const [mail, ...more] = await box.waitFor(noticeAddress);
      assert.ok(mail && more.length === 0);
      const { host, origin, pathname } = new URL(receiver.at('gone'));
      assert.equal(mail.email.subject, `[TEST] Webhooks to ${host} are switched off`);
      assert.equal(mail.email.from?.name, 'Paylink');
      assert.deepEqual([mail.email.replyTo ?? [], mail.email.attachments], [[], []]);
      assert.match(mail.email.messageId ?? '', /^<mail_[0-9a-z]+_endpoint@127\.0\.0\.1>$/);
      const since = formatTimestamp(clock.now(), 'en');
      for (const form of [plain(mail.email.text), plain(mail.email.html?.replaceAll(/<[^>]+>/g, ' '))])
        for (const part of [
          `${origin}${pathname}?…`,
          hook.id,
          'answered 410 Gone',
          since,
          'PATCH /v1/webhook-endpoints/',
        ])
          assert.ok(form.includes(part), `${part} is missing: ${form}`);
      assertDiscreet(mail, order);
    });

    test('an endpoint that failed for days: the owner is told since when, in the language of the country', async () => {
      const began = clock.now();
      const { merchant, hook, order } = await openShop({ country: 'AT' }, 'failing', { status: 500 });
      assert.deepEqual(box.mailsTo(merchant.email), [], 'one failure is no reason');
      clock.advanceMs(5 * dayMs);
      await sweep();
      const [mail, ...more] = await box.waitFor(merchant.email);
      assert.ok(mail && more.length === 0);
      assert.match(
        mail.email.subject ?? '',
        /^\[TESTBETRIEB\] Webhooks an 127\.0\.0\.1:\d+ sind abgeschaltet$/,
      );
      const text = plain(mail.email.text);
      assert.ok(text.includes(`Gestört seit: ${formatTimestamp(began, 'de')}`), text);
      assert.ok(text.includes(`Abgeschaltet am: ${formatTimestamp(clock.now(), 'de')}`), text);
      assert.ok(text.includes('Seit Tagen ist kein Webhook') && text.includes(hook.id), text);
      assertDiscreet(mail, order);
    });

    test('who switches an endpoint off is not told of it by mail', async () => {
      const { merchant, hook } = await openShop({}, 'well', { status: 200 });
      const owner = await logIn(paylink, merchant);
      await call(paylink, owner, ['PATCH', `${endpointsPath}/${hook.id}`], { status: 'disabled' });
      await call(paylink, owner, ['DELETE', `${endpointsPath}/${hook.id}`]);
      const rows = await paylink.app.deps.db.asOwner.query('select kind from mails where company_id = $1', [
        merchant.companyId,
      ]);
      assert.deepEqual(rows, []);
    });

    test('such a mail that is refused is in the audit trail, and no event of a payment is told to anybody', async () => {
      const noticeAddress = `refused-${engine}@shop.example`;
      box.answers.recipient = (address) => (address === noticeAddress ? { code: 550, text: 'no' } : 'take');
      const { merchant } = await openShop({ mail: { noticeAddress } }, 'refused', { status: 410 });
      const failures = async () =>
        await paylink.app.deps.db.asOwner.query<Json>(
          `select payment_id, is_public, data from events where company_id = $1 and type = 'mail.failed'`,
          [merchant.companyId],
        );
      await until(async () => (await failures()).length === 1, 'the mail to fail');
      assert.deepEqual(await failures(), [
        { payment_id: null, is_public: false, data: { kind: 'endpoint' } },
      ]);
    });
  });
