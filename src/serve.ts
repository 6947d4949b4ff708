// Runs the service: starts it, prints where it is, and stops it in order. It must never end a process that
// answers requests without letting them finish, nor print a stack for what a person can mend.

import { existsSync } from 'node:fs';
import { type App, createApp, version } from './app.ts';
import { bootstrap, describeStart } from './bootstrap.ts';
import { type Config, readConfig } from './config.ts';
import { endProcess } from './end-process.ts';
import { describeStartFault } from './start-fault.ts';
import { createLogger, flushLog } from './telemetry.ts';

/** How long a stop waits for requests; a processor is asked for at most 10 s. */
const drainWithinMs = 15_000;

/** A stop that takes longer than this ends the process all the same. */
const stopWithinMs = 30_000;

/**
 * Resolves with the first reason to stop; a later one changes nothing, because a Ctrl-C comes from the
 * terminal and once more from the launcher. The launcher holds the other end of a channel: when it is
 * gone, however it died, so is the reason to run.
 */
function reasonToStop(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('disconnect'));
    // Without a launcher it is undefined; false says that the channel closed before anybody listened.
    if (process.connected === false) resolve('disconnect');
  });
}

async function open(app: App): Promise<void> {
  try {
    await app.listen();
    console.log(describeStart(app.deps, await bootstrap(app.deps)));
  } catch (error) {
    await app.stop().catch(() => undefined);
    throw error;
  }
}

async function run(config: Config, onReady: () => void): Promise<never> {
  const log = createLogger({ level: config.logLevel });
  const reason = reasonToStop();
  const opening = createApp({ config, log });
  const early = await Promise.race([reason, opening.then(() => null)]);
  if (early) {
    // Nothing was answered yet, and whatever interrupts the making of a database leaves it whole or absent.
    log.info({ signal: early }, 'stopped before it was ready');
    await flushLog(log);
    endProcess(0);
  }
  const app = await opening;
  // During an upgrade processes of two versions run side by side, and their logs are read together. A start that is
  // refused says why, and nothing else.
  log.info({ version }, 'starting');
  await open(app);
  onReady();
  const signal = await reason;
  log.info({ signal }, 'stopping');
  // Node no longer looks for slow clients once the server closes: a request that never ends would hold it up.
  setTimeout(() => app.server.server.closeAllConnections(), drainWithinMs).unref();
  setTimeout(() => endProcess(1), stopWithinMs).unref();
  await app.stop();
  await flushLog(log);
  return endProcess(0);
}

/** Runs it with the settings of the environment until there is a reason to stop, and ends the process. */
export async function serve({ onReady }: { onReady: () => void }): Promise<never> {
  let config: Config | null = null;
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    config = readConfig(process.env);
    return await run(config, onReady);
  } catch (error) {
    console.error(describeStartFault(error, config) ?? error);
    return endProcess(1);
  }
}
