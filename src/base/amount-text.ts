// Amounts as people read them, in the languages of our pages. It must never turn an amount into a float:
// Intl is given the decimal text, which it prints digit by digit.

import { exponentOf, isCurrency, toDecimalText } from './money.ts';

const amountFormats = new Map<string, Intl.NumberFormat>();

/**
 * An amount in minor units for people: `1999, EUR` is `€19.99` in English and `19,99 €` (with a
 * no-break space) in German. Throws a RangeError for a currency that we do not take and for
 * anything but a safe integer.
 */
export function formatAmount(amountMinor: number, currency: string, language: 'en' | 'de'): string {
  if (!isCurrency(currency)) throw new RangeError('an amount was given in a currency that is not taken');
  const key = `${language} ${currency}`;
  let format = amountFormats.get(key);
  if (!format) {
    const digits = exponentOf(currency);
    format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    amountFormats.set(key, format);
  }
  return format.format(toDecimalText(amountMinor, currency) as Intl.StringNumericLiteral);
}
