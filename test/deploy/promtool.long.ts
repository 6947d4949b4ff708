// Runs promtool on the rules, their tests and the expressions of the dashboard: every alert fires on its fault, and none
// on a good day. Then it plants faults, which promtool must find.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { promtoolPath } from '../harness/services.ts';
import {
  isAlert,
  panelsOf,
  prometheusFolder,
  type Rule,
  readDashboard,
  readRuleFile,
  readTestFile,
  ruleFiles,
  testFiles,
} from './deploy-files.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'paylink-rules-'));
});
after(async () => await rm(folder, { recursive: true }));

/** The exit code of promtool, and everything that it printed. */
async function runPromtool(args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  return await new Promise((resolve) => {
    execFile(promtoolPath(), args, { cwd }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` || String(error) }),
    );
  });
}

/** A copy of deploy/prometheus in which every rule was changed. */
async function copyWith(name: string, change: (rule: Rule) => Rule): Promise<string> {
  const copy = path.join(folder, name);
  await cp(prometheusFolder, copy, { recursive: true });
  for (const file of ruleFiles) {
    const groups = readRuleFile(file).groups.map((group) => ({ ...group, rules: group.rules.map(change) }));
    await writeFile(path.join(copy, 'rules', file), stringify({ groups }));
  }
  return copy;
}

/** Checks the expressions as rules that record, which Prometheus would load. */
async function checkExpressions(expressions: readonly string[]): Promise<{ code: number; output: string }> {
  const file = path.join(folder, 'expressions.yml');
  const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
  await writeFile(file, stringify({ groups: [{ name: 'panels', rules }] }));
  return await runPromtool(['check', 'rules', file], folder);
}

/** A copy of a configuration with fixed targets: Debian's Prometheus is built without the API of Kubernetes. */
async function withoutDiscovery(name: string): Promise<string> {
  const { scrape_configs: scrapes } = parse(await readFile(path.join(prometheusFolder, name), 'utf8'));
  const fixed = scrapes.map(({ kubernetes_sd_configs: found, ...job }: Record<string, unknown>) => {
    assert.ok(found, name);
    return { ...job, static_configs: [{ targets: ['127.0.0.1:9464'] }] };
  });
  const file = path.join(folder, name);
  await writeFile(file, stringify({ scrape_configs: fixed }));
  return file;
}

test('promtool accepts the scrape configurations and the rules', async () => {
  for (const args of [
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
    ['check', 'config', '--syntax-only', await withoutDiscovery('kubernetes.yml')],
    ['check', 'rules', ...ruleFiles.map((file) => `rules/${file}`)],
  ]) {
    const { code, output } = await runPromtool(args, prometheusFolder);
    assert.equal(code, 0, output);
  }
});

for (const file of testFiles)
  test(`promtool passes deploy/prometheus/tests/${file}`, async () => {
    const { code, output } = await runPromtool(['test', 'rules', `tests/${file}`], prometheusFolder);
    assert.equal(code, 0, output);
  });

test('every expression of the dashboard parses', async () => {
  const expressions = panelsOf(readDashboard())
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$mode', 'live'));
  assert.ok(expressions.length > 40, `${expressions.length} expressions`);
  const { code, output } = await checkExpressions(expressions);
  assert.equal(code, 0, output);
});

test('an expression that does not parse is found', async () => {
  const { code, output } = await checkExpressions(['sum(up', 'up']);
  assert.equal(code, 1);
  assert.match(output, /parse error/);
});

test('an alert that does not fire fails its tests', async () => {
  const silent = await copyWith('silent', (rule) => (isAlert(rule) ? { ...rule, expr: 'up == 2' } : rule));
  for (const file of testFiles) {
    const expected = readTestFile(file).tests.flatMap(({ alert_rule_test: checks = [] }) =>
      checks.filter(({ exp_alerts: alerts }) => alerts.length > 0).map(({ alertname }) => alertname),
    );
    if (expected.length === 0) continue;
    const { code, output } = await runPromtool(['test', 'rules', `tests/${file}`], silent);
    const found = [...output.matchAll(/alertname: (\w+), time/g)].map(([, name = '']) => name);
    assert.deepEqual(found.sort(), expected.sort(), file);
    assert.equal(code, 1, file);
  }
});

test('an alert that fires on a good day fails the test of the good day', async () => {
  const hasty = await copyWith('hasty', (rule) => {
    const { for: _, ...atOnce } = rule;
    return rule.alert === 'PaylinkInstanceDown' ? atOnce : rule;
  });
  const { code, output } = await runPromtool(['test', 'rules', 'tests/good-day.yml'], hasty);
  assert.equal(code, 1);
  assert.match(output, /got:[\s\S]*PaylinkInstanceDown/);
  assert.doesNotMatch(output, /PaylinkDown/);
});
