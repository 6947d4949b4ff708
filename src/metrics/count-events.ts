// Counts what happens in this process: requests, committed changes, due work. It receives reports and never decides
// anything.

import type { Clock } from '../base/clock.ts';
import type { CommittedFact } from '../db/committed-facts.ts';
import type { Mode } from '../db/database.ts';
import type { AnsweredRequest } from '../http/log-requests.ts';
import type { JobStatus } from '../status/read-status.ts';
import type { RunReport } from '../work/work-kind.ts';
import { cellLabel } from './definitions.ts';
import type { Recorder } from './recorder.ts';

type NightlyCheck = 'ledger' | 'processor';

export type RunWatcher = { onRunStart(kind: string): void; onRun(report: RunReport): void };

export type EventCounters = {
  onAnswer(answered: AnsweredRequest): void;
  onCommittedFact(fact: CommittedFact, mode: Mode | null): void;
  /** What counts the runs of the worker of a database; `cell`: its cell. */
  watchRuns(cell: string | null): RunWatcher;
  /** What a nightly check found; `cell`: in which cell. */
  onNightlyCheck(
    check: NightlyCheck,
    found: { discrepancies: number; notMade: number },
    cell: string | null,
  ): void;
  /** Calls that could not be written to the request log. */
  onLostRequests(count: number): void;
  /** When the recurring jobs of a cell last succeeded in any process. What this one found before is no longer reported. */
  onJobs(jobs: readonly Pick<JobStatus, 'name' | 'lastSuccessAt'>[], cell: string | null): void;
};

export type CountingOptions = {
  recorder: Recorder;
  clock: Clock;
  /** How a customer pays at a processor. */
  methodOf(processor: string): string;
  /** The codes with which an attempt may end. */
  declineCodes: ReadonlySet<string>;
};

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
// While an account is paused, every further guess is refused with login_paused.
const loginFailures: ReadonlySet<string> = new Set(['wrong_login', 'wrong_second_factor', 'login_paused']);

function countAnswer({ count, observe }: Recorder, answered: AnsweredRequest): void {
  const { status, tookMs, apiError } = answered;
  const method = methods.has(answered.method) ? answered.method : 'other';
  const route = answered.route ?? 'unmatched';
  count('paylink_http_requests_total', { method, route, status: String(status) });
  observe('paylink_http_request_duration_seconds', { method, route }, tookMs / 1_000);
  if (!apiError) return;
  if (loginFailures.has(apiError.code)) count('paylink_login_failures_total', {});
  if (apiError.code === 'rate_limited')
    count('paylink_rate_limited_total', { limit: apiError.limit ?? 'other' });
}

function countFact(
  { recorder: { count }, methodOf, declineCodes }: CountingOptions,
  fact: CommittedFact,
  inMode: Mode | null,
): void {
  const mode = inMode ?? 'none';
  if (fact.kind === 'payment') count('paylink_payments_total', { mode, status: fact.status });
  else if (fact.kind === 'refund')
    count('paylink_refunds_total', { mode, processor: fact.processor, outcome: fact.outcome });
  else if (fact.kind === 'delivery') count('paylink_webhook_deliveries_total', { mode, result: fact.result });
  else if (fact.kind === 'email') count('paylink_emails_total', { kind: fact.about, result: fact.result });
  else {
    const { processor, outcome, declineCode } = fact;
    const code = declineCode === null || declineCodes.has(declineCode) ? declineCode : 'other';
    const labels = { mode, processor, method: methodOf(processor), outcome };
    count('paylink_attempts_total', { ...labels, decline_code: code ?? '' });
  }
}

const jobsOfChecks = { 'verify-ledger': 'ledger', 'compare-processors': 'processor' } as const;
/** The success of a check is recorded right after it, by the clock of the database. A later one is of another run. */
const sameRunMs = 60_000;

/** The gauges of the nightly checks. */
function countNightlyChecks({
  recorder,
  clock,
}: CountingOptions): Pick<EventCounters, 'onNightlyCheck' | 'onJobs'> {
  const endedAt = new Map<string, number>();
  const keyOf = (check: NightlyCheck, cell: string | null) => `${check} ${cell}`;
  return {
    onNightlyCheck: (check, { discrepancies, notMade }, cell) => {
      const labels = { check, ...cellLabel(cell) };
      endedAt.set(keyOf(check, cell), clock.now().getTime());
      recorder.set('paylink_comparisons_not_made', labels, notMade);
      // What was not compared may still disagree.
      if (notMade === 0 || discrepancies > 0)
        recorder.set('paylink_ledger_discrepancies', labels, discrepancies);
    },
    onJobs: (jobs, cell) => {
      for (const [job, check] of Object.entries(jobsOfChecks)) {
        const succeededAt = jobs.find(({ name }) => name === job)?.lastSuccessAt?.getTime() ?? 0;
        const ended = endedAt.get(keyOf(check, cell)) ?? Number.POSITIVE_INFINITY;
        if (succeededAt <= ended + sameRunMs) continue;
        endedAt.delete(keyOf(check, cell));
        recorder.remove('paylink_comparisons_not_made', { check, ...cellLabel(cell) });
        recorder.remove('paylink_ledger_discrepancies', { check, ...cellLabel(cell) });
      }
    },
  };
}

function watchRuns(recorder: Recorder, cell: string | null): RunWatcher {
  const labelsOf = (kind: string) => ({ kind, ...cellLabel(cell) });
  return {
    onRunStart: (kind) => recorder.change('paylink_work_in_progress', labelsOf(kind), 1),
    onRun: ({ kind, isOk, tookMs }) => {
      recorder.change('paylink_work_in_progress', labelsOf(kind), -1);
      recorder.count('paylink_work_runs_total', { ...labelsOf(kind), result: isOk ? 'ok' : 'failed' });
      recorder.observe('paylink_work_run_duration_seconds', labelsOf(kind), tookMs / 1_000);
    },
  };
}

/** What counts the events of a process. */
export function countEvents(options: CountingOptions): EventCounters {
  const { recorder } = options;
  return {
    onAnswer: (answered) => countAnswer(recorder, answered),
    onCommittedFact: (fact, mode) => countFact(options, fact, mode),
    watchRuns: (cell) => watchRuns(recorder, cell),
    onLostRequests: (count) => recorder.count('paylink_request_log_lost_total', {}, count),
    ...countNightlyChecks(options),
  };
}
