// The text of a scrape: the metrics of this process, and those that are read from the database. If the database does
// not answer in time, the text lacks the latter, and says so by paylink_database_up.

import { setTimeout as sleep } from 'node:timers/promises';
import { isReadOnlyError, type PoolState } from '../db/connection.ts';
import type { ServiceStatus } from '../status/read-status.ts';
import type { Recorder, SetGauge } from './recorder.ts';

export type ScrapeSources = {
  recorder: Recorder;
  readStatus(): Promise<ServiceStatus>;
  /** Rejects if the database does not answer within 2 s, or takes no writes. */
  ping(): Promise<void>;
  poolState(): PoolState;
  log: { warn(fields: object, message: string): void };
};

/** How long a scrape waits for the database; Prometheus waits 10 s by default. */
const databaseWithinMs = 4_000;

function setWork(set: SetGauge, { work }: ServiceStatus): void {
  for (const { kind, due, oldestDueSeconds, dead } of work) {
    set('paylink_work_due', { kind }, due);
    set('paylink_work_dead', { kind }, dead);
    set('paylink_work_oldest_due_seconds', { kind }, oldestDueSeconds ?? 0);
  }
}

/** The age of the oldest of some rows. It is absent if there are rows and their age is not known. */
function setAge(set: (seconds: number) => void, count: number, oldestSeconds: number | null): void {
  if (oldestSeconds !== null) set(oldestSeconds);
  else if (count === 0) set(0);
}

function setStatus(set: SetGauge, status: ServiceStatus): void {
  setWork(set, status);
  for (const { mode, count, oldestSeconds } of status.unknownAttempts) {
    set('paylink_attempts_unknown', { mode }, count);
    setAge(
      (seconds) => set('paylink_attempts_unknown_oldest_seconds', { mode }, seconds),
      count,
      oldestSeconds,
    );
  }
  for (const { processor, mode, health, count } of status.connections)
    set('paylink_processor_connections', { processor, mode, health }, count);
  set('paylink_webhook_endpoints_failing', {}, status.failingEndpoints);
  for (const { kind, count } of status.openCases) set('paylink_cases_open', { kind }, count);
  for (const { name: job, lastSuccessAt } of status.jobs)
    if (lastSuccessAt)
      set('paylink_job_last_success_timestamp_seconds', { job }, lastSuccessAt.getTime() / 1_000);
  set('paylink_events_unsealed_oldest_seconds', {}, status.oldestUnsealedSeconds ?? 0);
}

/** The shared gauges as text, and whether the database answers; without an answer the text is empty. */
async function readDatabase({ recorder, readStatus, ping, log }: ScrapeSources) {
  const late = sleep(databaseWithinMs, null, { ref: false });
  const reading = readStatus().catch((err: unknown) => {
    log.warn({ err }, 'the status of the service could not be read for metrics');
    return null;
  });
  const failure = await Promise.race([
    ping().then(
      () => null,
      (error: unknown) => error,
    ),
    late.then(() => 'no answer'),
  ]);
  const status = await Promise.race([reading, late]);
  const takesNoWrites = failure instanceof Error && isReadOnlyError(failure);
  return {
    // A ping waits for a connection, so while all are busy only the reading may succeed.
    isUp: failure === null || (status !== null && !takesNoWrites),
    isRead: status !== null,
    text: status ? await recorder.writeShared((set) => setStatus(set, status)) : '',
  };
}

async function write(sources: ScrapeSources): Promise<string> {
  const { recorder, poolState } = sources;
  const { isUp, isRead, text } = await readDatabase(sources);
  const { idle, busy, waiting, size } = poolState();
  recorder.set('paylink_database_up', {}, isUp ? 1 : 0);
  recorder.set('paylink_status_read', {}, isRead ? 1 : 0);
  recorder.set('paylink_database_pool_connections', { state: 'idle' }, idle);
  recorder.set('paylink_database_pool_connections', { state: 'busy' }, busy);
  recorder.set('paylink_database_pool_waiting', {}, waiting);
  recorder.set('paylink_database_pool_size', {}, size);
  return (await recorder.write()) + text;
}

/**
 * Returns what writes a scrape. Concurrent scrapes share one: of the database, and of the event loop, whose lag is
 * measured from one reading to the next.
 */
export function createScrape(sources: ScrapeSources): () => Promise<string> {
  let current: Promise<string> | null = null;
  return async () => {
    current ??= write(sources).finally(() => {
      current = null;
    });
    return await current;
  };
}
