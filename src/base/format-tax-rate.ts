// Formats tax rates for people.

import type { Locale } from './locale.ts';

const formats = new Map<Locale, Intl.NumberFormat>();

function formatOf(locale: Locale): Intl.NumberFormat {
  const known = formats.get(locale);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  formats.set(locale, format);
  return format;
}

/** A rate in hundredths of a percent: 770 is `7.7%` in English and `7,7 %` in German. */
export function formatTaxRate(rate: number, locale: Locale): string {
  return formatOf(locale).format(`${rate}e-4` as Intl.StringNumericLiteral);
}
