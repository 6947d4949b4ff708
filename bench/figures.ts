// Computes with figures: medians, ratios, and parsing the output of wrk and pgbench. Pure. Must not: fill in
// a figure that was not measured.

/** The median: the middle figure, or the mean of the two in the middle. Throws for an empty list. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1];
  const high = sorted[Math.floor(middle)];
  if (low === undefined || high === undefined) throw new Error('there is no median of nothing');
  return (low + high) / 2;
}

export function mean(figures: readonly number[]): number {
  if (figures.length === 0) throw new Error('there is no mean of nothing');
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

/** A figure divided by its baseline; undefined when either is missing. */
export function ratio(figure: number | undefined, yardstick: number | undefined): number | undefined {
  if (figure === undefined || yardstick === undefined) return undefined;
  if (!(yardstick > 0)) throw new Error(`a yardstick of ${yardstick} measures nothing`);
  return figure / yardstick;
}

export type LoadResult = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  answered: number;
  /** How many connections broke or timed out. */
  broken: number;
  /** How many requests were sent of each template, from 0. */
  sent: number[];
  statuses: Record<string, number>;
};

function readCounts(text: string): [key: string, count: number][] {
  return text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [key = '', count = ''] = entry.split(':');
      return [key, Number(count)];
    });
}

/** Parses the line that drive.lua prints at its end. Throws with the whole output when it is missing. */
export function parseWrkOutput(output: string): LoadResult {
  const line = /^driven (.+)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`);
  const words = new Map(line.split(' ').map((word) => word.split('=') as [string, string]));
  const number = (name: string) => {
    const value = Number(words.get(name) || 'nothing');
    if (!Number.isFinite(value)) throw new Error(`wrk gave no ${name}: ${line}`);
    return value;
  };
  const sent: number[] = [];
  for (const [key, count] of readCounts(words.get('sent') ?? '')) sent[Number(key) - 1] = count;
  return {
    perSecond: number('per_second'),
    p50Ms: number('p50_us') / 1_000,
    p99Ms: number('p99_us') / 1_000,
    answered: number('answered'),
    broken: number('broken'),
    sent,
    statuses: Object.fromEntries(readCounts(words.get('statuses') ?? '')),
  };
}

export type InsertResult = { perSecond: number; meanMs: number; rows: number };

/** Parses the output of pgbench. Throws with it when a transaction failed or a figure is missing. */
export function parsePgbenchOutput(output: string): InsertResult {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 'nothing');
  const inserted = {
    perSecond: number(/^tps = ([\d.]+) \(without initial connection time\)$/m),
    meanMs: number(/^latency average = ([\d.]+) ms$/m),
    rows: number(/^number of transactions actually processed: (\d+)/m),
  };
  const failed = number(/^number of failed transactions: (\d+)/m);
  if (failed !== 0 || !Object.values(inserted).every(Number.isFinite))
    throw new Error(`pgbench gave no good figures:\n${output}`);
  return inserted;
}

/** Compares the responses with the expected statuses. Returns a sentence for each difference. */
export function findWrongResponses(driven: LoadResult, expected: readonly number[]): string[] {
  const wanted: Record<string, number> = {};
  for (const [index, status] of expected.entries())
    wanted[status] = (wanted[status] ?? 0) + (driven.sent[index] ?? 0);
  const statuses = new Set([...Object.keys(wanted), ...Object.keys(driven.statuses)]);
  const faults = [...statuses].flatMap((status) => {
    const [got, due] = [driven.statuses[status] ?? 0, wanted[status] ?? 0];
    return got === due ? [] : [`${got} answers of status ${status} instead of ${due}`];
  });
  return driven.broken === 0 ? faults : [...faults, `${driven.broken} connections broke or timed out`];
}
