// The languages for customers, and how one is chosen. Pure.

import { LRUCache } from 'lru-cache';

export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

function localeOfTag(tag: string): Locale | undefined {
  const language = tag.trim().split(/[-_]/)[0]?.toLowerCase();
  return locales.find((locale) => locale === language);
}

type LanguageRange = { tag: string; quality: number };

/** No browser sends as many. The rest is ignored. */
const mostRanges = 100;

/** The language ranges of RFC 9110 12.5.4. A range with an invalid weight is ignored. */
function readAcceptLanguage(header: string): LanguageRange[] {
  const ranges: LanguageRange[] = [];
  for (const part of header.split(',', mostRanges)) {
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
    // A star means the languages that the header does not list.
    const locale = tag === '*' ? locales.find((one) => !named.has(one)) : localeOfTag(tag);
    if (locale && !refused.has(locale)) return locale;
  }
  return undefined;
}

/** Recent headers: a browser sends the same one every time. */
const accepted = new LRUCache<string, Locale>({ max: 1_000 });
/** Longer headers are not cached, so that a client cannot fill the memory. */
const maxCachedHeaderLength = 200;

function cachedAcceptedLocale(header: string): Locale {
  const cached = accepted.get(header);
  if (cached !== undefined) return cached;
  const locale = acceptedLocale(header) ?? 'en';
  if (header.length <= maxCachedHeaderLength) accepted.set(header, locale);
  return locale;
}

/** The payment's own (`de`, `de-AT`) if supported, else the best match of Accept-Language, else English. */
export function chooseLocale(options: {
  requested?: string | null;
  acceptLanguage?: string | undefined;
}): Locale {
  return localeOfTag(options.requested ?? '') ?? cachedAcceptedLocale(options.acceptLanguage ?? '');
}

/** The countries whose emails are not in English when a payment names no language. */
const localeByCountry: Readonly<Record<string, Locale>> = { DE: 'de', AT: 'de', CH: 'de', LI: 'de' };

/** The language of an email when only a country (ISO 3166-1 alpha-2) is known. */
export function localeOfCountry(country: string): Locale {
  return localeByCountry[country] ?? 'en';
}

/** A part of a page that depends only on the language; computed once per language. */
export function memoizeByLocale<Part>(make: (locale: Locale) => Part): (locale: Locale) => Part {
  const made = new Map<Locale, Part>();
  return (locale) => {
    const known = made.get(locale);
    if (known !== undefined) return known;
    const part = make(locale);
    made.set(locale, part);
    return part;
  };
}
