// The receipt as an attachment, which a company can switch on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBase32 } from '../src/base/ids.ts';
import { openReceiptRenderer } from '../src/receipts/receipt-renderer.ts';
import { call, createLinkAs, logIn } from './harness/client.ts';
import { engines, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer, readAttachedPdf, readPdf } from './harness/smtp-server.ts';
import { payWith } from './harness/visitor.ts';

const good = { number: '4242424242424242' };

for (const engine of engines)
  test(`on the ${engine} database, an attached receipt has the content of the PDF behind the link`, async () => {
    const box = await openSmtpServer();
    const settings = { SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' };
    const receiptRenderer = openReceiptRenderer({ timeoutMs: 60_000 });
    const paylink = await startPaylink(engine, { settings, receiptRenderer });
    try {
      const owner = await logIn(paylink);
      await call(paylink, owner, ['PATCH', '/v1/company'], { mail: { attachReceipts: true } });
      const email = `customer-${randomBase32(8)}@example.com`;
      const order = { email, locale: 'en', description: 'Two books', lastName: 'Łukasiewicz 王' };
      const { link, code } = await createLinkAs(paylink, owner, order);
      await payWith(link, good);
      const [receipt] = await box.waitFor(email);
      assert.ok(receipt);
      assert.ok(receipt.email.text?.includes(`${link}/receipt.pdf`));
      const pdf = await readAttachedPdf(receipt);
      for (const part of ['Receipt', 'Café Zürich', '€19.99', 'Two books', 'Ada Łukasiewicz 王', code])
        assert.ok(pdf.includes(part), `${part} is missing: ${pdf}`);
      assert.ok(pdf.includes('Visa ending in 4242') && pdf.includes('TEST'));
      assert.equal(receipt.email.attachments[0]?.filename, `receipt-R-${code.slice(-10)}.pdf`);
      const linked = await (await fetch(`${link}/receipt.pdf`)).arrayBuffer();
      assert.equal(pdf, await readPdf(new Uint8Array(linked)));
      await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], { amount: 5 });
      const [, back] = await box.waitFor(email, 2);
      assert.match(await readAttachedPdf(back ?? assert.fail()), /UTC -€5\.00 Paid after refunds €14\.99/);
      const notices = box.mailsTo(paylink.merchant.email);
      assert.deepEqual(
        notices.flatMap((mail) => mail.email.attachments),
        [],
        'a notice has none',
      );
    } finally {
      await paylink.stop();
      await box.stop();
    }
  });

test('an email goes without its attachment if the PDF cannot be drawn', async () => {
  const render = async () => await Promise.reject(new Error('planted'));
  const receiptRenderer = { render, close: async () => undefined };
  const paylink = await startPaylink('server', { receiptRenderer });
  try {
    const owner = await logIn(paylink);
    await call(paylink, owner, ['PATCH', '/v1/company'], { mail: { attachReceipts: true, notices: false } });
    const { link } = await createLinkAs(paylink, owner, { locale: 'en' });
    await payWith(link, good);
    await until(async () => {
      const [mail] = await paylink.app.deps.db.asOwner.query<{ state: string }>('select state from mails');
      return mail?.state === 'sent';
    }, 'the email');
    assert.match(paylink.log(), /a receipt could not be attached to its email/);
  } finally {
    await paylink.stop();
  }
});
