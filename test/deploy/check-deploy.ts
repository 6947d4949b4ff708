// What must hold for the rules, their tests, the dashboard and the runbooks. Each check returns sentences about what is
// wrong. They read no syntax: promtool does.

import type { Alert, Dashboard, Expectation, Rule, TestFile } from './deploy-files.ts';
import { isAlert, pageOf, panelsOf } from './deploy-files.ts';
import { definitionOf, metricNames } from './known-metrics.ts';
import { groupingLabelsOf, type Selector, selectorsOf } from './promql.ts';

/** Series that Prometheus or the metrics library makes, with their own labels. */
const otherSeries: Readonly<Record<string, readonly string[]>> = {
  up: [],
  nodejs_eventloop_lag_p99_seconds: [],
  nodejs_heap_size_used_bytes: [],
  nodejs_gc_duration_seconds_sum: ['kind'],
  process_cpu_seconds_total: [],
  process_max_fds: [],
  process_open_fds: [],
  process_resident_memory_bytes: [],
  process_start_time_seconds: [],
};

/** As Grafana writes it. */
const datasourceVariable = ['$', '{datasource}'].join('');

const targetLabels = ['instance', 'job'];

type Series = { labels: readonly string[]; buckets?: readonly number[] };

/** Every series that Paylink's metrics make, with its labels and the buckets. */
function paylinkSeries(): [string, Series][] {
  return metricNames.flatMap((name): [string, Series][] => {
    const { type, labels: own, buckets } = definitionOf(name) ?? { type: 'gauge', labels: [] };
    // Prometheus renames a label that a target has, too.
    const labels = own.map((label) => (targetLabels.includes(label) ? `exported_${label}` : label));
    if (type !== 'histogram') return [[name, { labels }]];
    return [
      [`${name}_bucket`, { labels: [...labels, 'le'], ...(buckets && { buckets }) }],
      [`${name}_sum`, { labels }],
      [`${name}_count`, { labels }],
    ];
  });
}

const series = new Map<string, Series>([
  ...paylinkSeries(),
  ...Object.entries(otherSeries).map(([name, labels]) => [name, { labels }] as [string, Series]),
]);

/** The labels of each recorded series: those by which its expression groups, and those that the rule adds. */
function recordedLabels(rules: readonly Rule[]): Map<string, string[]> {
  const labels = new Map<string, Set<string>>();
  for (const { record, expr, labels: added = {} } of rules) {
    if (record === undefined) continue;
    const inherited = selectorsOf(expr).flatMap(({ name }) => [...(labels.get(name) ?? [])]);
    const all = [...Object.keys(added), ...groupingLabelsOf(expr), ...inherited];
    labels.set(record, new Set([...(labels.get(record) ?? []), ...all]));
  }
  return new Map([...labels].map(([name, set]) => [name, [...set]]));
}

function faultsOfSelector({ name, labels }: Selector, recorded: Map<string, string[]>): string[] {
  const known = series.get(name);
  const allowed = known?.labels ?? recorded.get(name);
  if (!allowed) return [`there is no series ${name}`];
  const le = labels.get('le');
  return [
    ...[...labels.keys()]
      .filter((label) => ![...allowed, ...targetLabels].includes(label))
      .map((label) => `${name} has no label ${label}`),
    ...(le !== undefined && !known?.buckets?.includes(Number(le)) ? [`${name} has no bucket ${le}`] : []),
  ];
}

/** Series, labels and buckets of an expression that do not exist. `rules` are those that record series. */
export function findUnknownSeries(expression: string, rules: readonly Rule[]): string[] {
  const recorded = recordedLabels(rules);
  const selectors = selectorsOf(expression);
  const available = selectors.flatMap(({ name }) => series.get(name)?.labels ?? recorded.get(name) ?? []);
  return [
    ...selectors.flatMap((selector) => faultsOfSelector(selector, recorded)),
    ...groupingLabelsOf(expression)
      .filter((label) => ![...available, ...targetLabels].includes(label))
      .map((label) => `no series of the expression has the label ${label}`),
  ];
}

function faultsOfAlert({ labels, annotations, alert }: Alert, hasPage: (alert: string) => boolean): string[] {
  const url = `'{{ or $externalLabels.runbooks "docs/runbooks" }}/${pageOf(alert)}'`.slice(1, -1);
  return [
    ...(['page', 'ticket'].includes(labels.severity ?? '') ? [] : ['no severity page or ticket']),
    ...['summary', 'description'].filter((name) => !annotations[name]).map((name) => `no annotation ${name}`),
    ...(annotations.runbook_url === url ? [] : [`its runbook_url is not ${url}`]),
    ...(hasPage(alert) ? [] : [`there is no runbook docs/runbooks/${pageOf(alert)}`]),
  ];
}

/** Rules with unknown series, and alerts without severity, annotations or runbook. */
export function checkRules(rules: readonly Rule[], hasPage: (alert: string) => boolean): string[] {
  return rules.flatMap((rule) => {
    const faults = [
      ...findUnknownSeries(rule.expr, rules),
      ...(isAlert(rule) ? faultsOfAlert(rule, hasPage) : []),
    ];
    return faults.map((fault) => `${rule.alert ?? rule.record}: ${fault}`);
  });
}

/** `1h30m` in seconds. */
function secondsOf(duration: string): number {
  const units: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  return [...duration.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}

/** Whether one test expects a rule's alert, after it expected silence. */
function fires(rule: Alert, expectations: readonly Expectation[]): boolean {
  const own = expectations.filter(({ alertname }) => alertname === rule.alert);
  return own.some(
    ({ eval_time: at, exp_alerts: alerts }) =>
      alerts.some(({ exp_labels: labels }) => labels.severity === rule.labels.severity) &&
      own.some((other) => other.exp_alerts.length === 0 && secondsOf(other.eval_time) < secondsOf(at)),
  );
}

/** Alerts without a test that is silent at first and then fires. */
export function checkTests(rules: readonly Rule[], files: readonly TestFile[]): string[] {
  const tests = files.flatMap((file) => file.tests);
  return rules
    .filter(isAlert)
    .filter((rule) => !tests.some((one) => fires(rule, one.alert_rule_test ?? [])))
    .map((rule) => `${rule.alert}: no test in which its ${rule.labels.severity} fires after silence`);
}

/** Panels without description, unit or expression, on unknown series, or beside the datasource variable. */
export function checkDashboard(dashboard: Dashboard, rules: readonly Rule[]): string[] {
  const panels = panelsOf(dashboard);
  return [
    ...(new Set(dashboard.panels.map(({ id }) => id)).size === dashboard.panels.length
      ? []
      : ['two panels have one ID']),
    ...panels.flatMap(({ title, description, datasource, fieldConfig, targets = [] }) => {
      const sources = [datasource, ...targets.map((target) => target.datasource)];
      return [
        ...(description ? [] : ['no description']),
        ...(fieldConfig?.defaults.unit ? [] : ['no unit']),
        ...(targets.length > 0 ? [] : ['no expression']),
        ...(sources.every((source) => source?.uid === datasourceVariable)
          ? []
          : ['does not use the variable datasource']),
        ...targets.flatMap(({ expr }) => findUnknownSeries(expr, rules)),
      ].map((fault) => `${title}: ${fault}`);
    }),
  ];
}
