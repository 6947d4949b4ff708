// Opens traces and metrics, and loads OpenTelemetry for them. Must not: load it, or anything of it, if it is not set up.

import { noTracing, type Tracing } from '../base/spans.ts';
import type { TracingDeps } from './deps.ts';
import type { TracingSettings } from './settings.ts';

/** Opens what is set up. Reports each wrong setting in one sentence, and goes on without what it concerns. */
export async function openTracing(settings: TracingSettings | null, deps: TracingDeps): Promise<Tracing> {
  for (const fault of settings?.faults ?? []) deps.log.warn(fault);
  if (!settings?.traces && !settings?.metrics) return noTracing;
  const { openExport } = await import('./open-export.ts');
  return openExport(settings, deps);
}
