// Durations of ISO 8601 in units of one length: weeks, days, hours, minutes and seconds. Years and months have none.

import { invalidField } from '../base/errors.ts';

const pattern = /^P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const unitSeconds = [604_800, 86_400, 3_600, 60, 1] as const;

/** The milliseconds of a duration, more than 0. Throws `invalid_fields` about the field. */
export function parseDuration(text: string, field: string): number {
  if (/^[-+]|^P.*-/.test(text))
    throw invalidField(
      field,
      'out_of_range',
      'A test clock only moves forward. Send a duration without a sign.',
    );
  const parts = pattern.exec(text)?.slice(1);
  if (!parts)
    throw invalidField(
      field,
      'wrong_format',
      'This must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as P3D or PT90M.',
    );
  const seconds = parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (unitSeconds[index] ?? 0), 0);
  if (seconds === 0) throw invalidField(field, 'out_of_range', 'Advance by one second at least.');
  if (!Number.isSafeInteger(seconds * 1_000))
    throw invalidField(field, 'out_of_range', 'This duration is too long.');
  return seconds * 1_000;
}
