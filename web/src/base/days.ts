// Days in the local time zone, and the expiry of a link as people choose it. A day has the form of date fields:
// `2026-11-22`.

export const expiryChoices = ['hour', 'day', 'week', 'month', 'own'] as const;
type ExpiryChoice = (typeof expiryChoices)[number];
export type Expiry = {
  choice: ExpiryChoice;
  /** For a given time: `2026-11-30T18:00`, local. */
  own: string;
};

const hourMs = 3_600_000;
export const lengthsMs: Record<Exclude<ExpiryChoice, 'own'>, number> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
};

/** The chosen time, RFC 3339 in UTC; null for one that does not exist. */
export function expiryMoment({ choice, own }: Expiry, now: Date): string | null {
  if (choice !== 'own') return new Date(now.getTime() + lengthsMs[choice]).toISOString();
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(own) ? new Date(own) : null;
  return moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : null;
}

/** The day as numbers; null for an invalid day. */
function readDay(day: string): readonly [year: number, month: number, date: number] | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!found) return null;
  const [year, month, date] = found.slice(1).map(Number) as [number, number, number];
  const tried = new Date(year, month - 1, date);
  return tried.getMonth() === month - 1 && tried.getDate() === date ? [year, month, date] : null;
}

/** When a day begins, in the form of the API; undefined for an invalid day. */
export function startOfDay(day: string): string | undefined {
  const known = readDay(day);
  return known ? new Date(known[0], known[1] - 1, known[2]).toISOString() : undefined;
}

/** When a day ends: the first moment after it. */
export function endOfDay(day: string): string | undefined {
  const known = readDay(day);
  return known ? new Date(known[0], known[1] - 1, known[2] + 1).toISOString() : undefined;
}

/** The beginnings of the hours after the last of `starts` on the same day. */
export function hoursAhead(starts: readonly string[]): string[] {
  const last = starts.at(-1);
  if (last === undefined) return [];
  const day = new Date(last).getDate();
  const coming: string[] = [];
  // Moments are an hour apart, also across a change to summer time.
  for (let at = new Date(last).getTime() + hourMs; new Date(at).getDate() === day; at += hourMs)
    coming.push(new Date(at).toISOString());
  return coming;
}
