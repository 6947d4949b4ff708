// Days as a person means them, by the clock where the person is, and the moments that they begin and end with. A day is
// written as fields of dates write it: `2026-11-22`.

/** The day as numbers; null for what is no day. */
function readDay(day: string): readonly [year: number, month: number, date: number] | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!found) return null;
  const [year, month, date] = found.slice(1).map(Number) as [number, number, number];
  const tried = new Date(year, month - 1, date);
  return tried.getMonth() === month - 1 && tried.getDate() === date ? [year, month, date] : null;
}

/** The moment at which a day begins, as the API reads it; undefined for what is no day. */
export function startOfDay(day: string): string | undefined {
  const known = readDay(day);
  return known ? new Date(known[0], known[1] - 1, known[2]).toISOString() : undefined;
}

/** The moment at which a day is over: the first one that is not in it. */
export function endOfDay(day: string): string | undefined {
  const known = readDay(day);
  return known ? new Date(known[0], known[1] - 1, known[2] + 1).toISOString() : undefined;
}

/** The beginnings of those hours that are still to come on the day of the last of `starts`. */
export function hoursAhead(starts: readonly string[]): string[] {
  const last = starts.at(-1);
  if (last === undefined) return [];
  const day = new Date(last).getDate();
  const coming: string[] = [];
  // Moments are an hour apart whatever the clock does.
  for (let at = new Date(last).getTime() + 3_600_000; new Date(at).getDate() === day; at += 3_600_000)
    coming.push(new Date(at).toISOString());
  return coming;
}
