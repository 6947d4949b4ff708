// Parses the dashboard's texts when it is built, so that no parser of ICU MessageFormat is sent to the browser, and
// writes the hint for browsers without JavaScript. Must not: let a text through that cannot be parsed.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { root } from './toolchain.mjs';

/** @typedef {{ readonly [key: string]: string | Tree }} Tree a catalogue, or a part of it */

const folder = path.join(root, 'web', 'src', 'texts');
const isCatalogue = /[\\/]web[\\/]src[\\/]texts[\\/](?!notes\.)[\w-]+\.json$/;

/** The parts of a text in ICU MessageFormat. A tag is text. @param {string} message */
export const parseText = (message) =>
  new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst();

/**
 * A catalogue with every text that has values as its parsed parts. Others stay strings: they have no braces, and the
 * check of the catalogues refuses the apostrophe, which quotes.
 * @param {Tree} tree @returns {object}
 */
export function compileTexts(tree) {
  const compiled = Object.entries(tree).map(([key, text]) => {
    if (typeof text !== 'string') return [key, compileTexts(text)];
    return [key, text.includes('{') ? parseText(text) : text];
  });
  return Object.fromEntries(compiled);
}

/** One line for each language. */
function hintsWithoutScript() {
  return readdirSync(folder)
    .filter((name) => isCatalogue.test(path.join(folder, name)))
    .sort()
    .map((name) => {
      const { shell } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
      return `<p lang="${path.parse(name).name}">${shell.needsScript}</p>`;
    });
}

/** @returns {import('vite').Plugin} */
export const textsPlugin = () => ({
  name: 'paylink-texts',
  enforce: 'pre',
  transform: (code, id) =>
    isCatalogue.test(id) ? { code: JSON.stringify(compileTexts(JSON.parse(code))), map: null } : null,
  transformIndexHtml: (page) => page.replace('<!-- hints -->', hintsWithoutScript().join('')),
});
