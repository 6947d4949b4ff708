// Amounts as people read them, in the languages of our pages. It must never turn an amount into a float:
// Intl is given the decimal text, which it prints digit by digit.

import { LRUCache } from 'lru-cache';
import { type Currency, exponentOf, isCurrency, toDecimalText } from './money.ts';

const amountFormats = new Map<string, Intl.NumberFormat>();

/** Amounts as they were told lately: a page says its own three times, and shops have their prices. */
const formattedAmounts = new LRUCache<string, string>({ max: 1_000 });

function amountFormat(language: 'en' | 'de', currency: Currency): Intl.NumberFormat {
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

/**
 * An amount in minor units for people: `1999, EUR` is `€19.99` in English and `19,99 €` (with a
 * no-break space) in German. Throws a RangeError for a currency that we do not take and for
 * anything but a safe integer.
 */
export function formatAmount(amountMinor: number, currency: string, language: 'en' | 'de'): string {
  if (!isCurrency(currency)) throw new RangeError('an amount was given in a currency that is not taken');
  const key = `${language} ${currency} ${amountMinor}`;
  const cached = formattedAmounts.get(key);
  if (cached !== undefined) return cached;
  const decimal = toDecimalText(amountMinor, currency) as Intl.StringNumericLiteral;
  const text = amountFormat(language, currency).format(decimal);
  formattedAmounts.set(key, text);
  return text;
}
