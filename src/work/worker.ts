// Works everything that is due later, of every kind: at once after a commit of this process that made it due, and by a
// poll each second, whoever made it due. The memory here is not needed to find work again: if a process dies, its leases
// end, and another process takes over.

import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../base/batcher.ts';
import type { CommitNotification, Database } from '../db/database.ts';
import { type LaneDeps, type Lanes, openLanes } from './lanes.ts';
import type { WorkKind } from './work-kind.ts';

export type WorkerDeps = LaneDeps & {
  db: Database;
  /** Milliseconds between polls; a second by default. */
  pollMs?: number;
};

export type Worker = {
  /** Starts to poll and to listen. */
  start(): void;
  /** Polls for what is due now of one kind, and resolves when it was done and nothing of the kind is in progress. */
  sweep(kind: string): Promise<void>;
  /** Claims nothing new, and waits for what is in progress, 20 s at most. */
  stop(): Promise<void>;
};

const defaultPollMs = 1_000;
/** How long a stop waits for what is in progress. Its leases end, and another process does it. */
export const stopLimitMs = 20_000;
/** Bounds one statement. */
const maxCompaniesPerQuery = 1_000;

type RunningKind = { kind: WorkKind<unknown>; lanes: Lanes };

/** Opens a worker. It works on nothing before `start` or `sweep`. */
export function openWorker(deps: WorkerDeps, kinds: readonly WorkKind<never>[]): Worker {
  const running: RunningKind[] = (kinds as readonly WorkKind<unknown>[]).map((kind) => ({
    kind,
    lanes: openLanes(deps, kind),
  }));
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<void> | null = null;
  // A second poll does not start during a slow one.
  const pollOnce = async () => {
    polling ??= poll(deps, running).finally(() => {
      polling = null;
    });
    await polling;
  };
  return {
    start: () => {
      for (const each of running) listen(deps, each);
      timer = setInterval(() => void pollOnce(), deps.pollMs ?? defaultPollMs);
    },
    sweep: async (name) => {
      await polling;
      const swept = running.filter(({ kind }) => kind.name === name);
      if (swept.length === 0) throw new Error(`there is no work of the kind ${name}`);
      await poll(deps, swept);
      for (const { lanes } of swept) await lanes.settle();
    },
    stop: async () => {
      if (timer) clearInterval(timer);
      for (const { lanes } of running) lanes.close();
      await polling;
      const settled = Promise.all(running.map(async ({ lanes }) => await lanes.settle()));
      await Promise.race([settled, pause(stopLimitMs, undefined, { ref: false })]);
    },
  };
}

/** Calls the lanes of a kind that have due work; of certain companies, or of all. */
async function callLanes(
  { db, log }: WorkerDeps,
  { kind, lanes }: RunningKind,
  companyIds: readonly string[] | null,
): Promise<void> {
  if (lanes.isClosed()) return;
  const options = { isSingle: true, isBatch: true, prefersIndexScans: true };
  try {
    const due = await db.inSystem(async (tx) => await kind.listLanes(tx, companyIds), options);
    for (const lane of due) lanes.call(lane);
  } catch (err) {
    log.error({ err, job: kind.name }, 'the poll for due work failed');
  }
}

/** Polls for due work of the kinds: every process does it each second. */
async function poll(deps: WorkerDeps, running: readonly RunningKind[]): Promise<void> {
  for (const each of running) await callLanes(deps, each, null);
}

/** Polls for the companies of commits that made work of a kind due, however many they are, one poll at a time. */
function listen(deps: WorkerDeps, running: RunningKind): void {
  const { kind, lanes } = running;
  const { wakesOn } = kind;
  if (!wakesOn) return;
  const requestPoll = createBatcher<string, void>({
    runBatch: async (_, companyIds) => {
      await callLanes(deps, running, [...new Set(companyIds)]);
      // The first poll is immediate, and the next covers all commits meanwhile.
      if (!lanes.isClosed()) await pause(wakesOn.minPollMs);
      return companyIds.map(() => ({ value: undefined }));
    },
    maxItems: maxCompaniesPerQuery,
    mayBeOfOne: () => false,
  });
  deps.db.onSignal((companyId: string, notification: CommitNotification) => {
    if (!wakesOn.notifications.includes(notification) || lanes.isClosed()) return;
    lanes.track(requestPoll('', companyId));
  });
}
