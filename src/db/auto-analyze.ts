// Keeps the planner's statistics in step with tables that grow fast. PostgreSQL's autovacuum comes by once a minute, and
// until then plans are those for tables without rows: a fresh installation, a restored one or one after a major upgrade
// reads whole tables for each link. So a start waits for the first look. `analyze` has all sessions make their plans
// anew, of foreign keys and triggers, too.
// Must never: analyse a table that has not grown, or hold up anybody who wants to change it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './engine.ts';

/** How often the sizes are looked at: a question to the catalogue of a few milliseconds. */
const checkIntervalMs = 500;

/** With thousands of tables the question takes long: looks take at most this part of the time. */
const partOfTime = 0.02;
const longestPauseMs = 60_000;

/** Whatever makes a look fail may last, and each failure is a line in the log. */
const pauseAfterFailureMs = 5_000;

/** A plan is used for tables of up to so many times the pages that it was made for. */
const growth = 2;

/** A table that could not be analysed, because it is locked, another role's or too slow to read, is tried again after this. */
const retryAfterMs = 60_000;

/** A start waits no longer than this for the first look. What is not analysed by then is analysed beside the service. */
const startLimitMs = 60_000;

/** What a table is called, and how many pages of it there are. */
export type GrownTable = { name: string; pages: number };

/**
 * Tables that have never been analysed and have rows, or have grown much since. The size that the catalogue gives is no
 * proof of an analysis: building an index tells it, too, and a restore builds all of them after the rows. So PostgreSQL's
 * own record is asked as well. It is lost in a crash, after which each table is analysed once more.
 */
export async function listGrownTables(sql: Sql): Promise<GrownTable[]> {
  return await sql.query<GrownTable>(
    // The size of a table that somebody is changing would be waited for.
    `with changing as materialized (
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
       where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss') and pg_has_role(relowner, 'usage')
         and not exists (select from changing where relation = pg_class.oid))
     select name, pages from sized
     where (reltuples < 0 and pages > 0) or is_unknown or pages >= $1 * greatest(relpages, 1)`,
    [growth],
  );
}

/**
 * Analyses what has grown, one table at a time. `tried` remembers what was tried and when, for the next call. `note` gets
 * what fails for one table, which holds up no other. Gives the names of the tables.
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
    // Before it is asked for: one that fails must not be the first of each look, and keep the others from their turn.
    lastTriedAt.set(name, performance.now());
    // safe: the name comes from the catalogue, quoted by format(). Whoever holds the lock analyses it or changes it.
    await sql.query(`analyze (skip_locked) ${name}`).catch(note);
    analyzed.push(name);
  }
  const left = new Set((analyzed.length > 0 ? await listGrownTables(sql) : []).map(({ name }) => name));
  for (const name of analyzed) if (!left.has(name)) lastTriedAt.delete(name);
  return analyzed;
}

/** How long to wait after a look that took so long. */
function pauseAfter(tookMs: number): number {
  return Math.min(longestPauseMs, Math.max(checkIntervalMs, tookMs / partOfTime));
}

export type Statistics = {
  /** Resolves when the first look is over, or has taken too long. Never rejects. */
  known: Promise<void>;
  stop(): Promise<void>;
};

/** Does so from now on, until it is stopped. `note` gets what fails. */
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
      // What was analysed says nothing of how long a look takes; a table that grows fast is looked at again soon.
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
