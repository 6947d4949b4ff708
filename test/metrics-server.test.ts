// The listener of metrics: its port, its token, what it answers while the database is down, and when it stops.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { describeStartupError } from '../src/startup-error.ts';
import { openTcpProxy } from './faults/tcp-proxy.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { metricsPlace, sampleOf } from './harness/metrics.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { root, until } from './harness/process.ts';

const token = 'k7rXw2Qp9LmZ4vTn';
const statusOf = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status;

async function withPaylink(
  settings: Record<string, string>,
  work: (paylink: Paylink) => Promise<void>,
): Promise<void> {
  const paylink = await startPaylink('server', { settings, isSearched: false });
  try {
    await work(paylink);
  } finally {
    await paylink.stop();
  }
}

test('a scrape needs the token, if there is one', async () => {
  const place = await metricsPlace({ METRICS_TOKEN: token });
  await withPaylink(place.settings, async () => {
    const refused = await fetch(place.url);
    assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer']);
    assert.doesNotMatch(await refused.text(), /paylink_/);
    for (const authorization of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Basic ${token}`])
      assert.equal(await statusOf(place.url, { headers: { authorization } }), 401, authorization);
    await place.scrape({ authorization: `Bearer ${token}` });
    await place.scrape({ authorization: `bearer ${token}` });
  });
});

test('only GET /metrics is answered, on a port of its own', async () => {
  const place = await metricsPlace();
  await withPaylink(place.settings, async (paylink) => {
    assert.equal(await statusOf(new URL('/', place.url).href), 404);
    assert.equal(await statusOf(new URL('/metrics/x', place.url).href), 404);
    assert.equal(await statusOf(new URL('/v1/payments', place.url).href), 404);
    const posted = await fetch(place.url, { method: 'POST', body: 'x' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET']);
    assert.equal(await statusOf(`${place.url}?name=x`), 200);
    assert.equal(await statusOf(`${paylink.baseUrl}/metrics`), 404);
  });
  await assert.rejects(fetch(place.url), 'it stops with the service');
});

test('metrics are served until requests and work have ended', async () => {
  const place = await metricsPlace();
  const paylink = await startPaylink('server', { settings: place.settings, isSearched: false });
  paylink.app.drain();
  await place.scrape();
  const ended = Promise.withResolvers<void>();
  const { stop } = paylink.app.work;
  paylink.app.work.stop = async () => {
    await place.scrape();
    await stop();
    ended.resolve();
  };
  await paylink.stop();
  await ended.promise;
});

describe('without the database', () => {
  for (const fault of [{ kind: 'cut' }, { kind: 'half-open', loses: 'both' }] as const)
    test(`a scrape answers within 9 s with the metrics of the process (${fault.kind})`, async () => {
      const database = await createFromTemplate();
      const url = new URL(database.url);
      const proxy = await openTcpProxy(Number(url.port));
      url.port = String(proxy.port);
      const place = await metricsPlace();
      const settings = { ...place.settings, DATABASE_URL: url.href };
      const paylink = await startPaylink('server', { settings, isSearched: false });
      try {
        assert.equal(sampleOf(await place.scrape(), 'paylink_database_up'), 1);
        await proxy.breakDown(fault);
        const startedAt = performance.now();
        const scraped = await place.scrape();
        // It waits 4 s for the database, and Prometheus 10 s for it.
        assert.ok(performance.now() - startedAt < 9_000, `${performance.now() - startedAt} ms`);
        assert.equal(sampleOf(scraped, 'paylink_database_up'), 0);
        assert.equal(sampleOf(scraped, 'paylink_attempts_unknown', { mode: 'test' }), null);
        assert.equal(sampleOf(scraped, 'paylink_payments_total', { mode: 'test', status: 'paid' }), 0);
        await proxy.breakDown({ kind: 'cut' });
        await proxy.heal();
        await until(async () => {
          const later = await place.scrape();
          return (
            sampleOf(later, 'paylink_database_up') === 1 &&
            sampleOf(later, 'paylink_attempts_unknown', { mode: 'test' }) === 0
          );
        }, 'the status of the database that is up again');
      } finally {
        await proxy.breakDown({ kind: 'cut' });
        await proxy.heal();
        await paylink.stop();
        await proxy.close();
        await database.drop();
      }
    });
});

test('a port that is in use is one sentence at start that names the setting', async () => {
  const place = await metricsPlace();
  const port = Number(new URL(place.url).port);
  const other = createServer().listen(port, '127.0.0.1');
  const paylink = await startPaylink('server', {
    ...{ settings: place.settings, isSearched: false, isAtWork: false },
  });
  try {
    const error = await paylink.app.listen().catch((refused: unknown) => refused);
    assert.equal(
      describeStartupError(error, paylink.app.deps.config),
      `Port ${port} on 127.0.0.1 is in use by another program: stop that program, or set METRICS_PORT to a free port.`,
    );
  } finally {
    other.close();
    await paylink.stop();
  }
});

test('without the setting the metrics library is not loaded, and with it, it is', () => {
  const listing = `
    import { registerHooks } from 'node:module';
    const files = new Set();
    registerHooks({ load: (url, context, next) => { files.add(url); return next(url, context); } });
    process.on('exit', () => console.log([...files].some((url) => url.includes('/prom-client/'))));`;
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const isLoadedBy = (code: string) =>
    execFileSync(process.execPath, ['--import', hook, '-e', code], { encoding: 'utf8' }).trim();
  assert.equal(isLoadedBy(`import('${root}src/app.ts')`), 'false');
  const opening = `import('${root}src/metrics/recorder.ts').then((it) => it.openRecorder(console))`;
  assert.equal(isLoadedBy(opening), 'true');
});
