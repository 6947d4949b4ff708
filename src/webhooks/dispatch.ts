// Decides when to send: at once after the commit of an event in this process, and by a poll each second for
// everything due, whoever wrote it. Every endpoint has a queue of its own with bounded concurrency, so that a slow
// or dead one delays no other. The memory here is not needed to find a delivery again: if a process dies, its
// leases end, and another process takes over.

import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../base/batcher.ts';
import { listDueEndpoints, listDueEndpointsOf } from './delivery-store.ts';
import {
  defaultConcurrency,
  type EndpointConcurrency,
  openEndpointQueues,
  type QueueDeps,
} from './endpoint-queues.ts';

export type Dispatcher = {
  /** Starts to poll and to listen. */
  start(): void;
  /** Polls for what is due now, and resolves when everything due was attempted and nothing is in progress. */
  sweep(): Promise<void>;
  /** Claims nothing new, and waits for deliveries in progress. */
  stop(): Promise<void>;
};

const pollIntervalMs = 1_000;
/** The least time between polls after events: the first is immediate, and the next covers all events meanwhile. */
const minPollIntervalMs = 10;
/** Bounds one statement. */
const maxCompaniesPerQuery = 1_000;

/** Opens the dispatcher. It sends nothing before `start` or `sweep`. */
export function openDispatcher(
  deps: QueueDeps,
  limits: EndpointConcurrency = defaultConcurrency,
): Dispatcher {
  const queues = openEndpointQueues(deps, limits);
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<void> | null = null;

  const poll = async () => {
    const now = deps.clock.now();
    const dueEndpoints = await deps.db.inSystem(async (tx) => await listDueEndpoints(tx, now));
    for (const one of dueEndpoints) queues.call(one);
  };
  // A second poll does not start during a slow one.
  const pollOnce = () => {
    polling ??= poll()
      .catch((err: unknown) => deps.log.error({ err }, 'the poll for due webhooks failed'))
      .finally(() => {
        polling = null;
      });
    return polling;
  };
  const pollCompanies = async (companyIds: readonly string[]) => {
    try {
      const now = deps.clock.now();
      const named = [...new Set(companyIds)];
      const dueEndpoints = await deps.db.inSystem(async (tx) => await listDueEndpointsOf(tx, named, now));
      for (const one of dueEndpoints) queues.call(one);
    } catch (err) {
      deps.log.error({ err }, 'the poll for webhooks after an event failed');
    }
  };
  // However many events are committed by however many companies, one poll at a time runs for them.
  const requestPoll = createBatcher<string, void>({
    runBatch: async (_, companyIds) => {
      if (!queues.isClosed()) await pollCompanies(companyIds);
      if (!queues.isClosed()) await pause(minPollIntervalMs);
      return companyIds.map(() => ({ value: undefined }));
    },
    maxItems: maxCompaniesPerQuery,
    mayBeOfOne: () => false,
  });

  return {
    start: () => {
      deps.db.onSignal((companyId) => {
        if (!queues.isClosed()) queues.track(requestPoll('', companyId));
      });
      timer = setInterval(() => void pollOnce(), pollIntervalMs);
    },
    sweep: async () => {
      await polling;
      await pollOnce();
      await queues.settle();
    },
    stop: async () => {
      if (timer) clearInterval(timer);
      queues.close();
      await polling;
      await queues.settle();
    },
  };
}
