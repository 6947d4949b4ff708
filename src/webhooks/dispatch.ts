// Who sends what, and when: at once after the commit of an event in this process, and by a look each second
// for all that is due, whoever wrote it. Every endpoint has a lane of its own with bounded work under way, so
// that a slow or dead one delays nobody else. Nothing here is needed to find a delivery again: a process that
// dies loses a lease, and another takes it.

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
  /** Begins to look and to listen. */
  start(): void;
  /** Looks for what is due now, and resolves when all of it has been tried and nothing is under way. */
  sweep(): Promise<void>;
  /** Takes nothing new, and waits for what is under way. */
  stop(): Promise<void>;
};

const pollIntervalMs = 1_000;
/** Looks that events call for come no closer than this: the first at once, the next for all that came meanwhile. */
const minPollIntervalMs = 10;
/** Bounds one statement. */
const maxCompaniesPerQuery = 1_000;

/** Opens the dispatcher; nothing is sent before `start` or `sweep`. */
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
  // A look that takes long is not joined by a second one.
  const pollOnce = () => {
    polling ??= poll()
      .catch((err: unknown) => deps.log.error({ err }, 'the look for due webhooks failed'))
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
      deps.log.error({ err }, 'the look for webhooks after an event failed');
    }
  };
  // However many events however many companies write at once, one look at a time is made for them.
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
