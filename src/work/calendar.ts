// The recurring jobs: each runs once for all processes at its times. Times that passed while no process ran are made up
// for by one run. A run holds its job by a short lease that it renews, so a dead process is noticed within minutes,
// however long runs take.

import { activeSpan } from '../base/spans.ts';
import type { Database } from '../db/database.ts';
import { varyPause } from './backoff.ts';
import {
  claimJob,
  finishJob,
  type JobTimes,
  listDueJobs,
  renewJobLease,
  type ScheduledClaim,
} from './scheduled-job-store.ts';
import type { WorkKind } from './work-kind.ts';

export type ScheduledJob = {
  name: string;
  /** In UTC: every so many minutes, or once a day. */
  at: { everyMinutes: number } | { dailyAt: `${number}:${number}` };
  run(): Promise<void>;
};

export type CalendarDeps = {
  db: Database;
  log: { error(fields: object, message: string): void };
  /** How long the job of a process that went silent waits. */
  calendarLeaseSeconds?: number;
};

const daySeconds = 24 * 60 * 60;
const defaultLeaseSeconds = 300;
/** The most jobs that one process runs at once. */
const maxRunning = 10;
/** A daily job that fails is repeated so often, then waits for the next day and for a person. */
export const maxRetries = 3;
const retryPauseMs = 60_000;

/** How often a job runs. */
export const periodSecondsOf = (at: ScheduledJob['at']): number =>
  'everyMinutes' in at ? at.everyMinutes * 60 : daySeconds;

function timesOf({ name, at }: ScheduledJob): JobTimes {
  const periodSeconds = periodSecondsOf(at);
  if ('everyMinutes' in at) return { name, periodSeconds, offsetSeconds: 0 };
  const [hours = 0, minutes = 0] = at.dailyAt.split(':').map(Number);
  return { name, periodSeconds, offsetSeconds: (hours * 60 + minutes) * 60 };
}

/** The pause before a failed job is repeated; null if its next time is soon enough, or for a person to decide. */
function retryPauseOf({ at }: ScheduledJob, failures: number): number | null {
  if (failures === 0 || failures > maxRetries || 'everyMinutes' in at) return null;
  return varyPause(retryPauseMs * 2 ** (failures - 1));
}

/** The jobs as a kind of work: a lane for each. */
export function createCalendar(
  deps: CalendarDeps,
  jobs: readonly ScheduledJob[],
): WorkKind<{ job: ScheduledJob; claim: ScheduledClaim }> {
  const { db } = deps;
  const leaseSeconds = deps.calendarLeaseSeconds ?? defaultLeaseSeconds;
  return {
    name: 'calendar',
    limits: { perNew: 1, perLane: 1, total: maxRunning, failingTotal: maxRunning },
    listLanes: async (tx) => {
      const due = await listDueJobs(tx, jobs.map(timesOf));
      return due.map((lane) => ({ companyId: '', mode: null, lane, isFailing: false, offsetMs: null }));
    },
    claim: async ({ lane }) => {
      const claims = await db.inSystem(async (tx) => await claimJob(tx, lane, leaseSeconds));
      return claims.flatMap((claim) => {
        const job = jobs.find(({ name }) => name === claim.name);
        return job ? [{ job, claim }] : [];
      });
    },
    run: async ({ job, claim }) => {
      const error = await runWithLease(deps, { job, claim, leaseSeconds });
      const failures = error === null ? 0 : claim.failures + 1;
      const ended = { times: timesOf(job), failures, error, retryAfterMs: retryPauseOf(job, failures) };
      await db.inSystem(async (tx) => await finishJob(tx, claim, ended));
      return error === null;
    },
  };
}

/** Runs a job and renews its lease meanwhile. Returns the message of its error; null if it succeeded. */
async function runWithLease(
  { db, log }: CalendarDeps,
  { job, claim, leaseSeconds }: { job: ScheduledJob; claim: ScheduledClaim; leaseSeconds: number },
): Promise<string | null> {
  const renew = async () => await db.inSystem(async (tx) => await renewJobLease(tx, claim, leaseSeconds));
  // A renewal that fails is made up for by the next, as long as the lease lasts.
  const timer = setInterval(() => void renew().catch(() => undefined), (leaseSeconds * 1_000) / 4);
  activeSpan()?.set({ 'paylink.job': job.name });
  try {
    await job.run();
    return null;
  } catch (err) {
    log.error({ err, job: job.name }, 'a recurring job failed');
    return err instanceof Error ? err.message : String(err);
  } finally {
    clearInterval(timer);
  }
}
