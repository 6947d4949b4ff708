// Traces and metrics by OpenTelemetry, sent by OTLP. Only open-tracing.ts imports this file, when they are set up. Must
// not: register anything for the whole process, or replace a module.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { Tracing } from '../base/spans.ts';
import type { TracingDeps } from './deps.ts';
import { openMetrics } from './metrics.ts';
import type { Target, TracingSettings } from './settings.ts';
import { openTraces } from './traces.ts';
import { createExportWarning, type WarnOfExport } from './watch-export.ts';

/** How long a stop waits for the collector. */
const closeWithinMs = 2_000;

/** What every span and metric says about this process. The ID tells equal processes apart. */
function describeProcess(serviceName: string | null, version: string): Resource {
  const own = resourceFromAttributes({
    'service.name': 'paylink',
    'service.version': version,
    'service.instance.id': randomUUID(),
  });
  const fromEnvironment = detectResources({ detectors: [envDetector] });
  const named = serviceName === null ? {} : { 'service.name': serviceName };
  return defaultResource().merge(own).merge(fromEnvironment).merge(resourceFromAttributes(named));
}

/** Which collector gets what. Hosts only: an address may contain a password. */
function describeTargets({ traces, metrics }: Pick<TracingSettings, 'traces' | 'metrics'>): string {
  const [ofTraces, ofMetrics] = [traces, metrics].map((target) => target && new URL(target.url).host);
  if (ofTraces && ofMetrics && ofTraces !== ofMetrics)
    return `Traces are sent to the OpenTelemetry collector at ${ofTraces}, and metrics to the one at ${ofMetrics}`;
  const what = [traces && 'traces', metrics && 'metrics'].filter(Boolean).join(' and ');
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} are sent to the OpenTelemetry collector at ${ofTraces ?? ofMetrics}`;
}

/** Opens the export of traces, of metrics, or of both. */
export function openExport(settings: TracingSettings, deps: TracingDeps): Tracing {
  const { serviceName, sampler, metricIntervalMs } = settings;
  const resource = describeProcess(serviceName, deps.version);
  const targets = { traces: settings.traces, metrics: settings.metrics };
  // One warning for each collector: both signals of one fail together.
  const warnings = new Map<string, WarnOfExport>();
  const warnOf = ({ url }: Target): WarnOfExport => {
    const { host } = new URL(url);
    const warn = warnings.get(host) ?? createExportWarning(deps.log, host);
    warnings.set(host, warn);
    return warn;
  };
  const traces =
    targets.traces && openTraces({ ...targets.traces, resource, sampler, warn: warnOf(targets.traces) });
  const metrics =
    targets.metrics &&
    openMetrics({ ...targets.metrics, ...deps, resource, metricIntervalMs, warn: warnOf(targets.metrics) });
  deps.log.info(describeTargets(targets));
  return {
    startTrace: traces?.startTrace ?? null,
    metrics: metrics?.record ?? null,
    close: async () => {
      const sent = Promise.allSettled([traces?.close(), metrics?.close()]);
      await Promise.race([sent, sleep(closeWithinMs, undefined, { ref: false })]);
    },
  };
}
