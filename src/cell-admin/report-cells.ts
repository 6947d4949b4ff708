// What an operator has to know about each cell: size, headroom, and the companies that it mostly works for. Must not: read
// whole tables, or many rows of a company.

import { countCompanies, listCells } from '../cells/directory-store.ts';
import { listCompanyIds } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { CompanyUnavailableError } from '../db/outage.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

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

export type CompanyShare = {
  companyId: string;
  /** All that were sealed so far. */
  events: number;
  /** Of the events of all companies of the cell, from 0 to 1. */
  share: number;
};

const largestShown = 5;
/** Each company costs a transaction, and IDs are random: of a larger cell, that many companies are a sample. */
const mostCompanies = 20_000;
const companiesAtATime = 500;
const transactionsAtOnce = 4;

// The role for all companies sees only events without a seal. The position of the last seal is the number of seals.
const countSealedSql = statement({ events: t.int8 })`
  select position as events from event_seals where company_id = $1 order by position desc limit 1`;

/** Null if the company is being moved. */
async function countEvents(cell: Database, companyId: string): Promise<number | null> {
  try {
    const tail = await cell.inCompany(companyId, async (tx) => await tx.query(countSealedSql, [companyId]));
    return first(tail)?.events ?? 0;
  } catch (error) {
    if (error instanceof CompanyUnavailableError) return null;
    throw error;
  }
}

async function listLargest(cell: Database): Promise<CompanyShare[]> {
  const counted: { companyId: string; events: number }[] = [];
  let after = '';
  for (let seen = 0; seen < mostCompanies; ) {
    const page = await cell.inSystem(async (tx) => await listCompanyIds(tx, after, companiesAtATime));
    const left = page.values();
    const work = async () => {
      for (const companyId of left) {
        const events = await countEvents(cell, companyId);
        if (events) counted.push({ companyId, events });
      }
    };
    await Promise.all(Array.from({ length: transactionsAtOnce }, work));
    seen += page.length;
    after = page.at(-1) ?? '';
    if (page.length < companiesAtATime) break;
  }
  const all = counted.reduce((sum, { events }) => sum + events, 0);
  return counted
    .toSorted((one, other) => other.events - one.events)
    .slice(0, largestShown)
    .map((company) => ({ ...company, share: company.events / all }));
}

export type CellReport = {
  name: string;
  weight: number;
  companies: number;
  state: 'up' | 'down' | 'not in DATABASE_URLS';
  /** Null if the cell is not up. */
  use: ServerUse | null;
  /** The companies with the most events; empty if the cell is not up. */
  largest: CompanyShare[];
};

async function readCell(cell: Database): Promise<Pick<CellReport, 'use' | 'largest'>> {
  const [use = null] = await cell.asOwner.query(readUseSql);
  return { use, largest: await listLargest(cell) };
}

/** The cells in the order of `names`, those of DATABASE_URLS, and then the others. */
export async function reportCells(db: Database, names: readonly string[]): Promise<CellReport[]> {
  const counts = await countCompanies(db.asOwner);
  const registered = await listCells(db.asOwner);
  const placeOf = ({ name }: { name: string }) => names.indexOf(name) + 1 || names.length + 1;
  const open = new Map(db.cells().map((cell) => [cell.cell, cell]));
  return await Promise.all(
    registered
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map(async ({ name, weight }): Promise<CellReport> => {
        const companies = counts.find(({ cell }) => cell === name)?.companies ?? 0;
        const cell = open.get(name);
        // Down since before this process started, or since a moment ago.
        const read = cell ? await readCell(cell).catch(() => null) : null;
        const { use, largest } = read ?? { use: null, largest: [] };
        const notUp = names.includes(name) ? 'down' : 'not in DATABASE_URLS';
        return { name, weight, companies, state: read ? 'up' : notUp, use, largest };
      }),
  );
}
