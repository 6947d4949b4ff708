// Moments as a customer reads them. It must never guess the customer's clock.

import { createKeep } from './keep.ts';
import type { Locale } from './locale.ts';

const momentFormats = new Map<Locale, Intl.DateTimeFormat>();

function momentFormat(locale: Locale): Intl.DateTimeFormat {
  const known = momentFormats.get(locale);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, {
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
  return format;
}

/** Minutes as they were told lately: all links that were made in one minute end in one. */
const told = createKeep<string>(1_000);

/**
 * A moment with its zone named: `November 20, 2025 at 11:56 UTC`. The zone is always UTC, because
 * the server knows the customer's language and not the customer's clock.
 */
export function formatMoment(at: Date, locale: Locale): string {
  const key = `${locale} ${Math.floor(at.getTime() / 60_000)}`;
  const kept = told.get(key);
  if (kept !== undefined) return kept;
  const text = momentFormat(locale).format(at);
  told.set(key, text);
  return text;
}
