// The settings of OpenTelemetry, as its specification names them. sdk-settings.ts has those that the SDK reads itself. A
// wrong one never stops the service: payments matter more than traces.

import { checkSdkSettings, type Read, type Signal } from './sdk-settings.ts';

/** The ways to send that the packages support. */
export const protocols = ['http/protobuf', 'http/json'] as const;
export type Protocol = (typeof protocols)[number];

/** Where traces or metrics go. */
export type Target = { url: string; protocol: Protocol };

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

export type TracingSettings = {
  traces: Target | null;
  metrics: Target | null;
  /** Null: the name in OTEL_RESOURCE_ATTRIBUTES, or paylink. */
  serviceName: string | null;
  sampler: { name: SamplerName; ratio: number };
  metricIntervalMs: number;
  /** One sentence for each wrong setting, with the consequence and the remedy. */
  faults: readonly string[];
};

const defaultIntervalMs = 60_000;

/** The URL of a signal, and the setting that it comes from. */
function readUrl(read: Read, signal: Signal): { name: string; url: string | null } | null {
  const name = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`;
  const [own, common] = [read(name), read('OTEL_EXPORTER_OTLP_ENDPOINT')];
  const text = own ?? common;
  if (text === undefined) return null;
  const url = URL.parse(text);
  const isValid = url !== null && /^https?:$/.test(url.protocol);
  if (url && own === undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/${signal}`;
  return {
    name: own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : name,
    url: isValid ? url.href : null,
  };
}

function readProtocol(read: Read, signal: Signal): { name: string; text: string } {
  const name = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`;
  const [own, common] = [read(name), read('OTEL_EXPORTER_OTLP_PROTOCOL')];
  return own === undefined
    ? { name: 'OTEL_EXPORTER_OTLP_PROTOCOL', text: common ?? 'http/protobuf' }
    : { name, text: own };
}

/** The target of a signal, or why it is not exported. Null: it is not wanted. */
function readTarget(read: Read, signal: Signal): Target | { fault: string } | null {
  const exporterName = `OTEL_${signal.toUpperCase()}_EXPORTER`;
  const exporter = read(exporterName) ?? 'otlp';
  const target = readUrl(read, signal);
  const { name, text } = readProtocol(read, signal);
  if (target === null || exporter === 'none') return null;
  if (exporter !== 'otlp') return { fault: `${exporterName} must be otlp or none, not "${exporter}"` };
  const protocol = protocols.find((known) => known === text);
  if (protocol === undefined) return { fault: `${name} must be ${protocols.join(' or ')}, not "${text}"` };
  // The address may contain a password.
  if (target.url === null) return { fault: `${target.name} must be an address like http://localhost:4318` };
  return { url: target.url, protocol };
}

function readSampler(read: Read): { sampler: TracingSettings['sampler']; faults: string[] } {
  const [given, argument] = [read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')];
  const name = samplers.find((known) => known === (given ?? 'parentbased_always_on'));
  if (name === undefined) {
    const fault = `All traces are recorded: OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not "${given}".`;
    return { sampler: { name: 'parentbased_always_on', ratio: 1 }, faults: [fault] };
  }
  const ratio = Number(argument ?? '1');
  if (!name.endsWith('traceidratio') || (ratio >= 0 && ratio <= 1))
    return { sampler: { name, ratio: name.endsWith('traceidratio') ? ratio : 1 }, faults: [] };
  const fault = `All traces are recorded: OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${argument}".`;
  return { sampler: { name, ratio: 1 }, faults: [fault] };
}

function readInterval(read: Read): { metricIntervalMs: number; faults: string[] } {
  const name = 'OTEL_METRIC_EXPORT_INTERVAL';
  const text = read(name) ?? String(defaultIntervalMs);
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return { metricIntervalMs: Number(text), faults: [] };
  const fault = `Metrics are exported every 60 s: ${name} must be a whole number of milliseconds, not "${text}".`;
  return { metricIntervalMs: defaultIntervalMs, faults: [fault] };
}

/** The settings; null if OpenTelemetry is not set up. `read` returns undefined for a variable that is unset or empty. */
export function readTracing(read: Read): TracingSettings | null {
  const isDisabled = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  const traces = readTarget(read, 'traces');
  const metrics = readTarget(read, 'metrics');
  const { sampler, faults: samplerFaults } = readSampler(read);
  const { metricIntervalMs, faults: intervalFaults } = readInterval(read);
  const serviceName = read('OTEL_SERVICE_NAME') ?? null;
  if (isDisabled || (traces === null && metrics === null)) return null;
  const faults = new Map<string, string[]>();
  for (const [what, target] of Object.entries({ traces, metrics }))
    if (target && 'fault' in target) faults.set(target.fault, [...(faults.get(target.fault) ?? []), what]);
  const sentences = [...faults].map(([fault, what]) => {
    const subject = what.join(' and ');
    return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} are not exported: ${fault}.`;
  });
  const targetOf = (target: typeof traces) => (target && 'url' in target ? target : null);
  const targets = { traces: targetOf(traces), metrics: targetOf(metrics) };
  const sent = (['traces', 'metrics'] as const).filter((signal) => targets[signal]);
  const readFaults = [...(traces ? samplerFaults : []), ...(metrics ? intervalFaults : [])];
  return {
    ...{ ...targets, serviceName, sampler, metricIntervalMs },
    faults: [...sentences, ...readFaults, ...checkSdkSettings(read, sent)],
  };
}
