// `paylink admin move`, as in docs/operations.md. Must not: print a master key, or the password of an address.

import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { FolderMove } from '../db/folder-move.ts';
import type { MoveDeps, MoveSummary } from '../move/move-database.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';

/** The settings of the source: those of the target are none of its own, even if they are set already. */
async function readSourceSettings(env: Environment): Promise<Config> {
  const { readServiceSettings, serviceEnvironment } = await import('./settings.ts');
  return readServiceSettings({
    ...serviceEnvironment(env),
    DATABASE_URL: '',
    DATABASE_DIRECT_URL: '',
  });
}

/** Names the database of an address without its password. Throws a usage error for another text. */
async function nameTarget(address: string): Promise<string> {
  const { formatHost, InvalidDatabaseAddressError, parseDatabaseAddress } = await import(
    '../db/database-address.ts'
  );
  try {
    const { hosts, database } = parseDatabaseAddress(address);
    return `the database ${database || 'of the user'} at ${hosts.map(formatHost).join(', or ')}`;
  } catch (error) {
    if (!(error instanceof InvalidDatabaseAddressError)) throw error;
    throw usageError(`--to ${error.message}.`);
  }
}

async function openTarget(address: string, dataDir: string): Promise<Database> {
  const { openDatabase } = await import('../db/database.ts');
  const { toStartupError } = await import('./settings.ts');
  try {
    return await openDatabase({ databaseUrl: address, dataDir, poolSize: 2, log: () => undefined });
  } catch (error) {
    const reported = toStartupError(error, null);
    throw reported instanceof CommandError
      ? usageError(reported.message.replaceAll('DATABASE_URL', '--to'))
      : reported;
  }
}

/** Opens both sides. The lock of the data folder refuses a running service. */
async function withBothSides<T>(
  config: Config,
  address: string,
  work: (sides: { source: Database; target: Database }) => Promise<T>,
): Promise<T> {
  const { withConfiguredDatabase } = await import('./settings.ts');
  return await withConfiguredDatabase(config, async (source) => {
    const target = await openTarget(address, config.dataDir);
    try {
      return await work({ source, target });
    } finally {
      await target.close();
    }
  });
}

/** Throws if the settings have another key: with it, no credential would work on the target. */
async function requireOwnKey(source: Database, config: Config): Promise<void> {
  const { readMasterKeys, keyFilesOf } = await import('../master-key.ts');
  const { compareMasterKeys } = await import('../check-master-key.ts');
  const keys = readMasterKeys(config);
  const { current } = keyFilesOf(config);
  if (!keys) throw usageError(`The file ${current} is missing: restore it from a backup.`);
  if ((await compareMasterKeys(source, keys)).kind !== 'other') return;
  throw usageError(
    `PAYLINK_MASTER_KEY is not the key of the database in ${config.dataDir}: unset it for this command, or set it to\n` +
      `the content of ${current}.`,
  );
}

/** What to set for the service on the target. */
async function describeSettings(config: Config, to: string): Promise<string[]> {
  const { existsSync } = await import('node:fs');
  const { keyFilesOf } = await import('../master-key.ts');
  const files = keyFilesOf(config);
  const keyIn = (name: string, file: string, value: Buffer | null) =>
    value ? `${name}, as before` : `${name}, the content of ${file}: export ${name}="$(cat '${file}')"`;
  const hasOldKey = config.oldMasterKey !== null || existsSync(files.old);
  return [
    'Start the service with these settings:',
    `  DATABASE_URL, the address that you gave to --to: ${to}`,
    `  ${keyIn('PAYLINK_MASTER_KEY', files.current, config.masterKey)}`,
    ...(hasOldKey ? [`  ${keyIn('PAYLINK_OLD_MASTER_KEY', files.old, config.oldMasterKey)}`] : []),
    `  BASE_URL=${config.baseUrl}, as in the settings of this command; links that customers have contain it`,
    'Then "paylink doctor" checks them. Keep the key in a second place: without it the data is worthless.',
  ];
}

function describeSummary({ tables, rows, companies, faults }: MoveSummary): string[] {
  return [
    ...faults,
    ...(faults.length > 0
      ? [
          `These faults of the ledgers and hash chains were in the embedded database already: ${faults.length}.`,
        ]
      : []),
    `Moved and verified: ${rows} rows in ${tables} tables (companies: ${companies}).`,
  ];
}

type Given = { address: string; to: string; isDryRun: boolean };

async function move({ terminal }: CommandContext, config: Config, { address, to, isDryRun }: Given) {
  const { checkMove, moveDatabase } = await import('../move/move-database.ts');
  const { systemClock } = await import('../base/clock.ts');
  const { dataDir } = config;
  return await withBothSides(config, address, async (sides) => {
    await requireOwnKey(sides.source, config);
    const deps: MoveDeps = { ...sides, dataDir, to, clock: systemClock, onStep: terminal.note };
    if (isDryRun) {
      const { pending } = await checkMove(deps);
      return [
        `The database in ${dataDir} can be moved to ${to}. Nothing was copied or changed.`,
        `Migrations that the move would apply there: ${pending.length}.`,
      ];
    }
    const summary = await moveDatabase(deps).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'MoveStoppedError')
        throw new CommandError(exitCodes.found, error.message, { code: 'move_stopped' });
      throw error;
    });
    return [
      ...describeSummary(summary),
      `The database in ${dataDir} is closed: Paylink no longer starts on it. Keep the folder as a backup.`,
      ...(await describeSettings(config, to)),
    ];
  });
}

/** The rest of an interrupted move, whose data folder is closed already. */
async function finish(
  { terminal }: CommandContext,
  config: Config,
  { address, to, isDryRun, note }: Given & { note: FolderMove },
): Promise<string[]> {
  const { lockDataFolder } = await import('../db/data-folder.ts');
  const { finishInterruptedMove } = await import('../move/move-database.ts');
  if (isDryRun) return [`The database in ${config.dataDir} was moved to ${note.to} already.`];
  const lock = await lockDataFolder(config.dataDir);
  try {
    const target = await openTarget(address, config.dataDir);
    try {
      const { dataDir } = config;
      const deps = { target, dataDir, onStep: terminal.note };
      const { wasUnfinished } = await finishInterruptedMove(deps, note);
      const what = wasUnfinished ? 'The interrupted move is finished.' : 'The move was finished before.';
      return [what, ...(await describeSettings(config, to))];
    } finally {
      await target.close();
    }
  } finally {
    lock.release();
  }
}

export const moveCommand: Command = {
  name: 'admin move',
  summary: 'Move the embedded database to a PostgreSQL server',
  details:
    'Everything moves, or nothing: accounts, keys, links, payments and what is due later. Stop the service first. The\n' +
    'target is an empty database, as in "Setting up PostgreSQL" of docs/operations.md. The command verifies the copy\n' +
    'before it commits, and then closes the data folder. After an interruption run it again. At the end it prints the\n' +
    'settings for the service.',
  options: [
    { name: 'to', value: 'ADDRESS', help: 'the address of the target, as in DATABASE_URL', isRequired: true },
    { name: 'dry-run', help: 'check both databases, and copy nothing' },
  ],
  examples: [
    'admin move --to postgres://paylink@db.internal/paylink --dry-run',
    'admin move --to postgres://paylink@db.internal/paylink',
  ],
  run: async (context, given) => {
    const { terminal, env } = context;
    const address = given.required('to');
    const { serviceEnvironment } = await import('./settings.ts');
    if (serviceEnvironment(env).DATABASE_URLS)
      throw usageError(
        'An embedded database moves to one server, not to cells: unset DATABASE_URLS for this command. Afterwards make the\n' +
          'server the first cell, as docs/cells.md describes.',
      );
    const request: Given = { address, to: await nameTarget(address), isDryRun: given.has('dry-run') };
    const config = await readSourceSettings(env);
    const { readFolderMove } = await import('../db/folder-move.ts');
    const { toStartupError } = await import('./settings.ts');
    try {
      const note = readFolderMove(config.dataDir);
      const lines =
        note?.state === 'moved'
          ? await finish(context, config, { ...request, note })
          : await move(context, config, request);
      terminal.report({ json: { to: request.to, dataDir: config.dataDir }, lines });
      return exitCodes.ok;
    } catch (error) {
      throw toStartupError(error, config);
    }
  },
};
