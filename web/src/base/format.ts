// Formats amounts, times and numbers in the person's language. Amounts come from the API as numbers in major units with
// at most two decimals. They are only formatted here, never calculated with.

import { type Language, languages } from './languages.ts';

export const currencies = ['EUR', 'USD'] as const;

/** Formatters are slow to create and fast to use. */
const formatters = new Map<string, unknown>();

function cached<Formatter>(name: string, create: () => Formatter): Formatter {
  const formatter = (formatters.get(name) as Formatter | undefined) ?? create();
  formatters.set(name, formatter);
  return formatter;
}

function formatNumber(language: Language, value: number, options: Intl.NumberFormatOptions = {}): string {
  const create = () => new Intl.NumberFormat(languages[language].locale, options);
  return cached(`number ${language} ${JSON.stringify(options)}`, create).format(value);
}

function formatDate(language: Language, moment: string, options: Intl.DateTimeFormatOptions): string {
  const create = () => new Intl.DateTimeFormat(languages[language].locale, options);
  return cached(`date ${language} ${JSON.stringify(options)}`, create).format(new Date(moment));
}

export function formatMoney(language: Language, amount: number, currency: string): string {
  return formatNumber(language, amount, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
}

/** An amount in compact form, for an axis: “€1.2K”. */
export function formatShortMoney(language: Language, amount: number, currency: string): string {
  return formatNumber(language, amount, {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
    ...{ notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 0 },
  });
}

const nameOf = (language: Language, type: Intl.DisplayNamesType, code: string) =>
  new Intl.DisplayNames(languages[language].locale, { type }).of(code) ?? code;

export function formatCurrencyName(language: Language, currency: string): string {
  return nameOf(language, 'currency', currency);
}

/** A country by its ISO 3166-1 code, in the person's language. */
export function formatCountry(language: Language, code: string): string {
  return nameOf(language, 'region', code);
}

/** A language by its tag, in the person's language; the tag itself if it is unknown. */
export function formatLanguage(language: Language, tag: string): string {
  try {
    return nameOf(language, 'language', tag);
  } catch {
    return tag;
  }
}

/** The digits of an amount such as `1234.5` with the decimal separator of the language, for a field. */
export function writeAmount(language: Language, digits: string): string {
  const parts = new Intl.NumberFormat(languages[language].locale).formatToParts(0.5);
  return digits.replace('.', parts.find(({ type }) => type === 'decimal')?.value ?? '.');
}

export function formatCount(language: Language, count: number): string {
  return formatNumber(language, count);
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in a readable unit, such as “3.2 MB”. */
export function formatSize(language: Language, bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = sizes[step] ?? 'byte';
  const maximumFractionDigits = step > 1 ? 1 : 0;
  return formatNumber(language, bytes / 1_000 ** step, { style: 'unit', unit, maximumFractionDigits });
}

export function formatShare(language: Language, share: number): string {
  return formatNumber(language, share, { style: 'percent', maximumFractionDigits: 1 });
}

/** A tax rate in percent, such as 7.7. */
export function formatTaxRate(language: Language, percent: number): string {
  return formatNumber(language, percent / 100, { style: 'percent', maximumFractionDigits: 2 });
}

/** Local date and time of a moment; with seconds if `isExact`. */
export function formatMoment(language: Language, moment: string, isExact = false): string {
  return formatDate(language, moment, { dateStyle: 'medium', timeStyle: isExact ? 'medium' : 'short' });
}

export function formatDay(language: Language, moment: string): string {
  return formatDate(language, moment, { dateStyle: 'medium' });
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
  return formatDate(language, moment, slotForms[form]);
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
  const create = () => new Intl.RelativeTimeFormat(languages[language].locale, { numeric: 'auto' });
  return cached(`distance ${language}`, create).format(Math.trunc(seconds / size), unit);
}

/** A duration in its largest unit, such as “3 hours”. */
export function formatDuration(language: Language, seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return formatNumber(language, Math.floor(seconds / size), { style: 'unit', unit, unitDisplay: 'long' });
}

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
