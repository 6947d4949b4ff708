import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTracing } from './settings.ts';

const read = (environment: Record<string, string>) => readTracing((name) => environment[name]);
const base = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const endpoint = { [base]: 'http://collector:4318' };

test('without an endpoint, or with OTEL_SDK_DISABLED, nothing is set up', () => {
  assert.equal(read({}), null);
  assert.equal(read({ OTEL_SERVICE_NAME: 'shop', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), null);
  assert.equal(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), null);
  assert.equal(read({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }), null);
  assert.notEqual(read({ ...endpoint, OTEL_SDK_DISABLED: 'false' }), null);
});

test('the common endpoint is for both signals, and one of a signal is used as it is', () => {
  const urls = (environment: Record<string, string>) => {
    const settings = read(environment);
    assert.deepEqual(settings?.faults, []);
    return [settings.traces?.url, settings.metrics?.url];
  };
  const [traces, metrics] = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'];
  assert.deepEqual(urls(endpoint), ['http://collector:4318/v1/traces', 'http://collector:4318/v1/metrics']);
  assert.deepEqual(urls({ [base]: 'https://c/otlp/' }), [
    'https://c/otlp/v1/traces',
    'https://c/otlp/v1/metrics',
  ]);
  assert.deepEqual(urls({ [traces as string]: 'http://t/x' }), ['http://t/x', undefined]);
  assert.deepEqual(urls({ [metrics as string]: 'http://m/y' }), [undefined, 'http://m/y']);
  assert.deepEqual(urls({ ...endpoint, [traces as string]: 'http://t/x' })[0], 'http://t/x');
  assert.deepEqual(urls({ ...endpoint, OTEL_METRICS_EXPORTER: 'none' }), [
    'http://collector:4318/v1/traces',
    undefined,
  ]);
});

test('each wrong setting gives one sentence with its name, and what it concerns is off or has its default', () => {
  const faultOf = (environment: Record<string, string>) => {
    const settings = read({ ...endpoint, ...environment });
    assert.equal(settings?.faults.length, 1, JSON.stringify(environment));
    return { settings, fault: settings.faults[0] ?? '' };
  };
  const grpc = faultOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  assert.equal(
    grpc.fault,
    'Traces and metrics are not exported: OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json, not "grpc".',
  );
  assert.deepEqual([grpc.settings.traces, grpc.settings.metrics], [null, null]);
  const ofTraces = faultOf({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' });
  assert.match(ofTraces.fault, /^Traces are not exported: OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must/);
  assert.notEqual(ofTraces.settings.metrics, null);
  assert.match(
    faultOf({ OTEL_TRACES_EXPORTER: 'zipkin' }).fault,
    /^Traces .*OTEL_TRACES_EXPORTER .*"zipkin"/,
  );
  for (const address of ['collector:4318', 'grpc://collector', 'nowhere'])
    assert.match(
      faultOf({ [base]: address }).fault,
      /^Traces and metrics .*OTEL_EXPORTER_OTLP_ENDPOINT must/,
    );
  const sampler = faultOf({ OTEL_TRACES_SAMPLER: 'some' });
  assert.match(sampler.fault, /^All traces are recorded: OTEL_TRACES_SAMPLER must be one of/);
  assert.deepEqual(sampler.settings.sampler, { name: 'parentbased_always_on', ratio: 1 });
  const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' };
  assert.match(faultOf(ratio).fault, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/);
  const interval = faultOf({ OTEL_METRIC_EXPORT_INTERVAL: '1m' });
  assert.match(interval.fault, /OTEL_METRIC_EXPORT_INTERVAL/);
  assert.equal(interval.settings.metricIntervalMs, 60_000);
});

test('a password in an endpoint is in no sentence', () => {
  const settings = read({ [base]: 'ftp://user:hunter2@collector' });
  assert.equal(settings?.faults.length, 1);
  assert.doesNotMatch(settings.faults.join(), /hunter2/);
});

test('the sampler and its argument are those of the specification', () => {
  const samplerOf = (name: string, argument?: string) =>
    read({
      ...endpoint,
      OTEL_TRACES_SAMPLER: name,
      ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }),
    })?.sampler;
  assert.deepEqual(samplerOf('traceidratio', '0.25'), { name: 'traceidratio', ratio: 0.25 });
  assert.deepEqual(samplerOf('parentbased_traceidratio'), { name: 'parentbased_traceidratio', ratio: 1 });
  assert.deepEqual(samplerOf('always_off', 'ignored'), { name: 'always_off', ratio: 1 });
  assert.deepEqual(read(endpoint)?.sampler, { name: 'parentbased_always_on', ratio: 1 });
});
