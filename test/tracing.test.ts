// Traces and metrics of a journey, at a collector on this machine.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLinkAs, type Json, logIn, orderOf, processPayment } from './harness/client.ts';
import { type CollectedSpan, type Collector, startCollector } from './harness/collector.ts';
import { freePort, password, refuseCardData, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';
import { payWith, visit } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from './harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

// What the SDK reads itself. A batch that a busy machine sends late is not lost.
const patientMs = '10000';
process.env.OTEL_EXPORTER_OTLP_TIMEOUT = patientMs;
process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=trial,service.name=overridden';
process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-tenant=seven';

const card = { number: '4242424242424242' };

const settingsFor = ({ url }: Pick<Collector, 'url'>, more: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  ...more,
});

const linesOf = (log: string): Json[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json);

describe('a journey', () => {
  const order = orderOf({ email: 'grace.hopper@example.com', firstName: 'Grace', lastName: 'Hopper' });
  let collector: Collector;
  let receiver: Receiver;
  let box: TestSmtpServer;
  let spans: CollectedSpan[];
  let lines: Json[];
  let endpointId: string;
  const secrets: string[] = [];

  before(async () => {
    [collector, receiver, box] = await Promise.all([startCollector(), startReceiver(), openSmtpServer()]);
    const mail = { SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example.com' };
    const settings = {
      ...{ ...loopbackSettings, ...settingsFor(collector), ...mail },
      OTEL_SERVICE_NAME: 'shop-pay',
    };
    const paylink = await startPaylink('server', { settings });
    const credentials = await logIn(paylink);
    const hook = { url: receiver.at('secret-path') };
    ({ id: endpointId } = await createTestEndpoint(paylink, credentials, hook));
    const { link, code } = await createLinkAs(paylink, credentials, order);
    await payWith(link, card);
    await until(
      () => receiver.received.some(({ body }) => body.includes('"payment.paid"')),
      'the webhook of the payment',
    );
    await box.waitFor(String(order.email));
    const many = Array.from({ length: 12 }, async () => await createLinkAs(paylink, credentials));
    const links = await Promise.all(many);
    for (const probe of ['healthz', 'readyz']) await fetch(`${paylink.baseUrl}/${probe}`);
    await fetch(`${paylink.baseUrl}/nothing?email=ada@example.com`);
    await paylink.stop();
    spans = collector.spans();
    lines = linesOf(paylink.log());
    const { email } = paylink.merchant;
    const { token, apiKey } = credentials;
    const ofOrder = [order.email, order.phone, order.customerOrderId].map(String);
    secrets.push(code, ...links.map((one) => one.code), ...ofOrder, email, token, apiKey, password);
  });
  after(async () => {
    await receiver.close();
    await collector.close();
    await box.stop();
  });

  const byId = (id: unknown) => spans.find(({ spanId }) => spanId === id);
  const named = (name: string) => spans.filter((span) => span.name === name);

  test('each request has one server span, and its log line has the IDs of the span', () => {
    const answered = lines.filter(({ msg }) => msg === 'answered');
    assert.ok(answered.length > 10);
    for (const { traceId, spanId, method, route, status } of answered) {
      const span = byId(spanId);
      assert.ok(span, `the span of ${method} ${route}`);
      assert.deepEqual([span.traceId, span.kind, span.parentSpanId ?? ''], [traceId, 2, '']);
      assert.equal(span.attributes['http.response.status_code'], status);
      assert.equal(span.attributes['http.request.method'], method);
      assert.equal(span.attributes['url.scheme'], 'http');
      assert.equal(span.attributes['server.address'], '127.0.0.1');
      const shown = span.attributes['http.route'];
      assert.equal(span.name, shown === undefined ? method : `${method} ${shown}`);
      if (shown !== undefined) assert.equal(shown, route);
    }
    const ofRequests = spans.filter(({ kind }) => kind === 2);
    assert.equal(ofRequests.length, answered.length, 'probes have no span');
    assert.ok(named('POST /v1/payment/process').length > 12);
    assert.ok(ofRequests.some(({ name }) => /^GET \/pay\/:/.test(name)));
    assert.ok(ofRequests.some(({ name }) => /^POST \/pay\/:/.test(name)));
  });

  test('the span of each statement and call is part of the request or run that made it', () => {
    for (const span of spans) {
      if ((span.parentSpanId ?? '') === '') continue;
      assert.equal(byId(span.parentSpanId)?.traceId, span.traceId, span.name);
    }
    const roots = spans.filter(({ parentSpanId }) => (parentSpanId ?? '') === '');
    const strays = roots.filter(({ kind, attributes }) => kind !== 2 && !attributes['paylink.work.kind']);
    assert.deepEqual(
      strays.map(({ name }) => name),
      [],
    );
    const statementsOf = (name: RegExp) => {
      const traces = new Set(spans.filter((span) => name.test(span.name)).map(({ traceId }) => traceId));
      return spans.filter(({ traceId, attributes }) => traces.has(traceId) && attributes['db.system.name']);
    };
    const created = statementsOf(/^POST \/v1\/payment\/process$/).map(({ name }) => name);
    for (const name of ['BEGIN', 'INSERT payments', 'COMMIT']) assert.ok(created.includes(name), name);
    for (const route of [/^POST \/v1\/auth\/login$/, /^GET \/pay\/:/, /^POST \/pay\/:/])
      assert.ok(statementsOf(route).length > 0, String(route));
  });

  test('a delivery is a run of due work, whose call names the endpoint and not its address', () => {
    const calls = spans.filter(({ attributes }) => attributes['paylink.webhook_endpoint.id'] === endpointId);
    assert.ok(calls.length > 0);
    for (const { kind, parentSpanId, attributes } of calls) {
      assert.equal(kind, 3);
      assert.deepEqual(attributes, {
        'http.request.method': 'POST',
        'http.response.status_code': 204,
        'paylink.webhook_endpoint.id': endpointId,
      });
      assert.equal(byId(parentSpanId)?.attributes['paylink.work.kind'], 'webhooks');
    }
    for (const { headers } of receiver.received)
      assert.deepEqual(
        Object.keys(headers).filter((name) => /^trace|^baggage/.test(name)),
        [],
      );
  });

  test('an email is a part of the run that sends it, and names the mail server alone', () => {
    const [sent] = named('send email');
    assert.ok(sent);
    assert.equal(byId(sent.parentSpanId)?.name, 'emails');
    assert.deepEqual(sent.attributes, { 'server.address': '127.0.0.1', 'server.port': box.port });
  });

  test('the work of a batch is part of one request, and is linked with the others', () => {
    const batches = named('batch').filter(({ links }) => links.length > 0);
    const waits = named('wait for batch');
    assert.ok(batches.length > 0);
    const linked = batches.flatMap(({ links }) => links.map(({ spanId }) => spanId));
    assert.deepEqual(linked.sort(), waits.map(({ parentSpanId }) => parentSpanId).sort());
    for (const { links } of waits) assert.equal(byId(links[0]?.spanId)?.name, 'batch');
    assert.ok(spans.some(({ parentSpanId }) => byId(parentSpanId)?.name === 'batch'));
  });

  test('no byte that is sent has card data, personal data, a secret, or the code of a link', () => {
    const sent = collector.posts.map(
      ({ body, path, headers }) => `${path} ${JSON.stringify(headers)} ${body}`,
    );
    const all = sent.join('\n');
    refuseCardData('a trace', all);
    for (const secret of secrets) assert.ok(!all.includes(secret), secret);
    for (const word of ['Grace', 'Hopper', 'Lovelace', 'secret-path', 'ada@', 'shop.example', 'Café'])
      assert.ok(!all.includes(word), word);
    assert.ok(!/\b(?:select|from|where) |\$1/.test(all), 'the text of a statement');
  });

  test('the metrics are those of the conventions, with few attributes', () => {
    const metrics = collector.metrics();
    const keysOf = (name: string) =>
      [...new Set(metrics.get(name)?.flatMap((point) => Object.keys(point)))].sort();
    assert.deepEqual(keysOf('http.server.request.duration'), [
      ...['http.request.method', 'http.response.status_code', 'http.route', 'url.scheme'],
    ]);
    assert.deepEqual(keysOf('paylink.work.run.duration'), ['paylink.work.kind', 'paylink.work.result']);
    assert.deepEqual(keysOf('db.client.connection.count'), [
      ...['db.client.connection.pool.name', 'db.client.connection.state'],
    ]);
    for (const name of ['db.client.connection.max', 'db.client.connection.pending_requests'])
      assert.deepEqual(keysOf(name), ['db.client.connection.pool.name'], name);
    assert.equal(metrics.size, 5);
  });

  test('the service is named by the settings, and their headers are sent', () => {
    const { resource } = spans[0] as CollectedSpan;
    assert.equal(resource['service.name'], 'shop-pay');
    assert.equal(resource['deployment.environment.name'], 'trial');
    assert.match(String(resource['service.version']), /^\d+\.\d+\.\d+/);
    assert.ok(String(resource['service.instance.id']).length > 20);
    for (const { headers } of collector.posts) assert.equal(headers['x-tenant'], 'seven');
  });
});

describe('sampling', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parent = '00f067aa0ba902b7';

  /** What arrives when the same requests are sent under these settings. */
  async function sample(more: Record<string, string>) {
    const collector = await startCollector();
    try {
      const paylink = await startPaylink('server', { settings: settingsFor(collector, more) });
      for (const flags of ['01', '00'])
        await fetch(`${paylink.baseUrl}/v1/payments`, {
          headers: { traceparent: `00-${trace}-${parent}-${flags}` },
        });
      await visit(`${paylink.baseUrl}/pay/unknown`);
      await paylink.stop();
      const spans = collector.spans();
      const ofRequests = spans.filter(({ kind }) => kind === 2);
      return { paths: collector.posts.map(({ path }) => path), spans, ofRequests, log: paylink.log() };
    } finally {
      await collector.close();
    }
  }

  test('without sampling no trace is sent, and the log still has the IDs', async () => {
    const { paths, log } = await sample({ OTEL_TRACES_SAMPLER: 'always_off' });
    assert.deepEqual([...new Set(paths)], ['/v1/metrics']);
    const answered = linesOf(log).filter(({ msg }) => msg === 'answered');
    assert.ok(answered.length >= 3);
    for (const { traceId, spanId } of answered) {
      assert.match(String(traceId), /^[0-9a-f]{32}$/);
      assert.match(String(spanId), /^[0-9a-f]{16}$/);
    }
  });

  test('the traceparent of a trusted proxy is continued, and its decision not to record is kept', async () => {
    const { ofRequests } = await sample({ TRUSTED_PROXIES: 'loopback' });
    const continued = ofRequests.filter(({ traceId }) => traceId === trace);
    assert.deepEqual(
      continued.map(({ parentSpanId, name }) => [parentSpanId, name]),
      [[parent, 'GET /v1/payments']],
    );
    assert.equal(ofRequests.length, 2);
  });

  test('the traceparent of a stranger is ignored', async () => {
    const { ofRequests, spans, log } = await sample({});
    assert.equal(ofRequests.length, 3);
    assert.ok(spans.every(({ traceId, parentSpanId }) => traceId !== trace && parentSpanId !== parent));
    assert.ok(!log.includes(trace));
  });

  test('the sampler of a share records that share', async () => {
    const share = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    assert.deepEqual((await sample(share)).spans, []);
  });
});

describe('a collector that fails', () => {
  const unreachable = async () => ({
    url: `http://127.0.0.1:${await freePort()}`,
    close: async () => undefined,
  });
  const answering = (status: number) => async () => {
    const collector = await startCollector();
    collector.behave((response) => void response.writeHead(status, { 'retry-after': '1' }).end('{"a":1}'));
    return collector;
  };
  const silent = async () => {
    const collector = await startCollector();
    collector.behave(() => undefined);
    return collector;
  };
  // Until then the SDK repeats what it may repeat, and only then it reports the failure.
  const repeatsWithinMs = '3000';
  const faults: [string, () => Promise<Pick<Collector, 'url' | 'close'>>, RegExp, string][] = [
    ['is down', unreachable, /the connection failed \(ECONNREFUSED\)/, repeatsWithinMs],
    ['answers 500', answering(500), /it answered with status 500/, patientMs],
    ['answers 429', answering(429), /it answered that it takes nothing now/, repeatsWithinMs],
    ['does not answer', silent, /it did not answer in time/, '500'],
  ];
  for (const [what, open, reason, timeoutMs] of faults)
    test(`payments go on while the collector ${what}, and the log has one line about it`, async () => {
      const collector = await open();
      process.env.OTEL_EXPORTER_OTLP_TIMEOUT = timeoutMs;
      try {
        const settings = { ...settingsFor(collector), OTEL_METRIC_EXPORT_INTERVAL: '300' };
        const paylink = await startPaylink('server', { settings });
        const credentials = await logIn(paylink);
        const { link } = await createLinkAs(paylink, credentials);
        await payWith(link, card);
        const warnings = () => linesOf(paylink.log()).filter(({ msg }) => String(msg).includes(' took no '));
        await until(() => warnings().length > 0, 'the warning');
        const order = orderOf();
        for (const _ of [1, 2, 3])
          assert.equal((await processPayment(paylink, credentials, order)).status, 200);
        const startedAt = performance.now();
        await paylink.app.deps.tracing.close();
        assert.ok(performance.now() - startedAt < 5_000);
        await paylink.stop();
        const [line, ...others] = warnings();
        assert.deepEqual(others, []);
        assert.equal(line?.level, 'warn');
        assert.match(String(line?.msg), reason);
        assert.match(String(line?.msg), /^The OpenTelemetry collector at 127\.0\.0\.1:\d+ took no /);
      } finally {
        process.env.OTEL_EXPORTER_OTLP_TIMEOUT = patientMs;
        await collector.close();
      }
    });
});

test('a protocol that is not supported gives one sentence, and payments go on without traces', async () => {
  const collector = await startCollector();
  const settings = settingsFor(collector, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  const paylink = await startPaylink('server', { settings });
  await createLinkAs(paylink, await logIn(paylink));
  await paylink.stop();
  const warnings = linesOf(paylink.log()).filter(({ level }) => level === 'warn');
  assert.deepEqual(
    warnings.map(({ msg }) => msg),
    [
      'Traces and metrics are not exported: OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json, not "grpc".',
    ],
  );
  assert.deepEqual(collector.posts, []);
  await collector.close();
});

test('by default both signals are sent as protobuf', async () => {
  const collector = await startCollector();
  const paylink = await startPaylink('server', {
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const { code } = await createLinkAs(paylink, await logIn(paylink));
  await paylink.stop();
  await collector.close();
  const of = (path: string) => collector.posts.filter((post) => post.path === path);
  for (const [path, word] of [
    ['/v1/traces', 'POST /v1/payment/process'],
    ['/v1/metrics', 'http.server.request.duration'],
  ] as const) {
    const bodies = of(path).map(({ headers, body }) => {
      assert.equal(headers['content-type'], 'application/x-protobuf');
      return body.toString('latin1');
    });
    assert.ok(bodies.join('').includes(word), path);
    assert.ok(!bodies.join('').includes(code));
  }
});
