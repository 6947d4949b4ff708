// Days and hours in a time zone. Must not: assume that a day has 24 hours.

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

type CalendarDay = { year: number; month: number; day: number };

/** A zone of the IANA database, such as `Europe/Berlin`. An offset is not a zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The local time of a zone as if it were UTC, to the second. */
function createLocalClock(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const [year, month, day] = [read('year'), read('month') - 1, read('day')];
    return Date.UTC(year, month, day, read('hour'), read('minute'), read('second'));
  };
}

/** The first moment of a day. It is not midnight if the clock goes forward then. */
function startOfDay(localClock: (at: number) => number, { year, month, day }: CalendarDay): number {
  const midnight = Date.UTC(year, month, day);
  // One of the offsets before and after holds at the start.
  const offsets = [midnight - dayMs, midnight + dayMs].map((at) => localClock(at) - at);
  const starts = offsets.map((offset) => midnight - offset).sort((a, b) => a - b);
  const start = starts.find((at) => localClock(at) >= midnight);
  if (start === undefined) throw new RangeError('a day of this time zone has no start');
  return start;
}

/** When the last `count` days of a zone began; today is last. */
export function startsOfDays(timeZone: string, now: Date, count: number): Date[] {
  const localClock = createLocalClock(timeZone);
  const today = new Date(localClock(now.getTime()));
  return Array.from({ length: count }, (_, index) => {
    const day = { year: today.getUTCFullYear(), month: today.getUTCMonth(), day: today.getUTCDate() };
    return new Date(startOfDay(localClock, { ...day, day: day.day - (count - 1 - index) }));
  });
}

/** When the hours since the start of a zone's day began; the current one is last. */
export function startsOfHours(timeZone: string, now: Date): Date[] {
  const [midnight = now] = startsOfDays(timeZone, now, 1);
  const count = Math.floor((now.getTime() - midnight.getTime()) / hourMs) + 1;
  return Array.from({ length: count }, (_, index) => new Date(midnight.getTime() + index * hourMs));
}
