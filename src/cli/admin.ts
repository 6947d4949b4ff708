// `paylink admin …`: creates a company, applies migrations. Must not: print a password, except one that it generated.

import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { cellMoveCommands } from './cell-moves.ts';
import { cellCommands } from './cells.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { companyCommands } from './company.ts';
import { moveCommand } from './move.ts';
import { rotateCommand } from './rotate.ts';

async function choosePassword(
  { terminal, env }: CommandContext,
  email: string,
): Promise<{ password: string; isGenerated: boolean }> {
  const typed =
    env.PAYLINK_PASSWORD ||
    (terminal.isInteractive
      ? await terminal.ask('Password of the owner (leave empty to generate one): ', { isSecret: true })
      : '');
  if (typed === '') {
    const { randomBase62 } = await import('../base/ids.ts');
    return { password: randomBase62(20), isGenerated: true };
  }
  const { passwordError, minPasswordLength } = await import('../passwords/password-policy.ts');
  if (typed.length < minPasswordLength)
    throw usageError(`The password must have at least ${minPasswordLength} characters.`);
  const fault = await passwordError(typed, email, 'password');
  if (fault) throw usageError(`The password is not allowed: ${fault.detail}`);
  return { password: typed, isGenerated: false };
}

type CompanyOwner = { name: string; country: string; email: string };

const maxNameLength = 200;

/** Throws a usage error for values that the API or a login would reject. */
async function checkOwner({ name, country, email }: CompanyOwner): Promise<void> {
  const { checkCompanyChange } = await import('../companies/check-company.ts');
  const { ApiError } = await import('../base/errors.ts');
  if (name.length > maxNameLength) throw usageError(`--name may have at most ${maxNameLength} characters.`);
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    throw usageError(`--email must be an email address, not "${email}".`);
  try {
    checkCompanyChange({ name, country }, 'test');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw usageError(error.errors.map(({ field, detail }) => `--${field}: ${detail}`).join('\n'));
  }
}

/** Why a company was not created. Other errors are returned unchanged. */
async function refusalOf(error: unknown, email: string): Promise<unknown> {
  const { EmailTaken } = await import('../companies/logins.ts');
  const { NoCellError } = await import('../cells/place-company.ts');
  const { CompanyUnavailableError } = await import('../db/outage.ts');
  const refuse = (why: string, code: string) => new CommandError(exitCodes.found, why, { code });
  if (error instanceof EmailTaken)
    return refuse(`An account with the email address ${email} already exists.`, 'email_taken');
  // It has its own sentence.
  if (error instanceof NoCellError) return error;
  if (error instanceof CompanyUnavailableError)
    return refuse(`The company was not created: ${error.message}. Run the command again.`, 'unavailable');
  return error;
}

const createCompanyCommand: Command = {
  name: 'admin company create',
  summary: 'Create a company in test mode, with an owner who can log in',
  details:
    'It prompts for the password of the owner, or reads PAYLINK_PASSWORD. Without one, it generates a password and\n' +
    'prints it once.',
  options: [
    { name: 'name', value: 'NAME', help: 'the name that customers see', isRequired: true },
    { name: 'country', value: 'CODE', help: 'ISO 3166-1 alpha-2, such as DE', isRequired: true },
    { name: 'email', value: 'EMAIL', help: 'the email address of the owner', isRequired: true },
  ],
  examples: ['admin company create --name "Shop Ltd" --country GB --email owner@shop.example'],
  run: async (context, given) => {
    const { terminal, env } = context;
    const owner = {
      name: given.required('name'),
      country: given.required('country'),
      email: given.required('email'),
    };
    await checkOwner(owner);
    const { password, isGenerated } = await choosePassword(context, owner.email);
    const { withDatabase } = await import('./settings.ts');
    const { createCompany } = await import('../create-company.ts');
    const { openPasswordPool } = await import('../passwords/password-pool.ts');
    const { systemClock } = await import('../base/clock.ts');
    const create = async (db: Database) => {
      const created = await createCompany(
        { db, clock: systemClock, passwords: openPasswordPool() },
        { ...owner, password },
      ).catch(async (error: unknown) => {
        throw await refusalOf(error, owner.email);
      });
      return { ...created, cell: db.hasDirectory ? (await db.lastCellOf(created.companyId)).cell : null };
    };
    const made = await withDatabase(env, create, 'those that are up');
    const { companyId, accountId, keyId, cell } = made;
    terminal.report({
      json: {
        ...{ companyId, accountId, keyId },
        ...owner,
        ...(cell ? { cell } : {}),
        ...(isGenerated ? { password } : {}),
      },
      lines: [
        `Company   ${companyId} ${owner.name}`,
        ...(cell ? [`Cell      ${cell}`] : []),
        `Email     ${owner.email}`,
        ...(isGenerated ? [`Password  ${password}   (shown only once)`] : []),
      ],
    });
    return exitCodes.ok;
  },
};

type Migrated = { cell: string | null; files: string[] };

/** `newer`: the cells that a later version of Paylink has migrated. */
type MigratedCells = { migrated: Migrated[]; newer: readonly string[]; down: readonly string[] };

/** With `isDryRun` the pending migrations. Of several cells, one after the other, the directory first. */
async function migrateDatabases(
  config: Config,
  isDryRun: boolean,
  log: (line: string) => void,
): Promise<MigratedCells> {
  const { hasDatabase, openOrCreate } = await import('./settings.ts');
  const { listPendingMigrations, migrate, migrationsDir } = await import('../db/migrate.ts');
  const options = { dir: migrationsDir, log };
  // Opening an embedded database that does not exist would create it.
  if (isDryRun && !hasDatabase(config))
    return {
      migrated: [{ cell: null, files: await listPendingMigrations(null, options) }],
      newer: [],
      down: [],
    };
  const migrated: Migrated[] = [];
  const newer: string[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  // Before a cell is opened, which protects the tables that a migration has added.
  const prepare = async (database: Database) => {
    const isOver = turn.then(async () => {
      const { cell } = database;
      const cellOptions = {
        dir: migrationsDir,
        log: (line: string) => log(cell ? `${cell}: ${line}` : line),
      };
      const notes: string[] = [];
      await listPendingMigrations(database, { dir: migrationsDir, log: (line) => notes.push(line) });
      const files = isDryRun
        ? await listPendingMigrations(database, cellOptions)
        : (await migrate(database, cellOptions)).applied;
      migrated.push({ cell, files });
      if (cell !== null && notes.length > 0) newer.push(cell);
    });
    turn = isOver.catch(() => undefined);
    await isOver;
  };
  const db = await openOrCreate(config, prepare);
  const order = db.cells().map(({ cell }) => cell);
  const down = db.downCells();
  await db.close();
  return { migrated: migrated.sort((a, b) => order.indexOf(a.cell) - order.indexOf(b.cell)), newer, down };
}

const describeMigrated = ({ cell, files }: Migrated): string[] => {
  const lines = files.length > 0 ? files : ['No migration is pending.'];
  return cell === null ? lines : lines.map((line) => `${cell}: ${line}`);
};

const migrateCommand: Command = {
  name: 'admin migrate',
  summary: 'Apply the pending migrations to the database',
  details:
    'The service does the same when it starts. If another process is migrating, the command waits for it. It\n' +
    'creates an embedded database that does not exist. With several cells it goes from one to the next, and the exit\n' +
    'code is 1 if a cell was down, or is newer than this version.',
  options: [{ name: 'dry-run', help: 'only list the pending migrations' }],
  examples: ['admin migrate --dry-run', 'admin migrate'],
  run: async ({ terminal, env }, given) => {
    const { readServiceSettings, toStartupError } = await import('./settings.ts');
    const isDryRun = given.has('dry-run');
    const config = readServiceSettings(env);
    const { migrated, newer, down } = await migrateDatabases(config, isDryRun, terminal.note).catch(
      (error: unknown) => {
        throw toStartupError(error, config);
      },
    );
    const files = [...new Set(migrated.flatMap((each) => each.files))].sort();
    const cells = config.cells && { cells: migrated, newer, down };
    terminal.report({
      json: isDryRun ? { missing: files, ...cells } : { applied: files, ...cells },
      lines: [
        // A newer cell was named already, with the migration that this version does not have.
        ...migrated.filter(({ cell }) => !newer.some((name) => name === cell)).flatMap(describeMigrated),
        ...down.map((cell) => `${cell}: not reached. Run the command again when the cell is up.`),
      ],
    });
    return down.length === 0 && newer.length === 0 ? exitCodes.ok : exitCodes.found;
  },
};

export const adminCommands: readonly Command[] = [
  createCompanyCommand,
  ...companyCommands,
  ...cellCommands,
  ...cellMoveCommands,
  migrateCommand,
  moveCommand,
  rotateCommand,
];
