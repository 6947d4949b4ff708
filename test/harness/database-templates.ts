// Migrated databases without rows. Each is created once per run and copied, which is much faster.

import { cp } from 'node:fs/promises';
import { openDatabase } from '../../src/db/database.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { makeOnce, type OpenOptions } from './engines.ts';
import { createDatabase, hasDatabase, type TestDatabase, testDatabaseUrl } from './services.ts';

async function prepare(options: OpenOptions): Promise<void> {
  const db = await openDatabase(options);
  try {
    await migrate(db, { dir: migrationsDir, log: () => undefined });
  } finally {
    await db.close();
  }
}

/** Copies an embedded database with all tables into a data folder. Returns the folder. */
export async function copyTemplate(dataDir: string): Promise<string> {
  const template = await makeOnce('prepared', async (folder) => {
    await prepare({ dataDir: folder, log: () => undefined });
  });
  await cp(template, dataDir, { recursive: true });
  return dataDir;
}

const templateName = 'paylink_prepared';

/** Clusters that are known to have the template. */
const prepared = new Set<string>();

/** Creates the template on the cluster with this superuser URL. */
async function createTemplate(clusterUrl: string): Promise<void> {
  const database = await createDatabase({ clusterUrl });
  await prepare({ databaseUrl: database.url, dataDir: 'unused', log: () => undefined });
  await database.rename(templateName).catch(async (error) => {
    // Another process was first, so this one is not needed.
    await database.drop();
    if (!(await hasDatabase(templateName, clusterUrl))) throw error;
  });
}

/** A database with all tables on the test cluster, or on the cluster with this superuser URL. */
export async function createFromTemplate(clusterUrl = testDatabaseUrl()): Promise<TestDatabase> {
  if (!prepared.has(clusterUrl) && !(await hasDatabase(templateName, clusterUrl)))
    await createTemplate(clusterUrl);
  prepared.add(clusterUrl);
  return await createDatabase({ clusterUrl, template: templateName });
}
