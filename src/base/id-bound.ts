// Converts a caller's times into IDs, which are in the order of time.

import { errors, type FieldError } from './errors.ts';
import { firstIdAt } from './ids.ts';
import { parseTimestamp } from './timestamp.ts';

type Prefix = 'pay' | 'led' | 'evt' | 'ref' | 'rql';

/** A value as it was sent, with the name of its field. */
export type Given = { field: string; value: string };

/** From when and until when something was created. */
export type CreatedRange = { createdFrom?: Given | undefined; createdTo?: Given | undefined };

/** Greater than every ID: the largest time that an ID can hold. */
export const afterAllIds = (prefix: Prefix) => firstIdAt(prefix, new Date(2 ** 50 - 1));

/** The first ID that can be generated at a time. */
export function readIdBound(
  prefix: Prefix,
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

/** The IDs of a period, from `fromId` on and before `beforeId`. Throws `invalid_fields` with these and earlier faults. */
export function readIdRange(
  prefix: Prefix,
  { createdFrom, createdTo }: CreatedRange,
  faults: FieldError[] = [],
): { fromId: string; beforeId: string } {
  const fromId = readIdBound(prefix, createdFrom?.field ?? '', createdFrom?.value, faults) ?? '';
  const beforeId =
    readIdBound(prefix, createdTo?.field ?? '', createdTo?.value, faults) ?? afterAllIds(prefix);
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  return { fromId, beforeId };
}
