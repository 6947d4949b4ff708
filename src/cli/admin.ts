// `paylink admin …`: what an operator does to the database of the settings: found a company, apply
// migrations; rotate.ts has the change of the master key. It must never show a password that was given, only one that it made.

import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, exitCodes, usageError } from './fault.ts';
import { rotateCommand } from './rotate.ts';

/** The password of the owner, and whether it was made here. */
async function choosePassword(
  { terminal, env }: CommandContext,
  email: string,
): Promise<{ password: string; isMade: boolean }> {
  const typed =
    env.PAYLINK_PASSWORD ||
    (terminal.isInteractive
      ? await terminal.ask('Password of the owner (empty: one is made): ', { isSecret: true })
      : '');
  if (typed === '') {
    const { randomBase62 } = await import('../base/ids.ts');
    return { password: randomBase62(20), isMade: true };
  }
  const { passwordError, minPasswordLength } = await import('../passwords/password-policy.ts');
  if (typed.length < minPasswordLength)
    throw usageError(`The password must have at least ${minPasswordLength} characters.`);
  const fault = await passwordError(typed, email, 'password');
  if (fault) throw usageError(`The password does not pass: ${fault.detail}`);
  return { password: typed, isMade: false };
}

type CompanyOwner = { name: string; country: string; email: string };

const longestName = 200;

/** Holds the company to what the API asks of one, and the address to what a login can be. */
async function checkFounder({ name, country, email }: CompanyOwner): Promise<void> {
  const { checkCompanyChange } = await import('../companies/check-company.ts');
  const { ApiError } = await import('../base/errors.ts');
  if (name.length > longestName) throw usageError(`--name may have at most ${longestName} characters.`);
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    throw usageError(`--email must be an e-mail address, not "${email}".`);
  try {
    checkCompanyChange({ name, country }, 'test');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw usageError(error.errors.map(({ field, detail }) => `--${field}: ${detail}`).join('\n'));
  }
}

const createCompanyCommand: Command = {
  name: 'admin company create',
  summary: 'Found a company in test mode, with an owner who can log in',
  details:
    'The password of the owner is asked for, or taken from PAYLINK_PASSWORD; without one, one is made and\n' +
    'printed this once.',
  options: [
    { name: 'name', value: 'NAME', help: 'what customers see as the payee', isRequired: true },
    { name: 'country', value: 'CODE', help: 'ISO 3166-1 alpha-2, such as DE', isRequired: true },
    { name: 'email', value: 'EMAIL', help: 'the address of the owner', isRequired: true },
  ],
  examples: ['admin company create --name "Shop Ltd" --country GB --email owner@shop.example'],
  run: async (context, given) => {
    const { terminal, env } = context;
    const founder = {
      name: given.required('name'),
      country: given.required('country'),
      email: given.required('email'),
    };
    await checkFounder(founder);
    const { password, isMade: isGenerated } = await choosePassword(context, founder.email);
    const { withDatabase } = await import('./settings.ts');
    const { createCompany, EmailTaken } = await import('../create-company.ts');
    const { openPasswordPool } = await import('../passwords/password-pool.ts');
    const { systemClock } = await import('../base/clock.ts');
    const found = async (db: Database) =>
      await createCompany(
        { db, clock: systemClock, passwords: openPasswordPool() },
        { ...founder, password },
      ).catch((error: unknown) => {
        if (!(error instanceof EmailTaken)) throw error;
        throw new CommandError(exitCodes.found, `Somebody logs in with ${founder.email} already.`, {
          code: 'email_taken',
        });
      });
    const { companyId, accountId, keyId } = await withDatabase(env, found);
    terminal.report({
      json: { companyId, accountId, keyId, ...founder, ...(isGenerated ? { password } : {}) },
      lines: [
        `Company   ${companyId} ${founder.name}`,
        `E-mail    ${founder.email}`,
        ...(isGenerated ? [`Password  ${password}   (shown this once)`] : []),
      ],
    });
    return exitCodes.ok;
  },
};

async function listMissing(config: Config, note: (line: string) => void): Promise<string[]> {
  const { hasDatabase, openOrCreate } = await import('./settings.ts');
  const { listPendingMigrations, migrationsDir } = await import('../db/migrate.ts');
  // An embedded database that is not there would have to be made to be asked.
  const db = hasDatabase(config) ? await openOrCreate(config) : null;
  try {
    return await listPendingMigrations(db, { dir: migrationsDir, log: note });
  } finally {
    await db?.close();
  }
}

async function applyMissing(config: Config, note: (line: string) => void): Promise<string[]> {
  const { openOrCreate } = await import('./settings.ts');
  const { migrate, migrationsDir } = await import('../db/migrate.ts');
  const db = await openOrCreate(config);
  try {
    return (await migrate(db, { dir: migrationsDir, log: note })).applied;
  } finally {
    await db.close();
  }
}

const migrateCommand: Command = {
  name: 'admin migrate',
  summary: 'Apply the migrations that the database lacks',
  details:
    'The service does the same at its start. It waits for whoever migrates already. An embedded database\n' +
    'that is not there is made.',
  options: [{ name: 'dry-run', help: 'only list what would be applied' }],
  examples: ['admin migrate --dry-run', 'admin migrate'],
  run: async ({ terminal, env }, given) => {
    const { readServiceSettings, toStartupError } = await import('./settings.ts');
    const isDryRun = given.has('dry-run');
    const config = readServiceSettings(env);
    const work = isDryRun ? listMissing(config, terminal.note) : applyMissing(config, terminal.note);
    const files = await work.catch((error: unknown) => {
      throw toStartupError(error, config);
    });
    const none = 'The database lacks no migration.';
    terminal.report({
      json: isDryRun ? { missing: files } : { applied: files },
      lines: files.length > 0 ? files : [none],
    });
    return exitCodes.ok;
  },
};

export const adminCommands: readonly Command[] = [createCompanyCommand, migrateCommand, rotateCommand];
