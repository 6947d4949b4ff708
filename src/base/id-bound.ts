// Converts a caller's time into the first ID that can have been generated at that time.

import type { FieldError } from './errors.ts';
import { firstIdAt } from './ids.ts';
import { parseTimestamp } from './timestamp.ts';

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
