// The mails that people get, caught by an SMTP server and read as a mail program reads them: whom they go to,
// what they say in both languages, what hangs on them, and that nothing in them is more than text.

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
  readAttachedPdf,
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

/** Waits until a company's mails stand so, by kind and state. */
async function untilStates(paylink: Paylink, companyId: string, ...expected: string[]): Promise<void> {
  const isSo = async () => (await statesOf(paylink, companyId)).join() === expected.join();
  await until(isSo, expected.join(' and '));
}

/** What goes for every mail: no header is there twice, nothing is loaded from anywhere, both forms say the same. */
function assertGoodManners({ email, raw, sender }: ReceivedEmail): void {
  assert.equal(sender, mailFrom);
  assert.equal(headerOf({ email }, 'auto-submitted'), 'auto-generated');
  for (const name of ['from', 'to', 'subject', 'message-id', 'date', 'mime-version'])
    headerOf({ email }, name);
  assert.match(email.messageId ?? '', /^<mail_[0-9a-z]+_[a-z]+@127\.0\.0\.1>$/);
  for (const line of raw.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 998, 'a line is too long');
  const html = email.html ?? '';
  assert.doesNotMatch(
    html,
    /<(img|script|link|style|iframe|object|form|video|audio)\b|url\(|@import|\son\w+=/i,
  );
  for (const [, address = ''] of html.matchAll(/\b(?:href|src)="([^"]*)"/g))
    assert.match(
      address,
      /^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9A-Za-z]+$/,
      'a mail leads to the link and nowhere else',
    );
  assert.ok((email.text ?? '').length > 100, 'there is a text form');
}

for (const engine of engines)
  describe(`mails on the ${engine} database`, () => {
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

    test('a payment sends a receipt with a PDF to the customer and a notice to the owner', async () => {
      const { merchant, owner } = await openShopOf(paylink, { mail: { replyTo: 'help@shop.example' } });
      const email = newAddress();
      const order = { email, locale: 'en', description: 'Two books', lastName: 'Łukasiewicz 王' };
      const { link, code } = await createLinkAs(paylink, owner, order);
      await payWith(link, good);
      const [receipt, ...more] = await box.waitFor(email);
      assert.ok(receipt && more.length === 0);
      assertGoodManners(receipt);
      assert.equal(receipt.email.subject, '[TEST] Receipt: €19.99 to Café Zürich');
      assert.deepEqual(receipt.email.from, { name: 'Café Zürich', address: mailFrom });
      assert.equal(receipt.email.replyTo?.[0]?.address, 'help@shop.example');
      for (const form of [plain(receipt.email.text), plain(receipt.email.html)]) {
        assert.match(form, /Café Zürich.* has received your payment of €19\.99/);
        assert.match(form, /Visa ending in 4242/);
        assert.match(form, /Test mode: no real money moves\./);
      }
      const pdf = await readAttachedPdf(receipt);
      for (const part of ['Receipt', 'Café Zürich', '€19.99', 'Two books', 'Ada Łukasiewicz 王'])
        assert.ok(pdf.includes(part), `${part} is missing: ${pdf}`);
      assert.ok(pdf.includes(code) && pdf.includes('Visa ending in 4242') && pdf.includes('TEST'));
      const [notice] = await box.waitFor(merchant.email);
      assert.ok(notice);
      assertGoodManners(notice);
      assert.match(notice.email.subject ?? '', /^\[TEST\] Paid: €19\.99, order [0-9a-f-]{36}$/);
      assert.equal(notice.email.from?.name, 'Paylink');
      assert.equal(notice.email.replyTo?.[0]?.address, email);
      assert.deepEqual(notice.email.attachments, []);
      await untilStates(paylink, merchant.companyId, 'notice sent', 'receipt sent');
    });

    test('a refund sends a receipt of what was given back, in German to who pays in German', async () => {
      const { owner } = await openShopOf(paylink);
      const email = newAddress();
      const { link, code } = await createLinkAs(paylink, owner, { email, locale: 'de-AT' });
      await payWith(link, good);
      assert.equal((await refund(paylink, owner, code, { amount: 5 })).status, 200);
      const mails = await box.waitFor(email, 2);
      const byStart = (start: string) =>
        mails.find((mail) => mail.email.subject?.startsWith(`[TESTBETRIEB] ${start}`)) ?? assert.fail(start);
      const receipt = byStart('Beleg: 19,99');
      assertGoodManners(receipt);
      assert.equal(headerOf(receipt, 'content-language'), 'de');
      assert.match(plain(receipt.email.text), /Café Zürich hat Ihre Zahlung von 19,99 € erhalten\./);
      assert.match(await readAttachedPdf(receipt), /Beleg .*19,99 € .*Visa mit den Endziffern 4242/);
      const back = byStart('Erstattung: 5,00');
      assertGoodManners(back);
      assert.match(plain(back.email.html), /<html lang="de">.* hat 5,00 € auf die Karte erstattet/);
      const pdf = await readAttachedPdf(back);
      assert.match(pdf, /Beleg über eine Erstattung Café Zürich 5,00 €/);
      assert.match(pdf, /Bezahlt 19,99 €/);
    });

    test('the link is sent when it is asked for, once for each Idempotency-Key, and says so in the history', async () => {
      const { merchant, owner } = await openShopOf(paylink);
      const email = newAddress();
      const { link, code } = await createLinkAs(paylink, owner, { email, locale: 'en' });
      const headers = { ...credentialHeaders(owner), 'idempotency-key': randomUUID() };
      const url = `${paylink.baseUrl}/v1/payments/${code}/send`;
      const again = async () => await readAnswer(await fetch(url, { method: 'POST', headers }));
      const first = await again();
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.deepEqual([first.body.PaymentLinkCode, first.body.status], [code, 'open']);
      assert.equal((await again()).headers.get('idempotent-replayed'), 'true');
      const [mail] = await box.waitFor(email);
      assert.ok(mail);
      assertGoodManners(mail);
      assert.equal(mail.email.subject, '[TEST] Café Zürich: please pay €19.99');
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

describe('mails', () => {
  const clock = manualClock(new Date());
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

  test('a company that wants no mail causes none, and the notice goes where the company says', async () => {
    const silent = await openShopOf(paylink, { mail: { receipts: false, notices: false } });
    const { link, code } = await createLinkAs(paylink, silent.owner);
    await payWith(link, good);
    await refund(paylink, silent.owner, code);
    assert.deepEqual(await statesOf(paylink, silent.merchant.companyId), []);
    const noticeAddress = newAddress();
    const told = await openShopOf(paylink, { mail: { receipts: false, noticeAddress } });
    await payWith((await createLinkAs(paylink, told.owner)).link, good);
    await box.waitFor(noticeAddress);
    await untilStates(paylink, told.merchant.companyId, 'notice sent');
  });

  test('a link is sent three times an hour and no more, of an open payment of one’s own only', async () => {
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

  test('a link that was paid before its mail left is not asked for again', async () => {
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
    }, 'the first try to fail');
    box.answers.recipient = () => 'take';
    await payWith(link, good);
    clock.advanceMs(5 * 60_000);
    await untilStates(paylink, merchant.companyId, 'link dropped');
    assert.deepEqual(box.mailsTo(email), []);
  });

  test('an unpaid link is brought to mind once, only for who wants it, only shortly before its end', async () => {
    const wanting = await openShopOf(paylink, { mail: { reminderHours: 24 } });
    const other = await openShopOf(paylink);
    const [email, otherEmail, shortEmail, paidEmail] = [0, 1, 2, 3].map(newAddress) as [
      string,
      string,
      string,
      string,
    ];
    const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();
    const expiresAt = inDays(3);
    await createLinkAs(paylink, wanting.owner, { email, expiresAt, locale: 'en' });
    await createLinkAs(paylink, other.owner, { email: otherEmail, expiresAt });
    const paid = await createLinkAs(paylink, wanting.owner, { email: paidEmail, expiresAt });
    await createLinkAs(paylink, wanting.owner, { email: shortEmail, expiresAt: inDays(1) });
    await payWith(paid.link, good);
    assert.equal(
      await remindPayments(paylink.app.deps),
      0,
      'it is too early, or was made for too short a time',
    );
    clock.advanceMs(2 * dayMs + 60_000);
    assert.equal(await remindPayments(paylink.app.deps), 1);
    assert.equal(await remindPayments(paylink.app.deps), 0, 'once is enough');
    const [reminder] = await box.waitFor(email);
    assert.ok(reminder);
    assertGoodManners(reminder);
    assert.equal(reminder.email.subject, '[TEST] Café Zürich: €19.99 is still to be paid');
    assert.match(plain(reminder.email.text), /The link to pay €19\.99 to Café Zürich ends on .* UTC\./);
    assert.deepEqual([...box.mailsTo(otherEmail), ...box.mailsTo(shortEmail)], []);
    const [receipt, ...more] = await box.waitFor(paidEmail);
    assert.deepEqual([receipt?.email.attachments.length, more], [1, []], 'the receipt alone');
  });

  test('money that nobody owed: the customer is told that it went back', async () => {
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
    assertGoodManners(mail);
    assert.equal(mail.email.subject, '[TEST] Café Zürich: €7.00 was sent back to you');
    assert.match(plain(mail.email.text), /charged €7\.00 that Café Zürich did not ask for/);
    assert.deepEqual(mail.email.attachments, []);
  });

  test('whatever is in a name is text: markup, line breaks, switches of direction, emoji, a second header', async () => {
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
      assertGoodManners(mail);
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
    const pdf = await readAttachedPdf(
      box.mailsTo(email).find((mail) => mail.email.attachments.length > 0) ?? assert.fail(),
    );
    for (const part of ['<script>alert(1)</script>', '😀']) assert.ok(pdf.includes(part), pdf);
  });

  test('an address that could be read as two is not written to, and the merchant is told', async () => {
    const { merchant, owner } = await openShopOf(paylink);
    const email = `a,b;<${randomBase32(6)}>@example.com`;
    const { link, code } = await createLinkAs(paylink, owner, { email });
    await payWith(link, good);
    await untilStates(paylink, merchant.companyId, 'notice sent', 'receipt failed');
    const told = async () => {
      const { body } = await call(paylink, owner, ['GET', '/v1/events']);
      return (body.data as Json[]).filter(({ type }) => type === 'mail.failed');
    };
    // The feed holds back what a transaction of another test could still precede.
    await until(async () => (await told()).length > 0, 'the feed to tell it');
    assert.deepEqual(
      (await told()).map(({ data, PaymentLinkCode }) => [data, PaymentLinkCode]),
      [[{ kind: 'receipt' }, code]],
    );
    assert.ok(!box.caught.some(({ recipients }) => recipients.some((one) => one.includes('example.com>'))));
  });
});

test('without an SMTP server mails are files that their owner alone may read, and the log says so', async () => {
  const paylink = await startPaylink('server');
  try {
    const { owner } = await openShopOf(paylink, { mail: { notices: false } });
    const { link } = await createLinkAs(paylink, owner, { locale: 'en' });
    await payWith(link, good);
    const folder = join(paylink.app.deps.config.dataDir, 'mails');
    await until(() => readdirSync(folder).some((name) => name.endsWith('.eml')), 'a mail in the folder');
    const [name = ''] = readdirSync(folder);
    assert.match(name, /^mail_[0-9a-z]+_receipt\.eml$/);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    const email = await PostalMime.parse(readFileSync(join(folder, name)));
    assert.equal(email.subject, '[TEST] Receipt: €19.99 to Café Zürich');
    assert.match(await readAttachedPdf({ email }), /€19\.99/);
    assert.match(paylink.log(), /SMTP_URL is not set: mails are not sent, but written to [^"]*mails/);
  } finally {
    await paylink.stop();
  }
});
