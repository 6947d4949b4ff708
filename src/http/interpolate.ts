// Fills the `{names}` of sentences in ICU MessageFormat, as markup or as plain text. Must not: leave a name unfilled without
// an error.

import { IntlMessageFormat } from 'intl-messageformat';
import { LRUCache } from 'lru-cache';
import { directionOfLocale, type Locale } from '../base/locale.ts';
import { type Html, html } from './html.ts';

/** The sentences of a few languages; pages repeat the same ones. */
const parsed = new LRUCache<string, IntlMessageFormat>({ max: 2_000 });

function parse(locale: Locale, sentence: string): IntlMessageFormat {
  const key = `${locale} ${sentence}`;
  const known = parsed.get(key);
  if (known) return known;
  // A tag is text: a sentence has no markup.
  const message = new IntlMessageFormat(sentence, locale, undefined, { ignoreTag: true });
  parsed.set(key, message);
  return message;
}

/** Only the values that were given: the formatter would also take inherited properties. */
const givenValues = <Value>(values: Record<string, Value>): Record<string, Value> =>
  Object.assign(Object.create(null), values);

/**
 * A sentence with its values, as markup. Escapes strings; pass text of merchants and customers through `userText` first.
 * Throws when a value is missing.
 */
export function interpolate(
  locale: Locale,
  sentence: string,
  values: Record<string, Html | string | number>,
): Html {
  const parts = parse(locale, sentence).formatToParts<Html>(givenValues(values));
  return html`${parts.map(({ value }) => value)}`;
}

const rightToLeftLetter =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A value for plain text, such as a title. One that is written in the other direction, or any in a language from right to left, is
 * isolated (UAX #9, FSI and PDI), so that neither reorders the other; `userText` does that in markup.
 */
export function isolate(locale: Locale, value: string): string {
  const isForeign = directionOfLocale(locale) === 'rtl' || rightToLeftLetter.test(value);
  return isForeign ? `\u2068${value}\u2069` : value;
}

/** The same as plain text, for a title. The result is not escaped. Throws when a value is missing. */
export function interpolateText(
  locale: Locale,
  sentence: string,
  values: Record<string, string | number>,
): string {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? isolate(locale, value) : value,
  ]);
  return parse(locale, sentence).format<string>(givenValues(Object.fromEntries(isolated))) as string;
}
