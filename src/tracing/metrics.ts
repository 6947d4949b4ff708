// The metrics that go to the collector: a few, by the names of OpenTelemetry's conventions. The SDK sends them in the
// background. Must not: add an attribute with many values.

import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { TraceMetrics } from '../base/spans.ts';
import type { TracingDeps } from './deps.ts';
import type { Target } from './settings.ts';
import { type WarnOfExport, watchExporter } from './watch-export.ts';

/** The bounds that the conventions name for requests, in seconds, and one more for slow work. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30];

export type MetricOptions = Target &
  Pick<TracingDeps, 'poolState'> & {
    resource: Resource;
    metricIntervalMs: number;
    warn: WarnOfExport;
  };

type Meter = ReturnType<MeterProvider['getMeter']>;

/** Reads the pool when metrics are collected. */
function observePool(meter: Meter, poolState: TracingDeps['poolState']): void {
  const pool = { 'db.client.connection.pool.name': 'paylink' };
  const unit = '{connection}';
  const count = meter.createObservableUpDownCounter('db.client.connection.count', { unit });
  const most = meter.createObservableUpDownCounter('db.client.connection.max', { unit });
  const pending = meter.createObservableUpDownCounter('db.client.connection.pending_requests', {
    unit: '{request}',
  });
  meter.addBatchObservableCallback(
    (result) => {
      const { idle, busy, waiting, size } = poolState();
      const state = (name: string) => ({ ...pool, 'db.client.connection.state': name });
      result.observe(count, idle, state('idle'));
      result.observe(count, busy, state('used'));
      result.observe(most, size, pool);
      result.observe(pending, waiting, pool);
    },
    [count, most, pending],
  );
}

/** Opens the export of metrics. */
export function openMetrics(options: MetricOptions): { record: TraceMetrics; close(): Promise<void> } {
  const { url, protocol, resource, metricIntervalMs, warn, poolState } = options;
  const exporter = protocol === 'http/json' ? new JsonExporter({ url }) : new ProtobufExporter({ url });
  const reader = new PeriodicExportingMetricReader({
    exporter: watchExporter(exporter, 'metrics', warn),
    exportIntervalMillis: metricIntervalMs,
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter('paylink');
  const inSeconds = { unit: 's', advice: { explicitBucketBoundaries: bounds } };
  const requests = meter.createHistogram('http.server.request.duration', inSeconds);
  const runs = meter.createHistogram('paylink.work.run.duration', inSeconds);
  observePool(meter, poolState);
  return {
    record: {
      requestTook: (seconds, attributes) => requests.record(seconds, { ...attributes }),
      runTook: (seconds, attributes) => runs.record(seconds, { ...attributes }),
    },
    close: async () => await provider.shutdown(),
  };
}
