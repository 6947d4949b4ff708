// `npm test [files…]`: installs what the tests need, starts a temporary PostgreSQL, runs the tests and prints
// one line of counts at the end. Must not: leave a process or a folder behind, however it ends. Two
// concurrent runs must not affect each other.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from './cluster.mjs';
import { ensureMachine } from './system-packages.mjs';
import { ensureInstalled, node24, root, runScript, say, watchNpm } from './toolchain.mjs';
import { ensureWebBuilt } from './web.mjs';

const testLimitMs = 120_000;
/** Ends a hanging run: it takes 20 minutes on two idle cores, and twice as long on slow ones. */
const runLimitMinutes = 60;
const allTests = ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'];

/** Environment variables that would affect the tests. */
const notForTests =
  /^(PG[A-Z]+|PAYLINK_.*|BOOTSTRAP_.*|RATE_LIMIT_.*|DRAIN_SECONDS|DATABASE_URL|DATA_DIR|BASE_URL|HOST|PORT|LOG_LEVEL|NODE_ENV|NODE_TEST_CONTEXT)$/;

const temporaryFolder = (/** @type {import('./cluster.mjs').Cluster} */ cluster) =>
  path.join(cluster.folder, 'tmp');

const templatesFolder = (/** @type {import('./cluster.mjs').Cluster} */ cluster) =>
  path.join(cluster.folder, 'templates');

/** @param {import('./cluster.mjs').Cluster} cluster @param {import('./system-packages.mjs').Machine} machine @param {string} node */
function testEnvironment(cluster, { chromium, postgresBin, python, longTools }, node) {
  const files = Object.entries(longTools).map(([name, file]) => [`TEST_${name.toUpperCase()}`, file]);
  const kept = Object.entries(process.env).filter(([name]) => !notForTests.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
    // Each test file is a separate process: share compiled code between them.
    NODE_COMPILE_CACHE: path.join(cluster.folder, 'compiled'),
    // Likewise for databases: later tests copy what the first has created.
    TEST_TEMPLATES: templatesFolder(cluster),
    // Files of tests and browsers are deleted with the run, and do not go into the user's home.
    TMPDIR: temporaryFolder(cluster),
    XDG_CONFIG_HOME: path.join(cluster.folder, 'config'),
    XDG_CACHE_HOME: path.join(cluster.folder, 'cache'),
    TEST_DATABASE_URL: cluster.url,
    // For tests that kill a server: the one above is shared.
    TEST_POSTGRES_BIN: postgresBin,
    CHROMIUM_PATH: chromium,
    // A Python that can verify a JWT, which may differ from the one on PATH.
    TEST_PYTHON: python,
    ...Object.fromEntries(files),
  };
}

/** `--run-limit-minutes=…` is for this script; other arguments are for Node's runner. */
function readTyped(/** @type {string[]} */ typed) {
  const limitForm = /^--run-limit-minutes=(\d+)$/;
  const limit = typed.flatMap((arg) => limitForm.exec(arg)?.[1] ?? []).at(-1);
  return {
    limitMinutes: Number(limit ?? runLimitMinutes),
    forRunner: typed.filter((arg) => !limitForm.test(arg)),
  };
}

/** The user's arguments: options for Node's runner, and files; without files, every test. */
function runnerArguments(/** @type {string[]} */ typed, /** @type {string} */ countsFile) {
  const options = typed.filter((arg) => arg.startsWith('-'));
  const files = typed.filter((arg) => !arg.startsWith('-'));
  return [
    '--test',
    // Optimising code that runs only for a second takes half the time of a test on the embedded database.
    '--liftoff-only',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    `--test-timeout=${testLimitMs}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${path.join(root, 'scripts', 'count-reporter.mjs')}`,
    `--test-reporter-destination=${countsFile}`,
    ...options,
    ...(files.length > 0 ? files : allTests),
  ];
}

/**
 * Runs Node's test runner in its own process group, so that all its processes can be ended together,
 * and a Ctrl-C reaches it once, from here.
 * @param {string} node @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {{ ended: Promise<number>; end: () => Promise<void>; group: number | undefined }}
 */
function startRunner(node, args, env) {
  const child = spawn(node, args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      say(`${node} could not be started: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const signalGroup = (/** @type {NodeJS.Signals} */ signal) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group has no process left.
    }
  };
  const end = async () => {
    signalGroup('SIGTERM');
    await Promise.race([ended, sleep(5_000, undefined, { ref: false })]);
    signalGroup('SIGKILL');
  };
  return { ended, end, group: child.pid };
}

/** The reporter's last value of each key. @returns {{ passed?: number; failed?: number; left?: number; underWay?: string[] }} */
function readCounts(/** @type {string} */ file) {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').split('\n');
  return Object.assign({}, ...lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line)));
}

/**
 * Waits for the runner, a signal or the limit; whichever comes first ends the run.
 * @param {ReturnType<typeof startRunner>} runner @param {number} limitMinutes
 */
async function waitForEnd(runner, limitMinutes) {
  const reason = await Promise.race([
    runner.ended,
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve('interrupted'));
      watchNpm(() => resolve('interrupted'));
    }),
    sleep(limitMinutes * 60_000, 'too long', { ref: false }),
  ]);
  await runner.end();
  return /** @type {number | 'interrupted' | 'too long'} */ (reason);
}

/** Reports what Node's summary lacks, prints the final line and returns the exit code. */
function conclude(
  /** @type {number} */ limitMinutes,
  /** @type {number | 'interrupted' | 'too long'} */ reason,
  /** @type {ReturnType<typeof readCounts>} */ counts,
  /** @type {string[]} */ leftBehind,
) {
  const { passed = 0, failed = 0, left = 0, underWay = [] } = counts;
  const names = underWay.length > 0 ? `; not finished: ${underWay.join(', ')}` : '';
  if (reason === 'too long') say(`The tests ran for ${limitMinutes} minutes and were ended${names}.`);
  else if (reason === 'interrupted') say(`The tests were interrupted${names}.`);
  else if (counts.passed === undefined) say('The test runner ended without a summary.');
  else if (passed + failed === 0) say('No test ran.');
  if (left > 0) say(`${left} tests were skipped; a test that does not run proves nothing.`);
  if (leftBehind.length > 0) say(`Left in the temporary folder by tests: ${leftBehind.join(', ')}`);
  const good = reason === 0 && failed === 0 && passed > 0;
  // A run that failed as a whole counts as one failure, even if no single test failed.
  const nothingRan = counts.passed === 0 && failed === 0;
  process.stdout.write(`${passed} passed, ${good || nothingRan ? 0 : Math.max(failed, 1)} failed\n`);
  return good ? 0 : reason === 'interrupted' ? 130 : 1;
}

await runScript(async () => {
  await ensureInstalled();
  await ensureWebBuilt();
  const node = node24();
  const { limitMinutes, forRunner } = readTyped(process.argv.slice(2));
  const machine = await ensureMachine({ isLong: forRunner.some((arg) => arg.endsWith('.faults.ts')) });
  const cluster = await startCluster(machine.postgresBin);
  try {
    for (const folder of [temporaryFolder(cluster), templatesFolder(cluster)])
      mkdirSync(folder, { mode: 0o700 });
    const countsFile = path.join(cluster.folder, 'counts');
    const runner = startRunner(
      node,
      runnerArguments(forRunner, countsFile),
      testEnvironment(cluster, machine, node),
    );
    if (runner.group !== undefined) cluster.endWith(runner.group);
    const reason = await waitForEnd(runner, limitMinutes);
    const leftBehind = readdirSync(temporaryFolder(cluster));
    return conclude(limitMinutes, reason, readCounts(countsFile), leftBehind);
  } finally {
    await cluster.stop();
  }
});
