// Calls that wait to be written: a bounded queue in the memory of this process, and one statement at a time that writes
// what has come together. A process that is killed loses what waits, about a second. Must not: keep a call waiting,
// fail it, or take more than one connection to the database.

import { runInTestTime } from '../base/clock.ts';
import { runInSpan } from '../base/spans.ts';
import { runWithBudget } from '../base/time-budget.ts';
import type { Database, SystemTx } from '../db/database.ts';
import { insertCalls, type NewCall } from './store.ts';

/** How long the first call of a batch waits for others. */
export const usualPauseMs = 1_000;
/** The most calls that wait; further ones are dropped. */
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

/** Writes the first calls that wait, or drops them. */
type WriteBatch = () => Promise<void>;

/** Reports lost calls: one line in the log for each time that calls were lost, not one for each call. */
function createDropReport({ log, onDropped }: Pick<RequestQueueOptions, 'log' | 'onDropped'>) {
  let isWarned = false;
  return {
    drop: (count: number, err?: unknown) => {
      onDropped?.(count);
      if (!isWarned) log.warn({ count, ...(err === undefined ? {} : { err }) }, 'the request log lost calls');
      isWarned = true;
    },
    succeed: () => {
      isWarned = false;
    },
  };
}

/** Decides when batches are written: one at a time, after a pause, or at once if a batch is full. */
function createWriter(writeBatch: WriteBatch, { count, pauseMs }: { count(): number; pauseMs: number }) {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;

  const stopTimer = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };

  // It belongs to no request: it must not end with the budget of one, be a part of its span, or run in its test time.
  const write = async (isLast: boolean) => {
    stopTimer();
    const run = async () => {
      do await writeBatch();
      while (count() >= maxBatch || (isLast && count() > 0));
    };
    // Whoever waits here may find that another has begun meanwhile.
    while (writing) await writing;
    if (count() === 0) return;
    writing = runInTestTime(null, () => runWithBudget(null, () => runInSpan(null, run))).finally(() => {
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

/** Opens the queue. */
export function openRequestQueue({
  db,
  pauseMs = usualPauseMs,
  ...reports
}: RequestQueueOptions): RequestQueue {
  let waiting: NewCall[] = [];
  let isClosed = false;
  const { drop, succeed } = createDropReport(reports);
  const options = { isSingle: true, isBatch: true };
  const writeCalls = async (calls: readonly NewCall[], companyId: string | null) => {
    try {
      const insert = async (tx: SystemTx) => await insertCalls(tx, calls);
      // In its company's name, because a company may be moving to another cell just now.
      if (companyId === null) await db.inSystem(insert, options);
      else await db.inBothModes(companyId, insert, options);
      succeed();
    } catch (error) {
      drop(calls.length, error);
    }
  };
  const writeBatch = async () => {
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    if (!db.hasDirectory) return await writeCalls(batch, null);
    // Each cell has the log of its companies, and one that is down loses only that.
    const ofCompanies = Map.groupBy(batch, ({ companyId }) => companyId);
    for (const [companyId, calls] of ofCompanies) await writeCalls(calls, companyId);
  };
  const { schedule, flush } = createWriter(writeBatch, { count: () => waiting.length, pauseMs });
  return {
    add: (call) => {
      if (isClosed || waiting.length >= maxWaiting) return drop(1);
      waiting.push(call);
      schedule();
    },
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
