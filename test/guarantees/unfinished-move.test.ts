// A service and the operators' commands refuse a database whose move is unfinished: its source may still take payments.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import { createLogger } from '../../src/telemetry.ts';
import { createFromTemplate } from '../harness/database-templates.ts';
import { createCleaner } from '../harness/engines.ts';
import { freePort } from '../harness/paylink.ts';
import { masterKey, onServer } from '../move/move-rig.ts';
import { guarantee } from './plant.ts';

type AppModule = typeof import('../../src/app.ts');
type SettingsModule = typeof import('../../src/cli/settings.ts');
type ConfigModule = typeof import('../../src/config.ts');

const { readConfig }: ConfigModule = await import('../../src/config.ts');
const cleaner = createCleaner();
after(cleaner.clean);

const refusal = /^The move of an embedded database to this database was interrupted: run the same /;

/** A database without rows, and the settings of a service on it. */
async function createTarget() {
  const { url, drop } = await createFromTemplate();
  cleaner.add(drop);
  const dataDir = join(await cleaner.folder(), 'data');
  const port = String(await freePort());
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, PAYLINK_MASTER_KEY: masterKey, PORT: port };
  return { url, config: readConfig(settings) };
}

const arrive = async (url: string) =>
  await onServer(url, `insert into database_moves (move_id, state) values ('${'a'.repeat(26)}', 'arrived')`);

const createLog = () => createLogger({ level: 'silent' });

guarantee<AppModule>(
  'a service does not open a database whose move is unfinished',
  'src/app.ts',
  async ({ createApp }) => {
    const { url, config } = await createTarget();
    await arrive(url);
    const opened = createApp({ config, log: createLog() }).then(async (app) => await app.stop());
    await assert.rejects(opened, { message: refusal });
  },
  {
    'src/open-database.ts': {
      '  await refuseUnfinishedMove(db);\n': { 'the service opens the database': '' },
    },
    'src/db/move-store.ts': {
      "move === null || move.state === 'finished'": { 'every state counts as finished': 'true' },
    },
  },
);

guarantee<AppModule>(
  'a service does not listen if a move has committed since it opened the database',
  'src/app.ts',
  async ({ createApp }) => {
    const { url, config } = await createTarget();
    const app = await createApp({ config, log: createLog() });
    try {
      await arrive(url);
      await assert.rejects(app.listen(), { message: refusal });
      assert.equal(app.server.server.listening, false);
    } finally {
      await app.stop();
    }
  },
  {
    'src/app.ts': {
      '      await refuseUnfinishedMoves(deps.db);\n': {
        'the service listens': '',
      },
    },
  },
);

guarantee<SettingsModule>(
  'a command of the operator does not open a database whose move is unfinished',
  'src/cli/settings.ts',
  async ({ withConfiguredDatabase }) => {
    const { url, config } = await createTarget();
    await arrive(url);
    await assert.rejects(
      withConfiguredDatabase(config, async () => undefined),
      { message: refusal, exitCode: 2 },
    );
  },
  {
    'src/cli/settings.ts': { '  await refuseUnfinishedMove(database);\n': { 'the command runs': '' } },
  },
);
