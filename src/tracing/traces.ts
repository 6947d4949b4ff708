// Our spans as spans of OpenTelemetry. The SDK keeps a bounded queue of ended spans and sends them in the background.

import {
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RemoteSpan, Span, SpanStart, Tracing } from '../base/spans.ts';
import type { Target, TracingSettings } from './settings.ts';
import { type WarnOfExport, watchExporter } from './watch-export.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

function contextOf({ traceId, spanId, isSampled }: RemoteSpan, isRemote: boolean) {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote };
}

const linkTo = ({ traceId, spanId, isRecorded }: Span): Link => ({
  context: contextOf({ traceId, spanId, isSampled: isRecorded }, false),
});

function start(
  tracer: Tracer,
  { name, kind, attributes, links, startedAtMs }: SpanStart,
  parent: OtelSpan | null,
): Span {
  const options = {
    kind: kinds[kind],
    ...(attributes && { attributes: { ...attributes } }),
    ...(links && { links: links.map(linkTo) }),
    ...(startedAtMs !== undefined && { startTime: startedAtMs }),
  };
  const context = parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  return wrap(tracer, tracer.startSpan(name, options, context));
}

function wrap(tracer: Tracer, span: OtelSpan): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    ...{ traceId, spanId, isRecorded: span.isRecording() },
    startChild: (child) => start(tracer, child, span),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail: (type) => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

function createSampler({ name, ratio }: TracingSettings['sampler']): Sampler {
  if (name.startsWith('parentbased_')) {
    const root = name.slice('parentbased_'.length) as 'always_on' | 'always_off' | 'traceidratio';
    return new ParentBasedSampler({ root: createSampler({ name: root, ratio }) });
  }
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

export type TraceOptions = Target & {
  resource: Resource;
  sampler: TracingSettings['sampler'];
  warn: WarnOfExport;
};

/** Opens the export of traces. */
export function openTraces({ url, protocol, resource, sampler, warn }: TraceOptions): {
  startTrace: NonNullable<Tracing['startTrace']>;
  close(): Promise<void>;
} {
  const exporter = protocol === 'http/json' ? new JsonExporter({ url }) : new ProtobufExporter({ url });
  const provider = new TracerProvider({
    resource,
    sampler: createSampler(sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter: watchExporter(exporter, 'traces', warn) })],
  });
  const tracer = provider.getTracer('paylink');
  return {
    startTrace: (first, remote) =>
      start(tracer, first, remote && trace.wrapSpanContext(contextOf(remote, true))),
    close: async () => await provider.shutdown(),
  };
}
