// The recurring jobs. A job logs what it did; a person handles what it finds wrong.

import { runInTimeOf, type TestClocks } from './base/clock.ts';
import { finishSwitchesTo } from './cells/finish-switch.ts';
import { purgeProcessorWebhooks } from './connections/purge-processor-webhooks.ts';
import { listDeadWork } from './dead-work.ts';
import type { AppDeps } from './deps.ts';
import { sealEvents } from './events/seal-events.ts';
import { endOldKeys, purgeIdempotencyKeys } from './http/idempotency.ts';
import { purgeRateLimits } from './http/rate-limit.ts';
import { expirePayments } from './links/expire-payments.ts';
import { remindPayments } from './links/remind-payments.ts';
import { purgeOldEmails } from './mails/send-emails.ts';
import { purgeOldFailures } from './passwords/login-pause.ts';
import type { CompareDeps } from './reconciliation/compare-processor.ts';
import { purgeRequests } from './request-log/purge.ts';
import { purgeOldSignIns } from './sign-in/purge-sign-ins.ts';
import { type JobName, jobTimes } from './status/job-times.ts';
import { finishAdvances } from './test-mode/advance-clock.ts';
import { listClocks } from './test-mode/clock-store.ts';
import {
  compareAllProcessors,
  countLedgerFindings,
  type RunOptions,
  type VerificationFinding,
  verifyAllLedgers,
} from './verify-companies.ts';
import { purgeOldDeliveries } from './webhooks/purge.ts';
import type { ScheduledJob } from './work/calendar.ts';

type BookDeps = CompareDeps & Pick<AppDeps, 'log' | 'metrics'>;

/**
 * The longest duration of a run over the data of all companies. It checks the time before each step: a
 * comparison within our database, which takes an hour at most, or one with a processor's list of three days.
 * So it ends long before the next night.
 */
const longRunMs = 10 * 60 * 60 * 1000;

/**
 * Runs a nightly check of all companies: logs each finding at once and ends within its time. A retry would
 * find the same, so a finding is not a failure.
 */
function nightlyRun({ clock, log }: BookDeps, job: string): RunOptions {
  const end = clock.now().getTime() + longRunMs;
  const onFinding = ({ companyId, sentence }: VerificationFinding<unknown>) =>
    log.error({ job, companyId }, sentence);
  return { onFinding, isTimeUp: () => clock.now().getTime() >= end };
}

const describeFindings = (discrepancies: number, notMade: number): string =>
  `${discrepancies} discrepancies${notMade > 0 ? `, ${notMade} comparisons not made` : ''}`;

/** Compares the records of every company with each other, and logs discrepancies. */
export async function verifyLedgers(deps: BookDeps): Promise<void> {
  const job = 'verify-ledger';
  const { companies, findings } = await verifyAllLedgers(deps.db, nightlyRun(deps, job));
  const { disagreements, notVerified } = countLedgerFindings(findings);
  deps.metrics?.onNightlyCheck(
    'ledger',
    { discrepancies: disagreements, notMade: notVerified },
    deps.db.cell,
  );
  const found = describeFindings(disagreements, notVerified);
  deps.log.info({ job, count: companies }, `companies verified, ${found}`);
}

/** Compares the records of every company with the lists of its processors, and logs discrepancies. */
export async function compareProcessors(deps: BookDeps): Promise<void> {
  const job = 'compare-processors';
  const { companies, findings } = await compareAllProcessors(deps, nightlyRun(deps, job));
  const notMade = findings.filter(({ fault }) => fault === null).length;
  const discrepancies = findings.length - notMade;
  deps.metrics?.onNightlyCheck('processor', { discrepancies, notMade }, deps.db.cell);
  deps.log.info({ job, count: companies }, `companies compared, ${describeFindings(discrepancies, notMade)}`);
}

/** How much dead work a report names; `paylink jobs dead` lists it all. */
const maxNamed = 20;

/** Logs a report of dead work, if there is any. */
export async function reportDeadWork({ db, log }: Pick<AppDeps, 'db' | 'log'>): Promise<void> {
  const dead = await listDeadWork(db);
  if (dead.length === 0) return;
  const named = dead.slice(-maxNamed).map(({ id, kind }) => ({ id, kind }));
  const sentence = 'work has failed for good and waits for a person; see: paylink jobs dead';
  log.error({ job: 'report-dead-jobs', count: dead.length, newest: named }, sentence);
}

const readClocks = async ({ db }: Pick<AppDeps, 'db'>): Promise<TestClocks> => await db.inSystem(listClocks);

/** Ends the old Idempotency-Keys of companies whose test clock is ahead. Returns how many. */
async function endKeysByTestClocks(deps: Pick<AppDeps, 'db' | 'clock'>): Promise<number> {
  const clocks = await readClocks(deps);
  let count = 0;
  for (const companyId of clocks.keys()) {
    const scope = { companyId, mode: 'test' } as const;
    count += await runInTimeOf(clocks, scope, async () => await endOldKeys(deps, scope));
  }
  return count;
}

type JobOfService = { name: JobName; run(deps: AppDeps): Promise<void> };

const scheduledJobs: readonly JobOfService[] = [
  {
    name: 'expire-payments',
    run: async (deps) => {
      const count = await expirePayments(deps, await readClocks(deps));
      if (count > 0) deps.log.info({ job: 'expire-payments', count }, 'links expired');
      // Last, so that no test clock delays a live link.
      await finishAdvances(deps);
    },
  },
  {
    name: 'remind-payments',
    run: async (deps) => {
      const count = await remindPayments(deps, await readClocks(deps));
      if (count > 0) deps.log.info({ job: 'remind-payments', count }, 'reminders queued');
    },
  },
  {
    name: 'seal-events',
    run: async (deps) => {
      const count = await sealEvents(deps);
      if (count > 0) deps.log.debug({ job: 'seal-events', count }, 'events sealed');
    },
  },
  {
    name: 'finish-switches',
    run: async ({ db }) => {
      if (db.hasDirectory) await finishSwitchesTo(db);
    },
  },
  {
    name: 'purge-old-rows',
    run: async (deps) => {
      const purges = [
        purgeRateLimits(deps.db),
        purgeIdempotencyKeys(deps.db),
        endKeysByTestClocks(deps),
        purgeOldFailures(deps),
        purgeOldSignIns(deps),
        purgeOldDeliveries(deps.db),
        purgeOldEmails(deps.db),
        purgeProcessorWebhooks(deps.db),
      ];
      const count = (await Promise.all(purges)).reduce((sum, gone) => sum + gone, 0);
      deps.log.info({ job: 'purge-old-rows', count }, 'old rows removed');
    },
  },
  {
    name: 'verify-ledger',
    run: verifyLedgers,
  },
  {
    name: 'compare-processors',
    run: compareProcessors,
  },
  { name: 'report-dead-jobs', run: reportDeadWork },
  {
    name: 'purge-requests',
    run: async ({ db, config, log }) => {
      const count = await purgeRequests(db, { days: config.requestLogDays });
      if (count > 0) log.info({ job: 'purge-requests', count }, 'old calls removed from the request log');
    },
  },
];

/** The recurring jobs of the service. */
export function listScheduledJobs(deps: AppDeps): ScheduledJob[] {
  return scheduledJobs.map(({ name, run }) => ({
    name,
    at: jobTimes[name],
    run: async () => await run(deps),
  }));
}
