// The customer pages in forced colours, as of Windows contrast themes: the browser replaces every colour and removes
// backgrounds and shadows. What they said must still be seen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './harness/browser.ts';
import { documentsIn } from './languages/documents.ts';
import { openDocument } from './languages/open-document.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(async () => await browser.close());

const schemes = ['light', 'dark'] as const;

async function openForced(name: string, colorScheme: (typeof schemes)[number]): Promise<Page> {
  const page = await browser.newPage({ colorScheme, forcedColors: 'active' });
  await openDocument(page, documentsIn('en').get(name) ?? assert.fail(name));
  assert.equal(await page.evaluate(`matchMedia('(forced-colors: active)').matches`), true);
  return page;
}

/** The style of an element, or of a part of it such as `::before`. */
const read = async (page: Page, selector: string, property: string, part = ''): Promise<string> =>
  await page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(part)})[${JSON.stringify(property)}]`,
  );

/** Visible texts that have the colour of the canvas, and buttons and fields whose edge has it. */
const listUnseen = `(() => {
  const canvas = getComputedStyle(document.body).backgroundColor;
  const unseen = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility() || element.closest('option')) continue;
    const { color, borderTopColor, borderTopWidth, textDecorationLine } = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (hasText && color === canvas) unseen.push('text: ' + element.outerHTML.slice(0, 80));
    const isEdged = parseFloat(borderTopWidth) >= 1 && borderTopColor !== canvas;
    if (element.matches('.button, input[type=text], select, .method, .alert, .note') && !isEdged)
      unseen.push('edge: ' + element.outerHTML.slice(0, 80));
  }
  return unseen;
})()`;

for (const colorScheme of schemes) {
  test(`every page shows its texts and the edges of its buttons and fields in forced colours (${colorScheme})`, async () => {
    for (const name of [
      ...['pay, every way', 'pay, card in use', 'pay, items', 'transfer, partly', 'requires_action'],
      ...[
        'paid, refunded in part',
        'failed',
        'expired, link requested',
        'receipt',
        'challenge',
        'shop success',
      ],
    ]) {
      const page = await openForced(name, colorScheme);
      assert.deepEqual(await page.evaluate<string[]>(listUnseen), [], name);
      await page.close();
    }
  });

  test(`the chosen method has an edge of its own in forced colours, and the choice moves it (${colorScheme})`, async () => {
    const page = await openForced('pay, every way', colorScheme);
    const outlines = async () =>
      await page.evaluate<string[]>(
        `[...document.querySelectorAll('.method')].map((row) => getComputedStyle(row).outlineStyle)`,
      );
    assert.deepEqual(await outlines(), ['solid', 'none', 'none', 'none', 'none']);
    assert.equal(await read(page, '.method', 'outlineWidth'), '3px');
    assert.notEqual(
      await read(page, '.method', 'outlineColor'),
      await read(page, 'body', 'backgroundColor'),
      'it is no colour of the canvas',
    );
    await page.focus('[data-takes=card]');
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await outlines(), ['none', 'solid', 'none', 'none', 'none']);
    await page.close();
  });

  test(`the focus, errors, the mark of the brand and status icons are seen in forced colours (${colorScheme})`, async () => {
    const page = await openForced('pay, faulty', colorScheme);
    const canvas = await read(page, 'body', 'backgroundColor');
    await page.focus('#pay-button');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<string[]>(
      '(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))',
    );
    assert.deepEqual(focus, ['solid', '3px']);
    assert.notEqual(await read(page, '#pay-button', 'outlineColor'), canvas);
    assert.equal(await read(page, '#cc_name', 'borderTopWidth'), '2px', 'a field with an error');
    assert.equal(await read(page, '#alert', 'borderInlineStartWidth'), '6px');
    assert.notEqual(await read(page, '#cc_name-error', 'color'), canvas);
    await page.fill('#cc_number', '5555555555554444');
    for (const part of ['::before', '::after']) {
      assert.equal(await read(page, '#card-brand', 'borderTopWidth', part), '1px', 'a circle of the mark');
      assert.notEqual(await read(page, '#card-brand', 'borderTopColor', part), canvas);
    }
    await page.fill('#cc_number', '4242424242424242');
    assert.notEqual(await read(page, '#card-brand', 'color'), canvas);
    await page.close();
    const paid = await openForced('paid', colorScheme);
    assert.equal(await read(paid, '.icon', 'color'), await read(paid, 'h1', 'color'));
    await paid.close();
  });
}
