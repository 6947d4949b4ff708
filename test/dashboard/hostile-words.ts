// What a stranger may write into any field that takes text, as hostile as the field lets it be: markup, formulas, letters
// that turn text around and that end what keeps them apart, joined emoji, and great length. And how to see on a page that
// it harmed nothing.

import type { Page } from 'playwright-core';

/** Turns all text after it around, and closes more than was opened. */
export const turned = '\u2069\u202Cevil\u202E\u2067gnp.exe\u202E';
const markup = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
const emoji = '👩‍👩‍👧‍👦🏳️‍🌈é';

/** Begin like formulas, each in another way. The last one only looks as if it had been made harmless. */
export const formulas = [
  '=HYPERLINK("https://evil.example","win")',
  "+1+cmd|'/C calc'!A0",
  '@SUM(1+1)*cmd',
  "-2+3+cmd|'/C calc'!A0",
  "'",
] as const;

/** A hostile text of exactly so many characters, as a database counts them. */
export function hostileText(length: number, beginning: string = formulas[0]): string {
  const points = [...`${beginning}${turned}${markup}${emoji}`];
  const filler = [...'W'.repeat(Math.max(0, length - points.length))];
  return [...points, ...filler].slice(0, length).join('');
}

/** The same without what nothing is shown for: names that things are told apart by may not have it. */
export function visibleText(length: number, beginning: string): string {
  const shown = hostileText(500, beginning).replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [...shown].slice(0, length).join('');
}

// Runs in the page, where everything that is not set apart has to read from left to right: no word of ours is in a
// language that does otherwise. What is in a box of its own, as in a field, can turn nothing around but itself.
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

/** What hostile texts have done to a page: turned our words around, stand among them, or have become elements. */
export async function findHarm(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(lookThrough);
}

/** Everything that the page says, in fields too. */
export async function allWords(page: Page): Promise<string> {
  return await page.evaluate<string>(
    `[document.body.textContent, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join('\\n')`,
  );
}
