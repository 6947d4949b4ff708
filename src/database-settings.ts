// The settings of the database, or of the cells of an installation with several (docs/cells.md). Part of config.ts, which
// alone reads the environment. Must not: put an address into a message, because it contains a password.

import type { CellAddress } from './cells/open-cells.ts';
import { directoryName } from './cells/route-cells.ts';
import { InvalidDatabaseAddressError, parseDatabaseAddress } from './db/database-address.ts';
import { readChoice, readInteger, type SettingsReader } from './settings-reader.ts';

export type DatabaseSettings = {
  /** Of several databases, the one with the directory. Null: the embedded database. */
  databaseUrl: string | null;
  /** The address of the database without the pooler, for migrations. */
  databaseDirectUrl: string | null;
  /** The cells; null for one database. */
  cells: CellAddress[] | null;
  /** The database of the directory, if it is not in the first cell. */
  directoryUrl: string | null;
  databasePoolSize: number;
  /** Whether statements may stay prepared on a connection. */
  databasePreparedStatements: boolean;
};

/** Whether an address is valid; reports why not. `what` names the setting, and the cell. */
function checkAddress(reader: SettingsReader, what: string, url: string): boolean {
  try {
    parseDatabaseAddress(url);
    return true;
  } catch (error) {
    if (!(error instanceof InvalidDatabaseAddressError)) throw error;
    reader.fault(`${what} ${error.message}.`);
    return false;
  }
}

function readUrl(reader: SettingsReader, name: string): string | null {
  const text = reader.text(name);
  return text !== undefined && checkAddress(reader, name, text) ? text : null;
}

const cellName = /^[a-z][a-z0-9-]{0,30}$/;

type NamedUrl = { name: string; url: string };

/** A list such as `eu1=postgres://… eu2=postgres://…`. An address without a name is called cell1, cell2 … by its place. */
function readNamedUrls(reader: SettingsReader, setting: string): NamedUrl[] {
  const parts = (reader.text(setting) ?? '').split(/\s+/).filter(Boolean);
  const urls = parts.map((part, index): NamedUrl => {
    const [, name, url = part] = /^([^=:/?#]*)=(.*)$/.exec(part) ?? [];
    return { name: name ?? `cell${index + 1}`, url };
  });
  return urls.filter(({ name, url }, index) => {
    if (!cellName.test(name) || name === directoryName) {
      reader.fault(
        `${setting}: the name of database ${index + 1} must have 1 to 31 lower-case letters, digits and hyphens, begin ` +
          `with a letter, and not be "${directoryName}".`,
      );
      return false;
    }
    // A comma between two addresses would make the second, with its password, part of the first one's name of the database.
    if (url.split('://').length > 2) {
      reader.fault(
        `${setting}: the address of ${name} contains another one: separate the addresses by white space, not by commas.`,
      );
      return false;
    }
    return checkAddress(reader, `${setting}: the address of ${name}`, url);
  });
}

const directorySetting = 'DIRECTORY_DATABASE_URL';

function refuseTwice(reader: SettingsReader, setting: string, urls: readonly NamedUrl[]): void {
  const seen = new Map<string, string>();
  for (const { name, url } of urls) {
    const { hosts, database } = parseDatabaseAddress(url);
    const place = `${hosts.map(({ host, port }) => `${host}:${port}`).join()}/${database}`;
    const other = seen.get(place);
    if (other !== undefined) {
      const mend =
        name === directorySetting && other === urls[0]?.name
          ? `leave ${directorySetting} unset: the first cell has the directory.`
          : 'each needs one of its own.';
      reader.fault(`${setting}: ${other} and ${name} are the same database: ${mend}`);
    }
    if (urls.filter((each) => each.name === name).length > 1 && !seen.has(`=${name}`))
      reader.fault(`${setting}: the name ${name} occurs twice.`);
    seen.set(`=${name}`, name);
    seen.set(place, name);
  }
}

function readCells(reader: SettingsReader): { cells: CellAddress[] | null; directoryUrl: string | null } {
  const directoryUrl = readUrl(reader, directorySetting);
  const isSet = reader.text('DATABASE_URLS') !== undefined;
  for (const name of ['DATABASE_DIRECT_URLS', directorySetting])
    if (!isSet && reader.text(name) !== undefined) reader.fault(`${name} requires DATABASE_URLS.`);
  if (!isSet) return { cells: null, directoryUrl: null };
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    if (reader.text(name) !== undefined)
      reader.fault(`${name} and DATABASE_URLS exclude each other: DATABASE_URLS names all databases.`);
  const urls = readNamedUrls(reader, 'DATABASE_URLS');
  const direct = readNamedUrls(reader, 'DATABASE_DIRECT_URLS');
  const own = directoryUrl === null ? [] : [{ name: directorySetting, url: directoryUrl }];
  refuseTwice(reader, 'DATABASE_URLS', [...urls, ...own]);
  refuseTwice(reader, 'DATABASE_DIRECT_URLS', direct);
  for (const { name } of direct)
    if (!urls.some((cell) => cell.name === name))
      reader.fault(`DATABASE_DIRECT_URLS: DATABASE_URLS does not name ${name}.`);
  const directOf = (name: string) => direct.find((each) => each.name === name)?.url ?? null;
  return { cells: urls.map(({ name, url }) => ({ name, url, directUrl: directOf(name) })), directoryUrl };
}

export function readDatabase(reader: SettingsReader): DatabaseSettings {
  const databaseUrl = readUrl(reader, 'DATABASE_URL');
  const databaseDirectUrl = readUrl(reader, 'DATABASE_DIRECT_URL');
  const { cells, directoryUrl } = readCells(reader);
  if (databaseDirectUrl !== null && cells === null && reader.text('DATABASE_URL') === undefined)
    reader.fault('DATABASE_DIRECT_URL requires DATABASE_URL, the address that the service uses.');
  return {
    databaseUrl: cells ? (directoryUrl ?? cells[0]?.url ?? null) : databaseUrl,
    databaseDirectUrl,
    cells,
    directoryUrl,
    databasePoolSize: readInteger(reader, 'DATABASE_POOL_SIZE', { min: 2, max: 200, fallback: 10 }),
    databasePreparedStatements: readChoice(reader, 'DATABASE_PREPARED_STATEMENTS', ['on', 'off']) !== 'off',
  };
}
