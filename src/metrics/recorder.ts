// The only file that uses the metrics library. It is loaded only if metrics are on. Each recorder has a registry of its
// own: a process may run several services in tests. Must not: throw while it counts, since payments go on without it.

import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  definitionOf,
  type LabelsOf,
  type MetricDefinition,
  type MetricName,
  type MetricOf,
  mayHaveCell,
  metricNames,
} from './definitions.ts';

/** Sets the gauges of one text of metrics. */
export type SetGauge = <Name extends MetricOf<'gauge'>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
) => void;

export type Recorder = {
  /** Adds to a counter, 1 by default; 0 makes it appear. */
  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
  set: SetGauge;
  /** Takes a gauge out of the text until it is set again. */
  remove<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>): void;
  /** Adds to a gauge. */
  change<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, by: number): void;
  /** The metrics of this process, in Prometheus' text format. */
  write(): Promise<string>;
  /** The same for the shared gauges alone, with the values that `fill` sets. */
  writeShared(fill: (set: SetGauge) => void): Promise<string>;
  contentType: string;
};

type Library = typeof import('prom-client');
type Metric = Counter | Gauge | Histogram;

function createMetric(library: Library, registry: Registry, name: MetricName): Metric {
  const { type, labels, help, buckets }: MetricDefinition = definitionOf(name);
  const labelNames = mayHaveCell(name) ? [...labels, 'cell'] : [...labels];
  const common = { name, help, labelNames, registers: [registry] };
  if (type === 'counter') return new library.Counter(common);
  if (type === 'histogram')
    return new library.Histogram({ ...common, ...(buckets && { buckets: [...buckets] }) });
  const gauge = new library.Gauge(common);
  // A gauge without labels would report 0 until its value is known.
  if (labelNames.length === 0) gauge.remove();
  return gauge;
}

function createMetrics(library: Library, registry: Registry, names: readonly MetricName[]) {
  const metrics = new Map(names.map((name) => [name, createMetric(library, registry, name)]));
  return (name: MetricName): Metric => {
    const metric = metrics.get(name);
    if (!metric) throw new Error(`${name} is not a metric of this registry`);
    return metric;
  };
}

type FailureLog = { error(fields: object, message: string): void };

/** Runs what counts. Logs its first error: it would fail each time. */
function createGuard(log: FailureLog) {
  let hasFailed = false;
  return (work: () => void): void => {
    try {
      work();
    } catch (err) {
      if (!hasFailed) log.error({ err }, 'metrics could not be counted; this is logged once');
      hasFailed = true;
    }
  };
}

/** Loads the library and creates all metrics, with those of Node and of the process. */
export async function openRecorder(log: FailureLog): Promise<Recorder> {
  const { default: library } = await import('prom-client');
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  const isShared = (name: MetricName) => definitionOf(name).isShared === true;
  const find = createMetrics(
    library,
    registry,
    metricNames.filter((name) => !isShared(name)),
  );
  const guard = createGuard(log);
  return {
    count: (name, labels, by = 1) => guard(() => (find(name) as Counter).inc(labels, by)),
    observe: (name, labels, seconds) => guard(() => (find(name) as Histogram).observe(labels, seconds)),
    set: (name, labels, value) => guard(() => (find(name) as Gauge).set(labels, value)),
    remove: (name, labels) => guard(() => (find(name) as Gauge).remove(labels)),
    change: (name, labels, by) => guard(() => (find(name) as Gauge).inc(labels, by)),
    // The library writes Nan, for example for a lag that was not measured since the last scrape.
    write: async () => (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN'),
    writeShared: async (fill) => {
      const own = new library.Registry();
      const findShared = createMetrics(library, own, metricNames.filter(isShared));
      fill((name, labels, value) => (findShared(name) as Gauge).set(labels, value));
      return await own.metrics();
    },
    contentType: registry.contentType,
  };
}
