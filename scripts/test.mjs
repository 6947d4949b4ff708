// `npm test [files…]`, `npm run test:long [files…]` and `npm run campaign -- NAME`: starts a temporary PostgreSQL,
// runs the tests and prints the counts at the end. Must not: leave a process or a folder behind, however it ends.
// Two concurrent runs must not affect each other.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startCluster } from './cluster.mjs';
import { ensureMachine, toolVariable } from './system-packages.mjs';
import { findCampaigns, listTestFiles, planFiles, stepOf, steps } from './test-files.mjs';
import { ensureInstalled, node24, PlainFault, root, runScript, say, watchNpm } from './toolchain.mjs';
import { ensureWebBuilt } from './web.mjs';

/** Environment variables that would affect the tests. */
const notForTests =
  /^(PG[A-Z]+|(PAYLINK|BOOTSTRAP|RATE_LIMIT|METRICS|OTEL)_.*|(DIRECTORY_)?DATABASE_[A-Z_]+|DATA_DIR|BASE_URL|HOST|PORT|DRAIN_SECONDS|LOG_LEVEL|MAIL_FROM|MAX_CONNECTIONS_PER_CLIENT|OPERATOR_EMAILS|REQUEST_LOG_DAYS|SMTP_URL|TRUSTED_PROXIES|WEBHOOKS_ALLOW_LOOPBACK|[A-Z]+_API_URL|NODE_ENV|NODE_TEST_CONTEXT)$/;

const temporaryFolder = (/** @type {import('./cluster.mjs').Cluster} */ cluster) =>
  path.join(cluster.folder, 'tmp');

const templatesFolder = (/** @type {import('./cluster.mjs').Cluster} */ cluster) =>
  path.join(cluster.folder, 'templates');

/** @param {import('./cluster.mjs').Cluster} cluster @param {import('./system-packages.mjs').Machine} machine @param {string} node */
function testEnvironment(cluster, { chromium, lightChromium, postgresBin, python, longTools }, node) {
  const files = Object.entries(longTools).map(([name, file]) => [`TEST_${toolVariable(name)}`, file]);
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
    TEST_LIGHT_CHROMIUM: lightChromium,
    // A Python that can verify a JWT, which may differ from the one on PATH.
    TEST_PYTHON: python,
    ...Object.fromEntries(files),
  };
}

/** The value of the last `--name=value` among the arguments. */
function lastValue(/** @type {string[]} */ typed, /** @type {string} */ name) {
  return typed.findLast((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

const ownFlags = /^--(step|run-limit-minutes|test-timeout|test-concurrency)=|^--install$/;

/**
 * Reads the arguments: options of this script, options for Node, and files. Without files, all files of the step run.
 * @param {string[]} typed
 */
function readTyped(typed) {
  const wantedStep = /** @type {import('./test-files.mjs').Step} */ (lastValue(typed, '--step') ?? 'test');
  const names = typed.filter((arg) => !arg.startsWith('-'));
  const all = listTestFiles();
  const chosen = wantedStep === 'campaign' ? findCampaigns(names, all.campaign) : names;
  const missing = chosen.filter((file) => !existsSync(path.resolve(root, file)));
  if (missing.length > 0) throw new PlainFault(`There is no test file ${missing.join(', ')}.`);
  const files = chosen.length > 0 ? chosen : all[wantedStep];
  // A file that is named by hand has the limits of its own step.
  const limits = files.map((file) => steps[stepOf(file) ?? wantedStep]);
  const most = (/** @type {'testLimitMs' | 'runLimitMinutes'} */ limit) =>
    Math.max(...limits.map((rules) => rules[limit]));
  return {
    step: wantedStep,
    all,
    files,
    // Files that are named by hand run in the order given.
    groups: chosen.length > 0 ? chosen.map((file) => [file]) : planFiles(files),
    isLong: files.some((file) => stepOf(file) !== 'test'),
    mayInstall: typed.includes('--install') || isCi(),
    limitMinutes: Number(lastValue(typed, '--run-limit-minutes') ?? most('runLimitMinutes')),
    timeout: Number(lastValue(typed, '--test-timeout') ?? most('testLimitMs')),
    concurrency: Number(lastValue(typed, '--test-concurrency') ?? availableParallelism() + 1),
    nodeOptions: typed.filter((arg) => arg.startsWith('-') && !ownFlags.test(arg)),
  };
}

const endTestProcess = pathToFileURL(path.join(root, 'scripts', 'end-test-process.mjs')).href;

const countsFileIn = (/** @type {string} */ folder) => path.join(folder, 'counts');

/** CI services set this variable. */
const isCi = () => !['', 'false', '0'].includes(process.env.CI ?? '');

/**
 * @param {ReturnType<typeof readTyped>} typed
 * @param {string} folder of the run: the counts go there, and the modules that import the groups of files
 */
function runnerArguments({ groups, concurrency, timeout, nodeOptions }, folder) {
  const files = groups.map((group, index) => writeGroup(group, index, folder));
  const execArgv = ['--import', endTestProcess, ...nodeOptions];
  /** @type {import('./run-tests.mjs').RunOrder} */
  const order = { files, concurrency, timeout, execArgv, countsFile: countsFileIn(folder) };
  // Optimising code that runs only for a second takes half the time of a test on the embedded database.
  return ['--liftoff-only', path.join(root, 'scripts', 'run-tests.mjs'), JSON.stringify(order)];
}

/**
 * The module that runs a group. Each of several files is a suite, so that its hooks run for its own tests.
 * @param {string[]} group @param {number} index @param {string} folder @returns {string}
 */
function writeGroup(group, index, folder) {
  const [first = ''] = group;
  if (group.length === 1) return first;
  const module = path.join(folder, `group-${index + 1}.mjs`);
  const suites = group.map(
    (file) =>
      `describe(${JSON.stringify(file)}, async () => void (await import(${JSON.stringify(path.join(root, file))})));\n`,
  );
  writeFileSync(module, `import { describe } from 'node:test';\n${suites.join('')}`);
  return module;
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

/**
 * The reporter's last value of each key.
 * @returns {{ passed?: number; failed?: number; left?: number; underWay?: string[]; slowest?: { file: string; seconds: number }[] }}
 */
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

/** One line for each command: how many files it runs, and how many tests ran now. */
function printSteps(
  /** @type {ReturnType<typeof readTyped>} */ { all, files, step },
  /** @type {number} */ tests,
) {
  for (const [name, { command }] of Object.entries(steps)) {
    const total = all[/** @type {import('./test-files.mjs').Step} */ (name)].length;
    const now = name === step ? `; this run: ${files.length} files, ${tests} tests` : '';
    process.stdout.write(`${command.padEnd(24)} ${String(total).padStart(3)} files${now}\n`);
  }
}

/** Reports what Node's summary lacks, prints the final lines and returns the exit code. */
function conclude(
  /** @type {ReturnType<typeof readTyped>} */ typed,
  /** @type {number | 'interrupted' | 'too long'} */ reason,
  /** @type {ReturnType<typeof readCounts>} */ counts,
  /** @type {string[]} */ leftBehind,
) {
  const { passed = 0, failed = 0, left = 0, underWay = [], slowest = [] } = counts;
  const names = underWay.length > 0 ? `; not finished: ${underWay.join(', ')}` : '';
  if (reason === 'too long') say(`The tests ran for ${typed.limitMinutes} minutes and were ended${names}.`);
  else if (reason === 'interrupted') say(`The tests were interrupted${names}.`);
  else if (counts.passed === undefined) say('The test runner ended without a summary.');
  else if (passed + failed === 0) say('No test ran.');
  if (left > 0) say(`${left} tests were skipped; a test that does not run proves nothing.`);
  if (leftBehind.length > 0) say(`Left in the temporary folder by tests: ${leftBehind.join(', ')}`);
  const good = reason === 0 && failed === 0 && passed > 0;
  // A run that failed as a whole counts as one failure, even if no single test failed.
  const nothingRan = counts.passed === 0 && failed === 0;
  if (typed.files.length > slowest.length)
    for (const { file, seconds } of slowest)
      process.stdout.write(`${seconds.toString().padStart(5)} s  ${file}\n`);
  printSteps(typed, passed + failed);
  process.stdout.write(`${passed} passed, ${good || nothingRan ? 0 : Math.max(failed, 1)} failed\n`);
  return good ? 0 : reason === 'interrupted' ? 130 : 1;
}

await runScript(async () => {
  await ensureInstalled();
  await ensureWebBuilt();
  const node = node24();
  const typed = readTyped(process.argv.slice(2));
  const machine = await ensureMachine(typed);
  const cluster = await startCluster(machine.postgresBin);
  try {
    for (const folder of [temporaryFolder(cluster), templatesFolder(cluster)])
      mkdirSync(folder, { mode: 0o700 });
    const runner = startRunner(
      node,
      runnerArguments(typed, cluster.folder),
      testEnvironment(cluster, machine, node),
    );
    if (runner.group !== undefined) cluster.endWith(runner.group);
    const reason = await waitForEnd(runner, typed.limitMinutes);
    const leftBehind = readdirSync(temporaryFolder(cluster));
    return conclude(typed, reason, readCounts(countsFileIn(cluster.folder)), leftBehind);
  } finally {
    await cluster.stop();
  }
});
