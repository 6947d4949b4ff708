// Runs the command line in a separate process, with its own home folder and environment.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Paylink } from './paylink.ts';
import { compileCache } from './process.ts';

export const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type ExitedCommand = { code: number | null; out: string; err: string };
export type Settings = Readonly<Record<string, string>>;

/** A running command. */
export type Running = {
  child: ChildProcess;
  out(): string;
  err(): string;
  ended: Promise<ExitedCommand>;
};

export type Home = {
  folder: string;
  run(settings: Settings, ...args: string[]): Promise<ExitedCommand>;
  feed(input: string, settings: Settings, ...args: string[]): Promise<ExitedCommand>;
  start(settings: Settings, ...args: string[]): Running;
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

function startIn(folder: string, settings: Settings, words: readonly string[], input: string): Running {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...compileCache(),
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  // A command that reads no input may end before it is written.
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<ExitedCommand>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  return { child, out: () => texts.out, err: () => texts.err, ended };
}

/** Creates a home in a new folder. */
export async function createHome(main = program): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-cli-'));
  const running = new Set<Running>();
  const start = (settings: Settings, args: readonly string[], input = '') => {
    const started = startIn(folder, settings, [main, ...args], input);
    running.add(started);
    void started.ended.finally(() => running.delete(started));
    return started;
  };
  const remove = async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  return {
    folder,
    run: async (settings, ...args) => await start(settings, args).ended,
    feed: async (input, settings, ...args) => await start(settings, args, input).ended,
    start: (settings, ...args) => start(settings, args),
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** The settings of a service, for commands that open its database. */
export function settingsOf(paylink: Paylink): Record<string, string> {
  const { databaseUrl, dataDir, baseUrl } = paylink.app.deps.config;
  return {
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    PAYLINK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
}
