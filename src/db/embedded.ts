// PostgreSQL inside this process (PGlite), behind the same pg pool as a server. PGlite itself has no folder lock,
// fsync, checkpoints, vacuum or statement timeout, and hangs after a PANIC. Must not: acknowledge a commit that is
// not on disk (except without durability), use a failed engine, or use COPY FROM STDIN, which ends the engine.

import { fsyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { OperatorError } from '../base/operator-error.ts';
import { onIdleConnectionError, readPoolState } from './connection.ts';
import { ensureDatabaseFolder, lockDataFolder } from './data-folder.ts';
import { maintenanceIntervalMs, runMaintenance } from './embedded-maintenance.ts';
import type { Engine } from './engine.ts';
import { refuseMovedFolder } from './folder-move.ts';
import { valueTypes } from './value-types.ts';
import { createWireStream, type ExecuteMessages, readReply } from './wire-stream.ts';

/** The major version of PostgreSQL in the PGlite of package.json. */
export const engineMajor = '18';

/** How long work waits for the one connection before it fails because the database is busy. */
const connectionWaitLimitMs = 10_000;

/** Settings for a durable database. PGlite's own start parameters come first. */
const engineSettings = [
  // fdatasync, the usual choice, does nothing in this build.
  'wal_sync_method=fsync',
  // The default is 128 MB, all of it resident: too much for this amount of data.
  'shared_buffers=32MB',
  // How much log a checkpoint leaves in the folder; embedded-maintenance.ts runs the checkpoints.
  'min_wal_size=32MB',
  'max_wal_size=64MB',
];

export type EmbeddedEngine = Engine & {
  pool: pg.Pool;
  flushCount(): number;
};

/**
 * Opens the database in `dataDir`, creating it if missing (takes some seconds). `flushFile` flushes an open
 * file to disk. Throws DataFolderInUseError, or an Error of one sentence.
 */
export async function openEmbedded(options: {
  dataDir: string;
  log: (message: string) => void;
  flushFile?: (fd: number) => void;
}): Promise<EmbeddedEngine> {
  const { dataDir, log, flushFile = fsyncSync } = options;
  const lock = await lockDataFolder(dataDir);
  try {
    refuseMovedFolder(dataDir);
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
  // Do not flush each file: the complete folder is flushed at the end.
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
    throw new OperatorError(`The database in ${folder} could not be started: ${error.message}.`, {
      cause: error,
    });
  });
  const runner = createRunner(pglite, log);
  const wire = createWireStream(runner.execute);
  const pool = new pg.Pool({
    stream: wire.connect,
    max: 1,
    // A statement may be sent before the response to the previous one; see runTransaction.
    pipeline: true,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectionWaitLimitMs,
    types: valueTypes,
    // Set everything that pg would otherwise read from the environment.
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
    // After a failure write nothing more. The next start recovers as after a power failure.
    if (!runner.hasFailed()) await pglite.close();
  };
  try {
    const durability = await checkDurability(pool, disk.flushCount);
    const poolState = () => readPoolState(pool);
    return { kind: 'embedded', pool, limits: {}, durability, flushCount: disk.flushCount, poolState, close };
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
          // Windows cannot flush a directory and need not.
          if (process.platform !== 'win32' || !FS.isDir(node.mode)) flushFile(nfd);
          flushes++;
          return 0;
        });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), install] } };
  };
  return { files, flushCount: () => flushes };
}

/** Runs batches of messages on the engine. After a failure it refuses every batch. */
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
      // Use the streaming call: the plain one keeps a parsed copy of every response forever.
      await pglite.execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
      });
    } catch (error) {
      throw fail(error instanceof Error ? error.message : String(error));
    }
    const reply = Buffer.concat(chunks);
    // After a PANIC the engine still takes messages, and then loops in this thread or commits wrong data.
    const { error, isFatal } = readReply(reply);
    if (isFatal) throw fail(String(error));
    return reply;
  };
  return { execute, hasFailed: () => failure !== null };
}

/** The durability of a commit, verified by a commit that really flushes. */
async function checkDurability(pool: pg.Pool, flushCount: () => number): Promise<string> {
  const { rows } = await pool.query<{ fsync: string }>('show fsync');
  const before = flushCount();
  // The smallest commit that must reach the log: a message in it that nobody reads.
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
