// The rules, their tests, the dashboard and the runbooks of deploy/ as data.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { read } from '../harness/documents.ts';
import { root } from '../harness/process.ts';

export type Rule = {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};

export type Alert = Rule & {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
};

export type RuleFile = { groups: { name: string; interval?: string; rules: Rule[] }[] };

/** An alert that a test expects, or that nothing fires. */
export type Expectation = {
  alertname: string;
  eval_time: string;
  exp_alerts: { exp_labels: Record<string, string>; exp_annotations: Record<string, string> }[];
};

export type TestFile = { tests: { name: string; alert_rule_test?: Expectation[] }[] };

export type Panel = {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string; datasource: { uid: string } }[];
};

export type Dashboard = {
  uid: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string }[] };
  panels: Panel[];
};

export const prometheusFolder = path.join(root, 'deploy/prometheus');

const listYaml = (folder: string) =>
  readdirSync(path.join(prometheusFolder, folder))
    .filter((name) => name.endsWith('.yml'))
    .sort();

/** Names of files in deploy/prometheus/rules and deploy/prometheus/tests. */
export const ruleFiles: readonly string[] = listYaml('rules');
export const testFiles: readonly string[] = listYaml('tests');

export const readRuleFile = (name: string): RuleFile => parse(read(`deploy/prometheus/rules/${name}`));
export const readTestFile = (name: string): TestFile => parse(read(`deploy/prometheus/tests/${name}`));

export const rules: readonly Rule[] = ruleFiles.flatMap((name) =>
  readRuleFile(name).groups.flatMap((group) => group.rules),
);

export const isAlert = (rule: Rule): rule is Alert => rule.alert !== undefined;

export const readDashboard = (): Dashboard => JSON.parse(read('deploy/grafana/paylink.json'));

/** The panels with expressions. */
export const panelsOf = (dashboard: Dashboard): Panel[] =>
  dashboard.panels.filter(({ type }) => type !== 'row');

/** PaylinkInstanceDown has the page instance-down.md. */
export const pageOf = (alert: string): string =>
  `${alert
    .replace(/^Paylink/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()}.md`;

export const hasPage = (alert: string): boolean =>
  existsSync(path.join(root, 'docs/runbooks', pageOf(alert)));
