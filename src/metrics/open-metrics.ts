// The metrics of a service: what is counted while it runs, and the listener that serves them. Without the setting for
// its port nothing of this is created, and nothing is counted.

import { type Clock, movedTimeOf } from '../base/clock.ts';
import { type Database, modes } from '../db/database.ts';
import { endCodes } from '../payments/end-codes.ts';
import { paymentStatuses } from '../payments/states.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { readStatus } from '../status/read-status.ts';
import { countEvents, type EventCounters } from './count-events.ts';
import { type MetricsServer, type MetricsSettings, openMetricsServer } from './metrics-server.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { createScrape } from './scrape.ts';
import { watchProcessors } from './watch-processors.ts';

export type Metrics = Omit<EventCounters, 'onCommittedFact' | 'onJobs'> & {
  /** The processors with calls that are measured. */
  processors: ProcessorRegistry;
  /** Serves /metrics. Throws MetricsPortError with one sentence if it cannot. */
  listen(): Promise<void>;
  close(): Promise<void>;
};

export type MetricsOptions = {
  settings: MetricsSettings;
  version: string;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  db: Database;
  clock: Clock;
  processors: ProcessorRegistry;
};

/** Counters that appear before their first event, so that a rate includes it. */
function startAtZero(recorder: Recorder): void {
  recorder.count('paylink_request_log_lost_total', {}, 0);
  for (const mode of modes) {
    for (const status of paymentStatuses) recorder.count('paylink_payments_total', { mode, status }, 0);
    for (const result of ['delivered', 'failed', 'dead'])
      recorder.count('paylink_webhook_deliveries_total', { mode, result }, 0);
  }
}

/** Begins to count what the transactions of this process commit. */
export async function openMetrics(options: MetricsOptions): Promise<Metrics> {
  const { settings, version, log, db, clock, processors } = options;
  const recorder = await openRecorder(log);
  recorder.set('paylink_build_info', { version, engine: db.kind }, 1);
  startAtZero(recorder);
  const { onCommittedFact, onJobs, ...events } = countEvents({
    recorder,
    clock,
    methodOf: (processor) => processors.kinds.find(({ name }) => name === processor)?.takes ?? 'other',
    declineCodes: new Set(endCodes),
  });
  db.onCommittedFact(onCommittedFact);
  const scrape = createScrape({
    recorder,
    databases: () =>
      db.cells().map((database) => ({
        cell: database.cell,
        readStatus: async () => {
          const status = await readStatus(database, movedTimeOf(clock));
          onJobs(status.jobs, database.cell);
          return status;
        },
        ping: database.ping,
        poolState: database.poolState,
      })),
    downCells: db.downCells,
    log,
  });
  let server: MetricsServer | null = null;
  return {
    ...events,
    processors: watchProcessors(recorder, processors),
    listen: async () => {
      server = await openMetricsServer({ settings, scrape, log, contentType: recorder.contentType });
      log.info({ url: server.url }, 'metrics are served');
    },
    close: async () => await server?.close(),
  };
}
