// A shop on a real server of another project: its packages, installed from the registry into a folder of their own, with
// our integration as users install it. INTEGRATIONS_FOLDER names a folder that is kept, so that the next run does not
// install again. Must not: leave a process behind, or install into the project.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, until } from '../harness/process.ts';

/** A server that was started, until it is stopped. */
export type Program = { log(): string; hasEnded(): boolean; stop(): Promise<void> };

export type HostShop = {
  folder: string;
  /** The files in the package of the integration. */
  packed: string[];
  write(name: string, text: string): Promise<void>;
  /** Runs a program of the shop to its end, and returns its output. */
  run(args: readonly string[], env?: Record<string, string>): Promise<string>;
  start(args: readonly string[], env: Record<string, string>): Program;
  /** Ends all programs, and deletes the folder. */
  remove(): Promise<void>;
};

/** For downloads and first starts, which may be slow. */
export const setupLimit = { timeout: 3_500_000 };

/** How long a program of a shop may run. */
const runLimitMs = 1_800_000;

type PackageFile = { name: string; version: string; devDependencies: Record<string, string> };

/** Installs the packages that the integration is developed with, packs the integration, and installs it. */
export async function installShop(
  integration: 'medusa' | 'vendure',
  extra: Record<string, string>,
): Promise<HostShop> {
  const kept = process.env.INTEGRATIONS_FOLDER;
  const folder = kept
    ? path.join(kept, integration)
    : await mkdtemp(path.join(tmpdir(), `paylink-${integration}-`));
  const programs: Started[] = [];
  const run = async (args: readonly string[], env: Record<string, string> = {}, cwd = folder) => {
    const started = startProgram(args, env, cwd);
    programs.push(started);
    await until(() => started.program.hasEnded(), `${args.join(' ')} to end`, runLimitMs);
    assert.equal(
      started.exitCode(),
      0,
      `${args.join(' ')} ended with ${started.exitCode()}:\n${started.program.log()}`,
    );
    return started.program.log();
  };
  const own = JSON.parse(
    readFileSync(path.join(root, 'integrations', integration, 'package.json'), 'utf8'),
  ) as PackageFile;
  if (!existsSync(path.join(folder, 'installed'))) {
    await mkdir(folder, { recursive: true });
    const dependencies = { ...own.devDependencies, ...extra };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    await run(['npm', 'install', ...npmFlags]);
    await writeFile(path.join(folder, 'installed'), '');
  }
  const packed = await installIntegration(folder, integration, run);
  return {
    folder,
    packed,
    write: async (name, text) => await writeFile(path.join(folder, name), text),
    run,
    start: (args, env) => {
      const started = startProgram(args, env, folder);
      programs.push(started);
      return started.program;
    },
    remove: async () => {
      await Promise.all(programs.map(async ({ program }) => await program.stop()));
      if (!kept) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** No package runs code when it is installed. Few connections at once: a busy machine would lose some. */
const npmFlags = [
  ...['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
  ...['--maxsockets=5', '--fetch-retries=6'],
];

type Run = (args: readonly string[], env?: Record<string, string>, cwd?: string) => Promise<string>;

/** Packs a copy of the sources below the shop, whose packages the compiler then finds. */
async function installIntegration(folder: string, integration: string, run: Run): Promise<string[]> {
  const source = path.join(folder, 'source');
  await rm(source, { recursive: true, force: true });
  for (const name of ['integrations', 'sdk'])
    await cp(path.join(root, name), path.join(source, name), {
      recursive: true,
      filter: (file) => !/[\\/](node_modules|dist)([\\/]|$)/.test(file.slice(root.length)),
    });
  const home = path.join(source, 'integrations', integration);
  // What npm's script prepack runs, but no script of npm runs here.
  await run(['node', path.join('..', 'build.mjs')], {}, home);
  const output = await run(
    ['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    {},
    home,
  );
  const [packed] = JSON.parse(output.slice(output.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  await run(['npm', 'install', '--no-save', ...npmFlags, `./${packed.filename}`]);
  // The shop must use the package, not its source.
  await rm(source, { recursive: true });
  return packed.files.map((file) => file.path).sort();
}

type Started = { program: Program; exitCode(): number | null };

function startProgram(
  [file = '', ...args]: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Started {
  const command = file === 'node' ? process.execPath : file;
  // A machine may set its registry in variables; the servers get only their own.
  const inherited = file === 'npm' ? process.env : {};
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, PATH, HOME, TMPDIR: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  let hasEnded = false;
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      hasEnded = true;
      resolve();
    });
  });
  const stop = async () => {
    if (hasEnded) return;
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(10_000)]);
    if (!hasEnded) child.kill('SIGKILL');
    await ended;
  };
  return { program: { log: () => text, hasEnded: () => hasEnded, stop }, exitCode: () => exitCodeOf(child) };
}

const exitCodeOf = (child: ChildProcess) => child.exitCode;

/** Waits until an address answers with a status below 500. */
export async function awaitServer(program: Program, url: string): Promise<void> {
  const answers = async () =>
    await fetch(url).then(
      ({ status }) => status < 500,
      () => false,
    );
  await until(async () => program.hasEnded() || (await answers()), `the server at ${url}`, runLimitMs);
  assert.ok(!program.hasEnded(), `the server ended:\n${program.log()}`);
}
