// Turns a moment that a caller gives into the first id that something made then can have.

import type { FieldError } from './errors.ts';
import { firstIdAt } from './ids.ts';
import { parseTimestamp } from './timestamp.ts';

/** The first id that something made at a moment can have. */
export function readIdBound(
  prefix: 'pay' | 'led' | 'evt',
  field: string,
  given: string | undefined,
  faults: FieldError[],
): string | undefined {
  if (given === undefined) return undefined;
  const moment = parseTimestamp(given);
  if (moment instanceof Date) return firstIdAt(prefix, new Date(Math.max(0, moment.getTime())));
  faults.push({ field, ...moment });
  return undefined;
}
