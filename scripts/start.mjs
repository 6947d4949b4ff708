// `npm start`: installs missing packages, builds the dashboard if its sources changed, and runs the server. Must not:
// outlive the server, or let the server outlive it; their channel closes when one is killed.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from './server-environment.mjs';
import { ensureInstalled, node24, PlainFault, root, runScript, say, watchNpm } from './toolchain.mjs';
import { ensureWebBuilt } from './web.mjs';

/** npm repeats a signal that the terminal sent to everybody; only a later one comes from the user again. */
const repeatMs = 2_000;

/** The server ends within 30 s, or later if it reports that it drains first. After that it is killed. */
const stopsWithinMs = 30_000;
const graceMs = 5_000;

/** @returns {Promise<number>} the server's exit code; 128 + the signal's number when a signal ended it */
function runServer(/** @type {string} */ node, /** @type {string[]} */ args) {
  const child = spawn(node, [path.join(root, 'src', 'main.ts'), ...args], {
    cwd: root,
    env: serverEnvironment(process.env),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  /** @type {NodeJS.Signals[]} */
  const sent = [];
  let askedAt = Number.NaN;
  /** @type {NodeJS.Timeout | undefined} */
  let killTimer;
  const killWhenStuck = (/** @type {number} */ withinMs) => {
    clearTimeout(killTimer);
    killTimer = setTimeout(() => {
      say('The server did not stop: killing it.');
      child.kill('SIGKILL');
    }, withinMs + graceMs).unref();
  };
  const send = (/** @type {NodeJS.Signals} */ signal) => {
    sent.push(signal);
    askedAt = performance.now();
    // On Windows a signal would end it at once; a closed channel asks it to stop.
    if (process.platform !== 'win32') child.kill(signal);
    else if (child.connected) child.disconnect();
  };
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    if (sent.length === 0) {
      killWhenStuck(stopsWithinMs);
      send(signal);
    } else if (performance.now() - askedAt <= repeatMs) return;
    // A draining server stops draining at a SIGINT, and still stops in order.
    else if (sent[0] === 'SIGTERM' && sent.length === 1) send('SIGINT');
    else {
      say('Another signal: killing the server.');
      child.kill('SIGKILL');
    }
  };
  child.on('message', (/** @type {{ stopsWithinMs: number }} */ message) =>
    killWhenStuck(message.stopsWithinMs),
  );
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => stop(signal));
  watchNpm(() => stop('SIGINT'));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new PlainFault(`${node} could not be started: ${error.message}`)));
    child.on('exit', (code, signal) => {
      // While the server loads, the signal itself ends it: that counts as a requested stop.
      if (signal && sent.includes(signal)) resolve(0);
      else resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

await runScript(async () => {
  await ensureInstalled({ dev: false });
  // Links can be paid without the dashboard, for example on a read-only disk.
  await ensureWebBuilt().catch((fault) => say(`${fault.message} The service starts without it.`));
  return runServer(node24(), process.argv.slice(2));
});
