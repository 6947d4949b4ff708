// `paylink admin cells …`: adds databases as cells, shows them, and sets their weights.

import type { CellReport } from '../cell-admin/report-cells.ts';
import type { CellAddress } from '../cells/open-cells.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Command } from './command.ts';
import { type Environment, exitCodes, usageError } from './command-error.ts';
import type { Column } from './table.ts';

/** Runs work on the directory, and on one cell, without entering companies. `cell` is the directory if it is in this cell. */
export async function withRawCell<T>(
  env: Environment,
  name: string,
  work: (at: {
    config: Config;
    directory: Database;
    cell: Database;
    directoryCell: string | null;
    /** Opens another cell. */
    openCell: (name: string) => Promise<Database>;
  }) => Promise<T>,
): Promise<T> {
  const { readServiceSettings, toStartupError } = await import('./settings.ts');
  const { openDatabase } = await import('../db/database.ts');
  const { nameCell } = await import('../cells/check-databases.ts');
  const { directoryName } = await import('../cells/route-cells.ts');
  const config = readServiceSettings(env);
  const { cells, directoryUrl } = config;
  if (!cells) throw usageError('Set DATABASE_URLS to the databases of all cells: see docs/cells.md.');
  const addressOf = (wanted: string): CellAddress => {
    const address = cells.find((cell) => cell.name === wanted);
    if (address) return address;
    throw usageError(
      `DATABASE_URLS names no cell ${wanted}: it names ${cells.map((cell) => cell.name).join(', ')}.`,
    );
  };
  const address = addressOf(name);
  const open = async ({ name: cellName, url, directUrl }: CellAddress) =>
    await openDatabase({
      ...{ databaseUrl: url, dataDir: '', poolSize: 2, log: () => undefined },
      ...(directUrl && { directUrl }),
    }).catch((error: unknown) => {
      throw nameCell(cellName, error);
    });
  const [first = address] = cells;
  const directoryCell = directoryUrl ? null : first.name;
  const opened = new Map<string, Database>();
  const openCell = async (wanted: string): Promise<Database> => {
    const database = opened.get(wanted) ?? (await open(addressOf(wanted)));
    opened.set(wanted, database);
    return database;
  };
  try {
    const cell = await open(address);
    opened.set(name, cell);
    const directory =
      name === directoryCell
        ? cell
        : await open(directoryUrl ? { name: directoryName, url: directoryUrl, directUrl: null } : first);
    opened.set(directoryCell ?? directoryName, directory);
    return await work({ config, directory, cell, directoryCell, openCell });
  } catch (error) {
    throw toStartupError(error, null);
  } finally {
    await Promise.all([...opened.values()].map(async (database) => await database.close()));
  }
}

export function readWeight(text: string | undefined, what = '--weight'): number {
  const weight = Number(text ?? 100);
  if (text?.trim() !== '' && Number.isInteger(weight) && weight >= 0 && weight <= 10_000) return weight;
  throw usageError(`${what} must be a whole number from 0 to 10000, not "${text}".`);
}

/** Runs work on the installation with the cells that are up, and the names of all. Throws a usage error for a single database. */
async function withCells<T>(
  env: Environment,
  work: (db: Database, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const { readServiceSettings, withConfiguredDatabase } = await import('./settings.ts');
  const config = readServiceSettings(env);
  if (!config.cells) throw usageError('Set DATABASE_URLS to the databases of all cells: see docs/cells.md.');
  const names = config.cells.map(({ name }) => name);
  return await withConfiguredDatabase(config, async (db) => await work(db, names), 'those that are up');
}

const addCommand: Command = {
  name: 'admin cells add',
  summary: 'Make a database of DATABASE_URLS a cell of the installation',
  details:
    'The first cell may have companies already; every other database must be empty. From then on the database refuses\n' +
    'processes with DATABASE_URL: restart them with DATABASE_URLS. You can run the command again: it corrects the\n' +
    'directory, and lists email addresses that have an account in another cell, too, with the exit code 1.\n' +
    'With --restored, processes refuse the database that the cell had before: see "A cell is lost" in docs/cells.md.',
  arguments: [{ name: 'CELL', help: 'its name in DATABASE_URLS' }],
  options: [
    { name: 'weight', value: 'NUMBER', help: 'its share of new companies, 0 to 10000; 100 by default' },
    { name: 'restored', help: 'the database is a restored backup of the cell' },
  ],
  examples: ['admin cells add eu1', 'admin cells add eu2 --weight 50', 'admin cells add eu2 --restored'],
  run: async ({ terminal, env }, given) => {
    const { addCell } = await import('../cell-admin/add-cell.ts');
    const { refuseSecondInstallation } = await import('../cells/check-databases.ts');
    const { readMasterKeys } = await import('../master-key.ts');
    const { prepareForService } = await import('../open-database.ts');
    const name = given.argument('CELL');
    const weight = given.has('weight') ? readWeight(given.text('weight')) : null;
    const isRestored = given.has('restored');
    const added = await withRawCell(env, name, async ({ config, cell, ...places }) => {
      const masterKeys = readMasterKeys(config);
      if (!masterKeys) throw usageError('Set PAYLINK_MASTER_KEY as for the service.');
      const prepare = async (database: Database) =>
        await prepareForService(database, { masterKeys, log: terminal.note });
      const deps = { ...places, prepare };
      await refuseSecondInstallation(deps, config.cells ?? []);
      return await addCell(deps, { name, weight, database: cell, isRestored });
    });
    terminal.report({
      json: added,
      lines: [
        `${name} is a cell. Companies: ${added.companies}; weight: ${added.weight}.`,
        ...(added.conflicts.length === 0
          ? []
          : [
              `These addresses belong to accounts in other cells, too, which keep them: ${added.conflicts.join(', ')}. ` +
                'Remove each member in one of both companies, and run the command again. An address that was claimed ' +
                'just now is free after ten minutes.',
            ]),
      ],
    });
    return added.conflicts.length === 0 ? exitCodes.ok : exitCodes.found;
  },
};

function formatBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'] as const;
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1_000 ** power).toPrecision(3)} ${units[power - 1]}`;
}

const columns: readonly Column<CellReport>[] = [
  { title: 'CELL', text: ({ name }) => name },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'WEIGHT', text: ({ weight }) => String(weight), isRight: true },
  { title: 'COMPANIES', text: ({ companies }) => String(companies), isRight: true },
  { title: 'SIZE', text: ({ use }) => (use ? formatBytes(use.databaseBytes) : ''), isRight: true },
  {
    title: 'CONNECTIONS',
    text: ({ use }) => (use ? `${use.usedConnections} of ${use.maxConnections}` : ''),
    isRight: true,
  },
  { title: 'SLOTS', text: ({ use }) => (use ? `${use.usedSlots} of ${use.maxSlots}` : ''), isRight: true },
  {
    title: 'LARGEST COMPANY',
    text: ({ largest: [first] }) => (first ? `${first.companyId} ${Math.round(100 * first.share)} %` : ''),
  },
];

const listCommand: Command = {
  name: 'admin cells list',
  summary: 'Show the cells: weight, companies, state, size, headroom and largest companies',
  details:
    'The share of a company is that of the sealed events of its cell. --json has the five largest companies of each cell.\n' +
    'Of a cell with more than 20,000 companies, 20,000 are compared. The exit code is 1 if a cell is down.',
  examples: ['admin cells list', 'admin cells list --json'],
  run: async ({ terminal, env }) => {
    const { reportCells } = await import('../cell-admin/report-cells.ts');
    const { formatTable } = await import('./table.ts');
    const cells = await withCells(env, reportCells);
    const lines = terminal.isJson ? [] : await formatTable(cells, columns, terminal.width);
    terminal.report({ json: { cells }, lines });
    // A cell without companies may be missing in the settings: it is added before all processes have its address.
    const isFine = ({ state, companies }: CellReport) =>
      state === 'up' || (state !== 'down' && companies === 0);
    return cells.every(isFine) ? exitCodes.ok : exitCodes.found;
  },
};

const weightCommand: Command = {
  name: 'admin cells weight',
  summary: "Set a cell's share of new companies",
  details: 'The cells get new companies in proportion to their weights; a cell with the weight 0 gets none.',
  arguments: [
    { name: 'CELL', help: 'its name in DATABASE_URLS' },
    { name: 'NUMBER', help: 'the weight, 0 to 10000' },
  ],
  examples: ['admin cells weight eu1 0', 'admin cells weight eu2 200'],
  run: async ({ terminal, env }, given) => {
    const { listCells, updateWeight } = await import('../cells/directory-store.ts');
    const name = given.argument('CELL');
    const weight = readWeight(given.argument('NUMBER'), 'The weight');
    const { isKnown, cells } = await withCells(env, async ({ asOwner }) => ({
      isKnown: await updateWeight(asOwner, name, weight),
      cells: await listCells(asOwner),
    }));
    if (!isKnown) throw usageError(`The installation has no cell ${name}: see paylink admin cells list.`);
    const takesAny = cells.some((cell) => cell.weight > 0);
    terminal.report({
      json: { name, weight },
      lines: [
        `${name} has the weight ${weight}.`,
        ...(takesAny ? [] : ['No cell takes new companies: all weights are 0.']),
      ],
    });
    return exitCodes.ok;
  },
};

export const cellCommands: readonly Command[] = [addCommand, listCommand, weightCommand];
