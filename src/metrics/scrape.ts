// The text of a scrape: the metrics of this process, and those that are read from the database. If the database does
// not answer in time, the text lacks the latter, and says so by paylink_database_up. Each cell is read alone.

import { setTimeout as sleep } from 'node:timers/promises';
import { isReadOnlyError, type PoolState } from '../db/connection.ts';
import type { ServiceStatus } from '../status/read-status.ts';
import { cellLabel } from './definitions.ts';
import type { Recorder, SetGauge } from './recorder.ts';

export type DatabaseSource = {
  /** Null without cells. */
  cell: string | null;
  readStatus(): Promise<ServiceStatus>;
  /** Rejects if the database does not answer within 2 s, or takes no writes. */
  ping(): Promise<void>;
  poolState(): PoolState;
};

export type ScrapeSources = {
  recorder: Recorder;
  /** The database, or those of the cells; the first has the directory. */
  databases(): readonly DatabaseSource[];
  /** Cells that this process has not reached yet. */
  downCells(): readonly string[];
  log: { warn(fields: object, message: string): void };
};

/** How long a scrape waits for the database; Prometheus waits 10 s by default. */
const databaseWithinMs = 4_000;

type Cell = ReturnType<typeof cellLabel>;

function setWork(set: SetGauge, { work }: ServiceStatus, cell: Cell): void {
  for (const { kind, due, oldestDueSeconds, dead } of work) {
    set('paylink_work_due', { kind, ...cell }, due);
    set('paylink_work_dead', { kind, ...cell }, dead);
    set('paylink_work_oldest_due_seconds', { kind, ...cell }, oldestDueSeconds ?? 0);
  }
}

/** The age of the oldest of some rows. It is absent if there are rows and their age is not known. */
function setAge(set: (seconds: number) => void, count: number, oldestSeconds: number | null): void {
  if (oldestSeconds !== null) set(oldestSeconds);
  else if (count === 0) set(0);
}

function setStatus(set: SetGauge, status: ServiceStatus, cell: Cell): void {
  setWork(set, status, cell);
  for (const { mode, count, oldestSeconds } of status.unknownAttempts) {
    set('paylink_attempts_unknown', { mode, ...cell }, count);
    setAge(
      (seconds) => set('paylink_attempts_unknown_oldest_seconds', { mode, ...cell }, seconds),
      count,
      oldestSeconds,
    );
  }
  for (const { processor, mode, health, count } of status.connections)
    set('paylink_processor_connections', { processor, mode, health, ...cell }, count);
  set('paylink_webhook_endpoints_failing', cell, status.failingEndpoints);
  for (const { kind, count } of status.openCases) set('paylink_cases_open', { kind, ...cell }, count);
  for (const { name: job, lastSuccessAt } of status.jobs)
    if (lastSuccessAt)
      set('paylink_job_last_success_timestamp_seconds', { job, ...cell }, lastSuccessAt.getTime() / 1_000);
  set('paylink_events_unsealed_oldest_seconds', cell, status.oldestUnsealedSeconds ?? 0);
}

/** The status of a database, and whether it answers. */
async function readDatabase(
  { readStatus, ping, cell }: DatabaseSource,
  log: ScrapeSources['log'],
): Promise<{ isUp: boolean; status: ServiceStatus | null }> {
  const late = sleep(databaseWithinMs, null, { ref: false });
  const reading = readStatus().catch((err: unknown) => {
    log.warn({ err, ...cellLabel(cell) }, 'the status of the service could not be read for metrics');
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
  // A ping waits for a connection, so while all are busy only the reading may succeed.
  return { isUp: failure === null || (status !== null && !takesNoWrites), status };
}

function setOwn({ set }: Recorder, { cell: name, poolState }: DatabaseSource, isRead: boolean): void {
  const cell = cellLabel(name);
  const { idle, busy, waiting, size } = poolState();
  set('paylink_status_read', cell, isRead ? 1 : 0);
  set('paylink_database_pool_connections', { state: 'idle', ...cell }, idle);
  set('paylink_database_pool_connections', { state: 'busy', ...cell }, busy);
  set('paylink_database_pool_waiting', cell, waiting);
  set('paylink_database_pool_size', cell, size);
}

async function write({ recorder, databases, downCells, log }: ScrapeSources): Promise<string> {
  const read = await Promise.all(
    databases().map(async (source) => ({ source, ...(await readDatabase(source, log)) })),
  );
  for (const { source, isUp, status } of read) {
    setOwn(recorder, source, status !== null);
    if (source.cell !== null) recorder.set('paylink_cell_up', { cell: source.cell }, isUp ? 1 : 0);
  }
  recorder.set('paylink_database_up', {}, read[0]?.isUp ? 1 : 0);
  for (const cell of downCells()) recorder.set('paylink_cell_up', { cell }, 0);
  const hasStatus = read.some(({ status }) => status !== null);
  const shared = async () =>
    await recorder.writeShared((set) => {
      for (const { source, status } of read) if (status) setStatus(set, status, cellLabel(source.cell));
    });
  return (await recorder.write()) + (hasStatus ? await shared() : '');
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
