// The metrics of Paylink as the rules and the dashboard may use them: type, labels and buckets.

type MetricDefinition = {
  type: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  buckets?: readonly number[];
};

const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const counter = (...labels: string[]): MetricDefinition => ({ type: 'counter', labels });
const gauge = (...labels: string[]): MetricDefinition => ({ type: 'gauge', labels });
const histogram = (...labels: string[]): MetricDefinition => ({
  type: 'histogram',
  labels,
  buckets: callBuckets,
});

const definitions: Readonly<Record<string, MetricDefinition>> = {
  paylink_build_info: gauge('version', 'engine'),
  paylink_http_requests_total: counter('method', 'route', 'status'),
  paylink_http_request_duration_seconds: histogram('method', 'route'),
  paylink_payments_total: counter('mode', 'status'),
  paylink_attempts_total: counter('mode', 'processor', 'method', 'outcome', 'decline_code'),
  paylink_refunds_total: counter('mode', 'processor', 'outcome'),
  paylink_processor_requests_total: counter('processor', 'operation', 'result'),
  paylink_processor_request_duration_seconds: histogram('processor', 'operation'),
  paylink_processor_connections: gauge('processor', 'mode', 'health'),
  paylink_webhook_deliveries_total: counter('mode', 'result'),
  paylink_webhook_endpoints_failing: gauge(),
  paylink_emails_total: counter('kind', 'result'),
  paylink_work_due: gauge('kind'),
  paylink_work_oldest_due_seconds: gauge('kind'),
  paylink_work_dead: gauge('kind'),
  paylink_work_in_progress: gauge('kind'),
  paylink_work_runs_total: counter('kind', 'result'),
  paylink_work_run_duration_seconds: histogram('kind'),
  paylink_job_last_success_timestamp_seconds: gauge('job'),
  paylink_attempts_unknown: gauge('mode'),
  paylink_attempts_unknown_oldest_seconds: gauge('mode'),
  paylink_cases_open: gauge('kind'),
  paylink_ledger_discrepancies: gauge('check'),
  paylink_events_unsealed_oldest_seconds: gauge(),
  paylink_database_up: gauge(),
  paylink_database_pool_connections: gauge('state'),
  paylink_database_pool_waiting: gauge(),
  paylink_database_pool_size: gauge(),
  paylink_login_failures_total: counter(),
  paylink_rate_limited_total: counter('limit'),
};

export const metricNames: readonly string[] = Object.keys(definitions);

export const definitionOf = (name: string): MetricDefinition | undefined => definitions[name];
