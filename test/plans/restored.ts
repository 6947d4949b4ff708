// A database as after a restore or a major upgrade: with rows, without statistics.

import type pg from 'pg';

/** The recorded size of a table or index. */
export type Size = { oid: number; relpages: number; reltuples: number };

const ours = `relkind in ('r', 'i') and relnamespace::regnamespace::text in ('public', 'pgboss')`;

export async function readSizes(admin: pg.Client): Promise<Size[]> {
  const { rows } = await admin.query<Size>(`select oid, relpages, reltuples from pg_class where ${ours}`);
  return rows;
}

/** Deletes all statistics. `emptySizes` are the sizes that the catalogue recorded before there were rows. */
export async function forget(admin: pg.Client, untold: readonly Size[]): Promise<void> {
  await admin.query(`delete from pg_statistic using pg_class where oid = starelid and ${ours}`);
  await admin.query(
    `update pg_class set relpages = untold.relpages, reltuples = untold.reltuples
     from unnest($1::oid[], $2::integer[], $3::real[]) as untold (oid, relpages, reltuples)
     where pg_class.oid = untold.oid`,
    [
      untold.map(({ oid }) => oid),
      untold.map(({ relpages }) => relpages),
      untold.map(({ reltuples }) => reltuples),
    ],
  );
}
