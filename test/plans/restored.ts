// A database as after a restore or a major upgrade: with rows, without statistics.

import type pg from 'pg';

/** The recorded size of a table or index. */
export type Size = { oid: number; relpages: number; reltuples: number };

const ours = `relkind in ('r', 'i') and relnamespace::regnamespace::text = 'public'`;

export async function readSizes(admin: pg.Client): Promise<Size[]> {
  const { rows } = await admin.query<Size>(`select oid, relpages, reltuples from pg_class where ${ours}`);
  return rows;
}

/** Deletes all statistics. `emptySizes` are the sizes that the catalogue recorded before there were rows. */
export async function deleteStatistics(admin: pg.Client, emptySizes: readonly Size[]): Promise<void> {
  await admin.query(`delete from pg_statistic using pg_class where oid = starelid and ${ours}`);
  await admin.query(
    `update pg_class set relpages = empty_sizes.relpages, reltuples = empty_sizes.reltuples
     from unnest($1::oid[], $2::integer[], $3::real[]) as empty_sizes (oid, relpages, reltuples)
     where pg_class.oid = empty_sizes.oid`,
    [
      emptySizes.map(({ oid }) => oid),
      emptySizes.map(({ relpages }) => relpages),
      emptySizes.map(({ reltuples }) => reltuples),
    ],
  );
}
