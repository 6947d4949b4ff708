// The background jobs: every job with its handler, and the times of scheduled jobs. A handler logs what it
// did; a person handles what it finds wrong.

import { reconcileAttempt } from './attempts/reconcile-attempt.ts';
import { matchBankLines } from './bank/match-lines.ts';
import { purgeProcessorWebhooks } from './connections/purge-processor-webhooks.ts';
import type { AppDeps } from './deps.ts';
import { sealEvents } from './events/seal-events.ts';
import { purgeIdempotencyKeys } from './http/idempotency.ts';
import { purgeRateLimits } from './http/rate-limit.ts';
import { type JobName, longRunMs } from './jobs/queue.ts';
import { expirePayments } from './links/expire-payments.ts';
import { remindPayments } from './links/remind-payments.ts';
import { purgeOldEmails } from './mails/send-emails.ts';
import { purgeOldFailures } from './passwords/login-pause.ts';
import type { CompareDeps } from './reconciliation/compare-processor.ts';
import { reconcileRefund } from './refunds/refund-payment.ts';
import { purgeOldSignIns } from './sign-in/purge-sign-ins.ts';
import {
  compareAllProcessors,
  countLedgerFindings,
  type RunOptions,
  type VerificationFinding,
  verifyAllLedgers,
} from './verify-companies.ts';
import { purgeOldDeliveries } from './webhooks/purge.ts';

type BookDeps = CompareDeps & Pick<AppDeps, 'log'>;

/**
 * Runs a nightly check of all companies: logs each finding at once and ends within its time. A retry would
 * find the same, so a finding is not a failure.
 */
function nightlyRun({ clock, log }: BookDeps, job: JobName): RunOptions {
  const end = clock.now().getTime() + longRunMs;
  const onFinding = ({ companyId, sentence }: VerificationFinding<unknown>) =>
    log.error({ job, companyId }, sentence);
  return { onFinding, isTimeUp: () => clock.now().getTime() >= end };
}

/** Compares the records of every company with each other, and logs discrepancies. */
export async function verifyLedgers(deps: BookDeps): Promise<void> {
  const job = 'verify-ledger';
  const { companies, findings } = await verifyAllLedgers(deps.db, nightlyRun(deps, job));
  const { disagreements, notVerified } = countLedgerFindings(findings);
  const failed = notVerified > 0 ? `, ${notVerified} comparisons not made` : '';
  deps.log.info({ job, count: companies }, `companies verified, ${disagreements} discrepancies${failed}`);
}

/** Compares the records of every company with the lists of its processors, and logs discrepancies. */
export async function compareProcessors(deps: BookDeps): Promise<void> {
  const job = 'compare-processors';
  const { companies, findings } = await compareAllProcessors(deps, nightlyRun(deps, job));
  deps.log.info({ job, count: companies }, `companies compared, ${findings.length} discrepancies`);
}

/** How many dead letters a report names; `paylink jobs dead` lists them all. */
const maxNamedDeadJobs = 20;

/** Logs a report of dead letters, if there are any. */
export async function reportDeadJobs(deps: Pick<AppDeps, 'jobs' | 'log'>): Promise<void> {
  const dead = await deps.jobs.listDeadJobs();
  if (dead.length === 0) return;
  const named = dead.slice(-maxNamedDeadJobs).map(({ id, name }) => ({ id, name }));
  const sentence = 'jobs have died and wait for a person; see: paylink jobs dead';
  deps.log.error({ job: 'report-dead-jobs', count: dead.length, newest: named }, sentence);
}

/** The scheduled jobs and their times (cron, UTC). */
const scheduledJobs: readonly { name: JobName; cron: string; run: (deps: AppDeps) => Promise<void> }[] = [
  {
    name: 'expire-payments',
    cron: '* * * * *',
    run: async (deps) => {
      const count = await expirePayments(deps);
      if (count > 0) deps.log.info({ job: 'expire-payments', count }, 'links expired');
    },
  },
  {
    name: 'remind-payments',
    cron: '*/5 * * * *',
    run: async (deps) => {
      const count = await remindPayments(deps);
      if (count > 0) deps.log.info({ job: 'remind-payments', count }, 'reminders queued');
    },
  },
  {
    name: 'seal-events',
    cron: '* * * * *',
    run: async (deps) => {
      const count = await sealEvents(deps);
      if (count > 0) deps.log.debug({ job: 'seal-events', count }, 'events sealed');
    },
  },
  {
    name: 'purge-old-rows',
    cron: '17 3 * * *',
    run: async (deps) => {
      const purges = [
        purgeRateLimits(deps.db),
        purgeIdempotencyKeys(deps.db),
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
    cron: '41 3 * * *',
    run: verifyLedgers,
  },
  {
    name: 'compare-processors',
    cron: '11 4 * * *',
    run: compareProcessors,
  },
  { name: 'report-dead-jobs', cron: '23 * * * *', run: reportDeadJobs },
];

/** Starts working every kind of job, and sets the times of scheduled ones. */
export async function startJobs(deps: AppDeps): Promise<void> {
  await deps.jobs.work('reconcile-attempt', async (job) => await reconcileAttempt(deps, job));
  await deps.jobs.work('reconcile-refund', async (job) => await reconcileRefund(deps, job));
  await deps.jobs.work('match-bank-lines', async (job) => await matchBankLines(deps, job));
  for (const { name, cron, run } of scheduledJobs) {
    await deps.jobs.work(name, async () => await run(deps));
    await deps.jobs.schedule(name, cron);
  }
}
