// Who sends what, and when: at once after the commit of an event in this process, and by a look each second
// for all that is due, whoever wrote it. Every endpoint has a lane of its own with bounded work under way, so
// that a slow or dead one delays nobody else. Nothing here is needed to find a delivery again: a process that
// dies loses a lease, and another takes it.

import { setTimeout as pause } from 'node:timers/promises';
import { createGather } from '../base/gather.ts';
import { listWaitingEndpoints, listWaitingEndpointsOf } from './delivery-store.ts';
import { type Bounds, bounds, type LaneDeps, openLanes } from './lanes.ts';

export type Dispatcher = {
  /** Begins to look and to listen. */
  start(): void;
  /** Looks for what is due now, and resolves when all of it has been tried and nothing is under way. */
  sweep(): Promise<void>;
  /** Takes nothing new, and waits for what is under way. */
  stop(): Promise<void>;
};

const lookEveryMs = 1_000;
/** Looks that events call for come no closer than this: the first at once, the next for all that came meanwhile. */
const closestLooksMs = 10;
/** Bounds one statement. */
const mostCompanies = 1_000;

/** Opens the dispatcher; nothing is sent before `start` or `sweep`. */
export function openDispatcher(deps: LaneDeps, limits: Bounds = bounds): Dispatcher {
  const lanes = openLanes(deps, limits);
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;

  const look = async () => {
    const now = deps.clock.now();
    const waiting = await deps.db.inSystem(async (tx) => await listWaitingEndpoints(tx, now));
    for (const one of waiting) lanes.call(one);
  };
  // A look that takes long is not joined by a second one.
  const lookOnce = () => {
    looking ??= look()
      .catch((err: unknown) => deps.log.error({ err }, 'the look for due webhooks failed'))
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const lookFor = async (companyIds: readonly string[]) => {
    try {
      const now = deps.clock.now();
      const named = [...new Set(companyIds)];
      const waiting = await deps.db.inSystem(async (tx) => await listWaitingEndpointsOf(tx, named, now));
      for (const one of waiting) lanes.call(one);
    } catch (err) {
      deps.log.error({ err }, 'the look for webhooks after an event failed');
    }
  };
  // However many events however many companies write at once, one look at a time is made for them.
  const called = createGather<string, void>({
    runBatch: async (_, companyIds) => {
      if (!lanes.isClosed()) await lookFor(companyIds);
      if (!lanes.isClosed()) await pause(closestLooksMs);
      return companyIds.map(() => ({ value: undefined }));
    },
    maxItems: mostCompanies,
    mayBeOfOne: () => false,
  });

  return {
    start: () => {
      deps.db.onSignal((companyId) => {
        if (!lanes.isClosed()) lanes.track(called('', companyId));
      });
      timer = setInterval(() => void lookOnce(), lookEveryMs);
    },
    sweep: async () => {
      await looking;
      await lookOnce();
      await lanes.settle();
    },
    stop: async () => {
      if (timer) clearInterval(timer);
      lanes.close();
      await looking;
      await lanes.settle();
    },
  };
}
