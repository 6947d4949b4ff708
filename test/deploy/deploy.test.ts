// The rules, the dashboard and the runbooks fit each other and the metrics of the service. promtool.long.ts runs them.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { listScheduledJobs } from '../../src/schedule.ts';
import { read } from '../harness/documents.ts';
import { root } from '../harness/process.ts';
import { checkDashboard, checkRules, checkTests, findUnknownSeries } from './check-deploy.ts';
import {
  hasPage,
  isAlert,
  pageOf,
  type Rule,
  readDashboard,
  readTestFile,
  rules,
  testFiles,
} from './deploy-files.ts';
import { definitionOf, metricNames } from './known-metrics.ts';
import { selectorsOf } from './promql.ts';

const alerts = rules.filter(isAlert);
const names = [...new Set(alerts.map(({ alert }) => alert))];
const tests = testFiles.map(readTestFile);

test('every rule uses existing metrics, labels and buckets, and every alert has a severity, texts and a runbook', () => {
  assert.ok(names.length > 25, `${names.length} alerts`);
  assert.deepEqual(checkRules(rules, hasPage), []);
});

test('every alert has a test in which it is silent at first and then fires', () => {
  assert.deepEqual(checkTests(rules, tests), []);
});

test('every panel has a description, a unit, and expressions on existing metrics of the chosen Prometheus', () => {
  const dashboard = readDashboard();
  assert.deepEqual(checkDashboard(dashboard, rules), []);
  assert.equal(dashboard.uid, 'paylink');
  assert.ok(
    dashboard.templating.list.some(({ name, type }) => name === 'datasource' && type === 'datasource'),
  );
});

test('the dashboard shows every metric of the service', () => {
  const shown = new Set(
    readDashboard()
      .panels.flatMap(({ targets = [] }) => targets)
      .flatMap(({ expr }) => selectorsOf(expr))
      .map(({ name }) => name),
  );
  const seriesOf = (name: string) => (definitionOf(name)?.type === 'histogram' ? `${name}_bucket` : name);
  assert.deepEqual(
    metricNames.filter((name) => !shown.has(seriesOf(name))),
    [],
  );
});

test('every runbook belongs to an alert, and the index lists each with its severity', () => {
  const pages = readdirSync(path.join(root, 'docs/runbooks')).filter((name) => name !== 'README.md');
  assert.deepEqual(pages.sort(), names.map(pageOf).sort());
  const index = read('docs/runbooks/README.md');
  for (const name of names) {
    const severities = alerts.filter(({ alert }) => alert === name).map(({ labels }) => labels.severity);
    const severity = severities.sort().join(' or ');
    assert.ok(index.includes(`| [${name}](${pageOf(name)}) | ${severity} |`), `${name} is a ${severity}`);
    const page = read(`docs/runbooks/${pageOf(name)}`);
    assert.ok(page.startsWith(`# ${name}\n\nSeverity: `), name);
    for (const heading of ['What it means', 'How to look', 'What to do', 'When it is over'])
      assert.match(page, new RegExp(`\n## ${heading}\n\n\\S`), name);
  }
});

test('every panel that a runbook names is on the dashboard', () => {
  const titles = new Set(readDashboard().panels.map(({ title }) => title));
  let count = 0;
  for (const name of names) {
    const text = read(`docs/runbooks/${pageOf(name)}`).replaceAll(/\s+/g, ' ');
    for (const [, list = ''] of text.matchAll(/[Pp]anels? ((?:"[^"]+"(?:, | and )?)+)/g))
      for (const [, title = ''] of list.matchAll(/"([^"]+)"/g)) {
        assert.ok(titles.has(title), `${name}: there is no panel ${title}`);
        count += 1;
      }
  }
  assert.ok(count > 15, `${count} panels`);
});

test('a recurring job has a limit of its own, or is daily', () => {
  const frequent = listScheduledJobs({} as Parameters<typeof listScheduledJobs>[0])
    .filter(({ at }) => 'everyMinutes' in at)
    .map(({ name }) => name);
  const { expr = '' } = alerts.find(({ alert }) => alert === 'PaylinkJobOverdue') ?? {};
  const limited = [...expr.matchAll(/exported_job=~?"([^"]+)"/g)].flatMap(([, list = '']) => list.split('|'));
  assert.deepEqual(limited.sort(), frequent.sort());
});

test('docs/slos.md has every objective with its target, and the scrape configurations the name that the rules use', () => {
  const page = read('docs/slos.md');
  const budgets = rules.filter(({ record }) => record === 'paylink:slo_budget:ratio');
  assert.equal(budgets.length, 6);
  for (const { labels, expr } of budgets) {
    const share = Number(/vector\((.+)\)/.exec(expr)?.[1]);
    const target = `${Math.round((1 - share) * 1000) / 10} %`;
    assert.match(page, new RegExp(`\\| \`${labels?.slo}\` \\| ${target} of `), labels?.slo);
  }
  for (const name of ['prometheus', 'kubernetes']) {
    const { scrape_configs: scrapes } = parse(read(`deploy/prometheus/${name}.yml`));
    assert.deepEqual(
      scrapes.map((scrape: Record<string, unknown>) => [scrape.job_name, scrape.honor_labels]),
      [['paylink', undefined]],
      name,
    );
  }
});

test('a missing runbook, test, severity or text, and an unknown metric, label or bucket are found', () => {
  const [first, ...others] = alerts;
  assert.ok(first);
  const faultsOf = (rule: Rule) =>
    checkRules([...rules.filter(({ record }) => record), rule], hasPage).length;
  assert.equal(faultsOf(first), 0);
  assert.equal(checkRules([first], () => false).length, 1);
  assert.equal(faultsOf({ ...first, labels: {} }), 1);
  assert.equal(faultsOf({ ...first, annotations: { ...first.annotations, summary: '' } }), 1);
  assert.equal(faultsOf({ ...first, annotations: { ...first.annotations, runbook_url: 'down.md' } }), 1);
  for (const [expr, fault] of [
    ['sum(rate(paylink_requests_total[5m])) > 0', 'there is no series paylink_requests_total'],
    ['paylink_work_due{queue="a"} > 0', 'paylink_work_due has no label queue'],
    ['max by (queue) (paylink_work_due) > 0', 'no series of the expression has the label queue'],
    ['paylink:slo_errors:ratio_7d > 0', 'there is no series paylink:slo_errors:ratio_7d'],
    [
      'rate(paylink_http_request_duration_seconds_bucket{le="0.7"}[5m]) > 0',
      'paylink_http_request_duration_seconds_bucket has no bucket 0.7',
    ],
    [
      'paylink_job_last_success_timestamp_seconds{kind="a"}',
      'paylink_job_last_success_timestamp_seconds has no label kind',
    ],
  ] as const)
    assert.deepEqual(findUnknownSeries(expr, rules), [fault]);
  const withoutFirst = tests.map((file) => ({
    tests: file.tests.map((one) => ({
      ...one,
      alert_rule_test: (one.alert_rule_test ?? []).filter(({ alertname }) => alertname !== first.alert),
    })),
  }));
  assert.equal(checkTests(rules, withoutFirst).length, 1);
  assert.deepEqual(checkTests(others, withoutFirst), []);
});

test('a panel without a description or a unit, on another Prometheus or on an unknown metric is found', () => {
  const dashboard = readDashboard();
  const panel = dashboard.panels.find(({ type }) => type === 'timeseries');
  const [target] = panel?.targets ?? [];
  assert.ok(panel && target);
  for (const change of [
    { description: '' },
    { fieldConfig: { defaults: {} } },
    { targets: [] },
    { datasource: { uid: 'prometheus' } },
    { targets: [{ ...target, expr: 'paylink_payments' }] },
  ])
    assert.equal(checkDashboard({ ...dashboard, panels: [{ ...panel, ...change }] }, rules).length, 1);
  assert.equal(checkDashboard({ ...dashboard, panels: [panel, panel] }, rules).length, 1);
});
