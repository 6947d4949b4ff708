// A queue for each endpoint with waiting deliveries, with bounded concurrency in each, in all failing ones, and
// in total. A queue claims due deliveries as it has capacity. It must not hold more than it is sending.

import type { TenantScope } from '../db/database.ts';
import { type ClaimedDelivery, claimDueDeliveries, type DeliverDeps, deliver } from './deliver.ts';
import type { DueEndpoint } from './delivery-store.ts';

export type QueueDeps = DeliverDeps & {
  log: { error(fields: object, message: string): void };
};

/**
 * Maximum of concurrent requests in this process: to a new endpoint, to a responding one, in total, and to all
 * failing ones.
 */
export type EndpointConcurrency = {
  perNew: number;
  perEndpoint: number;
  total: number;
  failingTotal: number;
};

// An endpoint starts with few, and the number doubles with each accepted message. An endpoint whose last
// attempt failed gets one at a time, and all failing ones together get half of the capacity: they may time out
// after 15 s each, and the others keep the rest.
export const defaultConcurrency: EndpointConcurrency = {
  perNew: 2,
  perEndpoint: 8,
  total: 200,
  failingTotal: 100,
};

type EndpointQueue = TenantScope & {
  endpointId: string;
  /** Whether its last attempt failed. */
  isFailing: boolean;
  /** How many concurrent requests it may have. */
  width: number;
  underWay: number;
  isClaiming: boolean;
  /** Whether a due delivery may be unclaimed. */
  mayBeDue: boolean;
};

type QueueState = {
  deps: QueueDeps;
  limits: EndpointConcurrency;
  queues: Map<string, EndpointQueue>;
  tasks: Set<Promise<void>>;
  /** Queues without free capacity, longest waiting first. */
  waiting: Set<EndpointQueue>;
  underWay: number;
  failingUnderWay: number;
  isClosed: boolean;
};

export type EndpointQueues = {
  /** Signals that something is due for an endpoint. */
  call(endpoint: DueEndpoint): void;
  /** Tracks work until it ends. It must not reject. */
  track(work: Promise<void>): void;
  /** Resolves when nothing is in progress. */
  settle(): Promise<void>;
  close(): void;
  isClosed(): boolean;
};

/** Opens the queues. */
export function openEndpointQueues(
  deps: QueueDeps,
  limits: EndpointConcurrency = defaultConcurrency,
): EndpointQueues {
  const state: QueueState = {
    deps,
    limits,
    queues: new Map(),
    tasks: new Set(),
    waiting: new Set(),
    underWay: 0,
    failingUnderWay: 0,
    isClosed: false,
  };
  return {
    call: (endpoint) => {
      const { endpointId } = endpoint;
      const queue = state.queues.get(endpointId) ?? {
        ...endpoint,
        width: endpoint.isFailing ? 1 : limits.perNew,
        underWay: 0,
        isClaiming: false,
        mayBeDue: false,
      };
      state.queues.set(endpointId, queue);
      queue.mayBeDue = true;
      startClaiming(state, queue);
    },
    track: (work) => track(state, work),
    settle: async () => {
      while (state.tasks.size > 0) await Promise.all(state.tasks);
    },
    close: () => {
      state.isClosed = true;
      state.waiting.clear();
    },
    isClosed: () => state.isClosed,
  };
}

function track(state: QueueState, work: Promise<void>): void {
  const tracked = work.finally(() => state.tasks.delete(tracked));
  state.tasks.add(tracked);
}

function changeInFlight(
  state: QueueState,
  queue: EndpointQueue,
  requests: { by: number; isFailing: boolean },
): void {
  queue.underWay += requests.by;
  state.underWay += requests.by;
  if (requests.isFailing) state.failingUnderWay += requests.by;
}

/** How many more requests a queue may start. A queue that only the total limit blocks waits in line. */
function availableSlots(state: QueueState, queue: EndpointQueue): number {
  const { limits } = state;
  const own = queue.width - queue.underWay;
  const failing = queue.isFailing ? limits.failingTotal - state.failingUnderWay : own;
  const free = Math.max(0, Math.min(own, limits.total - state.underWay, failing));
  if (own > 0 && free === 0) state.waiting.add(queue);
  return free;
}

function startClaiming(state: QueueState, queue: EndpointQueue): void {
  if (state.isClosed || queue.isClaiming || !queue.mayBeDue) return;
  queue.isClaiming = true;
  track(state, claimWhileDue(state, queue));
}

async function claimWhileDue(state: QueueState, queue: EndpointQueue): Promise<void> {
  try {
    while (queue.mayBeDue && !state.isClosed && (await claim(state, queue)));
  } catch (err) {
    // The next poll finds it again.
    state.deps.log.error({ err, endpointId: queue.endpointId }, 'webhooks could not be claimed');
  } finally {
    queue.isClaiming = false;
    removeIfIdle(state, queue);
  }
}

/** Claims as much as the capacity allows, and sends it. False without capacity. */
async function claim(state: QueueState, queue: EndpointQueue): Promise<boolean> {
  const { isFailing } = queue;
  const limit = availableSlots(state, queue);
  if (limit === 0) return false;
  queue.mayBeDue = false;
  // Reserves the capacity before the query, so that no two queues use the same slots.
  changeInFlight(state, queue, { by: limit, isFailing });
  let deliveries: ClaimedDelivery[] = [];
  try {
    deliveries = await claimDueDeliveries(state.deps, { ...queue, limit });
  } finally {
    changeInFlight(state, queue, { by: deliveries.length - limit, isFailing });
  }
  for (const delivery of deliveries) track(state, run(state, queue, { delivery, isFailing }));
  if (deliveries.length === limit) queue.mayBeDue = true;
  else startWaitingQueues(state);
  return true;
}

async function run(
  state: QueueState,
  queue: EndpointQueue,
  job: { delivery: ClaimedDelivery; isFailing: boolean },
): Promise<void> {
  const { delivery, isFailing } = job;
  try {
    queue.isFailing = !(await deliver(state.deps, delivery));
    queue.width = queue.isFailing ? 1 : Math.min(state.limits.perEndpoint, queue.width * 2);
  } catch (err) {
    // Its lease ends, and it is sent again.
    const { deliveryId } = delivery;
    state.deps.log.error({ err, deliveryId }, 'the result of a webhook could not be recorded');
  } finally {
    changeInFlight(state, queue, { by: -1, isFailing });
    startClaiming(state, queue);
    startWaitingQueues(state);
    removeIfIdle(state, queue);
  }
}

/** Lets waiting queues start, as far as there is capacity. */
function startWaitingQueues(state: QueueState): void {
  for (const queue of [...state.waiting]) {
    if (state.underWay >= state.limits.total) return;
    if (queue.isFailing && state.failingUnderWay >= state.limits.failingTotal) continue;
    state.waiting.delete(queue);
    startClaiming(state, queue);
  }
}

function removeIfIdle(state: QueueState, queue: EndpointQueue): void {
  const isIdle = queue.underWay === 0 && !queue.mayBeDue && !queue.isClaiming;
  if (isIdle && !state.waiting.has(queue)) state.queues.delete(queue.endpointId);
}
