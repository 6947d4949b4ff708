import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Collector, startCollector } from '../../test/harness/collector.ts';
import { noTracing, runInSpan, type Tracing } from '../base/spans.ts';
import { callForText } from '../processors/call-api.ts';
import { openTracing } from './open-tracing.ts';
import { readTracing } from './settings.ts';
import { createExportWarning } from './watch-export.ts';

let collector: Collector;
before(async () => {
  collector = await startCollector();
});
after(async () => await collector.close());

async function open(log: string[] = [], more: Record<string, string> = {}): Promise<Tracing> {
  const environment: Record<string, string> = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...more,
  };
  const settings = readTracing((name) => environment[name]);
  const write = (message: string) => void log.push(message);
  return await openTracing(settings, {
    log: { info: write, warn: write },
    version: '1.2.3',
    poolState: () => ({ idle: 1, busy: 0, waiting: 0, size: 1 }),
  });
}

test('without settings, tracing does nothing', async () => {
  const deps = {
    log: { info: assert.fail, warn: assert.fail },
    version: '',
    poolState: () => ({ idle: 1, busy: 0, waiting: 0, size: 1 }),
  };
  assert.equal(await openTracing(null, deps), noTracing);
});

test('a call to a processor is a part of the active span, by its host alone, and carries no traceparent', async () => {
  const asked: (string | undefined)[][] = [];
  const processor = createServer((request, response) => {
    asked.push(Object.keys(request.headers).filter((name) => /^trace|^baggage/.test(name)));
    response.writeHead(402).end('declined');
  }).listen(0, '127.0.0.1');
  await once(processor, 'listening');
  const tracing = await open();
  assert.equal(tracing.metrics, null, 'only traces have an endpoint');
  const parent = tracing.startTrace?.({ name: 'reconcile-attempt', kind: 'internal' }, null);
  assert.ok(parent);
  const url = `http://127.0.0.1:${(processor.address() as AddressInfo).port}`;
  const call = { method: 'POST', url: `${url}/v1/secret?key=secret`, headers: {} } as const;
  await runInSpan(parent, async () => await callForText(call, AbortSignal.timeout(5_000)));
  await new Promise((resolve) => processor.close(resolve));
  await runInSpan(parent, async () => await assert.rejects(callForText(call, AbortSignal.timeout(5_000))));
  parent.end();
  await tracing.close();
  assert.deepEqual(asked, [[]]);
  const spans = collector.spans().filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  const common = { 'http.request.method': 'POST', 'server.address': '127.0.0.1' };
  assert.deepEqual(
    spans.map(({ name, kind, isFailed, attributes }) => ({ name, kind, isFailed, attributes })),
    [
      { ...common, 'http.response.status_code': 402, 'error.type': '402' },
      { ...common, 'error.type': 'RequestNotSentError' },
    ].map((attributes) => ({ name: 'POST', kind: 3, isFailed: true, attributes })),
  );
  assert.doesNotMatch(collector.posts.map(({ body }) => body).join(), /secret/);
});

test('each collector is named at the start, and the one that fails is named by its own host', async () => {
  const [log, other] = [[] as string[], await startCollector()];
  collector.behave((response) => void response.writeHead(403).end());
  other.behave((response) => void response.writeHead(400).end());
  const metrics = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${other.url}/v1/metrics` };
  const tracing = await open(log, metrics);
  tracing.startTrace?.({ name: 'webhooks', kind: 'internal' }, null).end();
  tracing.metrics?.runTook(1, { 'paylink.work.kind': 'webhooks', 'paylink.work.result': 'ok' });
  await tracing.close();
  await other.close();
  const advice = 'Payments go on; check the collector and OTEL_EXPORTER_OTLP_ENDPOINT.';
  assert.deepEqual(log.sort(), [
    ...[
      [collector.host, 'traces', 403],
      [other.host, 'metrics', 400],
    ]
      .map(
        ([host, what, status]) =>
          `The OpenTelemetry collector at ${host} took no ${what}: it answered with status ${status}. ${advice}`,
      )
      .sort(),
    `Traces are sent to the OpenTelemetry collector at ${collector.host}, and metrics to the one at ${other.host}`,
  ]);
});

test('one collector of both signals is named once', async () => {
  const log: string[] = [];
  const metrics = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics` };
  await (await open(log, metrics)).close();
  assert.equal(log[0], `Traces and metrics are sent to the OpenTelemetry collector at ${collector.host}`);
});

test('closing waits 2 s at most for a collector that does not answer', async (t) => {
  collector.behave(() => undefined);
  // The package reads it, and would otherwise end the wait by its own limit of 10 s.
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '60000';
  t.after(() => delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const tracing = await open();
  tracing.startTrace?.({ name: 'webhooks', kind: 'internal' }, null).end();
  const startedAt = performance.now();
  await tracing.close();
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs > 1_900 && tookMs < 20_000, `${tookMs} ms`);
});

test('failures are reported once a minute at most', () => {
  const lines: string[] = [];
  let now = 0;
  const warn = createExportWarning({ warn: (line) => void lines.push(line) }, 'collector:4318', () => now);
  for (now = 0; now < 180_000; now += 1_000) warn('traces', Object.assign(new Error(), { code: 500 }));
  assert.equal(lines.length, 3);
});
