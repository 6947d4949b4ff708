// The languages for customers, and how one is chosen. Pure.

import { LRUCache } from 'lru-cache';
import { matchLocale } from './match-locale.ts';

/** The languages by BCP 47 tag, each with its own name. A language is a line here and its catalogue in src/texts/. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  ar: 'العربية',
  bg: 'Български',
  cs: 'Čeština',
  da: 'Dansk',
  el: 'Ελληνικά',
  es: 'Español',
  et: 'Eesti',
  fi: 'Suomi',
  fr: 'Français',
  ga: 'Gaeilge',
  he: 'עברית',
  hr: 'Hrvatski',
  hu: 'Magyar',
  is: 'Íslenska',
  it: 'Italiano',
  ja: '日本語',
  lt: 'Lietuvių',
  lv: 'Latviešu',
  mt: 'Malti',
  nb: 'Norsk',
  nl: 'Nederlands',
  pl: 'Polski',
  'pt-PT': 'Português',
  ro: 'Română',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  sv: 'Svenska',
  tr: 'Türkçe',
  uk: 'Українська',
  'zh-Hans': '简体中文',
} as const;

export type Locale = keyof typeof languages;
export const locales = Object.keys(languages) as readonly Locale[] as readonly [Locale, ...Locale[]];

/** The language that fits a BCP 47 tag; undefined if there is none with its language and script. */
function localeOfTag(tag: string): Locale | undefined {
  return matchLocale(tag, locales) ?? undefined;
}

const rightToLeftScripts = new Set(['Arab', 'Hebr']);

/** The direction of a language's script, for the attribute `dir`. */
export const directionOfLocale = memoizeByLocale((locale): 'ltr' | 'rtl' =>
  rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr',
);

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
  // `pt;q=0` refuses pt-PT, too.
  const isRefused = (locale: string) =>
    refused.has(locale.toLowerCase()) || refused.has(new Intl.Locale(locale).language);
  const wanted = ranges.filter((range) => range.quality > 0).sort((a, b) => b.quality - a.quality);
  const named = new Set(ranges.map((range) => localeOfTag(range.tag)));
  for (const { tag } of wanted) {
    // A star means the languages that the header does not list.
    const locale = tag === '*' ? locales.find((one) => !named.has(one)) : localeOfTag(tag);
    if (locale && !isRefused(locale)) return locale;
  }
  return undefined;
}

/** Recent headers: a browser sends the same one every time. */
const accepted = new LRUCache<string, { locale: Locale | undefined }>({ max: 1_000 });
/** Longer headers are not cached, so that a client cannot fill the memory. */
const maxCachedHeaderLength = 200;

function cachedAcceptedLocale(header: string): Locale | undefined {
  const cached = accepted.get(header);
  if (cached) return cached.locale;
  const locale = acceptedLocale(header);
  if (header.length <= maxCachedHeaderLength) accepted.set(header, { locale });
  return locale;
}

/** The first supported one of `wanted`, else the best match of Accept-Language, else that of the country, else English. */
export function chooseLocale(options: {
  wanted?: readonly (string | null)[];
  acceptLanguage?: string | undefined;
  country?: string;
}): Locale {
  for (const tag of options.wanted ?? []) {
    const locale = tag && localeOfTag(tag);
    if (locale) return locale;
  }
  return cachedAcceptedLocale(options.acceptLanguage ?? '') ?? localeOfCountry(options.country ?? '');
}

/** Whether this is the tag of one of the languages, exactly. */
export function isLocale(tag: string): tag is Locale {
  return Object.hasOwn(languages, tag);
}

/** The language of an email when only a country (ISO 3166-1 alpha-2) is known: the one that most people there write. */
export function localeOfCountry(country: string): Locale {
  return localeOfTag(`und-${country}`) ?? 'en';
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
