// `npm start`: installs what is missing, builds the dashboard where its sources changed, and runs the server. It stays
// between npm and the server only to pass on signals and the exit code; it must never outlive the server, nor the server
// it. The server holds the other end of a channel: when this process is killed outright, the channel closes there.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from './server-environment.mjs';
import { ensureInstalled, node24, PlainFault, root, runScript, say, watchNpm } from './toolchain.mjs';
import { ensureWebBuilt } from './web.mjs';

/** npm repeats a Ctrl-C that the terminal already sent to everybody; only a later one is impatience. */
const repeatMs = 2_000;

/** The server ends itself within 30 s; one that has not by then is stuck and hears nothing. */
const stuckAfterMs = 35_000;

/**
 * Runs the server until it ends.
 * @returns {Promise<number>} its exit code; 128 + the signal's number when a signal ended it
 */
function runServer(/** @type {string} */ node, /** @type {string[]} */ args) {
  const child = spawn(node, [path.join(root, 'src', 'main.ts'), ...args], {
    cwd: root,
    env: serverEnvironment(process.env),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let askedAt = Number.NaN;
  const stop = () => {
    if (Number.isNaN(askedAt)) {
      askedAt = performance.now();
      setTimeout(() => {
        say('The server did not stop: ending it.');
        child.kill('SIGKILL');
      }, stuckAfterMs).unref();
      // On Windows a signal would end it on the spot; a closed channel asks it to stop.
      if (process.platform === 'win32') child.disconnect();
      else child.kill('SIGTERM');
    } else if (performance.now() - askedAt > repeatMs) {
      say('Asked twice: ending the server without waiting for it.');
      child.kill('SIGKILL');
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchNpm(stop);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new PlainFault(`${node} could not be started: ${error.message}`)));
    child.on('exit', (code, signal) => {
      // A server that is asked while it loads ends by the signal itself: it was asked, and it stopped.
      if (signal === 'SIGTERM' && !Number.isNaN(askedAt)) resolve(0);
      else resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

await runScript(async () => {
  await ensureInstalled({ dev: false });
  // Links are paid without a dashboard, too: on a disk that is read-only, say.
  await ensureWebBuilt().catch((fault) => say(`${fault.message} The service starts all the same.`));
  return runServer(node24(), process.argv.slice(2));
});
