// The SQL of recurring jobs: when each is due next, and who runs it. One row for each job, for all processes.

import type { SystemTx } from '../db/database.ts';
import { type Fragment, type RowOf, sql, statement, t } from '../db/statements.ts';

export const ScheduledClaim = { name: t.text, leaseToken: t.int8, failures: t.int4 };
export type ScheduledClaim = RowOf<typeof ScheduledClaim>;

export const FailedJob = {
  name: t.text,
  failures: t.int4,
  reason: t.computed('last_error', t.nullable(t.text)),
  failedAt: t.nullable(t.timestamptz),
};
export type FailedJob = RowOf<typeof FailedJob>;

/** When a job runs: each period, so many seconds after its start; periods begin at midnight UTC. */
export type JobTimes = { name: string; periodSeconds: number; offsetSeconds: number };

/** The first time of a job from now on, by the database's clock: that of a process may be wrong. */
const nextTime = (period: Fragment, offset: Fragment) =>
  sql`to_timestamp((floor((extract(epoch from statement_timestamp()) - ${offset}) / ${period}) + 1) * ${period} + ${offset})`;

const listDueJobsSql = statement({ name: t.text })`
  with job as materialized (
    select name, period, start from unnest($1::text[], $2::float8[], $3::float8[]) as job (name, period, start)
  ), added as (
    insert into scheduled_jobs (name, due_at)
    select name, ${nextTime(sql`period`, sql`start`)} from job
    where not exists (select from scheduled_jobs as known where known.name = job.name)
    on conflict (name) do nothing)
  select name from scheduled_jobs join job using (name)
  where due_at <= statement_timestamp() and (leased_until is null or leased_until < clock_timestamp())
  order by name`;

/** The names of those of these jobs that are due and that nobody runs. Adds jobs that the table does not have yet. */
export async function listDueJobs(tx: SystemTx, jobs: readonly JobTimes[]): Promise<string[]> {
  const rows = await tx.query(listDueJobsSql, [
    jobs.map(({ name }) => name),
    jobs.map(({ periodSeconds }) => periodSeconds),
    jobs.map(({ offsetSeconds }) => offsetSeconds),
  ]);
  return rows.map(({ name }) => name);
}

const claimJobSql = statement(ScheduledClaim)`
  update scheduled_jobs set lease_token = lease_token + 1,
    leased_until = clock_timestamp() + $2::float8 * interval '1 second'
  where name = (
    select name from scheduled_jobs
    where name = $1 and due_at <= statement_timestamp() and (leased_until is null or leased_until < clock_timestamp())
    for update skip locked)
  returning ${ScheduledClaim}`;

/** Claims a due job. Empty if another process runs it. */
export async function claimJob(tx: SystemTx, name: string, leaseSeconds: number): Promise<ScheduledClaim[]> {
  return await tx.query(claimJobSql, [name, leaseSeconds]);
}

/** Extends the lease of a job that is running. */
export async function renewJobLease(
  tx: SystemTx,
  claim: ScheduledClaim,
  leaseSeconds: number,
): Promise<void> {
  await tx.query(
    `update scheduled_jobs set leased_until = clock_timestamp() + $3::float8 * interval '1 second'
     where name = $1 and lease_token = $2 and leased_until is not null`,
    [claim.name, claim.leaseToken, leaseSeconds],
  );
}

const finishJobSql = sql`
  update scheduled_jobs set leased_until = null, failures = $5, last_error = left($6, 500),
    due_at = least(${nextTime(sql`$3::float8`, sql`$4::float8`)}, statement_timestamp() + $7::float8 * interval '1 millisecond'),
    failed_at = case when $6::text is null then null else clock_timestamp() end,
    succeeded_at = case when $6::text is null then clock_timestamp() else succeeded_at end
  where name = $1 and lease_token = $2 and leased_until is not null`;

/**
 * Ends a run: records its error, or that it succeeded. The job is due again at its next time, or after a pause before
 * that. Changes nothing if another process has claimed the job since.
 */
export async function finishJob(
  tx: SystemTx,
  claim: ScheduledClaim,
  ended: { times: JobTimes; failures: number; error: string | null; retryAfterMs: number | null },
): Promise<void> {
  const { times, failures, error, retryAfterMs } = ended;
  await tx.query(finishJobSql, [
    ...[claim.name, claim.leaseToken, times.periodSeconds, times.offsetSeconds],
    ...[failures, error, retryAfterMs],
  ]);
}

/** A job as all processes see it. */
export const JobState = {
  name: t.text,
  dueAt: t.timestamptz,
  isRunning: t.computed('coalesce(leased_until >= clock_timestamp(), false)', t.bool),
  failures: t.int4,
  succeededAt: t.nullable(t.timestamptz),
};
export type JobState = RowOf<typeof JobState>;

const listJobsSql = statement(JobState)`select ${JobState} from scheduled_jobs`;

/** All jobs that a process has planned. */
export async function listJobs(tx: SystemTx): Promise<JobState[]> {
  return await tx.query(listJobsSql);
}

const listFailedJobsSql = statement(FailedJob)`
  select ${FailedJob} from scheduled_jobs where failures > $1 order by name`;

/** Jobs that failed more often than this in a row. */
export async function listFailedJobs(tx: SystemTx, failures: number): Promise<FailedJob[]> {
  return await tx.query(listFailedJobsSql, [failures]);
}

/** Makes a failed job due now. False if it has not failed. */
export async function rerunFailedJob(tx: SystemTx, name: string): Promise<boolean> {
  const rows = await tx.query(
    `update scheduled_jobs set due_at = statement_timestamp(), failures = 0
     where name = $1 and failures > 0 returning name`,
    [name],
  );
  return rows.length === 1;
}

/** Makes a job due now. False if there is none with this name. */
export async function makeJobDue(tx: SystemTx, name: string): Promise<boolean> {
  const rows = await tx.query(
    'update scheduled_jobs set due_at = statement_timestamp() where name = $1 returning name',
    [name],
  );
  return rows.length === 1;
}

const listJobNamesSql = statement({ name: t.text })`select name from scheduled_jobs order by name`;

export async function listJobNames(tx: SystemTx): Promise<string[]> {
  const rows = await tx.query(listJobNamesSql);
  return rows.map(({ name }) => name);
}
