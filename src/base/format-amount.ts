// Formats amounts for people. Must not: turn one into a float; Intl gets the decimal text.

import { LRUCache } from 'lru-cache';
import type { Locale } from './locale.ts';
import { type Currency, exponentOf, isCurrency, toDecimalText } from './money.ts';

const amountFormats = new Map<string, Intl.NumberFormat>();

/** Recently formatted amounts: a page shows its amount three times, and prices recur. */
const formattedAmounts = new LRUCache<string, string>({ max: 1_000 });

function amountFormat(language: Locale, currency: Currency): Intl.NumberFormat {
  const key = `${language} ${currency}`;
  const known = amountFormats.get(key);
  if (known) return known;
  const digits = exponentOf(currency);
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  amountFormats.set(key, format);
  return format;
}

/** `€19.99` in English, `19,99 €` in German. Throws RangeError for other currencies and unsafe integers. */
export function formatAmount(amountMinor: number, currency: string, language: Locale): string {
  if (!isCurrency(currency)) throw new RangeError('the currency of the amount is not supported');
  const key = `${language} ${currency} ${amountMinor}`;
  const cached = formattedAmounts.get(key);
  if (cached !== undefined) return cached;
  const decimal = toDecimalText(amountMinor, currency) as Intl.StringNumericLiteral;
  const text = amountFormat(language, currency).format(decimal);
  formattedAmounts.set(key, text);
  return text;
}
