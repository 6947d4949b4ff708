// Starts the service as users do, as a separate process with a clean environment, and cleans up after it.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { freePort } from './paylink.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A time limit, generous because other tests run in parallel. */
export const guardMs = 100_000;

export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null };

export type ServiceProcess = {
  /** The started process: the launcher, npm, or the server. */
  pid: number;
  port: number;
  url: string;
  dataDir: string;
  stdout(): string;
  stderr(): string;
  /** Waits until it reports ready. Fails if it ends before. */
  ready(): Promise<void>;
  /** The process that holds the data folder; on the embedded database only. Fails while none does. */
  serverPid(): number;
  /** Waits until a process holds the data folder. */
  untilHeld(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended and its output is complete. */
  ended: Promise<ExitStatus>;
  hasEnded(): boolean;
};

export type StartOptions = {
  settings?: Record<string, string>;
  /** How to start it: scripts/start.mjs with the system's Node, `npm start`, or src/main.ts. */
  through?: 'launcher' | 'npm' | 'server';
  /** The folder of the code that 'server' and 'launcher' start: another release, or this one. */
  code?: string;
  /** The Node that runs the launcher; default: the system's. */
  node?: string;
  /** The working directory. */
  cwd?: string;
  /** Default: a folder that does not exist yet. */
  dataDir?: string;
  /** The maximum number of open file descriptors (`ulimit -n`). */
  maxOpenFiles?: number;
};

export type ProcessGroup = {
  folder(): Promise<string>;
  copyOf(dataDir: string): Promise<string>;
  start(options?: StartOptions): Promise<ServiceProcess>;
  /** Ends all processes and deletes all files. */
  clear(): Promise<void>;
};

/** Call `clear` after the tests. */
export function createProcessGroup(): ProcessGroup {
  const folders: string[] = [];
  const runs: ServiceProcess[] = [];
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'paylink-start-'));
    folders.push(made);
    return made;
  };
  return {
    folder,
    copyOf: async (dataDir) => {
      const copy = join(await folder(), 'data');
      await cp(dataDir, copy, { recursive: true });
      return copy;
    },
    start: async (options = {}) => {
      const home = await folder();
      const run = startRun(home, options, await freePort());
      runs.push(run);
      return run;
    },
    clear: async () => {
      for (const run of runs) await endRun(run);
      for (const made of folders) await rm(made, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startRun(home: string, options: StartOptions, port: number): ServiceProcess {
  const { through = 'launcher', settings = {}, dataDir = join(home, 'data') } = options;
  const { code = root, node = machineNode() } = options;
  const command = {
    launcher: [node, join(code, 'scripts', 'start.mjs')],
    npm: ['npm', 'start'],
    server: [process.execPath, join(code, 'src', 'main.ts')],
  }[through] as [string, ...string[]];
  const { maxOpenFiles } = options;
  const limited = ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(maxOpenFiles), ...command];
  const [file = '', ...args] = maxOpenFiles === undefined ? command : limited;
  // Only tests of draining wait for it.
  const env = {
    ...environment(home),
    DRAIN_SECONDS: '0',
    PORT: String(port),
    DATA_DIR: dataDir,
    ...settings,
  };
  const child = spawn(file, args, {
    cwd: options.cwd ?? (through === 'npm' ? root : home),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const state = { isOver: false };
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      state.isOver = true;
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    port: Number(env.PORT),
    url: `http://localhost:${env.PORT}`,
    dataDir,
    stdout,
    stderr,
    ready: async () => {
      // The last printed line when the service is ready, with or without a first start.
      const isReady = () => /\nPaylink is ready[\s\S]*(shows the calls\.|\d{4} {3}[^\n]+)\n\n/.test(stdout());
      await until(() => isReady() || state.isOver, 'the service to be ready');
      assert.ok(isReady(), `it ended instead of getting ready:\n${stdout()}\n${stderr()}`);
    },
    serverPid: () => readHolder(dataDir) ?? assert.fail(`no process holds ${dataDir}`),
    untilHeld: async () =>
      await until(() => readHolder(dataDir) !== null, `a process to hold the folder ${dataDir}`),
    kill: (signal) => void child.kill(signal),
    ended,
    hasEnded: () => state.isOver,
  };
}

const noteOf = (dataDir: string) => join(dataDir, 'paylink.lock.json');

/** The process that has noted itself as holder of a data folder; null before it has written its note to the end. */
function readHolder(dataDir: string): number | null {
  try {
    return Number(JSON.parse(readFileSync(noteOf(dataDir), 'utf8')).pid);
  } catch {
    return null;
  }
}

/** A clean environment with PATH only. */
function environment(home: string): Record<string, string> {
  const search = searchPath();
  const own = join(root, '.env');
  // Settings in the developer's .env would apply, but not if the variable is set, even to an empty value.
  const blanked = existsSync(own) ? Object.keys(parseEnv(readFileSync(own, 'utf8'))) : [];
  return {
    ...Object.fromEntries(blanked.map((name) => [name, ''])),
    PATH: search.join(delimiter),
    HOME: home,
    TMPDIR: home,
    npm_config_update_notifier: 'false',
    ...compileCache(),
  };
}

/** The compile cache of the run, which only affects start times. */
export function compileCache(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** PATH without the package folders that npm adds. */
function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.includes('node_modules'));
}

/** A user's PATH: the system's node first, without package folders. */
export function commandPath(): string {
  return [dirname(machineNode()), ...searchPath()].join(delimiter);
}

/** The system's node, which may be too old for the service, else the one of the tests. */
export function machineNode(): string {
  const candidates = searchPath().map((dir) => join(dir, 'node'));
  return candidates.find(isExecutable) ?? process.execPath;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function collect(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

/** While the started process runs, its child is ours too. */
async function endRun(run: ServiceProcess): Promise<void> {
  if (run.hasEnded()) return;
  const { dataDir } = run;
  await until(
    () => !existsSync(noteOf(dataDir)) || readHolder(dataDir) !== null,
    'a whole note of the holder',
  );
  const server = readHolder(dataDir) ?? 0;
  run.kill('SIGKILL');
  if (server > 0 && server !== run.pid && isRunning(server)) process.kill(server, 'SIGKILL');
  await run.ended;
  if (server > 0) await untilGone(server);
}

/** Fails after `limitMs`, with the name of the condition. */
export async function until(
  check: () => boolean | Promise<boolean>,
  what: string,
  limitMs = guardMs,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await check())) {
    assert.ok(performance.now() - startedAt < limitMs, `waited in vain for ${what}`);
    await sleep(25);
  }
}

export async function endOf(run: ServiceProcess, limitMs = guardMs): Promise<ExitStatus> {
  await until(run.hasEnded, `process ${run.pid} to end`, limitMs);
  return await run.ended;
}

export async function untilGone(pid: number): Promise<void> {
  await until(() => !isRunning(pid), `process ${pid} to be gone`);
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  if (!existsSync('/proc/self/stat')) return true;
  try {
    // The state follows the name, which is in parentheses and may contain any character.
    return !/\) [ZX] [^)]*$/.test(readFileSync(status, 'utf8'));
  } catch {
    return false;
  }
}

export async function stopRun(run: ServiceProcess): Promise<ExitStatus> {
  run.kill('SIGTERM');
  return await endOf(run);
}

/** Runs a pasted command line. Returns its output. */
export function runInShell(line: string): string {
  return execFileSync('sh', ['-c', line], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: guardMs,
  });
}
