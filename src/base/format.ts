// Amounts and moments as a customer reads them. It must never turn an amount into a float: Intl is
// given the decimal text, which it prints digit by digit.

import type { Locale } from './locale.ts';
import { exponentOf, isCurrency, toDecimalText } from './money.ts';

const amountFormats = new Map<string, Intl.NumberFormat>();
const momentFormats = new Map<Locale, Intl.DateTimeFormat>();

/**
 * An amount in minor units for people: `1999, EUR` is `€19.99` in English and `19,99 €` (with a
 * no-break space) in German. Throws a RangeError for a currency that we do not take and for
 * anything but a safe integer.
 */
export function formatAmount(amountMinor: number, currency: string, locale: Locale): string {
  if (!isCurrency(currency)) throw new RangeError('an amount was given in a currency that is not taken');
  const key = `${locale} ${currency}`;
  let format = amountFormats.get(key);
  if (!format) {
    const digits = exponentOf(currency);
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    amountFormats.set(key, format);
  }
  return format.format(toDecimalText(amountMinor, currency) as Intl.StringNumericLiteral);
}

/**
 * A moment with its zone named: `November 20, 2025 at 11:56 UTC`. The zone is always UTC, because
 * the server knows the customer's language and not the customer's clock.
 */
export function formatMoment(at: Date, locale: Locale): string {
  let format = momentFormats.get(locale);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
      timeZoneName: 'short',
    });
    momentFormats.set(locale, format);
  }
  return format.format(at);
}
