// `paylink admin company export`, `import` and `remove`: one company moves to another installation, as in docs/operations.md.
// Must not: print a master key, or let a command run with another key than that of the database.

import type { Keyring } from '../base/keyring.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';

type Opened = { db: Database; keyring: Keyring; version: string };

/** The keys of the settings. Throws if the database was written with others. */
async function openKeys(db: Database, config: Config): Promise<Keyring> {
  const { readMasterKeys, keyFilesOf } = await import('../master-key.ts');
  const { compareMasterKeys } = await import('../check-master-key.ts');
  const { openKeyring } = await import('../base/keyring.ts');
  const keys = readMasterKeys(config);
  if (!keys) throw usageError(`The file ${keyFilesOf(config).current} is missing: restore it from a backup.`);
  const match = await compareMasterKeys(db, keys);
  if (match.kind === 'other')
    throw usageError(
      `The database was written with the master key named ${match.keyIds.join(' or ')}: set PAYLINK_MASTER_KEY to that key.`,
    );
  return await openKeyring(keys.current, keys.old);
}

async function withCompanies<T>({ env }: CommandContext, work: (opened: Opened) => Promise<T>): Promise<T> {
  const { withDatabase } = await import('./settings.ts');
  const { version } = await import('../version.ts');
  return await withDatabase(env, async (db, config) => {
    try {
      return await work({ db, keyring: await openKeys(db, config), version });
    } catch (error) {
      if (error instanceof Error && error.name === 'MoveStoppedError')
        throw new CommandError(exitCodes.found, error.message, { code: 'move_stopped' });
      throw error;
    }
  });
}

const describeFaults = (faults: readonly string[]): string[] =>
  faults.length === 0
    ? []
    : [...faults, `The company has these faults of its ledger or hash chain: ${faults.length}.`];

/** Names a file, so that the operator sees which one a command used. */
const describeFile = ({ exportedAt, sha256 }: { exportedAt: string; sha256: string }) =>
  `exported at ${exportedAt}, SHA-256 ${sha256.slice(0, 12)}…`;

async function requireCompanyId(text: string): Promise<string> {
  const { isCompanyId } = await import('../base/ids.ts');
  if (isCompanyId(text)) return text;
  throw usageError(`${text} is not the ID of a company, such as co_w25j88cf.`);
}

const companyOption = {
  name: 'company',
  value: 'COMPANY_ID',
  help: 'the company, such as co_w25j88cf',
  isRequired: true,
} as const;

const exportCommand: Command = {
  name: 'admin company export',
  summary: 'Export one company to a file, for another installation',
  details:
    'The file has everything of the company as of one moment, except its sessions, and nothing of another one. On a\n' +
    'PostgreSQL server you can run it beside the service. The file has personal data and password hashes, and only\n' +
    'its owner can read it. Credentials of processors stay encrypted with the master key, which is not in the file.',
  options: [
    companyOption,
    { name: 'to', value: 'FILE', help: 'the file to write, which must not exist', isRequired: true },
  ],
  examples: ['admin company export --company co_w25j88cf --to shop.company'],
  run: async (context, given) => {
    const [companyId, path] = [await requireCompanyId(given.required('company')), given.required('to')];
    const { exportCompany } = await import('../move/export-company.ts');
    const { systemClock } = await import('../base/clock.ts');
    const summary = await withCompanies(
      context,
      async (opened) => await exportCompany({ ...opened, clock: systemClock }, { companyId, path }),
    );
    const { rows, tables, faults } = summary;
    context.terminal.report({
      json: { companyId, file: path, ...summary },
      lines: [
        ...describeFaults(faults),
        `Exported ${companyId} to ${path}: ${rows} rows of ${tables} tables (${describeFile(summary)}).`,
        'The company still works here. Remove it with "paylink admin company remove" before you import it elsewhere.',
      ],
    });
    return exitCodes.ok;
  },
};

const importCommand: Command = {
  name: 'admin company import',
  summary: 'Import the company of a file that another installation exported',
  details:
    'Everything is imported, or nothing. The command checks the file, compares what it has imported with the export,\n' +
    'and verifies ledger and hash chain before it commits. On a PostgreSQL server you can run it beside the service.\n' +
    'Both installations must have the same version of Paylink; the settings must have the master key of the other one.',
  options: [
    { name: 'from', value: 'FILE', help: 'the exported file', isRequired: true },
    { name: 'dry-run', help: 'check and compare everything, and undo it' },
  ],
  examples: [
    'admin company import --from shop.company --dry-run',
    'admin company import --from shop.company',
  ],
  run: async (context, given) => {
    const { terminal } = context;
    const path = given.required('from');
    const isRehearsal = given.has('dry-run');
    const { importCompany } = await import('../move/import-company.ts');
    const { systemClock } = await import('../base/clock.ts');
    const summary = await withCompanies(context, async (opened) => {
      const deps = { ...opened, clock: systemClock, onStep: terminal.note };
      return await importCompany(deps, { path, isRehearsal });
    });
    const { companyId, cell, rows, tables, faults, hasOldKey } = summary;
    terminal.report({
      json: { ...summary, isImported: !isRehearsal },
      lines: [
        ...describeFaults(faults),
        isRehearsal
          ? `${companyId} can be imported: ${rows} rows of ${tables} tables agree with the file (${describeFile(summary)}). Nothing was imported.`
          : `Imported and verified ${companyId}${cell === null ? '' : ` in the cell ${cell}`}: ${rows} rows of ${tables} tables (${describeFile(summary)}).`,
        ...(hasOldKey
          ? [
              'Its secrets are encrypted with PAYLINK_OLD_MASTER_KEY: run "paylink admin rotate-master-key" after the import.',
            ]
          : []),
      ],
    });
    return exitCodes.ok;
  },
};

const removeCommand: Command = {
  name: 'admin company remove',
  summary: 'Remove a company that was exported, from the installation that it leaves',
  details:
    'It removes all rows of the company if they are those of the file, and nothing if the company has changed since the\n' +
    'export. From then on the file is the only copy, until you import it: run the import with --dry-run before.',
  options: [
    companyOption,
    { name: 'exported', value: 'FILE', help: 'the file to which it was exported', isRequired: true },
  ],
  examples: ['admin company remove --company co_w25j88cf --exported shop.company'],
  run: async (context, given) => {
    const [companyId, path] = [await requireCompanyId(given.required('company')), given.required('exported')];
    const { removeCompany } = await import('../move/remove-company.ts');
    const removed = await withCompanies(
      context,
      async (opened) => await removeCompany(opened, { companyId, path }),
    );
    context.terminal.report({
      json: { companyId, ...removed },
      lines: [
        `Removed ${companyId}: ${removed.rows} rows.`,
        `Its only copy is the file ${path} (${describeFile(removed)}): import this file, and no other.`,
      ],
    });
    return exitCodes.ok;
  },
};

export const companyCommands: readonly Command[] = [exportCommand, importCommand, removeCommand];
