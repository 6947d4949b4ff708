// Reads moments as RFC 3339 writes them. It must never cut a moment short: we keep milliseconds, and what is finer
// is refused.

export type TimestampError = { code: 'wrong_format' | 'too_precise'; detail: string };

const form =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const wrongFormat: TimestampError = {
  code: 'wrong_format',
  detail: 'This must be a moment like 2030-01-31T12:00:00Z; in a query, write + as %2B.',
};
const tooPrecise: TimestampError = {
  code: 'too_precise',
  detail: 'This may have milliseconds, and only zeros behind them.',
};

/**
 * The moment of an RFC 3339 date-time. A fault for anything else, for days that no calendar has, and for moments
 * finer than a millisecond; any number of zeros may follow.
 */
export function parseTimestamp(text: string): Date | TimestampError {
  const [, day, time, fraction = '', offset] = form.exec(text) ?? [];
  if (day === undefined || offset === undefined) return wrongFormat;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return wrongFormat;
  if (/[^0]/.test(fraction.slice(3))) return tooPrecise;
  return new Date(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${offset.toUpperCase()}`);
}
