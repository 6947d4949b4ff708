// Which language a page speaks, and its sentences. Sentences live in texts-en.ts and texts-de.ts
// and nowhere else; a page must never hold a visible sentence of its own.

import { type Html, html } from '../http/html.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export type Locale = 'en' | 'de';

export const locales: readonly Locale[] = ['en', 'de'];

/** The shape of all sentences. English gives it, so that a missing German one does not compile. */
export type Texts = typeof en;

const byLocale: Record<Locale, Texts> = { en, de };

/** Every visible sentence in one language. `{names}` in them are filled by `fill` or `fillPlain`. */
export function texts(locale: Locale): Texts {
  return byLocale[locale];
}

function valueNamed<T>(values: Record<string, T>, name: string): T {
  if (!Object.hasOwn(values, name))
    throw new Error(`a sentence wants the value {${name}}, which was not given`);
  return values[name] as T;
}

/**
 * Puts values into the `{names}` of a sentence, as markup. Strings are escaped; text that a
 * merchant or a customer wrote belongs into `userText` first. Throws when a value is missing.
 */
export function fill(sentence: string, values: Record<string, Html | string | number>): Html {
  const parts = sentence.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`${valueNamed(values, part)}`))}`;
}

/** The same as plain text, for a title. The result is not escaped. Throws when a value is missing. */
export function fillPlain(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => valueNamed(values, name));
}

function localeOfTag(tag: string): Locale | undefined {
  const language = tag.trim().split(/[-_]/)[0]?.toLowerCase();
  return locales.find((locale) => locale === language);
}

type Range = { tag: string; quality: number };

/** The language ranges of RFC 9110 12.5.4. A range whose weight cannot be read is left out. */
function readAcceptLanguage(header: string): Range[] {
  const ranges: Range[] = [];
  for (const part of header.split(',')) {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (!/^(\*|[a-z]{1,8}(-[a-z0-9]{1,8})*)$/.test(tag) || parameters.length > 1) continue;
    const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters[0] ?? 'q=1');
    if (weight) ranges.push({ tag, quality: Number(weight[1]) });
  }
  return ranges;
}

function acceptedLocale(header: string): Locale | undefined {
  const ranges = readAcceptLanguage(header);
  const refused = new Set(ranges.filter((range) => range.quality === 0).map((range) => range.tag));
  const wanted = ranges.filter((range) => range.quality > 0).sort((a, b) => b.quality - a.quality);
  const named = new Set(ranges.map((range) => localeOfTag(range.tag)));
  for (const { tag } of wanted) {
    // A star stands for the languages that the header does not name.
    const locale = tag === '*' ? locales.find((one) => !named.has(one)) : localeOfTag(tag);
    if (locale && !refused.has(locale)) return locale;
  }
  return undefined;
}

/**
 * The language of a page: the one that the payment asks for (`de`, `de-AT`) when we speak it, else
 * the best of the browser's Accept-Language header, else English.
 */
export function chooseLocale(options: {
  requested?: string | null;
  acceptLanguage?: string | undefined;
}): Locale {
  return localeOfTag(options.requested ?? '') ?? acceptedLocale(options.acceptLanguage ?? '') ?? 'en';
}
