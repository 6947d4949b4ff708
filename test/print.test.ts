// The pages that customers print: black on white on A4, without what only a screen needs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './harness/browser.ts';
import { readPdf } from './harness/smtp-server.ts';
import { documentsIn, pageFiles } from './languages/documents.ts';

const origin = 'http://pages.example';
let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(async () => await browser.close());

/** Opens one of the pages as a customer with a dark screen. */
async function openPage(name: string): Promise<Page> {
  const page = await browser.newPage({ colorScheme: 'dark' });
  const document = documentsIn('en').get(name) ?? assert.fail(name);
  await page.route(`${origin}/**`, async (route) => {
    const file = pageFiles.get(new URL(route.request().url()).pathname);
    await route.fulfill(
      file
        ? { contentType: file.contentType, body: file.bodies.identity }
        : { contentType: 'text/html', body: document },
    );
  });
  await page.goto(`${origin}/`);
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

for (const name of ['receipt', 'paid'])
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
