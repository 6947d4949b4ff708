// The simulation's JobQueue: a list on the simulated clock. A job exists once the transaction that enqueued it has
// committed. A job has a lease, so that it runs again if its process dies. The table never runs jobs by itself.

import type { TenantTx } from '../../src/db/database.ts';
import type { JobName, JobQueue } from '../../src/jobs/queue.ts';

export type Job = {
  id: number;
  name: JobName;
  data: Record<string, string>;
  /** When it may run: the end of its delay or of its lease. */
  dueAtMs: number;
  retries: number;
};

const leaseMs = 30_000;
const firstPauseMs = 5_000;
const longestPauseMs = 900_000;

export type JobTable = {
  queue: JobQueue;
  /** Adds the jobs that a committed transaction enqueued. */
  commit(tx: TenantTx): void;
  due(nowMs: number): Job[];
  /** When the next job is due; null without jobs. */
  nextDueMs(): number | null;
  take(job: Job, nowMs: number): void;
  finish(job: Job): void;
  retry(job: Job, nowMs: number): void;
  count(): number;
};

const unused = async (): Promise<never> => {
  throw new Error('the simulation runs jobs by itself');
};

/** An empty table. `nowMs` is the world's clock, in place of the database's. */
export function createJobTable(nowMs: () => number): JobTable {
  const jobs = new Map<number, Job>();
  const uncommitted = new WeakMap<TenantTx, Job[]>();
  let lastId = 0;
  const enqueueAll: JobQueue['enqueueAll'] = async (tx, name, jobs, { afterSeconds }) => {
    const dueAtMs = nowMs() + afterSeconds * 1000;
    const added = jobs.map((data) => ({ id: ++lastId, name, data, dueAtMs, retries: 0 }));
    uncommitted.set(tx, [...(uncommitted.get(tx) ?? []), ...added]);
  };
  const due = (at: number) => [...jobs.values()].filter(({ dueAtMs }) => dueAtMs <= at);
  return {
    queue: {
      enqueue: async (tx, name, data, options) => await enqueueAll(tx, name, [data], options),
      enqueueAll,
      work: unused,
      schedule: unused,
      listDeadJobs: unused,
      runDeadJobAgain: unused,
      stop: unused,
    },
    commit: (tx) => {
      for (const job of uncommitted.get(tx) ?? []) jobs.set(job.id, job);
    },
    due,
    nextDueMs: () => (jobs.size === 0 ? null : Math.min(...[...jobs.values()].map(({ dueAtMs }) => dueAtMs))),
    take: (job, at) => {
      job.dueAtMs = at + leaseMs;
    },
    finish: (job) => {
      jobs.delete(job.id);
    },
    retry: (job, at) => {
      job.dueAtMs = at + Math.min(firstPauseMs * 2 ** job.retries, longestPauseMs);
      job.retries += 1;
    },
    count: () => jobs.size,
  };
}
