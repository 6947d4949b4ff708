// The simulation's database: the product's Database on PostgreSQL in memory, where a statement takes microseconds. It
// has one connection and no disk. It only adds names to statements, so that their plans are reused.

import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { insertCompany, type RetryPolicy } from '../../src/companies/store.ts';
import { readPoolState } from '../../src/db/connection.ts';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { runMaintenance } from '../../src/db/embedded-maintenance.ts';
import { migrate } from '../../src/db/migrate.ts';
import { valueTypes } from '../../src/db/value-types.ts';
import { createWireStream, type ExecuteMessages } from '../../src/db/wire-stream.ts';
import '../harness/check-rows.ts';

export type MemoryDatabase = {
  db: Database;
  /** Three companies, one for each retry policy. */
  companies: readonly string[];
  /** Removes the companies' payments and events, and sometimes runs the maintenance. */
  empty(): Promise<void>;
  /** Runs work without an index, then empties the database and restores the index. */
  withoutIndex<T>(name: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Walks between two rounds of maintenance, such as truncating the log. */
const upkeepEvery = 4;

/** By default the log and the buffers may take more than a gigabyte of memory. */
const smallMemory = ['shared_buffers=32MB', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap((setting) => [
  '-c',
  setting,
]);

type Statement = { text: string; queryMode?: string; submit?: unknown };

/** pg's client with a name for each statement, so that the engine parses and plans it once. */
function createNamingClient(): typeof pg.Client {
  const names = new Map<string, string>();
  const nameOf = ({ text }: Statement) => {
    const name = names.get(text) ?? `statement_${names.size}`;
    names.set(text, name);
    return name;
  };
  return class NamingClient extends pg.Client {
    override query(...args: unknown[]): never {
      const statement = args[0] as Statement;
      const named =
        statement.queryMode === 'extended' && !statement.submit
          ? { ...statement, name: nameOf(statement) }
          : statement;
      return (super.query as (...given: unknown[]) => never)(named, ...args.slice(1));
    }
  };
}

function createExecute(pglite: PGlite): ExecuteMessages {
  return async (messages) => {
    const chunks: Buffer[] = [];
    await pglite.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
    });
    return Buffer.concat(chunks);
  };
}

const policies: readonly RetryPolicy[] = ['none', 'fixable', 'all'];

async function foundCompanies(db: Database): Promise<string[]> {
  const companies = policies.map((_, index) => `co_merch00${index + 1}`);
  for (const [index, companyId] of companies.entries()) {
    const company = { name: `Merchant ${index + 1}`, country: 'DE' };
    await db.inTenant(
      { companyId, mode: 'test' },
      async (tx) => await insertCompany(tx, company, new Date(0)),
    );
    await db.asOwner.query('update companies set retry_policy = $2 where company_id = $1', [
      companyId,
      policies[index],
    ]);
  }
  return companies;
}

/** Opens an empty, migrated database in memory. */
export async function openMemoryDatabase(): Promise<MemoryDatabase> {
  const pglite = new PGlite({ startParams: [...PGlite.defaultStartParams, ...smallMemory] });
  await pglite.waitReady;
  const settings = {
    Client: createNamingClient(),
    stream: createWireStream(createExecute(pglite)).connect,
    max: 1,
    idleTimeoutMillis: 0,
    types: valueTypes,
    host: 'memory',
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    password: 'none',
    ssl: false,
  };
  const pool = new pg.Pool(settings);
  const close = async () => {
    await pool.end();
    await pglite.close();
  };
  let emptied = 0;
  const poolState = () => readPoolState(pool);
  const engine = {
    kind: 'embedded',
    pool,
    limits: {},
    durability: 'none: in memory',
    poolState,
    close,
  } as const;
  const db = createDatabase(engine);
  await migrate(db, {
    dir: new URL('../../migrations/', import.meta.url).pathname,
    log: () => undefined,
  });
  const companies = await foundCompanies(db);
  const empty = async () => {
    await db.asOwner.query('truncate payments, events, ledger_totals cascade');
    emptied += 1;
    if (emptied % upkeepEvery === 0) await runMaintenance(pool);
  };
  return {
    db,
    companies,
    empty,
    withoutIndex: async (name, work) => {
      const [index] = await db.asOwner.query<{ definition: string }>(
        'select pg_get_indexdef($1::regclass) as definition',
        [name],
      );
      // safe: a plant's own name of an index of ours.
      await db.asOwner.query(`drop index ${name}`);
      try {
        return await work();
      } finally {
        await empty();
        await db.asOwner.query(index?.definition ?? '');
      }
    },
    close: db.close,
  };
}
