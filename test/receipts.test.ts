// Receipts on request: the page and its PDF, for which payments they exist, their headers and their limits.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PDFDocument } from 'pdf-lib';
import { openReceiptRenderer } from '../src/receipts/receipt-renderer.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { visibleText } from './harness/payment-methods.ts';
import { readPdf } from './harness/smtp-server.ts';
import { payWith, visit } from './harness/visitor.ts';

const good = { number: '4242424242424242' };
const paths = ['/receipt', '/receipt.pdf'];

async function fetchPdf(link: string): Promise<{ response: Response; bytes: Uint8Array; text: string }> {
  const response = await fetch(`${link}/receipt.pdf`);
  assert.equal(response.status, 200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, bytes, text: await readPdf(bytes) };
}

for (const engine of engines)
  describe(`receipts on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    let owner: Credentials;
    before(async () => {
      const receiptRenderer = openReceiptRenderer({ timeoutMs: 60_000 });
      paylink = await startPaylink(engine, { clock, receiptRenderer });
      owner = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    /** The credentials do not outlive the time that passes. */
    const passHours = async (hours: number) => {
      clock.advanceMs(hours * 60 * 60_000);
      owner = await logIn(paylink);
    };
    const order = async (body: Json = {}) => await createLinkAs(paylink, owner, { locale: 'en', ...body });
    const payOrder = async (body: Json = {}) => {
      const made = await order(body);
      await payWith(made.link, good);
      return made;
    };
    const refund = async (code: string, body: Json = {}) => {
      const answer = await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };

    test('the page and the PDF have the same facts, and so has a payment without optional ones', async () => {
      const paidAt = 'at \\d\\d:\\d\\d UTC';
      const { link, code } = await payOrder({
        ...{ customerOrderId: 'order-7', description: 'Two books', lastName: 'Łukasiewicz 王' },
      });
      const page = await visit(`${link}/receipt`);
      const { text } = await fetchPdf(link);
      assert.match(page.text, /class="ribbon"/);
      assert.match(text, /TEST – no real money moves/);
      for (const shown of [visibleText(page), text]) {
        for (const fact of ['Receipt', 'Café Zürich', '€19.99', 'Two books', 'order-7', code])
          assert.ok(shown.includes(fact), `${fact}: ${shown}`);
        assert.match(shown, /Customer Ada Łukasiewicz 王/);
        assert.match(shown, /Card Visa ending in 4242/);
        assert.match(shown, new RegExp(`Paid on .* ${paidAt}`));
        assert.match(shown, new RegExp(`Receipt number R-${code.slice(-10)}\\b`));
        assert.doesNotMatch(shown, /Refunded/);
      }
      const bare = await payOrder({ firstName: undefined, lastName: undefined, description: undefined });
      for (const shown of [
        visibleText(await visit(`${bare.link}/receipt`)),
        (await fetchPdf(bare.link)).text,
      ])
        assert.doesNotMatch(shown, /Customer|undefined|null/);
    });

    test('refunds are listed with their dates, and do not change when the payment was paid', async () => {
      const { link, code } = await payOrder();
      const paidOn = /Paid on (.*? UTC)/;
      const before = paidOn.exec((await fetchPdf(link)).text)?.[1];
      assert.ok(before);
      await passHours(3);
      await refund(code, { amount: 5 });
      await passHours(1);
      await refund(code, { amount: 2.5 });
      for (const shown of [visibleText(await visit(`${link}/receipt`)), (await fetchPdf(link)).text]) {
        assert.match(
          shown,
          /Total €19\.99 Refunded [^€]* UTC -€5\.00 Refunded [^€]* UTC -€2\.50 Paid after refunds €12\.49/,
        );
        assert.equal(paidOn.exec(shown)?.[1], before);
        assert.ok(!shown.includes(`Refunded ${before}`), 'the refund has its own time');
      }
      // Refunds of one moment have no order.
      await passHours(1);
      await refund(code);
      assert.match((await fetchPdf(link)).text, /UTC -€12\.49 Paid after refunds €0\.00/);
    });

    test('more than twelve refunds are shown as their sum', async () => {
      const { link, code } = await payOrder();
      for (let count = 0; count < 13; count++) await refund(code, { amount: 1 });
      const { text } = await fetchPdf(link);
      assert.match(text, /Refunded -€13\.00 Paid after refunds €6\.99/);
      assert.doesNotMatch(text, /-€1\.00/);
    });

    test('only a paid payment has a receipt: any other one, and an unknown code, is a 404', async () => {
      const links: Record<string, string> = {};
      const open = await order();
      links.open = open.link;
      links.cancelled = (await order()).link;
      await call(paylink, owner, ['POST', `/v1/payments/${links.cancelled.split('/').at(-1)}/cancel`]);
      await call(paylink, owner, ['PATCH', '/v1/company'], { retryPolicy: 'none' });
      links.failed = (await order()).link;
      await payWith(links.failed, { number: '4000000000000002' });
      const expiresAt = new Date(clock.now().getTime() + 60 * 60_000).toISOString();
      links.expired = (await order({ expiresAt })).link;
      await passHours(2);
      // Not before: the worker ends a confirmation that took longer than 15 minutes.
      links.processing = (await order()).link;
      await payWith(links.processing, { number: '4000002760003184' });
      for (const [state, link] of Object.entries(links)) {
        const code = link.split('/').at(-1);
        for (const path of paths) {
          const page = await visit(link + path);
          assert.equal(page.status, 404, `${state} ${path}`);
          assert.equal(page.headers.get('x-robots-tag'), 'noindex');
          assert.doesNotMatch(page.text, /Café Zürich/, 'a 404 names no merchant');
        }
        const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}`]);
        assert.equal(body.status, state);
      }
      const unknown = `${open.link.slice(0, -4)}aaaa`;
      for (const link of [unknown, `${paylink.baseUrl}/pay/x`, `${paylink.baseUrl}/pay/${'x'.repeat(200)}`])
        for (const path of paths) assert.equal((await visit(link + path)).status, 404, link + path);
    });

    test('neither is cached or indexed, and HEAD has the headers of GET', async () => {
      const { link, code } = await payOrder();
      const types = ['text/html; charset=utf-8', 'application/pdf'];
      for (const [index, path] of paths.entries())
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await fetch(link + path, { method });
          assert.equal(status, 200);
          const read = ['cache-control', 'x-robots-tag', 'content-type', 'content-language'];
          assert.deepEqual(
            read.map((name) => headers.get(name)),
            ['no-store', 'noindex', types[index], 'en'],
            `${method} ${path}`,
          );
          assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
        }
      const { response } = await fetchPdf(link);
      const name = `inline; filename="receipt-R-${code.slice(-10)}.pdf"`;
      assert.equal(response.headers.get('content-disposition'), name);
      assert.equal((await fetch(`${link}/receipt`, { method: 'POST' })).status, 405);
    });

    test('page and PDF are in the language of the payment; without one, in the language in which it was paid', async () => {
      const german = await payOrder({ locale: 'de-AT' });
      const page = await visit(`${german.link}/receipt`);
      assert.match(page.text, /<html lang="de" dir="ltr">/);
      const { text, bytes } = await fetchPdf(german.link);
      for (const shown of [visibleText(page), text])
        assert.match(shown, /Beleg.*19,99 €.*Bezahlt am.*Visa mit den Endziffern 4242/);
      assert.match(String((await PDFDocument.load(bytes)).catalog), /\/Lang \(de\)/);
      const any = await payOrder({ locale: undefined });
      const asked = await visit(`${any.link}/receipt`, { headers: { 'accept-language': 'de' } });
      assert.match(asked.text, /<html lang="en" dir="ltr">/);
      assert.match((await fetchPdf(any.link)).text, /^TEST .* Receipt/);
    });

    test('a refund does not change the time of payment on the page of a paid payment', async () => {
      const { link, code } = await payOrder();
      const timeOf = async () => /<time datetime="([^"]+)"/.exec((await visit(link)).text)?.[1];
      const paidAt = await timeOf();
      assert.ok(paidAt);
      await passHours(2);
      await refund(code, { amount: 5 });
      assert.equal(await timeOf(), paidAt);
    });

    test('the page of a paid payment links to the receipt, and the receipt to its PDF; it needs no script', async () => {
      const { link, code } = await order();
      assert.doesNotMatch((await visit(link)).text, /\/receipt/);
      await payWith(link, good);
      assert.match((await visit(link)).text, new RegExp(`href="/pay/${code}/receipt">View receipt</a>`));
      const page = await visit(`${link}/receipt`);
      assert.match(page.text, new RegExp(`href="/pay/${code}/receipt\\.pdf">Download PDF</a>`));
      const bare = page.text.replace(/<form class="language"[\s\S]*?<\/form>/, '');
      assert.notEqual(bare, page.text, 'the language can be picked');
      assert.doesNotMatch(bare, /<script|<form|style=/);
    });

    test('another company’s text is only text, however long, in whatever direction', async () => {
      const merchant = await paylink.createMerchant({ name: '<b>שלום</b> & "Co" 😀' });
      const stranger = await logIn(paylink, merchant);
      const customer = { firstName: `محمد (${'W'.repeat(80)}`, lastName: 'x'.repeat(100) };
      const { link } = await createLinkAs(paylink, stranger, {
        ...customer,
        ...{ locale: 'en', description: `<script>alert(1)</script>${'界'.repeat(470)}` },
      });
      await payWith(link, good);
      const page = await visit(`${link}/receipt`);
      assert.equal(page.status, 200);
      assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
      assert.match(page.text, /<bdi>&lt;b&gt;שלום&lt;\/b&gt; &amp; &quot;Co&quot; 😀<\/bdi>/);
      assert.doesNotMatch(page.text, /<script>alert/);
      const { text, bytes } = await fetchPdf(link);
      assert.match(text, /<script>alert\(1\)<\/script>界/);
      assert.equal((await PDFDocument.load(bytes)).getPageCount(), 2);
    });

    test('the PDF of a link is drawn at most 30 times a minute; its page is not limited', async () => {
      const { link } = await payOrder();
      // One more is allowed every two seconds; those that find too many waiting are counted, too.
      const answers = await Promise.all(
        Array.from({ length: 60 }, async () => await fetch(`${link}/receipt.pdf`)),
      );
      const refused = answers.filter(({ status }) => status === 429);
      assert.ok(refused.length > 10 && refused.length <= 30, `${refused.length} refused`);
      for (const { headers } of refused) assert.ok(Number(headers.get('retry-after')) > 0);
      assert.equal((await visit(`${link}/receipt`)).status, 200);
      assert.equal((await fetchPdf((await payOrder()).link)).response.status, 200);
    });
  });

test('a PDF that cannot be drawn in time is a 503 with a page that says what to do, and the service goes on', async () => {
  const endless = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { for (;;); }); parentPort.postMessage('ready');`;
  const renderer = openReceiptRenderer({
    workerFile: new URL(`data:text/javascript,${encodeURIComponent(endless)}`),
  });
  const paylink = await startPaylink('server', { receiptRenderer: renderer });
  try {
    const owner = await logIn(paylink);
    const { link } = await createLinkAs(paylink, owner, { locale: 'en' });
    await payWith(link, good);
    const asked = visit(`${link}/receipt.pdf`);
    assert.equal((await visit(`${link}/receipt`)).status, 200, 'pages do not wait for the thread');
    const page = await asked;
    assert.equal(page.status, 503);
    assert.equal(page.headers.get('retry-after'), '5');
    assert.match(visibleText(page), /The PDF is temporarily unavailable Your payment is not affected\./);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await visit(`${link}/receipt.pdf`)).status),
    );
    assert.deepEqual([...new Set(statuses)], [503], 'nor is a queue that is full');
    assert.equal((await visit(`${link}/receipt`)).status, 200);
    assert.match(paylink.log(), /a receipt could not be drawn/);
  } finally {
    await paylink.stop();
  }
});
