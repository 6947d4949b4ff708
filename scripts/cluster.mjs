// A temporary PostgreSQL cluster and its keeper process. When the run ends, even by SIGKILL, their channel closes, and
// the keeper stops the server and deletes the folder. Must not: use a server that it did not start itself.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { collectOutput, PlainFault } from './toolchain.mjs';

const self = fileURLToPath(import.meta.url);
const startLimitMs = 30_000;
/** The server may run for hours; only the end of its log is kept for an error message. */
const maxOutputLength = 4_000;

/** The data need not survive a power failure. */
const fastSettings = ['fsync=off', 'full_page_writes=off'];

/**
 * @typedef {object} Cluster
 * @property {string} url the superuser's address of the cluster
 * @property {string} folder a folder for the run's own files, deleted with the cluster
 * @property {(group: number) => void} endWith sets a process group that must not outlive the cluster
 * @property {() => Promise<void>} crash kills the server with SIGKILL; its sessions end when they notice
 * @property {() => Promise<void>} restart starts it again with the same data and port; resolves when it accepts sessions
 * @property {() => Promise<void>} stop stops the server and deletes its folder; resolves when both are gone
 */

/**
 * Starts a cluster in a temporary folder, on a free port of the loopback interface.
 * @param {string} postgresBin the folder with initdb and postgres
 * @param {string[]} [settings] of the server, each `name=value`; the default is fast and loses data in a crash
 * @param {string} [primaryUrl] makes it a streaming standby of the cluster with this superuser's address
 * @returns {Promise<Cluster>}
 * @throws {PlainFault} with PostgreSQL's error
 */
export async function startCluster(postgresBin, settings = fastSettings, primaryUrl = '') {
  const stdio = /** @type {const} */ (['ignore', 'ignore', 'inherit', 'ipc']);
  const keeper = fork(self, [postgresBin, primaryUrl, ...settings], { detached: true, stdio: [...stdio] });
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  const stop = async () => {
    if (keeper.connected) keeper.disconnect();
    await ended;
  };
  const { url, folder } = await nextMessage(keeper, ended).catch(async (error) => {
    await stop();
    throw error;
  });
  const endWith = (/** @type {number} */ group) => void keeper.send({ group });
  const sendCommand = async (/** @type {KeeperCommand} */ command) => {
    const reply = nextMessage(keeper, ended);
    keeper.send({ command });
    await reply;
  };
  return {
    url,
    folder,
    endWith,
    crash: () => sendCommand('crash'),
    restart: () => sendCommand('restart'),
    stop,
  };
}

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {'crash' | 'restart'} KeeperCommand */
/** @typedef {{ url: string; folder: string }} ClusterAddress */

/** @returns {Promise<ClusterAddress>} @throws {PlainFault} with PostgreSQL's error */
async function nextMessage(/** @type {ChildProcess} */ keeper, /** @type {Promise<unknown>} */ ended) {
  const [answer] = await Promise.race([
    once(keeper, 'message').catch((error) => [{ fault: reasonOf(error) }]),
    ended.then(() => [{ fault: 'its keeper has ended' }]),
  ]);
  if ('fault' in answer)
    throw new PlainFault(`The temporary PostgreSQL could not be started: ${answer.fault}`);
  return answer;
}

/** PostgreSQL refuses to run as root. Then it runs as its own account, or as nobody. Null: as the current user. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined);
  if (!account) throw new Error('run as root, it needs an account named postgres or nobody');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Other accounts may lack access to root's temporary folder, but not to /tmp. */
function makeFolders(/** @type {ReturnType<typeof unprivileged>} */ account) {
  const folder = mkdtempSync(path.join(account ? '/tmp' : tmpdir(), 'paylink-test-'));
  // The server's files are in their own folder; its account cannot read the run's other files.
  const home = path.join(folder, 'pg');
  mkdirSync(home, { mode: 0o700 });
  if (account) {
    chmodSync(folder, 0o711);
    chownSync(home, account.uid, account.gid);
  }
  return { folder, home };
}

/** Starts a child under the cluster's account, without the PG… variables that influence PostgreSQL's tools. */
function spawnTool(/** @type {string} */ file, /** @type {string[]} */ args, /** @type {string} */ home) {
  return spawn(file, args, {
    cwd: home,
    detached: true,
    env: { PATH: process.env.PATH ?? '', TZ: 'UTC', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...unprivileged(),
  });
}

const hasEnded = (/** @type {ChildProcess} */ child) => child.exitCode !== null || child.signalCode !== null;

/** @returns {Promise<number | string>} */
function exitOf(/** @type {ChildProcess} */ child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'gone'));
  });
}

async function runTool(/** @type {string} */ file, /** @type {string[]} */ args, /** @type {string} */ home) {
  const child = spawnTool(file, args, home);
  const output = collectOutput(child, maxOutputLength);
  const end = await exitOf(child);
  if (end !== 0) throw new Error(`${path.basename(file)} failed (${end})\n${output.text}`);
}

/** Creates the data of a new cluster, or copies those of a primary to follow it. */
async function initialise(
  /** @type {string} */ bin,
  /** @type {string} */ home,
  /** @type {string} */ primaryUrl,
) {
  const data = path.join(home, 'data');
  if (primaryUrl !== '') {
    const args = ['-D', data, '-d', primaryUrl, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await runTool(path.join(bin, 'pg_basebackup'), args, home);
    return;
  }
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'];
  await runTool(path.join(bin, 'initdb'), [...args, `--locale=${locale}`, '--no-sync'], home);
}

/** @returns {Promise<number>} a port of the loopback interface that was free a moment ago */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });
}

/** Another process took the free port first, or sessions of a killed server still hold its shared memory. */
const transientError = /could not bind|Address already in use|pre-existing shared memory block/;

/**
 * Starts the server, on its former port or a free one. Retries after temporary faults.
 * @param {string} bin @param {string} home @param {string[]} settings @param {number} [formerPort]
 */
async function startServer(bin, home, settings, formerPort) {
  const options = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
    'max_connections=200',
    // Readiness is read from postmaster.pid and failures from the log, in English.
    'lc_messages=C',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  const data = path.join(home, 'data');
  for (const deadline = Date.now() + startLimitMs; ; await sleep(50)) {
    const port = formerPort ?? (await freePort());
    const child = spawnTool(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options], home);
    const output = collectOutput(child, maxOutputLength);
    const ended = exitOf(child);
    if (await isReady(child, path.join(data, 'postmaster.pid'))) return { child, ended, port };
    await stopServer(child, ended);
    if (!transientError.test(output.text) || Date.now() > deadline) throw new Error(output.text);
  }
}

/** The server writes its status into the last line of postmaster.pid; "ready": it accepts connections. */
async function isReady(/** @type {ChildProcess} */ child, /** @type {string} */ pidFile) {
  const deadline = Date.now() + startLimitMs;
  for (; Date.now() < deadline && !hasEnded(child); await sleep(25)) {
    if (!existsSync(pidFile)) continue;
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    if (Number(lines[0]) === child.pid && /^(ready|standby)$/.test(lines[7]?.trim() ?? '')) return true;
  }
  return false;
}

/** Ends the server: first in order (open sessions are cut), then by stronger signals. */
async function stopServer(/** @type {ChildProcess} */ child, /** @type {Promise<unknown>} */ ended) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGQUIT', 'SIGKILL'])) {
    if (hasEnded(child)) return;
    child.kill(signal);
    await Promise.race([ended, sleep(5_000, undefined, { ref: false })]);
  }
}

/** Ends processes that a killed run left running; after an orderly end there are none. */
function endGroup(/** @type {number} */ group) {
  try {
    if (group > 0) process.kill(-group, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

/** Notifies the waiting run, unless it has ended meanwhile. */
function sendMessage(/** @type {ClusterAddress | { fault: string }} */ message) {
  if (process.connected) process.send?.(message, () => {});
}

const reasonOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/**
 * Runs the keeper: starts the server, sends its address, waits for the channel to close, cleans up.
 * @param {string} bin @param {string} primaryUrl @param {string[]} settings
 */
async function runKeeper(bin, primaryUrl, settings) {
  let group = 0;
  const released = new Promise((resolve) => process.once('disconnect', () => resolve(endGroup(group))));
  // Only the channel ends the keeper: a Ctrl-C is for the tests, which still need the server to end properly.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  let folder = '';
  /** @type {Promise<unknown>} */
  let commandDone = Promise.resolve();
  process.on('message', (/** @type {{ group?: number }} */ message) => {
    if (message.group !== undefined) group = message.group;
  });
  try {
    const folders = makeFolders(unprivileged());
    folder = folders.folder;
    await initialise(bin, folders.home, primaryUrl);
    let server = await startServer(bin, folders.home, settings);
    const address = { url: `postgres://postgres@127.0.0.1:${server.port}/postgres`, folder };
    const runCommand = async (/** @type {KeeperCommand} */ command) => {
      server.child.kill('SIGKILL');
      await server.ended;
      if (command === 'restart') server = await startServer(bin, folders.home, settings, server.port);
    };
    process.on('message', (/** @type {{ command?: KeeperCommand }} */ { command }) => {
      if (command)
        commandDone = runCommand(command).then(
          () => sendMessage(address),
          (error) => sendMessage({ fault: reasonOf(error) }),
        );
    });
    sendMessage(address);
    await released;
    await commandDone;
    await stopServer(server.child, server.ended);
  } catch (error) {
    sendMessage({ fault: reasonOf(error) });
  }
  // The run's own files are here too, so the folder stays until the run has released it.
  await released;
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}

if (process.argv[1] === self && process.argv[2] !== undefined)
  await runKeeper(process.argv[2], process.argv[3] ?? '', process.argv.slice(4));
