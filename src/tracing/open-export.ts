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
import type { TracingSettings } from './settings.ts';
import { openTraces } from './traces.ts';
import { createExportWarning } from './watch-export.ts';

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

/** Opens the export of traces, of metrics, or of both. */
export function openExport(settings: TracingSettings, deps: TracingDeps): Tracing {
  const { serviceName, sampler, metricIntervalMs } = settings;
  const resource = describeProcess(serviceName, deps.version);
  const { host } = new URL((settings.traces ?? settings.metrics)?.url ?? '');
  const warn = createExportWarning(deps.log, host);
  const traces = settings.traces && openTraces({ ...settings.traces, resource, sampler, warn });
  const metrics =
    settings.metrics && openMetrics({ ...settings.metrics, ...deps, resource, metricIntervalMs, warn });
  const what = [traces && 'Traces', metrics && 'metrics'].filter(Boolean).join(' and ');
  deps.log.info(`${what} are sent to the OpenTelemetry collector at ${host}`);
  return {
    startTrace: traces?.startTrace ?? null,
    metrics: metrics?.record ?? null,
    close: async () => {
      const sent = Promise.allSettled([traces?.close(), metrics?.close()]);
      await Promise.race([sent, sleep(closeWithinMs, undefined, { ref: false })]);
    },
  };
}
