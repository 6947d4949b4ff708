// Moments as a customer reads them. It must never guess the customer's clock.

import type { Locale } from './locale.ts';

const momentFormats = new Map<Locale, Intl.DateTimeFormat>();

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
