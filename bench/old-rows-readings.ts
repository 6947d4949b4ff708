// Reads what PostgreSQL counts about the tables that grow: pages, write-ahead log, depth of indexes, sizes. Must not: depend
// on time.

import { type BenchDatabase, queryOne } from './database.ts';
import { growingTables } from './fill-history.ts';

/** What statements that write did, of the service alone. */
export type StatementCost = { buffers: number; walBytes: number; walRecords: number };

// Statements of the bench itself belong to the superuser. The service's analyze is not counted: it follows new rows rarely.
const ofService = `s.wal_records > 0 and s.query !~* '^(analyze|vacuum)'
  and s.userid <> (select oid from pg_roles where rolname = current_user)`;

export async function readStatements(bench: BenchDatabase): Promise<StatementCost> {
  return await queryOne<StatementCost>(
    bench,
    // safe: the condition is a literal of this file.
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers,
            coalesce(sum(wal_bytes), 0)::float8 as "walBytes", coalesce(sum(wal_records), 0)::float8 as "walRecords"
     from pg_stat_statements s where ${ofService}`,
  );
}

/** Pages that a statement of the bench itself used. */
export async function countBuffers(bench: BenchDatabase, text: string): Promise<number> {
  await bench.admin.query('select pg_stat_statements_reset()');
  await bench.admin.query(text);
  const { buffers } = await queryOne<{ buffers: number }>(
    bench,
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers
     from pg_stat_statements where query = $1`,
    [text],
  );
  return buffers;
}

export type IndexDepth = { name: string; levels: number; bytes: number };

/** The B-trees of the growing tables; a lookup reads one page a level. */
export async function readIndexes({ admin }: BenchDatabase): Promise<IndexDepth[]> {
  const { rows } = await admin.query<IndexDepth>(
    `select c.relname as name, (bt_metap(c.oid::regclass::text)).level::integer + 1 as levels,
            pg_relation_size(c.oid)::float8 as bytes
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any($1::regclass[]) order by 1`,
    [growingTables],
  );
  return rows;
}

export type TableSize = { name: string; heapBytes: number; indexBytes: number; rows: number };

/** Sizes, right after vacuum and analyze. */
export async function readTables({ admin }: BenchDatabase): Promise<TableSize[]> {
  const { rows } = await admin.query<TableSize>(
    `select relname as name, pg_table_size(oid)::float8 as "heapBytes", pg_indexes_size(oid)::float8 as "indexBytes",
            reltuples::float8 as rows
     from pg_class where oid = any($1::regclass[]) order by pg_total_relation_size(oid) desc`,
    [growingTables],
  );
  return rows;
}

/** Whole pages in the write-ahead log: the first change of a page after a checkpoint. */
export type PageImages = { name: string; images: number };

/** Counts them between two positions, for each table and index that has any, most first. */
export async function countImages(
  { admin }: BenchDatabase,
  { from, to }: { from: string; to: string },
): Promise<PageImages[]> {
  const { rows } = await admin.query<PageImages>(
    `select c.relname as name, count(*)::integer as images
     from pg_get_wal_records_info($1, least($2::pg_lsn, pg_current_wal_flush_lsn())) r
     cross join lateral regexp_matches(r.block_ref, 'rel [0-9]+/[0-9]+/([0-9]+) fork main blk [0-9]+ \\(FPW\\)', 'g') as found
     join pg_class c on c.relfilenode = found[1]::oid
     where r.fpi_length > 0 group by 1 order by 2 desc`,
    [from, to],
  );
  return rows;
}

export async function readWalPosition(bench: BenchDatabase): Promise<string> {
  return (await queryOne<{ at: string }>(bench, 'select pg_current_wal_insert_lsn()::text as at')).at;
}

export async function walBytesBetween(bench: BenchDatabase, from: string, to: string): Promise<number> {
  return (
    await queryOne<{ bytes: number }>(bench, 'select ($2::pg_lsn - $1::pg_lsn)::float8 as bytes', [from, to])
  ).bytes;
}
