// Repetitive texts that make bad parsers slow, and the CPU time of parsing them.

/** The repeated parts. */
const repeatedUnits = [
  ...[
    'a',
    'Z',
    '0',
    '9',
    ' ',
    '\t',
    '\n',
    '.',
    ',',
    '-',
    '+',
    '@',
    '/',
    '"',
    "'",
    '\\',
    ';',
    ':',
    '=',
    '%',
    '&',
    '(',
    '[',
  ],
  ...['é', 'ａ', '💳', '\u202e', '\u0001', '\0'],
  ...[
    'a ',
    'a-',
    'a.',
    'a@',
    'a,',
    'a;',
    'a=',
    '0 ',
    '0-',
    '0.',
    '0,',
    '1e',
    ', ',
    '; ',
    '\\"',
    '""',
    '%00',
    '::',
    'RF18',
  ],
];

const repeat = (pump: string, length: number) =>
  pump.repeat(Math.ceil(length / pump.length)).slice(0, length);

/** A text of any length. */
export type WorstText = { name: string; ofLength(length: number): string };

/** The worst texts. `more` are additional parts; each of `starts` is placed before the repeated part. */
export function worstTexts({
  more = [],
  starts = [],
}: {
  more?: readonly string[];
  starts?: readonly string[];
} = {}): WorstText[] {
  return [...new Set([...repeatedUnits, ...more])].flatMap((pump) =>
    ['', ...starts].flatMap((start) =>
      ['', '\u0001'].map((end) => ({
        name: JSON.stringify([start, pump, end]),
        ofLength: (length) => start + repeat(pump, length - start.length - end.length) + end,
      })),
    ),
  );
}

function cpuOnce(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The CPU time of some work in milliseconds: the best of several runs, to exclude other work. */
export function cpuMs(work: () => void, runs = 5): number {
  return Math.min(...Array.from({ length: runs }, () => cpuOnce(work)));
}

export const [shortLength, longLength] = [16 * 1024, 64 * 1024];
/**
 * Four times the length takes 4 times the time if work is linear and 16 times if it is quadratic. Between them, because
 * linear work on a text that no longer fits into the processor's cache took up to 6 times.
 */
const maxGrowth = 8;
/** Parsing 16 KiB this fast is not examined further, because quadratic work takes far longer. */
const atOnceMs = 1;
/** The CPU time for repeated measurements before work counts as too slow. */
const maxMeasureMs = 2_000;

/** Why some work on a text takes more than linear time between 16 and 64 KiB; null if it does not. */
export function findGrowth(workOn: (text: string) => void, text: WorstText): string | null {
  // First on a text so short that even cubic work ends.
  const work = (length: number) => {
    const made = text.ofLength(length);
    return () => workOn(made);
  };
  const firstMs = cpuMs(work(1024), 3);
  if (firstMs > 20) return `${firstMs} ms for 1 KiB`;
  const short = work(shortLength);
  const firstShortMs = cpuMs(short, 1);
  if (firstShortMs < atOnceMs) return null;
  const shortMs = cpuMs(short, firstShortMs > 100 ? 1 : 5);
  if (shortMs > 100) return `${shortMs} ms for 16 KiB`;
  if (shortMs < atOnceMs) return null;
  const long = work(longLength);
  const best = { shortMs, longMs: cpuMs(long, 1) };
  // The first run of the larger text may include a garbage collection, so both are repeated before the result counts.
  // Really slow work is not repeated for long.
  // On a busy machine only a repetition may show that the shorter text is parsed at once.
  const isAcceptable = () => best.shortMs < atOnceMs || best.longMs <= maxGrowth * best.shortMs;
  for (let spentMs = 0; spentMs < maxMeasureMs && !isAcceptable(); ) {
    const again = { shortMs: cpuMs(short, 1), longMs: cpuMs(long, 1) };
    best.shortMs = Math.min(best.shortMs, again.shortMs);
    best.longMs = Math.min(best.longMs, again.longMs);
    spentMs += again.shortMs + again.longMs;
  }
  if (isAcceptable()) return null;
  return `${best.shortMs} ms for 16 KiB, ${best.longMs} ms for 64 KiB`;
}

/** `findGrowth` for asynchronous work; less than a millisecond counts as one. */
export async function findAsyncGrowth(
  workOn: (text: string) => Promise<unknown>,
  text: WorstText,
): Promise<string | null> {
  const [short, long] = [text.ofLength(shortLength), text.ofLength(longLength)];
  const best = { shortMs: Number.POSITIVE_INFINITY, longMs: Number.POSITIVE_INFINITY };
  const measure = async (made: string) => {
    const before = process.cpuUsage();
    await workOn(made);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  for (let spentMs = 0; spentMs < maxMeasureMs; ) {
    const again = { shortMs: await measure(short), longMs: await measure(long) };
    best.shortMs = Math.min(best.shortMs, again.shortMs);
    best.longMs = Math.min(best.longMs, again.longMs);
    if (best.longMs <= maxGrowth * Math.max(best.shortMs, atOnceMs)) return null;
    spentMs += again.shortMs + again.longMs;
  }
  return `${best.shortMs} ms for 16 KiB, ${best.longMs} ms for 64 KiB`;
}
