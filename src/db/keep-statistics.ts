// Keeps the planner's statistics in step with tables that grow fast. PostgreSQL's autovacuum comes by once a minute, and
// until then plans are those for tables without rows: a fresh installation, a restored one or one after a major upgrade
// reads whole tables for each link. `analyze` has all sessions make their plans anew, of foreign keys and triggers, too.
// Must never: analyse a table that has not grown, or hold up anybody who wants to change it.

import type { Sql } from './engine.ts';

/** How often the sizes are looked at: a question to the catalogue of less than a millisecond. */
const lookEveryMs = 500;

/** A plan is used for tables of up to so many times the pages that it was made for. */
const growth = 2;

/** A table that could not be analysed, because it is locked or another role's, is tried again after this. */
const retryAfterMs = 60_000;

/** What a table is called, and how many pages of it there are. */
export type Grown = { name: string; pages: number };

/** Tables that have never been analysed and have rows, or have grown much since. */
export async function listGrown(sql: Sql): Promise<Grown[]> {
  return await sql.query<Grown>(
    // The size of a table that somebody is changing would be waited for.
    `with changing as materialized (
       select relation from pg_locks
       where locktype = 'relation' and mode = 'AccessExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())),
     sized as materialized (
       select format('%I.%I', relnamespace::regnamespace, relname) as name, relpages, reltuples,
              pg_relation_size(oid) / current_setting('block_size')::integer as pages
       from pg_class
       where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss') and pg_has_role(relowner, 'usage')
         and not exists (select from changing where relation = pg_class.oid))
     select name, pages from sized
     where (reltuples < 0 and pages > 0) or pages >= $1 * greatest(relpages, 1)`,
    [growth],
  );
}

/**
 * Analyses what has grown, one table at a time. `tried` remembers what was tried and when, for the next call. Gives the
 * names of the tables.
 */
export async function analyzeGrown(sql: Sql, tried: Map<string, number> = new Map()): Promise<string[]> {
  const analyzed: string[] = [];
  for (const { name } of await listGrown(sql)) {
    const before = tried.get(name);
    if (before !== undefined && performance.now() - before < retryAfterMs) continue;
    // safe: the name comes from the catalogue, quoted by format(). Whoever holds the lock analyses it or changes it.
    await sql.query(`analyze (skip_locked) ${name}`);
    analyzed.push(name);
  }
  const left = new Set((analyzed.length > 0 ? await listGrown(sql) : []).map(({ name }) => name));
  for (const name of analyzed) left.has(name) ? tried.set(name, performance.now()) : tried.delete(name);
  return analyzed;
}

/** Does so from now on, until it is stopped. `note` gets what fails. */
export function keepStatistics(sql: Sql, note: (error: unknown) => void): { stop(): Promise<void> } {
  const tried = new Map<string, number>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    await analyzeGrown(sql, tried).catch(note);
    if (!isStopped) timer = setTimeout(start, lookEveryMs).unref();
  };
  const start = () => {
    looking = look();
  };
  start();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
