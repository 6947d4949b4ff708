// Reads the metrics of a service, by a parser of Prometheus' text format that shares no code with the service.

import assert from 'node:assert/strict';
import { freePort } from './paylink.ts';

export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };
export type MetricsText = { text: string; samples: Sample[]; types: ReadonlyMap<string, string> };

const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const samplePattern =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;

/** Throws for a line that is not in the format, for a sample without a type, and for a sample that occurs twice. */
export function parseMetrics(text: string): MetricsText {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [, named, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (named && type) {
      assert.ok(!types.has(named), `two types of ${named}`);
      types.set(named, type);
    }
    if (line.startsWith('# ')) continue;
    const [, name = '', labels = '', value = ''] = samplePattern.exec(line) ?? [];
    assert.ok(name, `a line is malformed: ${line}`);
    assert.ok(types.has(name) || types.has(name.replace(/_(bucket|sum|count)$/, '')), `${name} has no type`);
    const pairs = [...labels.matchAll(labelPattern)].map(([, key = '', content = '']) => [key, content]);
    const key = `${name} ${JSON.stringify(pairs.toSorted())}`;
    assert.ok(!seen.has(key), `two samples of ${key}`);
    seen.add(key);
    samples.push({
      name,
      labels: Object.fromEntries(pairs),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
  return { text, samples, types };
}

/** The value of a metric with exactly these labels; null without one. */
export function sampleOf(
  { samples }: MetricsText,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const found = samples.find(
    (sample) =>
      sample.name === name &&
      Object.keys(sample.labels).length === Object.keys(labels).length &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found?.value ?? null;
}

/** The different values of a label of a metric. */
export const labelValues = ({ samples }: MetricsText, name: string, label: string): string[] =>
  [...new Set(samples.filter((each) => each.name === name).map(({ labels }) => labels[label] ?? ''))].sort();

/** A port for the metrics of a service, its setting, and how to scrape it. */
export async function metricsPlace(settings: Record<string, string> = {}) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/metrics`;
  return {
    url,
    settings: { METRICS_PORT: port, ...settings },
    scrape: async (headers: Record<string, string> = {}): Promise<MetricsText> => {
      const response = await fetch(url, { headers });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
      return parseMetrics(await response.text());
    },
  };
}
