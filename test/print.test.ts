// The pages that customers print: black on white on A4, without what only a screen needs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './harness/browser.ts';
import { readPdf } from './harness/smtp-server.ts';
import { documentsIn } from './languages/documents.ts';
import { openDocument } from './languages/open-document.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(async () => await browser.close());

/** Opens one of the pages as a customer with a dark screen. */
async function openPage(name: string): Promise<Page> {
  const page = await browser.newPage({ colorScheme: 'dark' });
  const document = documentsIn('en').get(name) ?? assert.fail(name);
  await openDocument(page, document);
  return page;
}

type Printed = { colours: string[]; backgrounds: string[]; shown: string[] };

/** The colours of everything visible that is printed, and the names of controls among it. */
const inspect = `(() => {
  const found = { colours: new Set(), backgrounds: new Set(), shown: [] };
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility()) continue;
    const { color, backgroundColor } = getComputedStyle(element);
    found.colours.add(color);
    found.backgrounds.add(backgroundColor);
    if (element.matches('form, button, select, .button, .screen-only')) found.shown.push(element.outerHTML);
  }
  return { ...found, colours: [...found.colours], backgrounds: [...found.backgrounds] };
})()`;

for (const name of ['receipt', 'paid', 'transfer, partly', 'pay, items', 'pay, every way', 'expired'])
  test(`the page ${name} prints black on white, without buttons and the choice of language`, async () => {
    const page = await openPage(name);
    const onScreen = await page.evaluate<Printed>(inspect);
    assert.ok(onScreen.shown.length > 0, 'on a screen there is something to press');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const { colours, backgrounds, shown } = await page.evaluate<Printed>(inspect);
    assert.deepEqual(colours, ['rgb(0, 0, 0)']);
    const plain = ['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'];
    assert.deepEqual(
      backgrounds.filter((each) => !plain.includes(each)),
      [],
    );
    assert.deepEqual(shown, []);
    await page.close();
  });

test('a printed receipt says everything that the page says, and that it is from test mode', async () => {
  const page = await openPage('receipt');
  const text = await readPdf(await page.pdf({ format: 'A4' }));
  for (const part of [
    ...['Test mode: no real money moves', 'Receipt', '€1,234.56', '10115 Berlin', 'DE123456789'],
    ...[
      'R-ofapayment',
      'Total',
      'Includes 19% tax',
      'Refunded',
      'Paid after refunds',
      'It is not an invoice.',
    ],
  ])
    assert.ok(text.includes(part), `${part}: ${text}`);
  assert.doesNotMatch(text, /Download PDF|print function|Language/);
  await page.close();
});

test('a printed transfer has what a bank needs, and nothing about what a screen could do', async () => {
  const page = await openPage('transfer, partly');
  const pdf = await page.pdf({ format: 'A4' });
  const text = await readPdf(pdf);
  for (const part of [
    '€14.99',
    'DE89 3704 0044 0532 0130 00',
    'COBADEFFXXX',
    'RF18 5390 0754 7034',
    'November 27',
  ])
    assert.ok(text.includes(part), `${part}: ${text}`);
  assert.doesNotMatch(text, /Check now|Pay another way|have not sent/);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.isVisible('img.code'), true, 'the QR code');
  await page.close();
});

test('a printed payment page says who gets how much for which items, without the form, the test cards and the time left', async () => {
  const page = await openPage('pay, items');
  await page.waitForSelector('#countdown:visible');
  const text = await readPdf(await page.pdf({ format: 'A4' }));
  for (const part of ['Payment to', 'Rosenrot', '€19.99', 'order-1042', '4 items', '2 × ', '−€', '19%'])
    assert.ok(text.replaceAll('-€', '−€').includes(part), `${part}: ${text}`);
  assert.doesNotMatch(text, /4242|Test cards|Card number|This link expires in|Cancel and return/);
  await page.close();
});
