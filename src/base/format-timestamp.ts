// Formats times for customers. Must not: guess the customer's time zone.

import { LRUCache } from 'lru-cache';
import type { Locale } from './locale.ts';

const timestampFormats = new Map<Locale, Intl.DateTimeFormat>();

function timestampFormat(locale: Locale): Intl.DateTimeFormat {
  const known = timestampFormats.get(locale);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  timestampFormats.set(locale, format);
  return format;
}

/** Recently formatted minutes: links created in the same minute expire in the same minute. */
const formattedTimestamps = new LRUCache<string, string>({ max: 1_000 });

/**
 * `November 20, 2025 at 11:56 UTC`. Always UTC: the server does not know the customer's time zone. The script of the pages
 * replaces it there.
 */
export function formatTimestamp(at: Date, locale: Locale): string {
  const key = `${locale} ${Math.floor(at.getTime() / 60_000)}`;
  const cached = formattedTimestamps.get(key);
  if (cached !== undefined) return cached;
  // Intl would put the zone before the time in some languages, or spell it out.
  const text = `${timestampFormat(locale).format(at)} UTC`;
  formattedTimestamps.set(key, text);
  return text;
}

/** `November 20`: the day in UTC. */
export function formatDay(at: Date, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(at);
}
