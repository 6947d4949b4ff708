// Builds HTML as text. Every value in a template is escaped unless this file made it, so a page cannot forget
// to escape. Must not: offer a way to mark foreign text as markup, or build a script or a style from a value.

import { directionControls } from '../base/visible-text.ts';

/** A piece of markup. Only `html` creates one; a look-alike object is refused. */
export type Html = { readonly html: string };

export type HtmlValue = Html | string | number | null | undefined | false | readonly (Html | string)[];

const markup = Symbol('markup');

type TrustedHtml = Html & { [markup]: string };

// From JSON, `{ "html": "<script>" }` has the shape of Html. Only objects made here have this prototype.
const htmlPrototype = Object.freeze({
  get html(): string {
    return (this as TrustedHtml)[markup];
  },
});

function make(text: string): Html {
  const piece: TrustedHtml = Object.create(htmlPrototype);
  piece[markup] = text;
  return piece;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderOne(value: Html | string | number): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return escapeText(String(value));
  if (Object.getPrototypeOf(value) !== htmlPrototype)
    throw new TypeError('a page was given an object that is not markup made by html``');
  return value.html;
}

function isList(value: HtmlValue): value is readonly (Html | string)[] {
  return Array.isArray(value);
}

function renderValue(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  return isList(value) ? value.map(renderOne).join('') : renderOne(value);
}

/**
 * Tagged template for markup. Escapes strings and numbers for text and for quoted attributes (always use
 * double quotes for attributes). Prints nothing for null, undefined and false; joins lists. Throws a
 * TypeError for an object that this function did not make.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index++)
    text += renderValue(values[index]) + (strings[index + 1] ?? '');
  return make(text);
}

const directions = new RegExp(`[${directionControls}]`, 'gu');

/** One line of plain text, for a title or an attribute, without characters that switch the writing direction. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(directions, '');
}

/** A browser or mail program would truncate longer titles. */
const maxTitlePart = 80;

/** Foreign text for a title: plain, one line, at most 80 characters. */
export function titleText(text: string): string {
  const characters = [...plainText(text).trim()];
  if (characters.length <= maxTitlePart) return characters.join('');
  return `${characters.slice(0, maxTitlePart - 1).join('')}…`;
}

/** For the body of a page, in `<bdi>` so that right-to-left text does not affect what is around it. */
export function userText(text: string): Html {
  return html`<bdi>${plainText(text)}</bdi>`;
}

/** The address if it is an absolute http or https URL, else null: a link must not run a script. */
export function webAddress(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}
