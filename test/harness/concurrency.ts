// Helpers for races: a second process on the same database, many concurrent clients, and the final checks.

import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientReport, findFaults } from '../faults/oracle.ts';
import type { Paylink } from './paylink.ts';
import type { ProcessGroup, ServiceProcess } from './process.ts';
import { readSandboxJournal } from './sandbox-journal.ts';

/** Starts a second process of a service that runs on a server, with the same keys and the same public address. */
export async function startSecondProcess(stage: ProcessGroup, paylink: Paylink): Promise<ServiceProcess> {
  const { config } = paylink.app.deps;
  if (!config.databaseUrl || !config.masterKey) throw new Error('a second process needs a server and a key');
  const run = await stage.start({
    through: 'server',
    settings: {
      DATABASE_URL: config.databaseUrl,
      BASE_URL: paylink.baseUrl,
      PAYLINK_MASTER_KEY: config.masterKey.toString('base64'),
      RATE_LIMIT_PROCESS_PER_SECOND: '0',
      RATE_LIMIT_LOGIN_PER_MINUTE: '0',
      RATE_LIMIT_API_PER_SECOND: '0',
      RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
      MAX_CONNECTIONS_PER_CLIENT: '0',
      LOG_LEVEL: 'error',
    },
  });
  await run.ready();
  return run;
}

/** Runs work `count` times, `atOnce` at a time. Returns the results in the order of their indexes. */
export async function runConcurrently<T>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const runner = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return results;
}

const barrierTimeoutMs = 30_000;

/** A barrier for `count` callers, with a time limit. */
export function createBarrier(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  return async () => {
    arrived += 1;
    if (arrived === count) all.resolve();
    await Promise.race([all.promise, sleep(barrierTimeoutMs, undefined, { ref: false })]);
  };
}

/** The findings of the oracle for a service with the sandbox. */
export async function assertNoFaults(
  paylink: Paylink,
  reports: readonly ClientReport[] = [],
): Promise<string[]> {
  const { db } = paylink.app.deps;
  return await findFaults({ db, reports, journal: await readSandboxJournal(db) });
}
