// `paylink admin cells …`: adds databases as cells.

import type { CellAddress } from '../cells/open-cells.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Command } from './command.ts';
import { type Environment, exitCodes, usageError } from './command-error.ts';

/** Runs work on the directory, and on one cell, without entering companies. `cell` is the directory if it is in this cell. */
export async function withRawCell<T>(
  env: Environment,
  name: string,
  work: (at: {
    config: Config;
    directory: Database;
    cell: Database;
    directoryCell: string | null;
  }) => Promise<T>,
): Promise<T> {
  const { readServiceSettings, toStartupError } = await import('./settings.ts');
  const { openDatabase } = await import('../db/database.ts');
  const config = readServiceSettings(env);
  const { cells, directoryUrl } = config;
  if (!cells) throw usageError('Set DATABASE_URLS to the databases of all cells: see docs/cells.md.');
  const address = cells.find((cell) => cell.name === name);
  if (!address)
    throw usageError(
      `DATABASE_URLS names no cell ${name}: it names ${cells.map((cell) => cell.name).join(', ')}.`,
    );
  const open = async ({ url, directUrl }: Pick<CellAddress, 'url' | 'directUrl'>) =>
    await openDatabase({
      ...{ databaseUrl: url, dataDir: '', poolSize: 2, log: () => undefined },
      ...(directUrl && { directUrl }),
    });
  const directoryCell = directoryUrl ? null : (cells[0]?.name ?? null);
  const opened: Database[] = [];
  try {
    const cell = await open(address);
    opened.push(cell);
    const directory =
      name === directoryCell ? cell : await open({ url: config.databaseUrl ?? '', directUrl: null });
    opened.push(directory);
    return await work({ config, directory, cell, directoryCell });
  } catch (error) {
    throw toStartupError(error, null);
  } finally {
    await Promise.all([...new Set(opened)].map(async (database) => await database.close()));
  }
}

export function readWeight(text: string | undefined): number {
  const weight = Number(text ?? 100);
  if (Number.isInteger(weight) && weight >= 0 && weight <= 10_000) return weight;
  throw usageError(`--weight must be a whole number from 0 to 10000, not "${text}".`);
}

const addCommand: Command = {
  name: 'admin cells add',
  summary: 'Make a database of DATABASE_URLS a cell of the installation',
  details:
    'The first cell may have companies already; every other database must be empty. From then on the database refuses\n' +
    'processes with DATABASE_URL: restart them with DATABASE_URLS. You can run the command again.',
  arguments: [{ name: 'CELL', help: 'its name in DATABASE_URLS' }],
  options: [
    { name: 'weight', value: 'NUMBER', help: 'its share of new companies, 0 to 10000; 100 by default' },
  ],
  examples: ['admin cells add eu1', 'admin cells add eu2 --weight 50'],
  run: async ({ terminal, env }, given) => {
    const { addCell } = await import('../cell-admin/add-cell.ts');
    const { readMasterKeys } = await import('../master-key.ts');
    const { prepareForService } = await import('../open-database.ts');
    const name = given.argument('CELL');
    const weight = readWeight(given.text('weight'));
    const added = await withRawCell(env, name, async ({ config, directory, cell, directoryCell }) => {
      const masterKeys = readMasterKeys(config);
      if (!masterKeys) throw usageError('Set PAYLINK_MASTER_KEY as for the service.');
      const prepare = async (database: Database) =>
        await prepareForService(database, { masterKeys, log: terminal.note });
      const deps = { directory, directoryCell, prepare };
      return await addCell(deps, { name, weight, database: cell });
    });
    terminal.report({
      json: added,
      lines: [`${name} is a cell, with ${added.companies} companies and the weight ${added.weight}.`],
    });
    return exitCodes.ok;
  },
};

export const cellCommands: readonly Command[] = [addCommand];
