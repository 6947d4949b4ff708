// The job queue, on the same database: a job is enqueued in the caller's transaction or not at all,
// and any number of processes work it. pg-boss does the work (docs/decisions); this file fits it to
// our transactions, and is the only one that knows it.

import { type JobResult, PgBoss, type QueueResult } from 'pg-boss';
import { isStatementError } from '../db/connection.ts';
import type { Database, Mode, TenantTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';

/** Every kind of job, with what it carries. Data are ids only: the job table is behind no tenant wall. */
export type Jobs = {
  'reconcile-attempt': { companyId: string; attemptId: string };
  'reconcile-refund': { companyId: string; refundId: string };
  /** Without a mode, as an older version enqueued it: of both. */
  'match-bank-lines': { companyId: string; mode?: Mode };
  'expire-payments': Record<string, never>;
  'remind-payments': Record<string, never>;
  'purge-old-rows': Record<string, never>;
  'seal-events': Record<string, never>;
  'verify-ledger': Record<string, never>;
  'compare-processors': Record<string, never>;
  'report-dead-jobs': Record<string, never>;
};
export type JobName = keyof Jobs;

/** A job whose tries are used up, kept until somebody runs it again. */
export type DeadJob = {
  id: string;
  /** Which kind of job it was; a kind that this version does not know may be among them. */
  name: string;
  data: Record<string, unknown>;
  /** How often it was tried again after its first run. */
  retries: number;
  /** What its last run ended with. */
  reason: string;
  enqueuedAt: Date;
  diedAt: Date;
};

export type JobQueue = {
  /** Enqueues within the caller's transaction. The first run comes `afterSeconds` later. */
  enqueue<N extends JobName>(
    tx: TenantTx,
    name: N,
    data: Jobs[N],
    options: { afterSeconds: number },
  ): Promise<void>;
  /** `enqueue` for many of one kind, in one statement. */
  enqueueAll<N extends JobName>(
    tx: TenantTx,
    name: N,
    jobs: readonly Jobs[N][],
    options: { afterSeconds: number },
  ): Promise<void>;
  /** Starts working one kind of job. A handler that throws is run again later, ever less often. */
  work<N extends JobName>(name: N, handler: (data: Jobs[N]) => Promise<void>): Promise<void>;
  /** Runs a kind of job at the times of a cron line, in UTC, once for all processes. */
  schedule(name: JobName, cron: string): Promise<void>;
  /** Every job whose tries are used up, the oldest first. */
  listDeadJobs(): Promise<DeadJob[]>;
  /** Enqueues a dead job anew, with all its tries. False when there is none of this id. */
  runDeadJobAgain(id: string): Promise<boolean>;
  /** Takes no new jobs and waits for those that run. */
  stop(): Promise<void>;
};

/** How quickly the queue works; the defaults suit production, tests set less. */
export type JobTimings = {
  /** How often a worker looks for due jobs. */
  pollSeconds?: number;
  /** After this long a job whose worker has gone silent counts as failed, and is run again. */
  leaseSeconds?: number;
  /** How often leases that ran out are looked for. */
  superviseSeconds?: number;
  /** The pause before the first retry; it grows from there. */
  retryDelaySeconds?: number;
  /** How often the times of the schedule are looked at. */
  scheduleSeconds?: number;
};

const deadJobs = 'dead-jobs';
const noJob = '00000000-0000-0000-0000-000000000000';

/** How long a stop waits for jobs that run; one that takes longer is run again elsewhere. */
export const runningJobsMs = 20_000;

/** The times of schedules are meant so. */
const timezone = 'UTC';

const yearSeconds = 365 * 24 * 60 * 60;

// By default what is done stays for a week. Every payment makes a job, and the table is looked through all the time.
const completedRetentionSeconds = 24 * 60 * 60;

// Nobody works this queue: what is in it waits a year for a person.
const deadJobsSettings: QueueSettings = { retryLimit: 0, retentionSeconds: yearSeconds };

// Tries follow each other after 5 s at first and 15 min at last, for about a hundred days: only evidence
// ends an attempt, and while it lives its order is blocked.
const retry = {
  retryLimit: 10_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 900,
  // A look takes 20 s at most. A job whose process died is run again within a minute.
  expireInSeconds: 30,
  // pg-boss sweeps away what is not done so long after its first run was due, tries left or not: by
  // default after 14 days. It must be longer than all tries take.
  retentionSeconds: yearSeconds,
  deadLetter: deadJobs,
};
// What comes round all the time needs neither a second try nor a grave: its next run does the same work.
const oftenEnough = { retryLimit: 0, expireInSeconds: 300 };
const nightly = { retryLimit: 3, retryDelay: 60, expireInSeconds: 300, deadLetter: deadJobs };
/**
 * How long a run over the books of all companies goes on. It looks at the time before each step: a comparison within our
 * database, which takes an hour at most, or one with a processor's list of three days. So it has ended before its lease
 * has, and long before the next night.
 */
export const longRunMs = 10 * 60 * 60 * 1000;
// A second run beside the first would help nobody, so the lease outlasts the longest run. That the process of one has
// died is told by its heartbeat.
const longNightly = { ...nightly, expireInSeconds: 12 * 60 * 60, heartbeatSeconds: 300 };
const queues: Record<JobName, QueueSettings> = {
  'reconcile-attempt': retry,
  'reconcile-refund': retry,
  'match-bank-lines': retry,
  'expire-payments': oftenEnough,
  'remind-payments': oftenEnough,
  'seal-events': oftenEnough,
  'purge-old-rows': nightly,
  'verify-ledger': longNightly,
  'compare-processors': longNightly,
  'report-dead-jobs': oftenEnough,
};
type QueueSettings = {
  retryLimit: number;
  retryDelay?: number;
  retryBackoff?: boolean;
  retryDelayMax?: number;
  expireInSeconds?: number;
  /** After this long without a sign of life the job counts as failed, lease or not. */
  heartbeatSeconds?: number;
  retentionSeconds?: number;
  /** How long a job stays once it is done, or has died and was buried. */
  deleteAfterSeconds?: number;
  deadLetter?: string;
};

// Every payment makes such a job, so a look takes many, and goes on at once while there are more. They wait
// for processors rather than for the database, so they run side by side: one that gets no answer holds
// up its own batch for as long as it is waited for, and nobody's run.
const workedAtOnce: Partial<Record<JobName, number>> = { 'reconcile-attempt': 20, 'reconcile-refund': 20 };

function settingsAt(pace: JobTimings, settings: QueueSettings): QueueSettings {
  return {
    deleteAfterSeconds: completedRetentionSeconds,
    ...settings,
    ...(pace.leaseSeconds ? { expireInSeconds: pace.leaseSeconds } : {}),
    ...(pace.retryDelaySeconds && settings.retryDelay ? { retryDelay: pace.retryDelaySeconds } : {}),
  };
}

export type QueueOptions = JobTimings & {
  onError: (error: Error) => void;
  /** To look at jobs only: makes no tables, minds no leases and no schedule, and can't work. */
  isOnlooker?: boolean;
};

function adapt(sql: Sql) {
  return {
    executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.query(text, values ?? []) }),
  };
}

function createBoss(db: Database, options: QueueOptions): PgBoss {
  const superviseSeconds = options.superviseSeconds ?? 15;
  const isActive = !options.isOnlooker;
  return new PgBoss({
    db: adapt(db.asOwner),
    backend: db.kind === 'embedded' ? 'pglite' : 'postgres',
    schema: 'pgboss',
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 3600,
    cronMonitorIntervalSeconds: options.scheduleSeconds ?? 30,
    cronWorkerIntervalSeconds: options.scheduleSeconds ?? 5,
    reindex: false,
    ...(isActive ? {} : { migrate: false, supervise: false, schedule: false }),
  });
}

/** Whether a queue stands with these settings already. */
function isPrepared(standing: QueueResult | undefined, settings: QueueSettings): boolean {
  if (!standing) return false;
  const names = Object.keys(settings) as (keyof QueueSettings)[];
  return names.every((name) => standing[name] === settings[name]);
}

/** Makes each queue what it should be. On a later start they all are, and nothing is written. */
async function prepareQueues(boss: PgBoss, wanted: Readonly<Record<string, QueueSettings>>): Promise<void> {
  const standing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, settings] of Object.entries(wanted)) {
    if (!isPrepared(standing.get(name), settings)) {
      await boss.createQueue(name, settings);
      // A queue that an older version made keeps its settings otherwise.
      await boss.updateQueue(name, settings);
    }
    // Fills the queue's cache now: the first send would ask for it on the outer handle, and inside a
    // transaction of the embedded database that handle waits for the transaction itself. getQueue goes
    // past the cache; looking for a job fills it.
    await boss.findJobs(name, { id: noJob });
  }
}

function reasonOf(output: object | null): string {
  if (output && 'message' in output && typeof output.message === 'string') return output.message;
  return output ? JSON.stringify(output) : 'unknown';
}

async function listDead(boss: PgBoss): Promise<DeadJob[]> {
  const jobs = await boss.findJobs<Record<string, unknown>>(deadJobs, { queued: true });
  return jobs
    .map((job) => ({
      id: job.id,
      name: job.sourceName ?? 'unknown',
      data: job.data,
      retries: job.sourceRetryCount ?? 0,
      reason: reasonOf(job.sourceOutput),
      enqueuedAt: job.sourceCreatedOn ?? job.createdOn,
      diedAt: job.createdOn,
    }))
    .sort((a, b) => a.diedAt.getTime() - b.diedAt.getTime());
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A worker's error comes as a plain object, which the log shows nothing of. */
function asError(reported: unknown): Error {
  if (reported instanceof Error) return reported;
  const fields = typeof reported === 'object' && reported !== null ? reported : {};
  const message = 'message' in fields ? String(fields.message) : String(reported);
  return Object.assign(new Error(message), fields);
}

/** Runs one job of a batch: that it failed is its own matter and no other's. */
async function runJob(id: string, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run();
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: error };
  }
}

/** Another process has made it meanwhile. */
const alreadyExistsCodes: ReadonlySet<string> = new Set(['23505', '42P06']);

/**
 * pg-boss makes its schema under a lock, but the server may still remember from before the wait that there is none, and
 * then fails where several processes start at once. In the next transaction it knows.
 */
async function makeSchema({ query }: Sql): Promise<void> {
  const [schema] = await query<{ isThere: boolean }>(
    `select to_regnamespace('pgboss') is not null as "isThere"`,
  );
  if (schema?.isThere) return;
  await query('create schema pgboss').catch((error) => {
    if (!isStatementError(error) || !alreadyExistsCodes.has(error.code ?? '')) throw error;
  });
}

/** Prepares the queue's tables and connects to them. Works no job until `work` is called. */
export async function openJobQueue(db: Database, options: QueueOptions): Promise<JobQueue> {
  const boss = createBoss(db, options);
  boss.on('error', (reported: unknown) => options.onError(asError(reported)));
  if (!options.isOnlooker) await makeSchema(db.asOwner);
  await boss.start();
  if (!options.isOnlooker) {
    const settings = Object.entries(queues).map(
      ([name, usual]) => [name, settingsAt(options, usual)] as const,
    );
    await prepareQueues(boss, { [deadJobs]: deadJobsSettings, ...Object.fromEntries(settings) });
  }
  const enqueueAll: JobQueue['enqueueAll'] = async (tx, name, jobs, { afterSeconds }) => {
    await tx.asOwner(async (sql) => {
      await boss.insert(
        name,
        jobs.map((data) => ({ data, startAfter: afterSeconds })),
        { db: adapt(sql) },
      );
    });
  };
  return {
    enqueue: async (tx, name, data, options) => await enqueueAll(tx, name, [data], options),
    enqueueAll,
    work: async (name, handler) => {
      const batchSize = workedAtOnce[name] ?? 1;
      const pollingIntervalSeconds = options.pollSeconds ?? 2;
      await boss.work(
        name,
        { pollingIntervalSeconds, batchSize, burstWhenBatchFull: true, perJobResults: true },
        async (jobs) =>
          await Promise.all(
            jobs.map(async ({ id, data }) => await runJob(id, () => handler(data as Jobs[typeof name]))),
          ),
      );
    },
    schedule: async (name, cron) => {
      const [standing] = await boss.getSchedules(name);
      // Written only when it is another: a commit is a flush to disk, and every start comes through here.
      if (standing?.cron !== cron || standing.timezone !== timezone)
        await boss.schedule(name, cron, {}, { tz: timezone });
    },
    listDeadJobs: async () => await listDead(boss),
    runDeadJobAgain: async (id) =>
      uuidForm.test(id) && (await boss.redrive(deadJobs, { ids: [id.toLowerCase()] })) === 1,
    stop: async () => {
      await boss.stop({ graceful: true, close: false, timeout: runningJobsMs });
    },
  };
}
