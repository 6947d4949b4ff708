import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectResources, envDetector } from '@opentelemetry/resources';
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

test('each wrong setting that the SDK would ignore gives one sentence with its name', () => {
  const faultOf = (environment: Record<string, string>) => {
    const settings = read({ ...endpoint, ...environment });
    assert.equal(settings?.faults.length, 1, JSON.stringify([environment, settings?.faults]));
    assert.ok(settings.traces && settings.metrics, 'both are still sent');
    return settings.faults[0] ?? '';
  };
  const timeout = 'OTEL_EXPORTER_OTLP_TIMEOUT is ignored: it must be a number of milliseconds above 0, not';
  for (const text of ['abc', '0', '-1', '10s', 'Infinity'])
    assert.equal(faultOf({ OTEL_EXPORTER_OTLP_TIMEOUT: text }), `${timeout} "${text}".`);
  assert.equal(
    faultOf({ OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }),
    'OTEL_EXPORTER_OTLP_COMPRESSION is ignored: it must be gzip or none, not "zstd".',
  );
  for (const what of ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'])
    for (const [path, code] of [
      [`${import.meta.filename}.pem`, 'ENOENT'],
      [import.meta.dirname, 'EISDIR'],
    ] as const)
      assert.equal(
        faultOf({ [`OTEL_EXPORTER_OTLP_${what}`]: path }),
        `OTEL_EXPORTER_OTLP_${what} is ignored: it must be the path of a file that Paylink can read (${code}).`,
      );
  for (const text of ['team=a=b', 'team', '=a', 'team=%zz', 'ok=1,team', `team=${'x'.repeat(256)}`])
    assert.match(
      faultOf({ OTEL_RESOURCE_ATTRIBUTES: text }),
      /^OTEL_RESOURCE_ATTRIBUTES is ignored: it must be name=value,name=value/,
    );
});

test('a wrong setting of one signal is named, and one that nothing uses is not', () => {
  const faultsOf = (environment: Record<string, string>) => read({ ...endpoint, ...environment })?.faults;
  const [name, common] = ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'];
  assert.match(String(faultsOf({ [name]: 'x', [common]: '5' })), /^OTEL_EXPORTER_OTLP_TRACES_TIMEOUT is/);
  assert.deepEqual(faultsOf({ OTEL_TRACES_EXPORTER: 'none', [name]: 'x' }), []);
  assert.deepEqual(
    faultsOf({ OTEL_METRICS_EXPORTER: 'none', [name]: '5', [common]: 'x' }),
    [],
    'the setting of the signal is used',
  );
});

test('the SDK ignores exactly the attributes that the sentence is about', (t) => {
  const before = process.env.OTEL_RESOURCE_ATTRIBUTES;
  t.after(() => {
    if (before === undefined) delete process.env.OTEL_RESOURCE_ATTRIBUTES;
    else process.env.OTEL_RESOURCE_ATTRIBUTES = before;
  });
  for (const [text, isRight] of [
    ...['team=a', 'a=1, b=2,', 'a=', 'a=%3D%2C', `a=${'x'.repeat(255)}`].map(
      (right) => [right, true] as const,
    ),
    ...['team=a=b', 'ok=1,team', '=a', 'a=%zz', `a=${'x'.repeat(256)}`].map(
      (wrong) => [wrong, false] as const,
    ),
  ]) {
    process.env.OTEL_RESOURCE_ATTRIBUTES = text;
    const { attributes } = detectResources({ detectors: [envDetector] });
    assert.equal(Object.keys(attributes).length > 0, isRight, text);
    assert.equal(read({ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: text })?.faults.length, isRight ? 0 : 1, text);
  }
});

test('no header is in a sentence', () => {
  for (const text of [
    'hunter2',
    'key=a,hunter2',
    'key=hunter2;x',
    'key=%hunter2',
    'a key=hunter2',
    'hunter2=',
    'k=hunter2%0A',
  ])
    for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_HEADERS']) {
      const faults = read({ ...endpoint, [name]: text })?.faults ?? [];
      assert.equal(faults.length, 1, text);
      assert.match(faults[0] ?? '', new RegExp(`^${name} is not sent as it is: it must be name=value`));
      assert.doesNotMatch(faults[0] ?? '', /hunter2/);
    }
});

test('right settings that the SDK reads give no sentence', () => {
  const settings = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-tenant = seven,',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '1e3',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
    OTEL_EXPORTER_OTLP_CERTIFICATE: import.meta.filename,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial, team=a%3Db%2Cc,empty=,',
  });
  assert.deepEqual(settings?.faults, []);
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
