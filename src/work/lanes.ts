// A queue for each lane with due work of one kind, with bounded concurrency in each, in all failing ones, and in total,
// so that a slow or dead target delays no other. A lane claims due items as it has capacity. It must not hold more than
// it is working on.

import { runInTestTime, testTimeOf } from '../base/clock.ts';
import { faultOf, noTracing, runInSpan, type Tracing } from '../base/spans.ts';
import type { Lane } from './due-rows.ts';
import type { RunReport, WorkKind } from './work-kind.ts';

export type LaneDeps = {
  log: { error(fields: object, message: string): void };
  /** A run of an item of a kind starts. `onRun` follows when it ends. */
  onRunStart?(kind: string): void;
  onRun?(report: RunReport): void;
  /** Where the spans and times of runs go; unset: nowhere. */
  tracing?: Tracing;
};

export type Lanes = {
  /** Signals that something is due in a lane. */
  call(lane: Lane): void;
  /** Tracks work until it ends. It must not reject. */
  track(work: Promise<void>): void;
  /** Resolves when nothing is in progress. */
  settle(): Promise<void>;
  /** Claims nothing new. */
  close(): void;
  isClosed(): boolean;
};

type Queue = {
  lane: Lane;
  /** Whether its last item failed. */
  isFailing: boolean;
  /** How many items it may work on at once. */
  width: number;
  underWay: number;
  isClaiming: boolean;
  /** Whether a due item may be unclaimed. */
  mayBeDue: boolean;
};

type LaneState<Item> = {
  deps: LaneDeps;
  kind: WorkKind<Item>;
  queues: Map<string, Queue>;
  tasks: Set<Promise<void>>;
  /** Queues without free capacity, longest waiting first. */
  waiting: Set<Queue>;
  underWay: number;
  failingUnderWay: number;
  isClosed: boolean;
};

/** Runs work on a lane in its company's test time, whoever called the lane. */
const inTimeOf = <T>(lane: Lane, work: () => T): T => runInTestTime(testTimeOf(lane, lane.offsetMs), work);

const keyOf = ({ companyId, lane }: Lane) => `${companyId} ${lane}`;

/** Opens the lanes of a kind. */
export function openLanes<Item>(deps: LaneDeps, kind: WorkKind<Item>): Lanes {
  const state: LaneState<Item> = {
    ...{ deps, kind, queues: new Map(), tasks: new Set(), waiting: new Set() },
    ...{ underWay: 0, failingUnderWay: 0, isClosed: false },
  };
  return {
    call: (lane) => {
      const queue = state.queues.get(keyOf(lane)) ?? openQueue(kind, lane);
      state.queues.set(keyOf(lane), queue);
      // The test clock of the company may have moved.
      queue.lane = lane;
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
      kind.close?.();
    },
    isClosed: () => state.isClosed,
  };
}

/** A lane starts with few items, and the number doubles with each that succeeds. A failing one gets one at a time. */
function openQueue({ limits }: Pick<WorkKind<unknown>, 'limits'>, lane: Lane): Queue {
  const { isFailing } = lane;
  const width = isFailing ? 1 : limits.perNew;
  return { lane, isFailing, width, underWay: 0, isClaiming: false, mayBeDue: false };
}

function track<Item>(state: LaneState<Item>, work: Promise<void>): void {
  const tracked = work.finally(() => state.tasks.delete(tracked));
  state.tasks.add(tracked);
}

function changeUnderWay<Item>(
  state: LaneState<Item>,
  queue: Queue,
  items: { by: number; isFailing: boolean },
): void {
  queue.underWay += items.by;
  state.underWay += items.by;
  if (items.isFailing) state.failingUnderWay += items.by;
}

/** How many more items a queue may start. A queue that only the total limit blocks waits in line. */
function availableSlots<Item>(state: LaneState<Item>, queue: Queue): number {
  const { limits } = state.kind;
  const own = queue.width - queue.underWay;
  const failing = queue.isFailing ? limits.failingTotal - state.failingUnderWay : own;
  const free = Math.max(0, Math.min(own, limits.total - state.underWay, failing));
  if (queue.underWay > 0 && own < Math.min(limits.leastClaim ?? 1, Math.ceil(queue.width / 2))) return 0;
  if (own > 0 && free === 0) state.waiting.add(queue);
  return free;
}

function startClaiming<Item>(state: LaneState<Item>, queue: Queue): void {
  if (state.isClosed || queue.isClaiming || !queue.mayBeDue) return;
  queue.isClaiming = true;
  track(state, claimWhileDue(state, queue));
}

async function claimWhileDue<Item>(state: LaneState<Item>, queue: Queue): Promise<void> {
  try {
    while (queue.mayBeDue && !state.isClosed && (await claim(state, queue)));
  } catch (err) {
    // The next poll finds it again.
    const { lane, companyId } = queue.lane;
    state.deps.log.error({ err, job: state.kind.name, lane, companyId }, 'due work could not be claimed');
  } finally {
    queue.isClaiming = false;
    removeIfIdle(state, queue);
  }
}

/** Claims as much as the capacity allows, and starts it. False without capacity. */
async function claim<Item>(state: LaneState<Item>, queue: Queue): Promise<boolean> {
  const { isFailing } = queue;
  const limit = availableSlots(state, queue);
  if (limit === 0) return false;
  queue.mayBeDue = false;
  // Reserves the capacity before the query, so that no two queues use the same slots.
  changeUnderWay(state, queue, { by: limit, isFailing });
  let items: Item[] = [];
  try {
    items = await inTimeOf(queue.lane, async () => await state.kind.claim(queue.lane, limit));
  } finally {
    changeUnderWay(state, queue, { by: items.length - limit, isFailing });
  }
  const { lane } = queue;
  for (const item of items) track(state, run(state, queue, { item, isFailing, lane }));
  if (items.length === limit) queue.mayBeDue = true;
  else startWaitingQueues(state);
  return true;
}

async function run<Item>(
  state: LaneState<Item>,
  queue: Queue,
  { item, isFailing, lane }: { item: Item; isFailing: boolean; lane: Lane },
): Promise<void> {
  const { kind, deps } = state;
  const startedAt = performance.now();
  deps.onRunStart?.(kind.name);
  const { startTrace, metrics } = deps.tracing ?? noTracing;
  const attributes = { 'paylink.work.kind': kind.name };
  const span = startTrace?.({ name: kind.name, kind: 'internal', attributes }, null) ?? null;
  let isOk = false;
  try {
    isOk = await runInSpan(span, () => inTimeOf(lane, () => kind.run(item)));
    if (!isOk) span?.fail('target_failed');
  } catch (err) {
    span?.fail(faultOf(err));
    // Its lease ends, and it is done again.
    const fields = { err, job: kind.name, lane: lane.lane, companyId: lane.companyId };
    runInSpan(span, () => deps.log.error(fields, 'the result of due work could not be recorded'));
  }
  span?.end();
  const result = isOk ? 'ok' : 'failed';
  metrics?.runTook((performance.now() - startedAt) / 1_000, { ...attributes, 'paylink.work.result': result });
  queue.isFailing = !isOk;
  queue.width = isOk ? Math.min(kind.limits.perLane, queue.width * 2) : 1;
  if (!isOk && kind.pausesFailing) queue.mayBeDue = false;
  changeUnderWay(state, queue, { by: -1, isFailing });
  deps.onRun?.({ kind: kind.name, isOk, tookMs: performance.now() - startedAt });
  startClaiming(state, queue);
  startWaitingQueues(state);
  removeIfIdle(state, queue);
}

/** Lets waiting queues start, as far as there is capacity. */
function startWaitingQueues<Item>(state: LaneState<Item>): void {
  const { limits } = state.kind;
  for (const queue of [...state.waiting]) {
    if (state.underWay >= limits.total) return;
    if (queue.isFailing && state.failingUnderWay >= limits.failingTotal) continue;
    state.waiting.delete(queue);
    startClaiming(state, queue);
  }
}

function removeIfIdle<Item>(state: LaneState<Item>, queue: Queue): void {
  const isIdle = queue.underWay === 0 && !queue.mayBeDue && !queue.isClaiming;
  if (isIdle && !state.waiting.has(queue)) state.queues.delete(keyOf(queue.lane));
}
