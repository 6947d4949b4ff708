// The email about a disabled webhook endpoint: its recipient, its content, and what it must not contain.

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
/** Some receivers authenticate the sender by a password in the query. */
const withToken = (name: string) => `${name}?token=hunter2`;
const customer = 'ada.lovelace@example.com';

for (const engine of engines)
  describe(`emails about endpoints on the ${engine} database`, () => {
    const clock = manualClock();
    let box: TestSmtpServer;
    let receiver: Receiver;
    let paylink: Paylink;
    before(async () => {
      [box, receiver] = await Promise.all([openSmtpServer(), startReceiver()]);
      paylink = await startPaylink(engine, {
        clock,
        settings: { ...loopbackSettings, SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' },
        // Only the signal of a commit starts the outbox, no poll.
        workTimings: { pollMs: 60 * 60 * 1000 },
      });
    });
    after(async () => {
      await paylink.stop();
      await Promise.all([receiver.close(), box.stop()]);
    });
    const sweep = async () => await paylink.app.work.sweep('webhooks');

    /** A company with an endpoint that behaves like this, and a payment whose event was sent to it. */
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

    /** Asserts that an email contains no customer, order or amount, and no part of the query. */
    function assertDiscreet({ raw, email }: ReceivedEmail, order: string): void {
      for (const form of [raw, email.html ?? '', email.text ?? '', email.subject ?? ''])
        for (const secret of [customer, 'Lovelace', order, '19.99', '19,99', 'hunter2', 'whsec_'])
          assert.ok(!form.includes(secret), `${secret} is in the email`);
    }

    test('an endpoint that responds with 410 causes an email to the notice address, even if notices are off', async () => {
      const noticeAddress = `notices-${engine}@shop.example`;
      const company = { country: 'GB', mail: { notices: false, noticeAddress } };
      const { hook, order } = await openShop(company, 'gone', { status: 410 });
      const [mail, ...more] = await box.waitFor(noticeAddress);
      assert.ok(mail && more.length === 0);
      const { host, origin, pathname } = new URL(receiver.at('gone'));
      assert.equal(mail.email.subject, `[TEST] Webhook endpoint disabled: ${host}`);
      assert.equal(mail.email.from?.name, 'Paylink');
      assert.deepEqual([mail.email.replyTo ?? [], mail.email.attachments], [[], []]);
      assert.match(mail.email.messageId ?? '', /^<mail_[0-9a-z]+_endpoint@127\.0\.0\.1>$/);
      const since = formatTimestamp(clock.now(), 'en');
      for (const form of [plain(mail.email.text), plain(mail.email.html?.replaceAll(/<[^>]+>/g, ' '))])
        for (const part of [
          `${origin}${pathname}?…`,
          hook.id,
          'responded with 410 Gone',
          since,
          'PATCH /v1/webhook-endpoints/',
        ])
          assert.ok(form.includes(part), `${part} is missing: ${form}`);
      assertDiscreet(mail, order);
    });

    test('an endpoint that failed for days causes an email to the owner, in the language of the country', async () => {
      const began = clock.now();
      const { merchant, hook, order } = await openShop({ country: 'AT' }, 'failing', { status: 500 });
      assert.deepEqual(box.mailsTo(merchant.email), [], 'one failure causes no email');
      clock.advanceMs(5 * dayMs);
      await sweep();
      const [mail, ...more] = await box.waitFor(merchant.email);
      assert.ok(mail && more.length === 0);
      assert.match(
        mail.email.subject ?? '',
        /^\[TESTMODUS\] Webhook-Endpunkt deaktiviert: 127\.0\.0\.1:\d+$/,
      );
      const text = plain(mail.email.text);
      assert.ok(text.includes(`Fehlerhaft seit: ${formatTimestamp(began, 'de')}`), text);
      assert.ok(text.includes(`Deaktiviert am: ${formatTimestamp(clock.now(), 'de')}`), text);
      assert.ok(text.includes('Seit mehreren Tagen') && text.includes(hook.id), text);
      assertDiscreet(mail, order);
    });

    test('disabling an endpoint through the API causes no email', async () => {
      const { merchant, hook } = await openShop({}, 'well', { status: 200 });
      const owner = await logIn(paylink, merchant);
      await call(paylink, owner, ['PATCH', `${endpointsPath}/${hook.id}`], { status: 'disabled' });
      await call(paylink, owner, ['DELETE', `${endpointsPath}/${hook.id}`]);
      const rows = await paylink.app.deps.db.asOwner.query('select kind from mails where company_id = $1', [
        merchant.companyId,
      ]);
      assert.deepEqual(rows, []);
    });

    test('a refused email about an endpoint is recorded in the audit log, and causes no public event', async () => {
      const noticeAddress = `refused-${engine}@shop.example`;
      box.answers.recipient = (address) => (address === noticeAddress ? { code: 550, text: 'no' } : 'take');
      const { merchant } = await openShop({ mail: { noticeAddress } }, 'refused', { status: 410 });
      const failures = async () =>
        await paylink.app.deps.db.asOwner.query<Json>(
          `select payment_id, is_public, data from events where company_id = $1 and type = 'mail.failed'`,
          [merchant.companyId],
        );
      await until(async () => (await failures()).length === 1, 'the email to fail');
      assert.deepEqual(await failures(), [
        { payment_id: null, is_public: false, data: { kind: 'endpoint' } },
      ]);
    });
  });
