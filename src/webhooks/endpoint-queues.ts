// A lane for each endpoint that something waits for, with bounded requests under way in each, in all that
// fail, and in all together. A lane takes what is due from the database as it has room for it; it must never
// hold more than it is sending.

import type { TenantScope } from '../db/database.ts';
import { type ClaimedDelivery, claimDueDeliveries, type DeliverDeps, deliver } from './deliver.ts';
import type { DueEndpoint } from './delivery-store.ts';

export type QueueDeps = DeliverDeps & {
  log: { error(fields: object, message: string): void };
};

/**
 * How many requests may be under way in this process: to an endpoint of which nothing is known yet, to one
 * that answers, to all, and to all that fail.
 */
export type EndpointConcurrency = {
  perNew: number;
  perEndpoint: number;
  inAll: number;
  failingInAll: number;
};

// An endpoint begins with few and earns more by each message that it takes. One whose last try failed gets one
// at a time, and all such together half of the places: the dead may take 15 s each to say nothing, and there is
// room for the living.
export const defaultConcurrency: EndpointConcurrency = {
  perNew: 2,
  perEndpoint: 8,
  inAll: 200,
  failingInAll: 100,
};

type EndpointQueue = TenantScope & {
  endpointId: string;
  /** Whether its last try failed. */
  isFailing: boolean;
  /** How many requests it may have under way. */
  width: number;
  underWay: number;
  isClaiming: boolean;
  /** Something may be due that nobody has claimed. */
  isCalled: boolean;
};

type QueueState = {
  deps: QueueDeps;
  limits: EndpointConcurrency;
  lanes: Map<string, EndpointQueue>;
  works: Set<Promise<void>>;
  /** Lanes that found no room, longest first. */
  queue: Set<EndpointQueue>;
  underWay: number;
  failingUnderWay: number;
  isClosed: boolean;
};

export type EndpointQueues = {
  /** Says that something is due for an endpoint. */
  call(endpoint: DueEndpoint): void;
  /** Counts work as under way until it ends; it must not reject. */
  track(work: Promise<void>): void;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
  close(): void;
  isClosed(): boolean;
};

/** Opens the lanes. */
export function openEndpointQueues(
  deps: QueueDeps,
  limits: EndpointConcurrency = defaultConcurrency,
): EndpointQueues {
  const state: QueueState = {
    deps,
    limits,
    lanes: new Map(),
    works: new Set(),
    queue: new Set(),
    underWay: 0,
    failingUnderWay: 0,
    isClosed: false,
  };
  return {
    call: (endpoint) => {
      const { endpointId } = endpoint;
      const queue = state.lanes.get(endpointId) ?? {
        ...endpoint,
        width: endpoint.isFailing ? 1 : limits.perNew,
        underWay: 0,
        isClaiming: false,
        isCalled: false,
      };
      state.lanes.set(endpointId, queue);
      queue.isCalled = true;
      startClaiming(state, queue);
    },
    track: (work) => track(state, work),
    settle: async () => {
      while (state.works.size > 0) await Promise.all(state.works);
    },
    close: () => {
      state.isClosed = true;
      state.queue.clear();
    },
    isClosed: () => state.isClosed,
  };
}

function track(state: QueueState, work: Promise<void>): void {
  const tracked = work.finally(() => state.works.delete(tracked));
  state.works.add(tracked);
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

/** How many more a lane may begin; one that only the others keep from it waits in the queue. */
function availableSlots(state: QueueState, queue: EndpointQueue): number {
  const { limits } = state;
  const own = queue.width - queue.underWay;
  const failing = queue.isFailing ? limits.failingInAll - state.failingUnderWay : own;
  const room = Math.max(0, Math.min(own, limits.inAll - state.underWay, failing));
  if (own > 0 && room === 0) state.queue.add(queue);
  return room;
}

function startClaiming(state: QueueState, queue: EndpointQueue): void {
  if (state.isClosed || queue.isClaiming || !queue.isCalled) return;
  queue.isClaiming = true;
  track(state, claimWhileDue(state, queue));
}

async function claimWhileDue(state: QueueState, queue: EndpointQueue): Promise<void> {
  try {
    while (queue.isCalled && !state.isClosed && (await claim(state, queue)));
  } catch (err) {
    // The look of the next second finds it again.
    state.deps.log.error({ err, endpointId: queue.endpointId }, 'webhooks could not be claimed');
  } finally {
    queue.isClaiming = false;
    removeIfIdle(state, queue);
  }
}

/** Claims as much as there is room for, and sets it going. False when there is no room. */
async function claim(state: QueueState, queue: EndpointQueue): Promise<boolean> {
  const { isFailing } = queue;
  const limit = availableSlots(state, queue);
  if (limit === 0) return false;
  queue.isCalled = false;
  // The places are taken before the question, so that no two lanes count on the same ones.
  changeInFlight(state, queue, { by: limit, isFailing });
  let deliveries: ClaimedDelivery[] = [];
  try {
    deliveries = await claimDueDeliveries(state.deps, { ...queue, limit });
  } finally {
    changeInFlight(state, queue, { by: deliveries.length - limit, isFailing });
  }
  for (const delivery of deliveries) track(state, run(state, queue, { parcel: delivery, isFailing }));
  if (deliveries.length === limit) queue.isCalled = true;
  else startWaitingQueues(state);
  return true;
}

async function run(
  state: QueueState,
  queue: EndpointQueue,
  job: { parcel: ClaimedDelivery; isFailing: boolean },
): Promise<void> {
  const { parcel: delivery, isFailing } = job;
  try {
    queue.isFailing = !(await deliver(state.deps, delivery));
    queue.width = queue.isFailing ? 1 : Math.min(state.limits.perEndpoint, queue.width * 2);
  } catch (err) {
    // Its lease runs out, and it is sent again.
    const { deliveryId } = delivery;
    state.deps.log.error({ err, deliveryId }, 'what came of a webhook could not be recorded');
  } finally {
    changeInFlight(state, queue, { by: -1, isFailing });
    startClaiming(state, queue);
    startWaitingQueues(state);
    removeIfIdle(state, queue);
  }
}

/** Lets lanes of the queue begin, as far as there is room. */
function startWaitingQueues(state: QueueState): void {
  for (const queue of [...state.queue]) {
    if (state.underWay >= state.limits.inAll) return;
    if (queue.isFailing && state.failingUnderWay >= state.limits.failingInAll) continue;
    state.queue.delete(queue);
    startClaiming(state, queue);
  }
}

function removeIfIdle(state: QueueState, queue: EndpointQueue): void {
  const isIdle = queue.underWay === 0 && !queue.isCalled && !queue.isClaiming;
  if (isIdle && !state.queue.has(queue)) state.lanes.delete(queue.endpointId);
}
