// Reads RFC 3339 times. Must not: truncate one; Paylink stores milliseconds and refuses finer times.

export type TimestampError = { code: 'wrong_format' | 'too_precise'; detail: string };

const form =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const wrongFormat: TimestampError = {
  code: 'wrong_format',
  detail: 'This must be a time such as 2030-01-31T12:00:00Z. In a query, write + as %2B.',
};
const tooPrecise: TimestampError = {
  code: 'too_precise',
  detail: 'This must be exact to the millisecond: every digit after the third decimal of a second must be 0.',
};

/** RFC 3339. A fault for days that do not exist, and times finer than a millisecond (trailing zeros are allowed). */
export function parseTimestamp(text: string): Date | TimestampError {
  const [, day, time, fraction = '', offset] = form.exec(text) ?? [];
  if (day === undefined || offset === undefined) return wrongFormat;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return wrongFormat;
  if (/[^0]/.test(fraction.slice(3))) return tooPrecise;
  return new Date(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${offset.toUpperCase()}`);
}
