// Emails as an SMTP server receives them: recipients, languages, attachments, and escaping.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { randomBase32 } from '../src/base/ids.ts';
import { remindPayments } from '../src/links/remind-payments.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  readAnswer,
} from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import {
  headerOf,
  openSmtpServer,
  type ReceivedEmail,
  readPdf,
  type TestSmtpServer,
} from './harness/smtp-server.ts';
import { payWith } from './harness/visitor.ts';

const mailFrom = 'no-reply@pay.example';
const good = { number: '4242424242424242' };
const newAddress = () => `customer-${randomBase32(8)}@example.com`;
const plain = (text: string | undefined) => (text ?? '').replace(/\s+/gu, ' ');

type Shop = { merchant: Merchant; owner: Credentials };

async function openShopOf(paylink: Paylink, options: { name?: string; mail?: Json } = {}): Promise<Shop> {
  const merchant = await paylink.createMerchant(options.name ? { name: options.name } : {});
  const owner = await logIn(paylink, merchant);
  if (options.mail) {
    const answer = await call(paylink, owner, ['PATCH', '/v1/company'], { mail: options.mail });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  return { merchant, owner };
}

const send = async (paylink: Paylink, owner: Credentials, code: string): Promise<Answer> =>
  await call(paylink, owner, ['POST', `/v1/payments/${code}/send`]);
const refund = async (paylink: Paylink, owner: Credentials, code: string, body: Json = {}) =>
  await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], body);

async function statesOf(paylink: Paylink, companyId: string): Promise<string[]> {
  const rows = await paylink.app.deps.db.asOwner.query<{ line: string }>(
    `select kind || ' ' || state as line from mails where company_id = $1 order by kind`,
    [companyId],
  );
  return rows.map(({ line }) => line);
}

/** Waits until a company has these emails, as `kind state`. */
async function untilStates(paylink: Paylink, companyId: string, ...expected: string[]): Promise<void> {
  const hasStates = async () => (await statesOf(paylink, companyId)).join() === expected.join();
  await until(hasStates, expected.join(' and '));
}

/** Checks the rules for every email: no header occurs twice, nothing but a logo is loaded, and there is a text form. */
function assertWellFormed({ email, raw, sender }: ReceivedEmail): void {
  assert.equal(sender, mailFrom);
  assert.equal(headerOf({ email }, 'auto-submitted'), 'auto-generated');
  for (const name of ['from', 'to', 'subject', 'message-id', 'date', 'mime-version'])
    headerOf({ email }, name);
  assert.match(email.messageId ?? '', /^<mail_[0-9a-z]+_[a-z]+@127\.0\.0\.1>$/);
  for (const line of raw.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 998, 'a line is too long');
  const html = email.html ?? '';
  assert.doesNotMatch(html, /<(script|link|iframe|object|form|video|audio)\b|url\(|@import|\son\w+=/i);
  for (const [, address = ''] of html.matchAll(/\bsrc="([^"]*)"/g))
    assert.match(
      address,
      /^http:\/\/127\.0\.0\.1:\d+\/assets\/logos\/co_[0-9a-z]{8}\/[0-9a-f]{16}\.png$/,
      'an email loads no other file',
    );
  for (const [, address = ''] of html.matchAll(/\bhref="(?!mailto:|tel:)([^"]*)"/g))
    assert.match(
      address,
      /^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9A-Za-z]+(\/receipt(\.pdf)?)?$/,
      'an email contains no other link',
    );
  assert.ok((email.text ?? '').length > 100, 'there is a text form');
}

/** Checks that both forms of an email have the links of the receipt. */
function assertLinksToReceipt({ email }: ReceivedEmail, link: string): void {
  for (const url of [`${link}/receipt`, `${link}/receipt.pdf`]) {
    assert.ok(email.text?.split('\n').includes(url), url);
    assert.ok(email.html?.includes(`href="${url}"`), url);
  }
}

for (const engine of engines)
  describe(`emails on the ${engine} database`, () => {
    let box: TestSmtpServer;
    let paylink: Paylink;
    before(async () => {
      box = await openSmtpServer();
      paylink = await startPaylink(engine, { settings: { SMTP_URL: box.url, MAIL_FROM: mailFrom } });
    });
    after(async () => {
      await paylink.stop();
      await box.stop();
    });

    test('a payment sends a receipt with links to its page and PDF to the customer, and a notice to the owner', async () => {
      const { merchant, owner } = await openShopOf(paylink, { mail: { replyTo: 'help@shop.example' } });
      const email = newAddress();
      const order = { email, locale: 'en', description: 'Two books', lastName: 'Łukasiewicz 王' };
      const { link } = await createLinkAs(paylink, owner, order);
      await payWith(link, good);
      const [receipt, ...more] = await box.waitFor(email);
      assert.ok(receipt && more.length === 0);
      assertWellFormed(receipt);
      assert.equal(receipt.email.subject, '[TEST] Receipt: €19.99 to Café Zürich');
      assert.deepEqual(receipt.email.from, { name: 'Café Zürich', address: mailFrom });
      assert.equal(receipt.email.replyTo?.[0]?.address, 'help@shop.example');
      for (const form of [plain(receipt.email.text), plain(receipt.email.html)]) {
        assert.match(form, /Café Zürich.* has received your payment of €19\.99/);
        assert.match(form, /Visa ending in 4242/);
        assert.match(form, /Test mode: no real money moves\./);
      }
      assert.deepEqual(receipt.email.attachments, []);
      assertLinksToReceipt(receipt, link);
      const [notice] = await box.waitFor(merchant.email);
      assert.ok(notice);
      assertWellFormed(notice);
      assert.match(notice.email.subject ?? '', /^\[TEST\] Payment received: €19\.99, order [0-9a-f-]{36}$/);
      assert.equal(notice.email.from?.name, 'Paylink');
      assert.equal(notice.email.replyTo?.[0]?.address, email);
      assert.deepEqual(notice.email.attachments, []);
      await untilStates(paylink, merchant.companyId, 'notice sent', 'receipt sent');
    });

    test('a refund sends an email with links to the receipt, in German for a payment in German', async () => {
      const { owner } = await openShopOf(paylink);
      const email = newAddress();
      const { link, code } = await createLinkAs(paylink, owner, { email, locale: 'de-AT' });
      await payWith(link, good);
      assert.equal((await refund(paylink, owner, code, { amount: 5 })).status, 200);
      const mails = await box.waitFor(email, 2);
      const byStart = (start: string) =>
        mails.find((mail) => mail.email.subject?.startsWith(`[TESTMODUS] ${start}`)) ?? assert.fail(start);
      const receipt = byStart('Beleg: 19,99');
      assertWellFormed(receipt);
      assert.equal(headerOf(receipt, 'content-language'), 'de');
      assert.match(plain(receipt.email.text), /Café Zürich hat Ihre Zahlung von 19,99 € erhalten\./);
      assert.match(plain(receipt.email.text), /Visa mit den Endziffern 4242/);
      assertLinksToReceipt(receipt, link);
      const back = byStart('Erstattung: 5,00');
      assertWellFormed(back);
      assert.match(plain(back.email.html), /<html lang="de" dir="ltr">.* hat 5,00 € auf die Karte erstattet/);
      assert.match(plain(back.email.text), /Bezahlt: 19,99 €/);
      assert.deepEqual(back.email.attachments, []);
      assertLinksToReceipt(back, link);
    });

    test('the link is sent on request, once for each Idempotency-Key, and recorded in the history', async () => {
      const { merchant, owner } = await openShopOf(paylink);
      const email = newAddress();
      const { link, code } = await createLinkAs(paylink, owner, { email, locale: 'en' });
      const headers = { ...credentialHeaders(owner), 'idempotency-key': randomUUID() };
      const url = `${paylink.baseUrl}/v1/payments/${code}/send`;
      const sendOnce = async () => await readAnswer(await fetch(url, { method: 'POST', headers }));
      const first = await sendOnce();
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.deepEqual([first.body.PaymentLinkCode, first.body.status], [code, 'open']);
      assert.equal((await sendOnce()).headers.get('idempotent-replayed'), 'true');
      const [mail] = await box.waitFor(email);
      assert.ok(mail);
      assertWellFormed(mail);
      assert.equal(mail.email.subject, '[TEST] Payment request: €19.99 to Café Zürich');
      assert.ok(mail.email.text?.includes(link) && mail.email.html?.includes(`href="${link}"`));
      await untilStates(paylink, merchant.companyId, 'link sent');
      const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}/events`]);
      const noted = (body.data as Json[]).filter(({ type }) => type === 'payment.link_sent');
      assert.deepEqual(
        noted.map(({ actor }) => actor),
        [`account:${merchant.accountId}`],
      );
    });
  });

describe('emails', () => {
  const clock = manualClock();
  const dayMs = 24 * 60 * 60 * 1000;
  let box: TestSmtpServer;
  let paylink: Paylink;
  before(async () => {
    box = await openSmtpServer();
    paylink = await startPaylink('server', { clock, settings: { SMTP_URL: box.url, MAIL_FROM: mailFrom } });
  });
  after(async () => {
    await paylink.stop();
    await box.stop();
  });

  test('a company can turn emails off, and choose the address for notices', async () => {
    const silent = await openShopOf(paylink, { mail: { receipts: false, notices: false } });
    const { link, code } = await createLinkAs(paylink, silent.owner);
    await payWith(link, good);
    await refund(paylink, silent.owner, code);
    assert.deepEqual(await statesOf(paylink, silent.merchant.companyId), []);
    const noticeAddress = newAddress();
    const notified = await openShopOf(paylink, { mail: { receipts: false, noticeAddress } });
    await payWith((await createLinkAs(paylink, notified.owner)).link, good);
    await box.waitFor(noticeAddress);
    await untilStates(paylink, notified.merchant.companyId, 'notice sent');
  });

  test('a link is sent at most three times an hour, and only for an open payment of the same company', async () => {
    const { owner } = await openShopOf(paylink);
    const email = newAddress();
    const { link, code } = await createLinkAs(paylink, owner, { email });
    for (let time = 0; time < 3; time++) assert.equal((await send(paylink, owner, code)).status, 200);
    const refused = await send(paylink, owner, code);
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await box.waitFor(email, 3)).length, 3);
    const stranger = await openShopOf(paylink);
    assert.equal((await send(paylink, stranger.owner, code)).status, 404);
    const { link: paidLink, code: paidCode } = await createLinkAs(paylink, owner);
    await payWith(paidLink, good);
    const late = await send(paylink, owner, paidCode);
    assert.deepEqual([late.status, late.body.code], [409, 'payment_ended']);
    assert.match(String(late.body.detail), /paid/);
    await payWith(link, good);
  });

  test('a link that is paid before its email is sent causes no email', async () => {
    const { merchant, owner } = await openShopOf(paylink, { mail: { receipts: false, notices: false } });
    const email = newAddress();
    const { link, code } = await createLinkAs(paylink, owner, { email });
    box.answers.recipient = (address) => (address === email ? { code: 451, text: 'later' } : 'take');
    await send(paylink, owner, code);
    await until(async () => {
      const rows = await paylink.app.deps.db.asOwner.query(
        'select mail_id from mails where company_id = $1 and last_error is not null',
        [merchant.companyId],
      );
      return rows.length === 1;
    }, 'the first attempt to fail');
    box.answers.recipient = () => 'take';
    await payWith(link, good);
    clock.advanceMs(5 * 60_000);
    await untilStates(paylink, merchant.companyId, 'link dropped');
    assert.deepEqual(box.mailsTo(email), []);
  });

  test('an unpaid link gets one reminder, only if the company wants it, and only shortly before it expires', async () => {
    const wanting = await openShopOf(paylink, { mail: { reminderHours: 24 } });
    const other = await openShopOf(paylink);
    const emails = [0, 1, 2, 3].map(newAddress) as [string, string, string, string];
    const [email, otherEmail, shortEmail, paidEmail] = emails;
    const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();
    const expiresAt = inDays(3);
    await createLinkAs(paylink, wanting.owner, { email, expiresAt, locale: 'en' });
    await createLinkAs(paylink, other.owner, { email: otherEmail, expiresAt });
    const paid = await createLinkAs(paylink, wanting.owner, { email: paidEmail, expiresAt });
    await createLinkAs(paylink, wanting.owner, { email: shortEmail, expiresAt: inDays(1) });
    await payWith(paid.link, good);
    const remind = async () => {
      // The service may do so at the same time, so its count does not tell.
      await remindPayments(paylink.app.deps);
      const text = `select recipient from mails where kind = 'reminder' and recipient = any($1)`;
      return await paylink.app.deps.db.asOwner.query(text, [emails]);
    };
    assert.deepEqual(await remind(), [], 'too early, or the lifetime of the link is too short');
    clock.advanceMs(2 * dayMs + 60_000);
    assert.deepEqual(await remind(), [{ recipient: email }]);
    assert.deepEqual(await remind(), [{ recipient: email }], 'no second reminder');
    const [reminder] = await box.waitFor(email);
    assert.ok(reminder);
    assertWellFormed(reminder);
    assert.equal(reminder.email.subject, '[TEST] Reminder: pay €19.99 to Café Zürich');
    assert.match(plain(reminder.email.text), /Your link to pay €19\.99 to Café Zürich expires on .* UTC\./);
    assert.deepEqual([...box.mailsTo(otherEmail), ...box.mailsTo(shortEmail)], []);
    const [receipt, ...more] = await box.waitFor(paidEmail);
    assert.match(receipt?.email.subject ?? '', /Receipt/);
    assert.deepEqual(more, [], 'only the receipt');
  });

  test('the customer is notified of a refunded overpayment', async () => {
    const { merchant, owner } = await openShopOf(paylink, { mail: { notices: false } });
    const email = newAddress();
    const { code } = await createLinkAs(paylink, owner, { email, locale: 'en' });
    const { db } = paylink.app.deps;
    await db.inTenant({ companyId: merchant.companyId, mode: 'test' }, async (tx) => {
      const ids = [tx.companyId, code];
      await tx.query(
        `insert into attempts (company_id, attempt_id, payment_id, state, processor, amount_minor, currency, card_brand, card_last4, created_at, updated_at)
         select company_id, 'att_late', payment_id, 'declined', 'sandbox', 700, 'EUR', 'visa', '4242', now(), now() from payments
         where company_id = $1 and code = $2`,
        ids,
      );
      await tx.query(
        `insert into refunds (company_id, refund_id, payment_id, attempt_id, kind, state, amount_minor, currency, created_by, created_at, updated_at)
         select company_id, 'ref_late', payment_id, 'att_late', 'surplus', 'succeeded', 700, 'EUR', 'test', now(), now() from payments
         where company_id = $1 and code = $2`,
        ids,
      );
      await tx.query(
        `insert into events (company_id, event_id, type, is_public, payment_id, actor, data, at)
         select company_id, 'evt_late', 'refund.succeeded', true, payment_id, 'test', '{"refundId":"ref_late"}', $3 from payments
         where company_id = $1 and code = $2`,
        [...ids, clock.now()],
      );
    });
    const [mail] = await box.waitFor(email);
    assert.ok(mail);
    assertWellFormed(mail);
    assert.equal(mail.email.subject, '[TEST] Refund: €7.00 from Café Zürich');
    assert.match(plain(mail.email.text), /charged €7\.00 that you did not owe Café Zürich/);
    assert.deepEqual(mail.email.attachments, []);
  });

  test('a name is text only, whatever it contains: markup, quotes, addresses, emoji', async () => {
    const name = 'Ä"\\<b>Shop</b>, <x@evil.example>; 😀';
    const { owner } = await openShopOf(paylink, { name });
    const email = newAddress();
    const description = '</td><script>alert(1)</script> "quoted" & <i>';
    const customerOrderId = `x@y <z> Bcc: evil@evil.example ${randomUUID()}`;
    const { link, code } = await createLinkAs(paylink, owner, {
      email,
      description,
      customerOrderId,
      locale: 'en',
    });
    assert.equal((await send(paylink, owner, code)).status, 200);
    await box.waitFor(email);
    await payWith(link, good);
    for (const mail of await box.waitFor(email, 2)) {
      assertWellFormed(mail);
      assert.deepEqual(mail.recipients, [email]);
      assert.deepEqual(mail.email.from, { name, address: mailFrom });
      assert.equal(mail.email.to?.length, 1);
      assert.ok(mail.email.subject?.includes(name));
      assert.deepEqual([mail.email.bcc ?? [], mail.email.cc ?? []], [[], []]);
      assert.ok(
        mail.email.html?.includes(
          '&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot; &amp; ',
        ),
      );
      assert.ok(mail.email.text?.includes(description));
    }
    const pdf = await readPdf(new Uint8Array(await (await fetch(`${link}/receipt.pdf`)).arrayBuffer()));
    for (const part of ['<script>alert(1)</script>', '😀']) assert.ok(pdf.includes(part), pdf);
  });

  test('nothing is sent to an address that could be read as two, and the merchant is notified', async () => {
    const { merchant, owner } = await openShopOf(paylink);
    const email = `a,b;<${randomBase32(6)}>@example.com`;
    const { link, code } = await createLinkAs(paylink, owner, { email });
    await payWith(link, good);
    await untilStates(paylink, merchant.companyId, 'notice sent', 'receipt failed');
    const failures = async () => {
      const { body } = await call(paylink, owner, ['GET', '/v1/events']);
      return (body.data as Json[]).filter(({ type }) => type === 'mail.failed');
    };
    // The feed delays events that could be preceded by an open transaction.
    await until(async () => (await failures()).length > 0, 'the event in the feed');
    assert.deepEqual(
      (await failures()).map(({ data, PaymentLinkCode }) => [data, PaymentLinkCode]),
      [[{ kind: 'receipt' }, code]],
    );
    assert.ok(!box.caught.some(({ recipients }) => recipients.some((one) => one.includes('example.com>'))));
  });
});

test('without an SMTP server emails are written to files that only their owner may read, and the log says so', async () => {
  const paylink = await startPaylink('server');
  try {
    const { owner } = await openShopOf(paylink, { mail: { notices: false } });
    const { link } = await createLinkAs(paylink, owner, { locale: 'en' });
    await payWith(link, good);
    const folder = join(paylink.app.deps.config.dataDir, 'mails');
    await until(() => readdirSync(folder).some((name) => name.endsWith('.eml')), 'an email in the folder');
    const [name = ''] = readdirSync(folder);
    assert.match(name, /^mail_[0-9a-z]+_receipt\.eml$/);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    const email = await PostalMime.parse(readFileSync(join(folder, name)));
    assert.equal(email.subject, '[TEST] Receipt: €19.99 to Café Zürich');
    assert.ok(email.text?.includes(`${link}/receipt.pdf`));
    assert.match(paylink.log(), /SMTP_URL is not set: emails are not sent but written to [^"]*mails/);
  } finally {
    await paylink.stop();
  }
});
