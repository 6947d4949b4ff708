// Formats amounts, times and numbers in the person's language. Amounts come from the API as numbers in major units with
// at most two decimals. They are only formatted here, never calculated with.

import type { Language } from './language.tsx';

/** The currencies of links. */
export const currencies = ['EUR', 'USD'] as const;

const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** Formatters are slow to create and fast to use. */
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();

function formatter<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  name: string,
  make: () => T,
): T {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known as T;
}

/** An amount in major units with its currency, such as “€1,234.50”. */
export function formatMoney(language: Language, amount: number, currency: string): string {
  const options: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
  return formatter(
    `money ${language} ${currency}`,
    () => new Intl.NumberFormat(locales[language], options),
  ).format(amount);
}

/** An amount in compact form, for an axis: “€1.2K”. */
export function formatShortMoney(language: Language, amount: number, currency: string): string {
  const options: Intl.NumberFormatOptions = {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
    ...{ notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 0 },
  };
  return formatter(
    `short money ${language} ${currency}`,
    () => new Intl.NumberFormat(locales[language], options),
  ).format(amount);
}

/** The name of a currency, such as “Euro”. */
export function formatCurrencyName(language: Language, currency: string): string {
  const names = new Intl.DisplayNames(locales[language], { type: 'currency' });
  return names.of(currency) ?? currency;
}

/** A count with the language's separators. */
export function formatCount(language: Language, count: number): string {
  return formatter(`count ${language}`, () => new Intl.NumberFormat(locales[language])).format(count);
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in a readable unit, such as “3.2 MB”. */
export function formatSize(language: Language, bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = sizes[step] ?? 'byte';
  const options: Intl.NumberFormatOptions = { style: 'unit', unit, maximumFractionDigits: step > 1 ? 1 : 0 };
  return formatter(
    `size ${language} ${unit}`,
    () => new Intl.NumberFormat(locales[language], options),
  ).format(bytes / 1_000 ** step);
}

/** A share from 0 to 1 as a percentage. */
export function formatShare(language: Language, share: number): string {
  const options: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: 1 };
  return formatter(`share ${language}`, () => new Intl.NumberFormat(locales[language], options)).format(
    share,
  );
}

/** Local date and time of a moment; with seconds if `isExact`. */
export function formatMoment(language: Language, moment: string, isExact = false): string {
  const options: Intl.DateTimeFormatOptions = {
    dateStyle: 'medium',
    timeStyle: isExact ? 'medium' : 'short',
  };
  const name = `moment ${language} ${isExact}`;
  return formatter(name, () => new Intl.DateTimeFormat(locales[language], options)).format(new Date(moment));
}

/** The local date of a moment. */
export function formatDay(language: Language, moment: string): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };
  return formatter(`day ${language}`, () => new Intl.DateTimeFormat(locales[language], options)).format(
    new Date(moment),
  );
}

/** The formats of the beginning of an hour or a day: in full, or short for an axis. */
const slotForms = {
  hour: { hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'short' },
  monthDay: { day: 'numeric', month: 'short' },
  wholeDay: { weekday: 'short', day: 'numeric', month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** The beginning of an hour or a day in local time. */
export function formatSlot(language: Language, moment: string, form: keyof typeof slotForms): string {
  return formatter(
    `slot ${language} ${form}`,
    () => new Intl.DateTimeFormat(locales[language], slotForms[form]),
  ).format(new Date(moment));
}

/** The exact time in UTC: `2026-11-20 12:54:58.330 UTC`. */
export function formatUtc(moment: string): string {
  return new Date(moment).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The distance between two moments, such as “in 2 days” or “3 minutes ago”. */
export function formatDistance(language: Language, moment: string, now: Date): string {
  const seconds = (new Date(moment).getTime() - now.getTime()) / 1_000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['minute', 60] as const);
  const format = formatter(
    `distance ${language}`,
    () => new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' }),
  );
  return format.format(Math.trunc(seconds / size), unit);
}

/** A country by its ISO 3166-1 code, in the person's language. */
export function formatCountry(language: Language, code: string): string {
  return new Intl.DisplayNames(locales[language], { type: 'region' }).of(code) ?? code;
}

/** A language by its tag, in the person's language; the tag itself if it is unknown. */
export function formatLanguage(language: Language, tag: string): string {
  try {
    return new Intl.DisplayNames(locales[language], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The person's time zone by its IANA name. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Separators by which people group digits: spaces and apostrophes, beside comma and point. */
const spaces = '[ \\u00a0\\u202f\\u2009]';
const wholeForms: readonly string[] = [
  '\\d+',
  ...[spaces, "['’]", '[.]', ','].map((separator) => `\\d{1,3}(?:${separator}\\d{3})+`),
];
const amountForm = new RegExp(`^(?<whole>${wholeForms.join('|')})(?:(?<point>[.,])(?<decimals>\\d{0,2}))?$`);

/**
 * Parses a typed text as an amount in major units: `1234.5`, `1,234.50`, `1.234,50`, `1 234,50`. Null if it is invalid,
 * has more than two decimals, or has spaces that do not group its digits by threes. A single separator before three
 * digits is refused, because it is ambiguous.
 */
export function readAmount(text: string): number | null {
  const { whole, point, decimals = '' } = amountForm.exec(text.trim())?.groups ?? {};
  if (whole === undefined) return null;
  // One separator can't both group digits and precede the decimals. A single one may do either.
  const groupedBy = /[.,]/.exec(whole)?.[0];
  if (groupedBy !== undefined && (groupedBy === point || (point === undefined && isAmbiguous(whole))))
    return null;
  return Number(`${whole.replace(/\D/g, '')}.${decimals === '' ? '0' : decimals}`);
}

/** Whether a separator occurs once, so that it may precede decimals. */
const isAmbiguous = (whole: string) => whole.replace(/\d/g, '').length === 1;
