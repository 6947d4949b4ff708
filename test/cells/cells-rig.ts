// An installation with several cells, on PostgreSQL clusters of its own that can be killed one by one.

import { type Cluster, startCluster } from '../../scripts/cluster.mjs';
import { addCell } from '../../src/cell-admin/add-cell.ts';
import { directoryName } from '../../src/cells/route-cells.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { openConfiguredDatabase, prepareForService } from '../../src/open-database.ts';
import { type Cleaner, createCleaner } from '../harness/engines.ts';
import { type Paylink, type PaylinkOptions, startPaylink } from '../harness/paylink.ts';
import { createDatabase, postgresBin } from '../harness/services.ts';

const fast = ['fsync=off', 'full_page_writes=off'];
/** What a cell needs; see docs/cells.md. */
export const cellSettings = [...fast, 'wal_level=logical', 'max_replication_slots=40', 'max_wal_senders=40'];
export const masterKeys = { current: Buffer.alloc(32, 7), old: null };
export const masterKey = masterKeys.current.toString('base64');

export type CellPlace = { name: string; url: string; cluster: Cluster };

export type CellsRig = {
  cleaner: Cleaner;
  cells: CellPlace[];
  place(name: string): CellPlace;
  /** The cluster of a directory in a database of its own. */
  directoryCluster(): Cluster;
  /** The settings of a process that uses these cells; by default all. */
  settings(names?: readonly string[]): Record<string, string>;
  /** A database on a cluster of the rig, or on a new one; it is no cell yet. */
  newPlace(name: string, on?: string): Promise<CellPlace>;
  /** Makes a place a cell. */
  add(place: CellPlace, weight?: number): Promise<void>;
  /** A cell as its owner, without entering companies. */
  openRaw(name: string): Promise<Database>;
  /** The installation as one database, without a service. */
  openInstallation(): Promise<Database>;
  start(options?: PaylinkOptions): Promise<Paylink>;
  close(): Promise<void>;
};

const silent = () => undefined;
const openRaw = async (url: string) =>
  await openDatabase({ databaseUrl: url, dataDir: 'unused', poolSize: 2, log: silent });

/** Databases on clusters that are started when they are needed first, by their names. */
function createPlaces(cleaner: Cleaner, serverSettings: readonly string[]): CellsRig['newPlace'] {
  const clusters = new Map<string, Cluster>();
  return async (name, on = name) => {
    const cluster = clusters.get(on) ?? (await startCluster(postgresBin(), [...serverSettings]));
    if (!clusters.has(on)) cleaner.add(async () => await cluster.stop());
    clusters.set(on, cluster);
    const { url } = await createDatabase({ clusterUrl: cluster.url });
    return { name, url, cluster };
  };
}

/** `first` has the directory: a cell if `isOfFirst`, otherwise a database of its own. */
async function makeCell(
  { name, url }: CellPlace,
  { weight, first, isOfFirst }: { weight: number; first: CellPlace; isOfFirst: boolean },
): Promise<void> {
  const database = await openRaw(url);
  const directory = first.url === url ? database : await openRaw(first.url);
  try {
    await migrate(database, { dir: migrationsDir, log: silent });
    const prepare = async (each: Database) => await prepareForService(each, { masterKeys, log: silent });
    const openCell = async (other: string) => {
      throw new Error(`${other} has no address of a new cell`);
    };
    const deps = { directory, directoryCell: isOfFirst ? first.name : null, prepare, openCell };
    await addCell(deps, { name, weight, database });
  } finally {
    await database.close();
    await directory.close();
  }
}

/**
 * The places, by the names of their clusters: cells of one cluster are databases of one server. `directoryOn`: the cluster of
 * a directory in a database of its own.
 */
export async function openCellsRig(
  layout: Readonly<Record<string, string>>,
  serverSettings: readonly string[] = cellSettings,
  { directoryOn = null }: { directoryOn?: string | null } = {},
): Promise<CellsRig> {
  const cleaner = createCleaner();
  const cells: CellPlace[] = [];
  const newPlace = createPlaces(cleaner, serverSettings);
  const place = (name: string) => {
    const found = cells.find((cell) => cell.name === name);
    if (!found) throw new Error(`the rig has no cell ${name}`);
    return found;
  };
  let ownDirectory: CellPlace | null = null;
  const add: CellsRig['add'] = async (added, weight = 100) => {
    const first = ownDirectory ?? cells[0] ?? added;
    await makeCell(added, { weight, first, isOfFirst: ownDirectory === null });
    cells.push(added);
  };
  const settings: CellsRig['settings'] = (names = cells.map(({ name }) => name)) => ({
    DATABASE_URLS: names.map((name) => `${name}=${place(name).url}`).join('\n'),
    PAYLINK_MASTER_KEY: masterKey,
    ...(ownDirectory && { DIRECTORY_DATABASE_URL: ownDirectory.url }),
  });
  const directoryCluster = () => {
    if (!ownDirectory) throw new Error('the directory of the rig is in its first cell');
    return ownDirectory.cluster;
  };
  const rig: CellsRig = {
    ...{ cleaner, cells, place, directoryCluster, settings, newPlace, add },
    openRaw: async (name) => {
      const database = await openRaw(place(name).url);
      cleaner.add(async () => await database.close());
      return database;
    },
    openInstallation: async () => {
      const database = await openConfiguredDatabase(readConfig(settings()), {
        log: silent,
        prepare: async () => undefined,
      });
      cleaner.add(async () => await database.close());
      return database;
    },
    start: async (options = {}) =>
      await startPaylink('embedded', { ...options, settings: { ...settings(), ...options.settings } }),
    close: async () => await cleaner.clean(),
  };
  try {
    if (directoryOn) ownDirectory = await newPlace(directoryName, directoryOn);
    for (const [name, cluster] of Object.entries(layout)) await add(await newPlace(name, cluster));
    return rig;
  } catch (error) {
    await rig.close();
    throw error;
  }
}
