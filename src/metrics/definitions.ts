// Every metric with its type, its labels and its help text. docs/metrics.md has the same table, and a test compares
// them. Values of labels are bounded and hold no personal data: no ID, no name, no address, no path of a request.

/**
 * `isShared`: read from the database at each scrape, so every process reports the same value. `isOfDatabase`: about one
 * database, as the shared ones are, too. With several cells these have the label `cell`, too.
 */
export type MetricDefinition = {
  type: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  help: string;
  buckets?: readonly number[];
  isShared?: true;
  isOfDatabase?: true;
};

/** In seconds: requests, and calls to processors, which may take 10 s. */
const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/** In seconds: due work, from a webhook to a nightly job. */
const runBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800] as const;

export const metricDefinitions = {
  paylink_build_info: {
    type: 'gauge',
    labels: ['version', 'engine'],
    help: 'Always 1. The version, and the kind of database: server or embedded.',
  },
  paylink_http_requests_total: {
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests whose response was sent, by the pattern of their route (unmatched without one) and status.',
  },
  paylink_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['method', 'route'],
    help: 'The time from a request to the end of its response.',
    buckets: callBuckets,
  },
  paylink_payments_total: {
    type: 'counter',
    labels: ['mode', 'status'],
    help: 'Payments that reached a status by this process; open: links created.',
  },
  paylink_attempts_total: {
    type: 'counter',
    labels: ['mode', 'processor', 'method', 'outcome', 'decline_code'],
    help: 'Attempts that reached an outcome: succeeded, declined, cancelled, unknown. Another may follow unknown.',
  },
  paylink_refunds_total: {
    type: 'counter',
    labels: ['mode', 'processor', 'outcome'],
    help: 'Refunds that reached an outcome: succeeded, failed, unknown. Another may follow unknown.',
  },
  paylink_processor_requests_total: {
    type: 'counter',
    labels: ['processor', 'operation', 'result'],
    help: 'Calls to processors. A decline is ok; refused: the processor did not accept the request.',
  },
  paylink_processor_request_duration_seconds: {
    type: 'histogram',
    labels: ['processor', 'operation'],
    help: 'The time of a call to a processor.',
    buckets: callBuckets,
  },
  paylink_processor_connections: {
    type: 'gauge',
    labels: ['processor', 'mode', 'health'],
    help: 'Connections of companies with processors, by their health.',
    isShared: true,
  },
  paylink_webhook_deliveries_total: {
    type: 'counter',
    labels: ['mode', 'result'],
    help: 'Attempts to deliver a webhook: delivered, failed (repeated later), dead (given up).',
  },
  paylink_webhook_endpoints_failing: {
    type: 'gauge',
    labels: [],
    help: 'Enabled webhook endpoints whose last delivery failed.',
    isShared: true,
  },
  paylink_emails_total: {
    type: 'counter',
    labels: ['kind', 'result'],
    help: 'Attempts to send an email: sent, retried (repeated later), failed (given up), dropped (out of date).',
  },
  paylink_work_due: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Due work, with what a process is working on.',
    isShared: true,
  },
  paylink_work_oldest_due_seconds: {
    type: 'gauge',
    labels: ['kind'],
    help: 'How long the oldest due work has been due, without targets that fail; 0 without such work.',
    isShared: true,
  },
  paylink_work_dead: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Work that failed for good and waits for a person, as "paylink jobs dead" lists it.',
    isShared: true,
  },
  paylink_work_in_progress: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Work that this process is doing.',
    isOfDatabase: true,
  },
  paylink_work_runs_total: {
    type: 'counter',
    labels: ['kind', 'result'],
    help: 'Runs of due work: ok, or failed.',
    isOfDatabase: true,
  },
  paylink_work_run_duration_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help: 'The time of a run of due work.',
    buckets: runBuckets,
    isOfDatabase: true,
  },
  paylink_job_last_success_timestamp_seconds: {
    type: 'gauge',
    labels: ['job'],
    help: 'When a recurring job last succeeded, in seconds since 1970; absent until it has.',
    isShared: true,
  },
  paylink_attempts_unknown: {
    type: 'gauge',
    labels: ['mode'],
    help: 'Attempts whose outcome is unknown.',
    isShared: true,
  },
  paylink_attempts_unknown_oldest_seconds: {
    type: 'gauge',
    labels: ['mode'],
    help: 'How long the outcome of the oldest of them has been unknown; 0 without any.',
    isShared: true,
  },
  paylink_cases_open: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Contradictions with a processor that wait for a person.',
    isShared: true,
  },
  paylink_ledger_discrepancies: {
    type: 'gauge',
    labels: ['check'],
    help: 'Discrepancies that the last nightly check found, if this process made it: ledger, processor.',
    isOfDatabase: true,
  },
  paylink_comparisons_not_made: {
    type: 'gauge',
    labels: ['check'],
    help: 'Comparisons that the last nightly check could not make, if this process made it.',
    isOfDatabase: true,
  },
  paylink_events_unsealed_oldest_seconds: {
    type: 'gauge',
    labels: [],
    help: 'How old the oldest event without a seal is; 0 if all are sealed.',
    isShared: true,
  },
  paylink_database_up: {
    type: 'gauge',
    labels: [],
    help: 'Whether the database answers this process and takes writes, as /readyz checks: 1 or 0.',
  },
  paylink_cell_up: {
    type: 'gauge',
    labels: ['cell'],
    help: 'Whether the database of a cell answers this process and takes writes: 1 or 0. Absent without cells.',
  },
  paylink_status_read: {
    type: 'gauge',
    labels: [],
    help: 'Whether this process could read the metrics that all processes share from the database: 1 or 0.',
    isOfDatabase: true,
  },
  paylink_database_pool_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'Connections of this process to the database: idle, or busy.',
    isOfDatabase: true,
  },
  paylink_database_pool_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Transactions that wait for a connection.',
    isOfDatabase: true,
  },
  paylink_database_pool_size: {
    type: 'gauge',
    labels: [],
    help: 'The most connections that this process opens: DATABASE_POOL_SIZE, or 1 for the embedded database.',
    isOfDatabase: true,
  },
  paylink_login_failures_total: {
    type: 'counter',
    labels: [],
    help: 'Logins that were refused for a wrong password, address or second factor.',
  },
  paylink_request_log_lost_total: {
    type: 'counter',
    labels: [],
    help: 'Calls that are missing in the request log: a company made too many, or the database was slow or unavailable.',
  },
  paylink_rate_limited_total: {
    type: 'counter',
    labels: ['limit'],
    help: 'Requests that a limit refused, by its name.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

type Definitions = typeof metricDefinitions;
export type MetricName = keyof Definitions;
/** The metrics of a type. */
export type MetricOf<Type extends MetricDefinition['type']> = {
  [Name in MetricName]: Definitions[Name]['type'] extends Type ? Name : never;
}[MetricName];
/** The labels of a metric with their values. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<Definitions[Name]['labels'][number], string>
> &
  (Definitions[Name] extends { isShared: true } | { isOfDatabase: true }
    ? { readonly cell?: string }
    : unknown);

export const metricNames = Object.keys(metricDefinitions) as MetricName[];

export const definitionOf = (name: MetricName): MetricDefinition => metricDefinitions[name];

/** Whether a metric has the label `cell`, in an installation with several. */
export const mayHaveCell = (name: MetricName): boolean => {
  const { isShared, isOfDatabase } = definitionOf(name);
  return isShared === true || isOfDatabase === true;
};

/** The label of a cell; none without cells. */
export const cellLabel = (cell: string | null): { cell?: string } => (cell === null ? {} : { cell });
