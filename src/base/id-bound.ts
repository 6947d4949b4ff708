// Turns a moment that a caller gives into the first id that something made then can have.

import type { FieldFault } from './errors.ts';
import { firstIdAt } from './ids.ts';
import { readMoment } from './moment.ts';

/** The first id that something made at a moment can have. */
export function readIdBound(
  prefix: 'pay' | 'led' | 'evt',
  field: string,
  given: string | undefined,
  faults: FieldFault[],
): string | undefined {
  if (given === undefined) return undefined;
  const moment = readMoment(given);
  if (moment instanceof Date) return firstIdAt(prefix, new Date(Math.max(0, moment.getTime())));
  faults.push({ field, ...moment });
  return undefined;
}
