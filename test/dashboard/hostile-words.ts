// The most hostile values that fields accept: markup, formulas, characters that change the direction of text and end
// its isolation, joined emoji, and long texts. And how to find damage to a page.

import type { Page } from 'playwright-core';

/** Reverses the direction of all following text, and closes more isolates than it opened. */
export const turned = '\u2069\u202Cevil\u202E\u2067gnp.exe\u202E';
const markup = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
const emoji = '👩‍👩‍👧‍👦🏳️‍🌈é';

/** Different starts of formulas. The last one only looks as if it were escaped. */
export const formulas = [
  '=HYPERLINK("https://evil.example","win")',
  "+1+cmd|'/C calc'!A0",
  '@SUM(1+1)*cmd',
  "-2+3+cmd|'/C calc'!A0",
  "'",
] as const;

/** A hostile text of exactly `length` characters, as a database counts them. */
export function hostileText(length: number, beginning: string = formulas[0]): string {
  const points = [...`${beginning}${turned}${markup}${emoji}`];
  const filler = [...'W'.repeat(Math.max(0, length - points.length))];
  return [...points, ...filler].slice(0, length).join('');
}

/** The same without invisible characters, which identifying names must not have. */
export function visibleText(length: number, beginning: string): string {
  const shown = hostileText(500, beginning).replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [...shown].slice(0, length).join('');
}

// Runs in the page. All our texts are left-to-right, so any other text outside an isolating element is an error. Text
// in an element such as a field can only affect itself.
const lookThrough = `(() => {
  const apart = 'bdi, pre, textarea, select, .unseen, script, style';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const isTurned = (node) => {
    let last = null;
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getClientRects()[0];
      if (!box || box.width === 0) continue;
      if (last && Math.abs(box.top - last.top) < 2 && box.left < last.left - 1) return true;
      last = box;
    }
    return false;
  };
  const faults = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest(apart)) continue;
    const shown = JSON.stringify(node.data.slice(0, 80));
    if (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(node.data)) faults.push('not set apart: ' + shown);
    if (isTurned(node)) faults.push('turned around: ' + shown);
  }
  for (const made of document.querySelectorAll('#content :is(script, iframe:not(.preview-frame), [onerror], img:not([src^="blob:"], [src^="data:"]))'))
    faults.push('markup: ' + made.outerHTML.slice(0, 80));
  return faults;
})()`;

/** The damage of hostile texts to a page: reversed texts, missing isolation, or created elements. */
export async function findHarm(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(lookThrough);
}

/** All text of the page, including the values of fields. */
export async function allWords(page: Page): Promise<string> {
  return await page.evaluate<string>(
    `[document.body.textContent, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join('\\n')`,
  );
}
