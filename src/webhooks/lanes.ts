// A lane for each endpoint that something waits for, with bounded requests under way in each, in all that
// fail, and in all together. A lane takes what is due from the database as it has room for it; it must never
// hold more than it is sending.

import type { TenantScope } from '../db/database.ts';
import { claimParcels, type DeliverDeps, deliver, type Parcel } from './deliver.ts';
import type { Waiting } from './delivery-store.ts';

export type LaneDeps = DeliverDeps & {
  log: { error(fields: object, message: string): void };
};

/**
 * How many requests may be under way in this process: to an endpoint of which nothing is known yet, to one
 * that answers, to all, and to all that fail.
 */
export type Bounds = { perNew: number; perEndpoint: number; inAll: number; failingInAll: number };

// An endpoint begins with few and earns more by each message that it takes. One whose last try failed gets one
// at a time, and all such together half of the places: the dead may take 15 s each to say nothing, and there is
// room for the living.
export const bounds: Bounds = { perNew: 2, perEndpoint: 8, inAll: 200, failingInAll: 100 };

type Lane = TenantScope & {
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

type Yard = {
  deps: LaneDeps;
  limits: Bounds;
  lanes: Map<string, Lane>;
  works: Set<Promise<void>>;
  /** Lanes that found no room, longest first. */
  queue: Set<Lane>;
  underWay: number;
  failingUnderWay: number;
  isClosed: boolean;
};

export type Lanes = {
  /** Says that something is due for an endpoint. */
  call(endpoint: Waiting): void;
  /** Counts work as under way until it ends; it must not reject. */
  track(work: Promise<void>): void;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
  close(): void;
  isClosed(): boolean;
};

/** Opens the lanes. */
export function openLanes(deps: LaneDeps, limits: Bounds = bounds): Lanes {
  const yard: Yard = {
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
      const lane = yard.lanes.get(endpointId) ?? {
        ...endpoint,
        width: endpoint.isFailing ? 1 : limits.perNew,
        underWay: 0,
        isClaiming: false,
        isCalled: false,
      };
      yard.lanes.set(endpointId, lane);
      lane.isCalled = true;
      serve(yard, lane);
    },
    track: (work) => track(yard, work),
    settle: async () => {
      while (yard.works.size > 0) await Promise.all(yard.works);
    },
    close: () => {
      yard.isClosed = true;
      yard.queue.clear();
    },
    isClosed: () => yard.isClosed,
  };
}

function track(yard: Yard, work: Promise<void>): void {
  const tracked = work.finally(() => yard.works.delete(tracked));
  yard.works.add(tracked);
}

function count(yard: Yard, lane: Lane, requests: { by: number; isFailing: boolean }): void {
  lane.underWay += requests.by;
  yard.underWay += requests.by;
  if (requests.isFailing) yard.failingUnderWay += requests.by;
}

/** How many more a lane may begin; one that only the others keep from it waits in the queue. */
function takeRoom(yard: Yard, lane: Lane): number {
  const { limits } = yard;
  const own = lane.width - lane.underWay;
  const failing = lane.isFailing ? limits.failingInAll - yard.failingUnderWay : own;
  const room = Math.max(0, Math.min(own, limits.inAll - yard.underWay, failing));
  if (own > 0 && room === 0) yard.queue.add(lane);
  return room;
}

function serve(yard: Yard, lane: Lane): void {
  if (yard.isClosed || lane.isClaiming || !lane.isCalled) return;
  lane.isClaiming = true;
  track(yard, claimAll(yard, lane));
}

async function claimAll(yard: Yard, lane: Lane): Promise<void> {
  try {
    while (lane.isCalled && !yard.isClosed && (await claim(yard, lane)));
  } catch (err) {
    // The look of the next second finds it again.
    yard.deps.log.error({ err, endpointId: lane.endpointId }, 'webhooks could not be claimed');
  } finally {
    lane.isClaiming = false;
    forget(yard, lane);
  }
}

/** Claims as much as there is room for, and sets it going. False when there is no room. */
async function claim(yard: Yard, lane: Lane): Promise<boolean> {
  const { isFailing } = lane;
  const limit = takeRoom(yard, lane);
  if (limit === 0) return false;
  lane.isCalled = false;
  // The places are taken before the question, so that no two lanes count on the same ones.
  count(yard, lane, { by: limit, isFailing });
  let parcels: Parcel[] = [];
  try {
    parcels = await claimParcels(yard.deps, { ...lane, limit });
  } finally {
    count(yard, lane, { by: parcels.length - limit, isFailing });
  }
  for (const parcel of parcels) track(yard, run(yard, lane, { parcel, isFailing }));
  if (parcels.length === limit) lane.isCalled = true;
  else admit(yard);
  return true;
}

async function run(yard: Yard, lane: Lane, order: { parcel: Parcel; isFailing: boolean }): Promise<void> {
  const { parcel, isFailing } = order;
  try {
    lane.isFailing = !(await deliver(yard.deps, parcel));
    lane.width = lane.isFailing ? 1 : Math.min(yard.limits.perEndpoint, lane.width * 2);
  } catch (err) {
    // Its lease runs out, and it is sent again.
    const { deliveryId } = parcel;
    yard.deps.log.error({ err, deliveryId }, 'what came of a webhook could not be recorded');
  } finally {
    count(yard, lane, { by: -1, isFailing });
    serve(yard, lane);
    admit(yard);
    forget(yard, lane);
  }
}

/** Lets lanes of the queue begin, as far as there is room. */
function admit(yard: Yard): void {
  for (const lane of [...yard.queue]) {
    if (yard.underWay >= yard.limits.inAll) return;
    if (lane.isFailing && yard.failingUnderWay >= yard.limits.failingInAll) continue;
    yard.queue.delete(lane);
    serve(yard, lane);
  }
}

function forget(yard: Yard, lane: Lane): void {
  const isIdle = lane.underWay === 0 && !lane.isCalled && !lane.isClaiming;
  if (isIdle && !yard.queue.has(lane)) yard.lanes.delete(lane.endpointId);
}
