// PostgreSQL inside our process (PGlite): for trials and the sandbox, with no server to install. It is
// driven by the same pg pool as a server, through one connection that is no socket (wire-stream.ts).
// By itself it takes no lock on its folder, never calls fsync, writes no checkpoint, never vacuums, and
// hangs for good after a PANIC; all of that is made good here and in the files beside.
// Must never: acknowledge a commit that the disk has not (unless `durability` says so), or touch the
// engine again after it has failed. It runs in our thread: a long statement stops everything else, and
// there is no statement timeout. COPY FROM STDIN ends the engine; nothing here uses it.

import { fsyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { onIdleConnectionError } from './connection.ts';
import { ensureDatabaseFolder, lockDataFolder } from './data-folder.ts';
import { maintenanceIntervalMs, runMaintenance } from './embedded-maintenance.ts';
import type { Engine } from './engine.ts';
import { valueTypes } from './value-types.ts';
import { createWireStream, type ExecuteMessages, readReply } from './wire-stream.ts';

/** The major version of PostgreSQL that the PGlite in package.json is. */
export const engineMajor = '18';

/** How long somebody waits for the one connection before he is told that the database is busy. */
const connectionWaitLimitMs = 10_000;

/** What makes its settings those of a database that has to last; PGlite's own start parameters come first. */
const engineSettings = [
  // fdatasync, the usual choice, does nothing in this build.
  'wal_sync_method=fsync',
  // 128 MB by default, all of it resident: too much for what is stored here.
  'shared_buffers=32MB',
  // How much log a checkpoint leaves in the folder; see embedded-maintenance.ts for who writes checkpoints.
  'min_wal_size=32MB',
  'max_wal_size=64MB',
];

export type EmbeddedEngine = Engine & {
  pool: pg.Pool;
  /** How often a file was flushed to disk so far. */
  flushCount(): number;
};

/**
 * Opens the database in `dataDir`, making it first when there is none (some seconds). `flushFile` is
 * what flushes an open file to disk. Throws DataFolderInUse, or an Error of one sentence.
 */
export async function openEmbedded(options: {
  dataDir: string;
  log: (message: string) => void;
  flushFile?: (fd: number) => void;
}): Promise<EmbeddedEngine> {
  const { dataDir, log, flushFile = fsyncSync } = options;
  const lock = await lockDataFolder(dataDir);
  try {
    const folder = await ensureDatabaseFolder(dataDir, engineMajor, buildDatabase);
    const engine = await startEngine(folder, flushFile, log);
    return {
      ...engine,
      close: async () => {
        await engine.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function buildDatabase(folder: string): Promise<void> {
  // Not flushed file by file: the whole folder is, once it is complete.
  const pglite = new PGlite({ fs: new NodeFS(folder) });
  await pglite.waitReady;
  await pglite.close();
}

async function startEngine(
  folder: string,
  flushFile: (fd: number) => void,
  log: (message: string) => void,
): Promise<EmbeddedEngine> {
  const disk = openFileSystem(folder, flushFile);
  const pglite = new PGlite({
    fs: disk.files,
    startParams: [
      // -F would turn fsync off.
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...engineSettings.flatMap((setting) => ['-c', setting]),
    ],
  });
  await pglite.waitReady.catch((error: Error) => {
    throw new Error(`The database in ${folder} could not be started: ${error.message}.`, { cause: error });
  });
  const runner = createRunner(pglite, log);
  const wire = createWireStream(runner.execute);
  const pool = new pg.Pool({
    stream: wire.connect,
    max: 1,
    // A statement may be sent before the answer to the one before it; see runTransaction.
    pipeline: true,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectionWaitLimitMs,
    types: valueTypes,
    // Everything that pg would otherwise look for in the environment.
    host: 'embedded',
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    password: 'none',
    ssl: false,
  });
  onIdleConnectionError(pool, (error) =>
    log(`the connection to the embedded database was lost: ${error.message}`),
  );

  const stopMaintenance = startMaintenance(pool, disk.flushCount, log);
  const close = async () => {
    stopMaintenance();
    await pool.end();
    // After a failure nothing is written any more; the next start recovers as after a power cut.
    if (!runner.hasFailed()) await pglite.close();
  };
  try {
    const durability = await checkDurability(pool, disk.flushCount);
    return { kind: 'embedded', pool, limits: {}, durability, flushCount: disk.flushCount, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type NodeFiles = {
  tryFSOperation<T>(operation: () => T): T;
  stream_ops: { fsync?: (stream: { nfd: number; node: { mode: number } }) => number };
};

/** PGlite's access to the folder, with the fsync that it lacks. Directories are flushed like files. */
function openFileSystem(folder: string, flushFile: (fd: number) => void) {
  let flushes = 0;
  const files = new NodeFS(folder);
  const init = files.init.bind(files);
  files.init = async (pglite, given) => {
    const { emscriptenOpts } = await init(pglite, given);
    const install = (module: unknown) => {
      const { NODEFS, FS } = module as { NODEFS: NodeFiles; FS: { isDir(mode: number): boolean } };
      NODEFS.stream_ops.fsync = ({ nfd, node }) =>
        NODEFS.tryFSOperation(() => {
          // Windows can't flush a directory and has no need to.
          if (process.platform !== 'win32' || !FS.isDir(node.mode)) flushFile(nfd);
          flushes++;
          return 0;
        });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), install] } };
  };
  return { files, flushCount: () => flushes };
}

/** Runs batches of messages on the engine until it fails; from then on every batch is refused. */
function createRunner(
  pglite: PGlite,
  log: (message: string) => void,
): { execute: ExecuteMessages; hasFailed(): boolean } {
  let failure: Error | null = null;
  const fail = (reason: string): Error => {
    failure = new Error(`the embedded database has stopped (${reason}); restart the process`);
    log(failure.message);
    return failure;
  };
  const execute: ExecuteMessages = async (messages) => {
    if (failure) throw failure;
    const chunks: Buffer[] = [];
    try {
      // The streaming call, because the plain one keeps a parsed copy of every answer for good.
      await pglite.execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
      });
    } catch (error) {
      throw fail(error instanceof Error ? error.message : String(error));
    }
    const reply = Buffer.concat(chunks);
    // After a PANIC the engine still takes messages, and then loops in our thread or commits the wrong.
    const { error, isFatal } = readReply(reply);
    if (isFatal) throw fail(String(error));
    return reply;
  };
  return { execute, hasFailed: () => failure !== null };
}

/** What a commit is worth: believed only when one really made a flush. */
async function checkDurability(pool: pg.Pool, flushCount: () => number): Promise<string> {
  const { rows } = await pool.query<{ fsync: string }>('show fsync');
  const before = flushCount();
  // The smallest commit that has to reach the log: a message in it that nobody reads.
  await pool.query("select pg_logical_emit_message(true, 'paylink', 'start')");
  if (rows[0]?.fsync === 'on' && flushCount() > before) return 'every commit is flushed to disk (fsync)';
  return 'commits may be lost at a power failure: the embedded database does not flush them to disk';
}

function startMaintenance(
  pool: pg.Pool,
  flushCount: () => number,
  log: (message: string) => void,
): () => void {
  let seen = flushCount();
  const timer = setInterval(() => {
    if (flushCount() === seen) return;
    seen = flushCount();
    runMaintenance(pool).catch((error: Error) => {
      if (!pool.ending) log(`upkeep of the embedded database failed: ${error.message}`);
    });
  }, maintenanceIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
