// What an operator has to know about each cell: size, headroom, and the companies that it mostly works for. Must not: read
// whole tables; the shares of companies come from a sample.

import type { Database } from '../db/database.ts';
import { type RowOf, statement, t } from '../db/statements.ts';
import { countCompanies, listCells } from './directory-store.ts';

const ServerUse = {
  databaseBytes: t.int8,
  maxConnections: t.int4,
  /** Of all users of the server. */
  usedConnections: t.int4,
  maxSlots: t.int4,
  usedSlots: t.int4,
};
type ServerUse = RowOf<typeof ServerUse>;

const readUseSql = statement(ServerUse)`
  select pg_database_size(current_database()) as "databaseBytes",
    current_setting('max_connections')::int as "maxConnections",
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
    current_setting('max_replication_slots')::int as "maxSlots",
    (select count(*)::int from pg_replication_slots) as "usedSlots"`;

const CompanyShare = {
  companyId: t.text,
  /** Of the events of all companies of the cell, from 0 to 1. */
  share: t.float8,
};
export type CompanyShare = RowOf<typeof CompanyShare>;

/** As many pages are read at random, at most. */
const sampledPages = 2_000;
const largestShown = 5;

const readPercentSql = statement({ percent: t.float8 })`
  select least(100, 100.0 * $1::int8 * current_setting('block_size')::int8 / greatest(1, coalesce(
    (select sum(pg_relation_size(relid)) from pg_partition_tree('events')), pg_relation_size('events'))))::float8
    as percent`;

const listLargestSql = statement(CompanyShare)`
  select company_id as "companyId", count(*)::float8 / (sum(count(*)) over ())::float8 as share
  from events tablesample system ($1::float8)
  group by company_id order by share desc, company_id limit $2::int4`;

export type CellReport = {
  name: string;
  weight: number;
  companies: number;
  state: 'up' | 'down';
  /** Null if the cell is down. */
  use: ServerUse | null;
  /** The companies with the most events; empty if the cell is down. */
  largest: CompanyShare[];
};

async function readCell(cell: Database): Promise<Pick<CellReport, 'use' | 'largest'>> {
  const [use = null] = await cell.asOwner.query(readUseSql);
  const largest = await cell.inSystem(async (tx) => {
    const [sample] = await tx.query(readPercentSql, [sampledPages]);
    return await tx.query(listLargestSql, [sample?.percent ?? 100, largestShown]);
  });
  return { use, largest };
}

/** The cells in the order in which they were added. */
export async function reportCells(db: Database): Promise<CellReport[]> {
  const counts = await countCompanies(db.asOwner);
  const registered = await listCells(db.asOwner);
  const open = new Map(db.cells().map((cell) => [cell.cell, cell]));
  return await Promise.all(
    registered.map(async ({ name, weight }): Promise<CellReport> => {
      const companies = counts.find(({ cell }) => cell === name)?.companies ?? 0;
      const cell = open.get(name);
      // Down since before this process started, or since a moment ago.
      const read = cell ? await readCell(cell).catch(() => null) : null;
      const { use, largest } = read ?? { use: null, largest: [] };
      return { name, weight, companies, state: read ? 'up' : 'down', use, largest };
    }),
  );
}
