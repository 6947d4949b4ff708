// The page of a payment that waits for a bank transfer, without a browser, on both databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import jsQr from 'jsqr';
import { randomBase32 } from '../src/base/ids.ts';
import { call, createLinkAs, type Json } from './harness/client.ts';
import {
  account,
  createFakeHostedProcessor,
  createFakeTransferProcessor,
  withSandbox,
} from './harness/fake-processors.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import {
  chooseMethod,
  listAttempts,
  methodsOf,
  openCompany,
  statusOf,
  visibleText,
} from './harness/payment-methods.ts';
import { readPng } from './harness/qr-picture.ts';
import { openSmtpServer, readPdf, type TestSmtpServer } from './harness/smtp-server.ts';
import { type Page, press, visit } from './harness/visitor.ts';

/** As a word: a random code or address may contain its letters. */
const aboutCard = /\bcard(?:s|holder)?\b/i;

for (const engine of engines) {
  describe(`transfers on the ${engine} database`, () => {
    const pond = createFakeHostedProcessor('paypond', 'Paypond');
    const bank = createFakeTransferProcessor();
    let box: TestSmtpServer;
    let paylink: Paylink;
    before(async () => {
      box = await openSmtpServer();
      const settings = { SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' };
      paylink = await startPaylink(engine, { settings, processors: withSandbox([pond.kind, bank.kind]) });
    });
    after(async () => {
      await paylink.stop();
      await box.stop();
    });

    /** A link whose customer chose bank transfer. */
    async function orderTransfer(order: Json = {}) {
      const { owner, ids } = await openCompany(paylink, 'pretend_transfer', 'paypond');
      const made = await createLinkAs(paylink, owner, order);
      const page = await chooseMethod(await visit(made.link), ids[0]!);
      const attemptId = (await listAttempts(paylink, made.code)).at(-1)?.id ?? '';
      return { owner, ids, ...made, page, attemptId };
    }

    const codeOf = (page: Page) => {
      const data = /src="data:image\/png;base64,([^"]+)"/.exec(page.text)?.[1] ?? '';
      const { pixels, side } = readPng(Buffer.from(data, 'base64'));
      const bytes = jsQr.default(pixels, side, side)?.binaryData ?? [];
      return Buffer.from(bytes).toString('utf8').split('\n');
    };

    test('a transfer page shows the bank details as text and as a QR code', async () => {
      const { link, page } = await orderTransfer();
      assert.equal(page.url, `${link}/wait`);
      for (const words of [
        'Please transfer €19.99',
        'We have not received your transfer yet.',
        'Recipient Café Zürich',
        'IBAN DE89 3704 0044 0532 0130 00',
        'BIC COBADEFFXXX',
        'Reference RF18 5390 0754 7034',
        'We’ll email you',
      ])
        assert.ok(visibleText(page).includes(words), `${words} is not in ${visibleText(page)}`);
      assert.ok(page.text.includes('data-copy="DE89370400440532013000"'));
      assert.ok(page.text.includes('data-copy="19.99"'));
      assert.ok(page.text.includes('content="60;url='));
      const { holder, iban, bic, reference } = account;
      const expected = ['BCD', '002', '1', 'SCT', bic, holder, iban, 'EUR19.99', '', reference];
      assert.deepEqual(codeOf(page), expected);
      assert.equal(visibleText(await visit(link)), visibleText(page));
    });

    test('a partial payment is shown with the remaining amount, and the transfer can no longer be cancelled', async () => {
      const { owner, link, code, attemptId, page } = await orderTransfer();
      bank.arrived.set(attemptId, 500);
      const partly = await visit(`${link}/wait`);
      assert.match(
        visibleText(partly),
        /Please transfer €14\.99 We received €5\.00\. Please send the remaining €14\.99\./,
      );
      assert.equal(codeOf(partly)[7], 'EUR14.99');
      assert.doesNotMatch(visibleText(partly), /another way/);
      assert.equal((await press(page, { form: 0 })).url, `${link}/wait`);
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ state }) => state),
        ['processing'],
      );
      bank.arrived.set(attemptId, 1999);
      assert.match((await visit(`${link}/wait`)).url, /thanks\?.*status=paid/);
      assert.equal(await statusOf(paylink, owner, code), 'paid');
      assert.match(visibleText(await visit(link)), /Paid with Bank transfer/);
    });

    test('the customer gets an email about the received transfer, which names no card', async () => {
      const email = `customer-${randomBase32(8)}@example.com`;
      const { owner, link, attemptId, code } = await orderTransfer({ email });
      bank.arrived.set(attemptId, 1999);
      await visit(`${link}/wait`);
      const [receipt] = await box.waitFor(email);
      assert.ok(receipt);
      const pdf = await (await fetch(`${link}/receipt.pdf`)).arrayBuffer();
      for (const text of [receipt.email.text ?? '', await readPdf(new Uint8Array(pdf))]) {
        assert.match(text, /Paid with[\s:]+Bank transfer/);
        assert.doesNotMatch(text, aboutCard);
      }
      const refunded = await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], {});
      assert.equal(refunded.status, 200, JSON.stringify(refunded.body));
      const [, refund] = await box.waitFor(email, 2);
      assert.match(
        refund?.email.text?.replace(/\s+/g, ' ') ?? '',
        /refunded €19\.99 to the payment method you used\./,
      );
      assert.doesNotMatch(refund?.email.text ?? '', aboutCard);
    });

    test('without receipts, the page does not announce one', async () => {
      const { owner, link } = await orderTransfer();
      await call(paylink, owner, ['PATCH', '/v1/company'], { mail: { receipts: false } });
      const page = visibleText(await visit(link));
      assert.match(page, /Open your payment link again to see whether your payment is confirmed/);
      assert.doesNotMatch(page, /email/);
    });

    test('a customer can choose another payment method, and the page says not to send the transfer', async () => {
      const { ids, link, page, code } = await orderTransfer();
      const open = await press(page, { form: 0 });
      assert.equal(open.url, link);
      assert.match(
        visibleText(open),
        /We no longer expect your bank transfer, and no money has arrived\. Please do not send it/,
      );
      assert.deepEqual(methodsOf(open), ['card', ...ids]);
      assert.match(visibleText(await chooseMethod(open, ids[1]!)), /Redirecting you to Paypond/);
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ state }) => state),
        ['cancelled', 'requires_action'],
      );
    });

    test('a transfer is one attempt, and another tab cannot start a second one', async () => {
      const { ids, link, code } = await orderTransfer();
      const begun = pond.sessions.size;
      const posted = await visit(link, { method: 'POST', body: new URLSearchParams({ method: ids[1]! }) });
      assert.equal(posted.url, `${link}/wait`);
      assert.deepEqual([pond.sessions.size, (await listAttempts(paylink, code)).length], [begun, 1]);
    });

    test('the pages are in German for a payment in German', async () => {
      const { owner, ids } = await openCompany(paylink, 'pretend_transfer', 'paypond');
      const { link } = await createLinkAs(paylink, owner, { locale: 'de' });
      const page = await visit(link);
      assert.match(
        visibleText(page),
        /Wie möchten Sie bezahlen\? Karte .*Überweisung .*Paypond .*19,99 € bezahlen/,
      );
      const waiting = await chooseMethod(page, ids[0]!);
      assert.match(visibleText(waiting), /Bitte überweisen Sie 19,99 € .*Verwendungszweck RF18 5390/);
      assert.match(
        visibleText(await press(waiting, { form: 0 })),
        /Wir erwarten Ihre Überweisung nicht mehr/,
      );
    });
  });
}
