// A migrated database without a service, for tests of event order and seals.

import { newCompanyId } from '../../src/base/ids.ts';
import { type Database, openDatabase, type TenantTx } from '../../src/db/database.ts';
import { appendEvent } from '../../src/events/append-event.ts';
import { sealEvents } from '../../src/events/seal-events.ts';
import { readChainHead } from '../../src/events/verify-chain.ts';
import { copyTemplate, createFromTemplate } from './database-templates.ts';
import { type Cleaner, createCleaner, type OpenOptions } from './engines.ts';
import type { Engine } from './paylink.ts';
import { until } from './process.ts';

export type DatabaseFixture = {
  db: Database;
  /** The options for opening the same database in another process. */
  options: OpenOptions;
  createCompany(): Promise<string>;
  /** A transaction of a company in test mode. */
  inTenant<T>(companyId: string, work: (tx: TenantTx) => Promise<T>): Promise<T>;
  /** Appends events in one transaction. */
  append(companyId: string, ...types: string[]): Promise<void>;
  /** Seals all events of a company, and waits for transactions of other tests. */
  sealAll(companyId: string): Promise<void>;
  stop(): Promise<void>;
};

const sealLimitMs = 100_000;

/** Seals until a company has no unsealed event. */
export async function sealAllOf(db: Database, companyId: string): Promise<void> {
  const end = performance.now() + sealLimitMs;
  for (;;) {
    await sealEvents({ db, clock: { now: () => new Date() } });
    const { unsealedEvents } = await db.inBothModes(companyId, readChainHead);
    if (unsealedEvents === 0) return;
    if (performance.now() > end) throw new Error(`${unsealedEvents} events could not be sealed`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the feeds have all events so far: open transactions, also of other tests on the server, delay them. */
export async function untilInFeed({ asOwner }: Pick<Database, 'asOwner'>): Promise<void> {
  const text = 'select from events where xact >= event_horizon() limit 1';
  await until(async () => (await asOwner.query(text)).length === 0, 'the feed');
}

async function prepareOptions(engine: Engine, cleaner: Cleaner): Promise<OpenOptions> {
  const dataDir = await cleaner.folder();
  const log = () => undefined;
  if (engine === 'server') {
    const { url, drop } = await createFromTemplate();
    cleaner.add(drop);
    return { databaseUrl: url, dataDir, log };
  }
  await copyTemplate(dataDir);
  return { dataDir, log };
}

export async function openDatabaseFixture(engine: Engine): Promise<DatabaseFixture> {
  const cleaner = createCleaner();
  const options = await prepareOptions(engine, cleaner);
  const db = await openDatabase(options);
  cleaner.add(() => db.close());
  const inTenant: DatabaseFixture['inTenant'] = async (companyId, work) =>
    await db.inTenant({ companyId, mode: 'test' }, work);
  return {
    db,
    options,
    inTenant,
    createCompany: async () => {
      const companyId = newCompanyId();
      await inTenant(companyId, async (tx) => {
        const text = `insert into companies (company_id, name, country, created_at) values ($1, 'Bare', 'DE', now())`;
        await tx.query(text, [companyId]);
      });
      return companyId;
    },
    append: async (companyId, ...types) => {
      await inTenant(companyId, async (tx) => {
        for (const type of types)
          await appendEvent(tx, { type, isPublic: true, actor: 'test', data: { type }, at: new Date() });
      });
    },
    sealAll: async (companyId) => await sealAllOf(db, companyId),
    stop: cleaner.clean,
  };
}
