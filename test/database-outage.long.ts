// A database that hangs, disappears and returns, or becomes read-only, under a running service.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Processor } from '../src/processors/processor.ts';
import { onlyProcessor } from './acquirer/acquirer-processor.ts';
import { openTcpProxy, type TcpProxy } from './faults/tcp-proxy.ts';
import { type Credentials, createLinkAs, credentialHeaders, logIn, orderOf } from './harness/client.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { runSql } from './harness/run-sql.ts';
import { testDatabaseUrl } from './harness/services.ts';
import { fillCard, visit } from './harness/visitor.ts';

/** Above the 5 s of a response, below the 15 s of a statement. */
const guardMs = 12_000;

type OutageFixture = {
  paylink: Paylink;
  credentials: Credentials;
  proxy: TcpProxy;
  /** A direct connection that bypasses the proxy. */
  direct: pg.Client;
  close(): Promise<void>;
};

async function openPlace(processor?: Processor): Promise<OutageFixture> {
  const database = await createFromTemplate();
  const url = new URL(database.url);
  const proxy = await openTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const paylink = await startPaylink('server', {
    settings: { DATABASE_URL: url.href, DATABASE_POOL_SIZE: '5' },
    workTimings: { pollMs: 200 },
    isSearched: false,
    ...(processor ? { processors: () => onlyProcessor(processor) } : {}),
  });
  const direct = new pg.Client({ connectionString: database.url });
  await direct.connect();
  const close = async () => {
    // Connections that still wait for the silent server are cut, so that nothing waits for a timeout.
    await proxy.breakDown({ kind: 'cut' });
    await proxy.heal();
    await direct.end();
    await paylink.stop();
    await proxy.close();
    await database.drop();
  };
  return { paylink, credentials: await logIn(paylink), proxy, direct, close };
}

const lines = ({ paylink }: OutageFixture) =>
  paylink
    .log()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { level: string; msg: string; err?: { message: string } });

const count = (place: OutageFixture, message: RegExp) =>
  lines(place).filter(({ msg }) => message.test(msg)).length;
const outages = (place: OutageFixture) => [
  count(place, /^the database is unavailable/),
  count(place, /^the database is back/),
];
const troubles = (place: OutageFixture) =>
  lines(place).flatMap(({ level, msg }) => (level === 'error' || level === 'warn' ? [msg] : []));

/** Fails if the response takes too long. */
async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(guardMs), ...init });
}

const posted = (body: object, headers: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

function callsOf({ paylink, credentials }: OutageFixture, link: string): Promise<Response>[] {
  const { baseUrl, merchant } = paylink;
  const headers = credentialHeaders(credentials);
  return [
    ask(`${baseUrl}/readyz`),
    ask(link),
    ask(`${link}/wait`),
    ask(`${baseUrl}/v1/auth/login`, posted({ email: merchant.email, password }, {})),
    ask(`${baseUrl}/v1/payment/process`, posted(orderOf(), headers)),
    ask(`${baseUrl}/v1/payment/process`, posted(orderOf(), { ...headers, 'idempotency-key': 'one-key' })),
    ask(`${baseUrl}/v1/payments`, { headers }),
    ask(`${baseUrl}/v1/events`, { headers }),
    ask(`${baseUrl}/v1/payment/process`, posted(orderOf(), { 'x-api-key': 'wrong' })),
  ];
}

/** The allowed responses without a database: 503, or invalid credentials. */
function checkRefused({ status, headers, url }: Response): void {
  if (status !== 401) assert.deepEqual([status, headers.has('retry-after')], [503, true], url);
}

describe('temporary database outages', { concurrency: false }, () => {
  let place: OutageFixture;
  let link: string;
  before(async () => {
    place = await openPlace();
    link = (await createLinkAs(place.paylink, place.credentials)).link;
  });
  after(async () => await place.close());

  test('while the database hangs, every page and call gets a 503 with Retry-After in bounded time', async () => {
    await place.proxy.breakDown({ kind: 'half-open', loses: 'both' });
    // More calls than connections: those that wait for a connection must be answered just as soon.
    for (const answer of await Promise.all([...callsOf(place, link), ...callsOf(place, link)]))
      checkRefused(answer);
  });

  test('the page tells the customer in their language that nothing was charged or that we are checking', async () => {
    const german = { headers: { 'accept-language': 'de' } };
    const [page, waiting] = await Promise.all([ask(link, german), ask(`${link}/wait`, german)]);
    const [text, waitingText] = [await page.text(), await waiting.text()];
    assert.match(text, /Bei diesem Schritt wurde nichts abgebucht.*Warten Sie eine Minute/s);
    assert.match(waitingText, /Wir prüfen Ihre Zahlung.*Bezahlen Sie nicht noch einmal/s);
    assert.doesNotMatch(waitingText, /nichts abgebucht/);
    assert.match(await (await ask(link)).text(), /You were not charged in this step.*Wait a minute/s);
  });

  test('one line reports the beginning and one the end, with all workers running, however many calls fail', async () => {
    await sleep(2_000);
    assert.deepEqual(outages(place), [1, 0]);
    await place.proxy.heal();
    await until(async () => (await ask(`${place.paylink.baseUrl}/readyz`)).status === 200, 'it to be ready');
    await until(async () => outages(place)[1] === 1, 'the end of the outage to be reported');
    await createLinkAs(place.paylink, place.credentials);
    assert.deepEqual(troubles(place), ['the database is unavailable']);
    const ended = lines(place).find(({ msg }) => msg.startsWith('the database is back'));
    assert.ok(ended && 'tookMs' in ended && 'count' in ended && Number(ended.count) > 10);
  });

  test('the same holds while the server is gone, and the outage is reported once', async () => {
    await place.proxy.breakDown({ kind: 'cut' });
    for (const answer of await Promise.all(callsOf(place, link))) checkRefused(answer);
    await sleep(1_500);
    await place.proxy.heal();
    await until(async () => outages(place)[1] === 2, 'the end of the outage to be reported');
    await createLinkAs(place.paylink, place.credentials);
    assert.deepEqual(outages(place), [2, 2]);
    assert.deepEqual(troubles(place), ['the database is unavailable', 'the database is unavailable']);
  });

  test('a server that lets nobody into the database any more is an outage as well', async () => {
    const { paylink, direct, credentials } = place;
    const name = pg.escapeIdentifier(direct.database ?? '');
    const before = outages(place);
    // A database cannot disallow connections to itself.
    const allow = async (isAllowed: boolean) =>
      await runSql(testDatabaseUrl(), `alter database ${name} allow_connections ${isAllowed}`);
    await allow(false);
    await direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paylink' and datname = current_database()`,
    );
    await sleep(1_500);
    for (const answer of await Promise.all(callsOf(place, link))) checkRefused(answer);
    assert.equal((await ask(`${paylink.baseUrl}/readyz`)).status, 503);
    await allow(true);
    await until(async () => (await ask(`${paylink.baseUrl}/readyz`)).status === 200, 'it to be ready');
    await createLinkAs(paylink, credentials);
    await until(async () => outages(place)[1] === (before[1] ?? 0) + 1, 'the end to be reported');
    assert.ok(troubles(place).every((text) => text === 'the database is unavailable'));
  });

  test('with a read-only database the service is not ready, rejects writes with 503, and keeps no connection to it', async () => {
    const { paylink, direct, credentials } = place;
    const name = pg.escapeIdentifier(direct.database ?? '');
    const pids = async () => {
      const { rows } = await direct.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'paylink' and datname = current_database()`,
      );
      return rows.map(({ pid }) => pid);
    };
    // safe: the name is ours, and quoted.
    await direct.query(`alter database ${name} set default_transaction_read_only = on`);
    await direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paylink' and datname = current_database()`,
    );
    const create = async () =>
      await ask(`${paylink.baseUrl}/v1/payment/process`, posted(orderOf(), credentialHeaders(credentials)));
    const saysSo = async () => {
      const ready = await ask(`${paylink.baseUrl}/readyz`);
      return ready.status === 503 && /takes no writes/.test(await ready.text());
    };
    // The first check may still meet a connection that was terminated.
    await until(saysSo, 'it to say that the database takes no writes');
    checkRefused(await create());
    const readOnly = await pids();
    await direct.query('set default_transaction_read_only = off');
    // safe: the name is ours, and quoted.
    await direct.query(`alter database ${name} reset default_transaction_read_only`);
    // Connections that were opened while the database was read-only stay read-only.
    await until(async () => (await create()).status === 200, 'an order to be taken');
    for (let made = 0; made < 20; made++) assert.equal((await create()).status, 200);
    assert.equal((await ask(`${paylink.baseUrl}/readyz`)).status, 200);
    await until(async () => (await pids()).every((pid) => !readOnly.includes(pid)), 'old connections to end');
  });
});

test('a customer who was paying when the database stopped responding sees that the payment is being checked', async () => {
  let place: OutageFixture | undefined;
  const processor = {
    name: 'acquirer',
    refuseCard: () => null,
    authorise: async ({ attemptId, amountMinor, currency }) => {
      await place?.proxy.breakDown({ kind: 'half-open', loses: 'both' });
      return { kind: 'succeeded', reference: attemptId, amountMinor, currency, isLastOfIt: true };
    },
    query: async () => null,
  } as Partial<Processor> as Processor;
  place = await openPlace(processor);
  try {
    const { link } = await createLinkAs(place.paylink, place.credentials);
    const { action, body } = fillCard(await visit(link), { number: '4242424242424242' });
    const answer = await ask(action, { method: 'POST', body });
    assert.deepEqual([answer.status, answer.headers.has('retry-after')], [503, true]);
    const text = await answer.text();
    assert.match(text, /checking with your bank.*Do not pay again/s);
    assert.doesNotMatch(text, /not (been )?charged/);
  } finally {
    await place.close();
  }
});

test('a call that times out on a locked row releases its Idempotency-Key, and a retry runs at once', async () => {
  const place = await openPlace();
  try {
    const { paylink, credentials, direct } = place;
    const { code } = await createLinkAs(paylink, credentials);
    const cancel = async () => {
      const startedAt = performance.now();
      const headers = { ...credentialHeaders(credentials), 'idempotency-key': 'one-key' };
      const answer = await ask(`${paylink.baseUrl}/v1/payments/${code}/cancel`, posted({}, headers));
      return { answer, tookMs: performance.now() - startedAt };
    };
    await direct.query('begin');
    const locked = await direct.query('select 1 from payments where code = $1 for update', [code]);
    assert.equal(locked.rowCount, 1);
    const { answer: refused, tookMs } = await cancel();
    checkRefused(refused);
    assert.ok(tookMs >= 3_500, `the time was spent: ${tookMs} ms`);
    await direct.query('rollback');
    const { answer } = await cancel();
    assert.equal(answer.status, 200, await answer.text());
  } finally {
    await place.close();
  }
});
