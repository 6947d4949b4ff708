// Opens the database of the settings, or the cells, and prepares each: migrations, the master key, the numbers of events.

import { OperatorError } from './base/operator-error.ts';
import { findThisCell } from './cells/home-store.ts';
import { openCells } from './cells/open-cells.ts';
import { routeCells } from './cells/route-cells.ts';
import { requireMasterKey } from './check-master-key.ts';
import { type Config, databaseOptions } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { migrate, migrationsDir } from './db/migrate.ts';
import { refuseUnfinishedMove } from './db/move-store.ts';
import type { OutageEvent } from './db/outage.ts';
import { catchUpEventNumbers } from './events/event-numbers.ts';
import type { MasterKeys } from './master-key.ts';

export type OpenOptions = {
  log: (message: string) => void;
  /** Gets the outages of a server, with the name of its cell; null without cells. */
  onOutage?: (news: OutageEvent, cell: string | null) => void;
  /** Gets what an operator has to correct, with the name of the cell; without it `log` gets it. */
  onFault?: (message: string, cell: string) => void;
  /** Prepares a database before anything else uses it. Throws an OperatorError if it cannot be used. */
  prepare: (database: Database) => Promise<void>;
};

/** Opens what the settings name. Throws an OperatorError. */
export async function openConfiguredDatabase(config: Config, options: OpenOptions): Promise<Database> {
  const { prepare, log, onOutage, onFault } = options;
  const { cells, directoryUrl, databasePreparedStatements, databasePoolSize } = config;
  if (cells)
    return routeCells(
      await openCells({
        ...{ cells, directoryUrl, prepare, log },
        preparesStatements: databasePreparedStatements,
        poolSize: databasePoolSize,
        ...(onOutage && { onOutage }),
        ...(onFault && { onFault }),
      }),
    );
  const db = await openDatabase({
    ...databaseOptions(config),
    log,
    ...(onOutage && { onOutage: (news) => onOutage(news, null) }),
  });
  try {
    await refuseCell(db);
    await prepare(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Throws an OperatorError if the database of DATABASE_URL is one of several. */
async function refuseCell(db: Database): Promise<void> {
  if (db.kind === 'embedded') return;
  const cell = await findThisCell(db.asOwner);
  if (!cell) return;
  throw new OperatorError(
    `The database is the cell ${cell.name} of an installation with several: set DATABASE_URLS instead of DATABASE_URL, with ` +
      'the databases of all cells. Nothing was written to it.',
  );
}

/** What the service does with a database before it works on it. */
export async function prepareForService(
  db: Database,
  { masterKeys, log }: { masterKeys: MasterKeys; log: (message: string) => void },
): Promise<void> {
  await migrate(db, { dir: migrationsDir, log });
  await refuseUnfinishedMove(db);
  await requireMasterKey(db, masterKeys);
  await catchUpEventNumbers(db, { log });
}
