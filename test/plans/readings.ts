// The pages that each statement reads, from pg_stat_statements, and the statements beyond their limit.

import type { PlanFixture } from './plan-fixture.ts';

/** The limit of 8 kB pages per row, at any table size. */
const mostPerRow = 30;

/** A written row may also touch this many pages for each index beyond the first ones: descents and splits. */
const perIndex = 4;
const indexesWithin = 5;

export type Reading = {
  text: string;
  calls: number;
  /** Returned or written rows, including triggers; at least one per call. */
  rows: number;
  buffers: number;
  perRow: number;
  bound: number;
};

type Counted = { text: string; calls: number; rows: number; buffers: number; isTop: boolean };

/** Statements that process more rows than they return. Their rows are counted in the tables. */
const countedElsewhere: readonly { pattern: RegExp; count: string }[] = [
  { pattern: /\binsert into ledger_entries\b/, count: 'select count(*)::int as rows from ledger_entries' },
  // Each new event, for its company. The later the worker looks, the more there are.
  {
    pattern: /^select distinct (?:e\.)?company_id as "companyId"\s+from events\b/,
    count: 'select count(*)::int as rows from events',
  },
];

/**
 * Statements whose cost depends on the number of tables or of recurring jobs, not of rows, and those that run once for each
 * company.
 */
const upkeep = /\bpg_class\b|\bscheduled_jobs\b|^insert into payment_word_positions\b/i;

const isStatement = (text: string) =>
  /^(select|insert|update|delete|with)\b/i.test(text) && !upkeep.test(text);

async function countElsewhere({ admin }: PlanFixture): Promise<number[]> {
  const counts: number[] = [];
  for (const { count } of countedElsewhere) {
    const { rows } = await admin.query<{ rows: number }>(count);
    counts.push(rows[0]?.rows ?? 0);
  }
  return counts;
}

async function readCounted({ admin }: PlanFixture): Promise<Counted[]> {
  const { rows } = await admin.query<Counted>(
    `select query as text, calls::int, greatest(rows, calls)::int as rows,
            (shared_blks_hit + shared_blks_read)::int as buffers, toplevel as "isTop"
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and userid <> (select oid from pg_roles where rolname = current_user)`,
  );
  // Prepared or not, the same text counts as one statement.
  const alike = Map.groupBy(
    rows,
    ({ text, isTop }) => `${isTop} ${text.replaceAll(/\$\d+|'[^']*'|\b\d+\b/g, '?')}`,
  );
  return [...alike.values()].flatMap((same) => {
    const [one] = same;
    const sum = (of: (each: Counted) => number) => same.reduce((total, each) => total + of(each), 0);
    if (!one || !isStatement(one.text)) return [];
    return [
      {
        ...one,
        calls: sum((each) => each.calls),
        rows: sum((each) => each.rows),
        buffers: sum((each) => each.buffers),
      },
    ];
  });
}

/** For each table: whether it has triggers that write further rows, and its number of indexes. */
async function readTables({
  admin,
}: PlanFixture): Promise<Map<string, { indexes: number; hasTrigger: boolean }>> {
  const { rows } = await admin.query<{ name: string; indexes: number; hasTrigger: boolean }>(
    `select relname as name, (select count(*)::int from pg_index where indrelid = c.oid) as indexes,
            exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal) as "hasTrigger"
     from pg_class c where relkind = 'r' and relnamespace::regnamespace::text = 'public'`,
  );
  return new Map(rows.map(({ name, ...table }) => [name, table]));
}

const written = /\b(?:insert into|update)\s+([\w.]+)/gi;

/** A statement may write a row into several tables for each row that it returns. Each of them has the limit. */
function boundOf(text: string, tables: Awaited<ReturnType<typeof readTables>>): number {
  const names = new Set([...text.matchAll(written)].map(([, name = '']) => name));
  const indexes = [...names].flatMap((name) => tables.get(name)?.indexes ?? []);
  const beyond = indexes.reduce((sum, count) => sum + Math.max(0, count - indexesWithin), 0);
  return mostPerRow * Math.max(1, indexes.length) + beyond * perIndex;
}

function toReadings(counted: readonly Counted[], tables: Awaited<ReturnType<typeof readTables>>): Reading[] {
  const byTriggers = counted.filter(({ isTop, text }) => !isTop && text.startsWith('insert'));
  const ofTriggers = byTriggers.reduce((sum, { rows }) => sum + rows, 0);
  return counted.map(({ text, calls, rows, buffers, isTop }) => {
    const table = /^insert into (\w+)/.exec(text)?.[1];
    const all = isTop && table && tables.get(table)?.hasTrigger ? rows + ofTriggers : rows;
    return { text, calls, rows: all, buffers, perRow: buffers / all, bound: boundOf(text, tables) };
  });
}

/** Runs work and returns the pages per statement, most first. */
export async function readWhile(fixture: PlanFixture, work: () => Promise<void>): Promise<Reading[]> {
  const before = await countElsewhere(fixture);
  await fixture.admin.query('select pg_stat_statements_reset()');
  await work();
  const counted = await readCounted(fixture);
  const after = await countElsewhere(fixture);
  for (const [index, { pattern }] of countedElsewhere.entries())
    for (const each of counted)
      if (pattern.test(each.text))
        each.rows = Math.max(each.rows, (after[index] ?? 0) - (before[index] ?? 0));
  return toReadings(counted, await readTables(fixture)).sort((a, b) => b.perRow - a.perRow);
}

/** The statements beyond their limit. */
export function findExceeding(readings: readonly Reading[]): string[] {
  return readings
    .filter(({ perRow, bound }) => perRow > bound)
    .map(
      ({ text, perRow, bound, rows, calls }) =>
        `${perRow.toFixed(1)} pages a row (at most ${bound}), ${rows} rows in ${calls} calls: ${text.replaceAll(/\s+/g, ' ')}`,
    );
}
