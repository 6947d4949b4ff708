// Calls that wait to be written: a bounded queue for each database in the memory of this process, and one statement at a
// time that writes what has come together. A process that is killed loses what waits, about a second. Must not: keep a call
// waiting, fail it, take more than one connection to a database, or let one that hangs lose the calls of the others.

import { runInTestTime } from '../base/clock.ts';
import { runInSpan } from '../base/spans.ts';
import { runWithBudget } from '../base/time-budget.ts';
import type { Database } from '../db/database.ts';
import { insertCalls, type NewCall } from './store.ts';
import { type WriteCalls, writeToCell } from './write-to-cell.ts';

/** How long the first call of a batch waits for others. */
export const usualPauseMs = 1_000;
/** The most calls that wait for one database; further ones are dropped. */
export const maxWaiting = 2_000;
/** The most calls that one statement writes. */
const maxBatch = 500;
/** A stop waits no longer for a database that hangs. */
const lastWriteLimitMs = 2_000;

export type RequestQueue = {
  add(call: NewCall): void;
  /** Writes what waits, and returns when it is written or dropped. */
  flush(): Promise<void>;
  /** The same, for at most two seconds. Later calls are dropped. */
  close(): Promise<void>;
};

export type RequestQueueOptions = {
  db: Database;
  log: { warn(fields: object, message: string): void };
  /** Counts calls that are not in the log. */
  onDropped?: ((count: number) => void) | undefined;
  pauseMs?: number;
};

type DropReport = { drop(count: number, err?: unknown): void; succeed(): void };

/** Reports lost calls: one line in the log for each time that calls were lost, not one for each call. */
function createDropReport({ log, onDropped }: Pick<RequestQueueOptions, 'log' | 'onDropped'>): DropReport {
  let isWarned = false;
  return {
    drop: (count, err) => {
      onDropped?.(count);
      if (!isWarned) log.warn({ count, ...(err === undefined ? {} : { err }) }, 'the request log lost calls');
      isWarned = true;
    },
    succeed: () => {
      isWarned = false;
    },
  };
}

/** Runs work that belongs to no request: it must not end with the budget of one, be a part of its span, or run in its test time. */
async function runApart<T>(work: () => Promise<T>): Promise<T> {
  return await runInTestTime(null, () => runWithBudget(null, () => runInSpan(null, work)));
}

/** Decides when batches are written: one at a time, after a pause, or at once if a batch is full. */
function createWriter(
  writeBatch: () => Promise<void>,
  { count, pauseMs }: { count(): number; pauseMs: number },
) {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;

  const stopTimer = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };

  const write = async (isLast: boolean) => {
    stopTimer();
    const run = async () => {
      do await writeBatch();
      while (count() >= maxBatch || (isLast && count() > 0));
    };
    // Whoever waits here may find that another has begun meanwhile.
    while (writing) await writing;
    if (count() === 0) return;
    writing = runApart(run).finally(() => {
      writing = null;
      schedule();
    });
    await writing;
  };

  function schedule(): void {
    if (count() === 0 || writing) return;
    if (count() >= maxBatch) void write(false);
    else timer ??= setTimeout(() => void write(false), pauseMs).unref();
  }

  return { schedule, flush: async () => await write(true) };
}

/** The calls of one database that wait. */
type DatabaseQueue = Pick<RequestQueue, 'add' | 'flush'>;

/** Opens a queue whose batches are written, or dropped, by `write`. */
function openDatabaseQueue(
  write: (calls: readonly NewCall[]) => Promise<void>,
  { drop, pauseMs }: { drop(count: number): void; pauseMs: number },
): DatabaseQueue {
  let waiting: NewCall[] = [];
  const writeBatch = async () => {
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    await write(batch);
  };
  const { schedule, flush } = createWriter(writeBatch, { count: () => waiting.length, pauseMs });
  return {
    add: (call) => {
      if (waiting.length >= maxWaiting) return drop(1);
      waiting.push(call);
      schedule();
    },
    flush,
  };
}

/** A queue for each database of an installation. */
function openCellQueues(
  db: Database,
  openQueue: (cell: Database) => DatabaseQueue,
  drop: DropReport['drop'],
): DatabaseQueue {
  const queues = new Map<Database, DatabaseQueue>();
  const queueOf = (cell: Database) => {
    const queue = queues.get(cell) ?? openQueue(cell);
    queues.set(cell, queue);
    return queue;
  };
  const looking = new Set<Promise<void>>();
  const place = async (call: NewCall) => {
    try {
      queueOf(await runApart(async () => await db.lastCellOf(call.companyId))).add(call);
    } catch (error) {
      drop(1, error);
    }
  };
  return {
    add: (call) => {
      // Places are remembered: they wait only for a directory that hangs.
      if (looking.size >= maxWaiting) return drop(1);
      const placed = place(call).finally(() => looking.delete(placed));
      looking.add(placed);
    },
    flush: async () => {
      await Promise.all(looking);
      await Promise.all([...queues.values()].map(async (queue) => await queue.flush()));
    },
  };
}

/** Opens the queue. */
export function openRequestQueue({
  db,
  pauseMs = usualPauseMs,
  ...reports
}: RequestQueueOptions): RequestQueue {
  let isClosed = false;
  const { drop, succeed } = createDropReport(reports);
  const writeCalls: WriteCalls = async (calls, write) => {
    try {
      await write();
      succeed();
    } catch (error) {
      drop(calls.length, error);
    }
  };
  const insert = async (calls: readonly NewCall[]) =>
    await writeCalls(calls, async () => {
      await db.inSystem(async (tx) => await insertCalls(tx, calls), { isSingle: true, isBatch: true });
    });
  const open = (write: (calls: readonly NewCall[]) => Promise<void>) =>
    openDatabaseQueue(write, { drop, pauseMs });
  const openOfCell = (cell: Database) =>
    open(async (calls) => await writeToCell({ db, cell }, calls, writeCalls));
  const { add, flush } = db.hasDirectory ? openCellQueues(db, openOfCell, drop) : open(insert);
  return {
    add: (call) => (isClosed ? drop(1) : add(call)),
    flush,
    close: async () => {
      isClosed = true;
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, lastWriteLimitMs);
      });
      await Promise.race([flush(), late]);
      clearTimeout(limit);
    },
  };
}
