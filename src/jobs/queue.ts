// The job queue, in the same database: a job is enqueued in the caller's transaction, and any number of
// processes work it. pg-boss does the work (docs/decisions). This file adapts it to our transactions, and
// only this file uses it.

import { type JobResult, PgBoss, type Queue, type QueueResult } from 'pg-boss';
import { isStatementError } from '../db/connection.ts';
import type { Database, Mode, TenantTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { statement, t } from '../db/statements.ts';

/** Every kind of job and its data. The data are IDs only: the job table has no tenant isolation. */
export type Jobs = {
  'reconcile-attempt': { companyId: string; attemptId: string };
  'reconcile-refund': { companyId: string; refundId: string };
  /** An older version enqueued it without a mode, which means both. */
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

/** A job that has used up its attempts, kept until somebody runs it again. */
export type DeadJob = {
  id: string;
  /** The kind of job. This version may not know it. */
  name: string;
  data: Record<string, unknown>;
  /** How many retries it had after its first run. */
  retries: number;
  /** The error of its last run. */
  reason: string;
  enqueuedAt: Date;
  diedAt: Date;
};

export type JobQueue = {
  /** Enqueues within the caller's transaction. The first run is due after `afterSeconds`. */
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
  /** Starts working one kind of job. A handler that throws runs again after a growing delay. */
  work<N extends JobName>(name: N, handler: (data: Jobs[N]) => Promise<void>): Promise<void>;
  /** Runs a kind of job at the times of a cron expression, in UTC, once for all processes. */
  schedule(name: JobName, cron: string): Promise<void>;
  /** Every dead letter, oldest first. */
  listDeadJobs(): Promise<DeadJob[]>;
  /** Enqueues a dead letter again, with all its attempts. False when no dead letter has this ID. */
  runDeadJobAgain(id: string): Promise<boolean>;
  /** Takes no new jobs and waits for running ones. */
  stop(): Promise<void>;
};

/** The timing of the queue. The defaults suit production; tests set shorter times. */
export type JobTimings = {
  /** How often a worker polls for due jobs. */
  pollSeconds?: number;
  /** The job of a silent worker counts as failed after this time and runs again. */
  leaseSeconds?: number;
  /** How often the queue searches for expired leases. */
  superviseSeconds?: number;
  /** The pause before the first retry; later pauses grow. */
  retryDelaySeconds?: number;
  /** How often the queue checks the schedule. */
  scheduleSeconds?: number;
};

const deadJobs = 'dead-jobs';
const noJob = '00000000-0000-0000-0000-000000000000';

/** How long a stop waits for running jobs. A longer one runs again in another process. */
export const runningJobsMs = 20_000;

/** The time zone of schedules. */
const timezone = 'UTC';

const yearSeconds = 365 * 24 * 60 * 60;

// The default retention is a week. Every payment enqueues a job, and the table is scanned all the time.
const completedRetentionSeconds = 24 * 60 * 60;

// No worker takes jobs from this queue. They wait up to a year for a person.
const deadJobsSettings: QueueSettings = { retryLimit: 0, retentionSeconds: yearSeconds };

// Retries follow after 5 s at first and 15 min at last, for about a hundred days: only evidence ends an
// attempt, and until then its order is blocked.
const retry = {
  retryLimit: 10_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 900,
  // A query to a processor takes 20 s at most. The job of a dead process runs again within a minute.
  expireInSeconds: 30,
  // pg-boss deletes unfinished jobs after this time from their first due time, by default 14 days, even with
  // attempts left. It must exceed the time of all attempts.
  retentionSeconds: yearSeconds,
  deadLetter: deadJobs,
};
// A recurring job needs neither retry nor dead-letter queue: its next run does the same work.
const frequent = { retryLimit: 0, expireInSeconds: 300 };
const nightly = { retryLimit: 3, retryDelay: 60, expireInSeconds: 300, deadLetter: deadJobs };
/**
 * The longest duration of a run over the data of all companies. It checks the time before each step: a
 * comparison within our database, which takes an hour at most, or one with a processor's list of three days.
 * So it ends before its lease, and long before the next night.
 */
export const longRunMs = 10 * 60 * 60 * 1000;
// A second parallel run would be useless, so the lease outlasts the longest run. The heartbeat detects a dead
// process.
const longNightly = { ...nightly, expireInSeconds: 12 * 60 * 60, heartbeatSeconds: 300 };
const queues: Record<JobName, QueueSettings> = {
  'reconcile-attempt': retry,
  'reconcile-refund': retry,
  'match-bank-lines': retry,
  'expire-payments': frequent,
  'remind-payments': frequent,
  'seal-events': frequent,
  'purge-old-rows': nightly,
  'verify-ledger': longNightly,
  'compare-processors': longNightly,
  'report-dead-jobs': frequent,
};
type QueueSettings = Omit<Queue, 'name'>;

// Every payment enqueues such a job, so one poll takes many, and polls again at once while there are more.
// They wait for processors rather than for the database, so they run in parallel. A job without a response
// delays only its own batch.
const concurrencyOf: Partial<Record<JobName, number>> = { 'reconcile-attempt': 20, 'reconcile-refund': 20 };

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
  /** Read access only: creates no tables, maintains no leases and no schedule, and cannot work jobs. */
  isReadOnly?: boolean;
};

function adapt(sql: Sql) {
  return {
    executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.query(text, values ?? []) }),
  };
}

function createBoss(db: Database, options: QueueOptions): PgBoss {
  const superviseSeconds = options.superviseSeconds ?? 15;
  const isActive = !options.isReadOnly;
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

/** Whether a queue already has these settings. */
function isPrepared(existing: QueueResult | undefined, settings: QueueSettings): boolean {
  if (!existing) return false;
  const names = Object.keys(settings) as (keyof QueueSettings)[];
  return names.every((name) => existing[name] === settings[name]);
}

/** Creates or updates each queue. On a later start all are up to date, and nothing is written. */
async function prepareQueues(boss: PgBoss, wanted: Readonly<Record<string, QueueSettings>>): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, settings] of Object.entries(wanted)) {
    if (!isPrepared(existing.get(name), settings)) {
      await boss.createQueue(name, settings);
      // A queue of an older version otherwise keeps its settings.
      await boss.updateQueue(name, settings);
    }
    // Fill the queue's cache now. Otherwise the first send would query it on the outer handle, which waits
    // for the transaction itself inside a transaction of the embedded database. getQueue bypasses the cache;
    // findJobs fills it.
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

/** A worker's error comes as a plain object, which the log would print as empty. */
function asError(reported: unknown): Error {
  if (reported instanceof Error) return reported;
  const fields = typeof reported === 'object' && reported !== null ? reported : {};
  const message = 'message' in fields ? String(fields.message) : String(reported);
  return Object.assign(new Error(message), fields);
}

/** Runs one job of a batch. Its failure does not affect the others. */
async function runJob(id: string, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run();
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: error };
  }
}

/** SQLSTATEs when another process created it meanwhile. */
const alreadyExistsCodes: ReadonlySet<string> = new Set(['23505', '42P06']);

const makeSchemaSql = statement({
  isThere: t.bool,
})`select to_regnamespace('pgboss') is not null as "isThere"`;

/**
 * pg-boss creates its schema under a lock. But after the wait the server may still have the old catalogue
 * cached, and then fails when several processes start at once. The next transaction sees the schema.
 */
async function makeSchema({ query }: Sql): Promise<void> {
  const [schema] = await query(makeSchemaSql);
  if (schema?.isThere) return;
  await query('create schema pgboss').catch((error) => {
    if (!isStatementError(error) || !alreadyExistsCodes.has(error.code ?? '')) throw error;
  });
}

/** Prepares the queue's tables and connects to them. Works no job until `work` is called. */
export async function openJobQueue(db: Database, options: QueueOptions): Promise<JobQueue> {
  const boss = createBoss(db, options);
  boss.on('error', (reported: unknown) => options.onError(asError(reported)));
  if (!options.isReadOnly) await makeSchema(db.asOwner);
  await boss.start();
  if (!options.isReadOnly) {
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
      const batchSize = concurrencyOf[name] ?? 1;
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
      const [existing] = await boss.getSchedules(name);
      // Write only on a change: a commit is a flush to disk, and every start runs this.
      if (existing?.cron !== cron || existing.timezone !== timezone)
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
