// Updates the planner's statistics soon after tables grow. Autovacuum runs once a minute, and until then plans
// assume empty tables, so a start waits for the first check. Must not: analyse a table that has not grown, or
// block anybody who changes it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './engine.ts';
import { type RowOf, statement, t } from './statements.ts';

/** How often to check the sizes. The catalogue query takes a few milliseconds. */
const checkIntervalMs = 500;

/** With thousands of tables the query takes long: checks use at most this part of the time. */
const partOfTime = 0.02;
const longestPauseMs = 60_000;

/** A failing check may keep failing, and each failure logs a line. */
const pauseAfterFailureMs = 5_000;

/** A plan is used until its table has grown to this many times the pages. */
const growth = 2;

/** Retry delay for a table that could not be analysed: locked, owned by another role, or too slow to read. */
const retryAfterMs = 60_000;

/** The longest time that a start waits for the first check. The service analyses the rest while it runs. */
const startLimitMs = 60_000;

/** The name of a table and its number of pages. */
export const GrownTable = { name: t.text, pages: t.int8 };
export type GrownTable = RowOf<typeof GrownTable>;

// Reading the size of a table would wait for transactions that change it. A table that was dropped meanwhile has no size.
const listGrownTablesSql = statement(GrownTable)`
  with changing as materialized (
    select relation from pg_locks
    where locktype = 'relation' and mode = 'AccessExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())),
  sized as materialized (
    select format('%I.%I', relnamespace::regnamespace, relname) as name, relpages, reltuples,
           pg_relation_size(oid) / current_setting('block_size')::integer as pages,
           current_setting('track_counts')::boolean and reltuples > 0
             and coalesce(pg_stat_get_last_analyze_time(oid), pg_stat_get_last_autoanalyze_time(oid)) is null
             as is_unknown
    from pg_class
    where relkind = 'r' and relnamespace::regnamespace::text = 'public' and pg_has_role(relowner, 'usage')
      and not exists (select from changing where relation = pg_class.oid))
  select ${GrownTable} from sized
  where pages is not null
    and ((reltuples < 0 and pages > 0) or is_unknown or pages >= $1 * greatest(relpages, 1))`;

/**
 * Tables with rows that were never analysed, or that have grown much since. The size in the catalogue does
 * not prove an analysis: building an index also sets it, and a restore builds all indexes after the rows. So
 * PostgreSQL's own statistics are read too. A crash loses them; then each table is analysed once more.
 */
export async function listGrownTables(sql: Sql): Promise<GrownTable[]> {
  return await sql.query(listGrownTablesSql, [growth]);
}

/**
 * Analyses the grown tables, one at a time. `tried` records what was tried and when, for the next call.
 * `note` gets the error of a table; the others are still analysed. Returns the names of the tables.
 */
export async function analyzeGrownTables(
  sql: Sql,
  lastTriedAt: Map<string, number> = new Map(),
  note: (error: unknown) => void = (error) => {
    throw error;
  },
): Promise<string[]> {
  const analyzed: string[] = [];
  for (const { name } of await listGrownTables(sql)) {
    const before = lastTriedAt.get(name);
    if (before !== undefined && performance.now() - before < retryAfterMs) continue;
    // Set it before the statement: a failing table must not come first in each check and delay the others.
    lastTriedAt.set(name, performance.now());
    // A locked table is skipped: its holder analyses or changes it.
    // safe: the name comes from the catalogue, quoted by format().
    await sql.query(`analyze (skip_locked) ${name}`).catch(note);
    analyzed.push(name);
  }
  const left = new Set((analyzed.length > 0 ? await listGrownTables(sql) : []).map(({ name }) => name));
  for (const name of analyzed) if (!left.has(name)) lastTriedAt.delete(name);
  return analyzed;
}

/** The pause after a check of this duration. */
function pauseAfter(tookMs: number): number {
  return Math.min(longestPauseMs, Math.max(checkIntervalMs, tookMs / partOfTime));
}

export type Statistics = {
  /** Resolves when the first check has ended or takes too long. Never rejects. */
  known: Promise<void>;
  stop(): Promise<void>;
};

/** Analyses grown tables until stopped. `note` gets errors. */
export function startAutoAnalyze(sql: Sql, note: (error: unknown) => void): Statistics {
  const lastTriedAt = new Map<string, number>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> = Promise.resolve();
  const check = async () => {
    const startedAt = performance.now();
    let pauseMs = pauseAfterFailureMs;
    try {
      const analyzed = await analyzeGrownTables(sql, lastTriedAt, note);
      // The time to analyse says nothing about the time of a check, and a fast-growing table needs the next
      // check soon.
      pauseMs = analyzed.length > 0 ? checkIntervalMs : pauseAfter(performance.now() - startedAt);
    } catch (error) {
      note(error);
    }
    if (!isStopped) timer = setTimeout(start, pauseMs).unref();
  };
  const start = () => {
    checking = check();
  };
  start();
  const patience = new AbortController();
  const limit = sleep(startLimitMs, undefined, { ref: false, signal: patience.signal }).catch(
    () => undefined,
  );
  const known = Promise.race([checking, limit]).finally(() => patience.abort());
  return {
    known,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await checking;
    },
  };
}
