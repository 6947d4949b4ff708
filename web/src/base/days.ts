// Days in the local time zone, and when they begin and end. A day has the form of date fields: `2026-11-22`.

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
  for (let at = new Date(last).getTime() + 3_600_000; new Date(at).getDate() === day; at += 3_600_000)
    coming.push(new Date(at).toISOString());
  return coming;
}
