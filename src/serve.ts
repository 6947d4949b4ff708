// Runs the service: starts it, prints where it is, and stops it in order. It must never end a process that
// answers requests without letting them finish, nor print a stack for what a person can mend.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type App, createApp, version } from './app.ts';
import { bootstrap, describeAccount, describeStart, type FirstStart } from './bootstrap.ts';
import { type Config, readConfig } from './config.ts';
import { endProcess } from './end-process.ts';
import { describeStartupError } from './startup-error.ts';
import { createLogger, flushLog } from './telemetry.ts';

/** How long a stop waits for requests once the listener is closed; a processor is asked for at most 10 s. */
export const requestsWithinMs = 15_000;

/** A stop that takes longer than this after the listener is closed ends the process all the same. */
export const stopWithinMs = 30_000;

type StopSignals = {
  /** The first reason to stop. A later one changes nothing about it: a Ctrl-C may come twice. */
  asked: Promise<string>;
  /** Resolves at a reason to stop without draining, whether it is the first one or comes later. */
  hurried: Promise<void>;
};

/**
 * Listens for reasons to stop. Only a SIGTERM drains: it comes from what restarts processes behind a proxy. A Ctrl-C,
 * a closed terminal and a launcher that is gone have nobody who would notice. The launcher holds the other end of
 * a channel: when it is gone, however it died, so is the reason to run.
 */
function listenForStopSignals(): StopSignals {
  const requested = Promise.withResolvers<string>();
  const immediate = Promise.withResolvers<void>();
  const hurry = (reason: string) => {
    requested.resolve(reason);
    immediate.resolve();
  };
  process.on('SIGTERM', () => requested.resolve('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => hurry(signal));
  process.on('disconnect', () => hurry('disconnect'));
  // Without a launcher it is undefined; false says that the channel closed before anybody listened.
  if (process.connected === false) hurry('disconnect');
  return { asked: requested.promise, hurried: immediate.promise };
}

/** Makes the first company, then listens: whoever finds the port open can log in. */
async function open(app: App): Promise<void> {
  let first: FirstStart | null = null;
  try {
    first = await bootstrap(app.deps);
    await app.listen();
  } catch (error) {
    // The password is kept nowhere, and the next start finds the account.
    if (first) console.log(describeAccount(app.deps, first));
    await app.stop().catch(() => undefined);
    throw error;
  }
  console.log(describeStart(app.deps, first));
}

/** Takes connections for some seconds more, while proxies notice that the process is not ready. */
async function drain(app: App, immediate: Promise<void>): Promise<void> {
  const { drainSeconds } = app.deps.config;
  app.drain();
  // The launcher kills a server that does not stop in time, and cannot know the settings of a .env file.
  if (process.connected) process.send?.({ stopsWithinMs: drainSeconds * 1_000 + stopWithinMs });
  const over = new AbortController();
  const drained = sleep(drainSeconds * 1_000, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([drained, immediate]);
  over.abort();
}

async function stop(app: App, log: Logger): Promise<never> {
  // Node no longer looks for slow clients once the server closes: a request that never ends would hold it up.
  setTimeout(() => app.server.server.closeAllConnections(), requestsWithinMs).unref();
  setTimeout(() => endProcess(1), stopWithinMs).unref();
  await app.stop();
  await flushLog(log);
  return endProcess(0);
}

async function run(config: Config, onReady: () => void): Promise<never> {
  const log = createLogger({ level: config.logLevel });
  const { asked: requested, hurried: immediate } = listenForStopSignals();
  const opening = createApp({ config, log });
  const early = await Promise.race([requested, opening.then(() => null)]);
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
  const signal = await requested;
  log.info({ signal }, 'stopping');
  await drain(app, immediate);
  return await stop(app, log);
}

/** Runs it with the settings of the environment until there is a reason to stop, and ends the process. */
export async function serve({ onReady }: { onReady: () => void }): Promise<never> {
  let config: Config | null = null;
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    config = readConfig(process.env);
    return await run(config, onReady);
  } catch (error) {
    console.error(describeStartupError(error, config) ?? error);
    return endProcess(1);
  }
}
