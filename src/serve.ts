// Runs the service: starts it, prints its address, and stops it in order. Must not: end a process without
// letting its requests finish, or print a stack for faults that the operator can correct.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type App, createApp } from './app.ts';
import { bootstrap, describeAccount, describeStart, type FirstStart } from './bootstrap.ts';
import { type Config, readConfig } from './config.ts';
import { endProcess } from './end-process.ts';
import { describeStartupError } from './startup-error.ts';
import { createLogger, flushLog } from './telemetry.ts';
import { version } from './version.ts';

/** How long a stop waits for requests after closing the listener; a processor call takes at most 10 s. */
export const requestsWithinMs = 15_000;

/** If a stop takes longer than this after closing the listener, the process ends anyway. */
export const stopWithinMs = 30_000;

type StopSignals = {
  /** The first reason to stop. Later ones do not change it: Ctrl-C may come twice. */
  requested: Promise<string>;
  /** Resolves at the first reason to stop without draining. */
  immediate: Promise<void>;
};

/**
 * Waits for reasons to stop. Only SIGTERM drains: it comes from supervisors that restart processes behind a
 * proxy. After Ctrl-C, a closed terminal or the end of the launcher no proxy would notice. The launcher holds
 * the other end of a channel, which closes when it ends in any way.
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
  // Without a launcher it is undefined; false means that the channel closed before the listener was added.
  if (process.connected === false) hurry('disconnect');
  return { requested: requested.promise, immediate: immediate.promise };
}

/** Creates the first company, then listens: once the port is open, the login works. */
async function open(app: App): Promise<void> {
  let first: FirstStart | null = null;
  try {
    first = await bootstrap(app.deps, (text) => console.log(text));
    await app.listen();
  } catch (error) {
    // The password is stored nowhere, and the next start finds the account.
    if (first) console.log(describeAccount(app.deps, first));
    await app.stop().catch(() => undefined);
    throw error;
  }
  console.log(describeStart(app.deps, first));
}

/** Accepts connections for some seconds more, until proxies notice that the process is not ready. */
async function drain(app: App, immediate: Promise<void>): Promise<void> {
  const { drainSeconds } = app.deps.config;
  app.drain();
  // The launcher kills a server that does not stop in time. It cannot know the settings in a .env file.
  if (process.connected) process.send?.({ stopsWithinMs: drainSeconds * 1_000 + stopWithinMs });
  const over = new AbortController();
  const drained = sleep(drainSeconds * 1_000, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([drained, immediate]);
  over.abort();
}

async function stop(app: App, log: Logger): Promise<never> {
  // Node no longer checks for slow clients once the server closes: an endless request would delay the stop.
  setTimeout(() => app.server.server.closeAllConnections(), requestsWithinMs).unref();
  setTimeout(() => endProcess(1), stopWithinMs).unref();
  await app.stop();
  await flushLog(log);
  return endProcess(0);
}

async function run(config: Config, onReady: () => void): Promise<never> {
  const log = createLogger({ level: config.logLevel });
  const { requested, immediate } = listenForStopSignals();
  const opening = createApp({ config, log });
  const early = await Promise.race([requested, opening.then(() => null)]);
  if (early) {
    // No request was processed yet, and interrupting the creation of a database leaves it complete or absent.
    log.info({ signal: early }, 'stopped before it was ready');
    await flushLog(log);
    endProcess(0);
  }
  const app = await opening;
  // During an upgrade two versions run side by side, and their logs are read together. A refused start logs
  // only the reason.
  log.info({ version }, 'starting');
  await open(app);
  onReady();
  const signal = await requested;
  log.info({ signal }, 'stopping');
  await drain(app, immediate);
  return await stop(app, log);
}

/**
 * Runs the service with the settings of the environment until there is a reason to stop, then ends the
 * process.
 */
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
