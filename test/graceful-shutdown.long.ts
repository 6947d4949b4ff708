// A stop as clients and a proxy see it, from the signal to the end of the process.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assetPaths } from '../src/checkout/assets.ts';
import { type Credentials, credentialHeaders, logIn, orderOf } from './harness/client.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { password } from './harness/paylink.ts';
import {
  createProcessGroup,
  endOf,
  type ServiceProcess,
  type StartOptions,
  until,
} from './harness/process.ts';
import { exchangeBytes, type RawAnswer } from './harness/raw-http.ts';

const stage = createProcessGroup();
const drops: (() => Promise<void>)[] = [];
after(async () => {
  await stage.clear();
  for (const drop of drops) await drop();
});

const email = 'owner@example.com';

/** Longer than any test waits. */
const endless = '300';

async function start(
  drainSeconds: string,
  through: StartOptions['through'] = 'server',
): Promise<ServiceProcess> {
  const database = await createFromTemplate();
  drops.push(database.drop);
  const settings = {
    DATABASE_URL: database.url,
    PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_EMAIL: email,
    BOOTSTRAP_PASSWORD: password,
    DRAIN_SECONDS: drainSeconds,
  };
  const run = await stage.start({ through, settings });
  await run.ready();
  return run;
}

const logInAt = (run: ServiceProcess): Promise<Credentials> =>
  logIn({ baseUrl: run.url, merchant: { email, companyId: '', accountId: '' } });

type RawRequestParts = { method?: string; target: string; headers?: Record<string, string>; body?: string };

/** A request with keep-alive. */
function bytesOf({ method = 'GET', target, headers = {}, body }: RawRequestParts): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: 'pay.example', ...headers, ...length });
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n${body ?? ''}`;
}

/** The response on a connection, once the process has closed it. */
const ask = async (run: ServiceProcess, asked: RawRequestParts): Promise<RawAnswer> =>
  await exchangeBytes(run.port, bytesOf(asked));

async function openConnection(run: ServiceProcess) {
  const socket = connect(run.port, '127.0.0.1');
  const state = { text: '', isClosed: false };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    state.text += chunk;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => (state.isClosed = true));
  await until(() => !socket.connecting, 'the connection to be open');
  return {
    send: (asked: RawRequestParts) => void socket.write(bytesOf(asked)),
    received: async (pattern: RegExp) => await until(() => pattern.test(state.text), `${pattern}`),
    closed: async () => {
      await until(() => state.isClosed, 'the connection to be closed');
      return state.text;
    },
  };
}

async function isRefused(run: ServiceProcess): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(run.port, '127.0.0.1');
  socket.on('connect', () => resolve(false));
  socket.on('error', () => resolve(true));
  const answer = await promise;
  socket.destroy();
  return answer;
}

async function untilDraining(run: ServiceProcess): Promise<void> {
  await until(async () => (await fetch(`${run.url}/readyz`)).status === 503, 'the process to drain');
}

describe('a process that drains', () => {
  let run: ServiceProcess;
  let credentials: Credentials;
  let kept: Awaited<ReturnType<typeof openConnection>>;
  let polling: Promise<Response>;
  before(async () => {
    run = await start(endless);
    credentials = await logInAt(run);
    kept = await openConnection(run);
    kept.send({ target: '/healthz' });
    await kept.received(/connection: keep-alive[\s\S]*"ok"/i);
    polling = fetch(`${run.url}/v1/events?after=latest&wait=20`, { headers: credentialHeaders(credentials) });
    // The process has received the waiting request when it responds to a later one.
    await fetch(`${run.url}/v1/events?after=latest`, { headers: credentialHeaders(credentials) });
    run.kill('SIGTERM');
    await untilDraining(run);
  });

  test('is live but not ready', async () => {
    const answer = await ask(run, { target: '/readyz' });
    assert.deepEqual([answer.status, JSON.parse(answer.text).code], [503, 'unavailable']);
    assert.match(answer.text, /The process is stopping/);
    assert.equal((await ask(run, { target: '/healthz' })).status, 200);
  });

  test('responds early to requests that wait in the feed', async () => {
    const startedAt = performance.now();
    assert.equal((await polling).status, 200);
    assert.ok(performance.now() - startedAt < 15_000, 'the answer came when its time was up');
  });

  test('responds on a kept connection and closes it', async () => {
    kept.send({ target: '/healthz' });
    const text = await kept.closed();
    assert.equal(text.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 2, text);
    assert.match(text, /connection: close\r\n[\s\S]*$/i);
  });

  test('serves new connections and closes each after its response', async () => {
    const own = credentialHeaders(credentials);
    const json = { 'content-type': 'application/json', ...own };
    const asked: [number, RawRequestParts][] = [
      [
        200,
        { method: 'POST', target: '/v1/payment/process', headers: json, body: JSON.stringify(orderOf()) },
      ],
      [200, { target: '/v1/payments', headers: own }],
      [200, { target: '/v1/events?after=latest&wait=20', headers: own }],
      [200, { target: '/v1/exports/payments', headers: own }],
      [200, { target: assetPaths().css }],
      [200, { target: '/dashboard' }],
      [200, { method: 'HEAD', target: '/healthz' }],
      [400, { method: 'POST', target: '/v1/payment/process', headers: json, body: '{' }],
      [401, { target: '/v1/payments' }],
      [404, { target: '/nowhere' }],
      [404, { target: '/pay/000000000000000000000000000000' }],
      [405, { method: 'DELETE', target: '/healthz' }],
      [400, { target: '/%' }],
      [400, { target: '/healthz', headers: { Host: 'two words' } }],
      [431, { target: `/healthz?${'x'.repeat(20_000)}` }],
    ];
    for (const [status, request] of asked) {
      const what = `${request.method ?? 'GET'} ${request.target.slice(0, 60)}`;
      const answer = await ask(run, request);
      assert.deepEqual([answer.status, answer.headers.connection], [status, 'close'], what);
    }
  });

  test('ends at once, in order, when a SIGINT follows', async () => {
    assert.equal(run.hasEnded(), false);
    run.kill('SIGINT');
    assert.deepEqual(await endOf(run), { code: 0, signal: null });
    assert.match(run.stdout(), /"msg":"stopped"/);
  });
});

test('a SIGTERM ends a process after DRAIN_SECONDS', async () => {
  const run = await start('2');
  const startedAt = performance.now();
  run.kill('SIGTERM');
  assert.deepEqual(await endOf(run), { code: 0, signal: null });
  assert.ok(performance.now() - startedAt >= 2_000);
});

for (const through of ['server', 'launcher'] as const)
  test(`a Ctrl-C does not wait for DRAIN_SECONDS: ${through}`, async () => {
    const run = await start(endless, through);
    run.kill('SIGINT');
    assert.deepEqual(await endOf(run), { code: 0, signal: null });
    assert.match(run.stdout(), /"msg":"stopped"/);
  });

test('the launcher lets its server drain, and a second signal 2 s later ends that', async () => {
  const run = await start(endless, 'launcher');
  run.kill('SIGTERM');
  await untilDraining(run);
  await sleep(2_100);
  assert.equal(run.hasEnded(), false);
  run.kill('SIGTERM');
  assert.deepEqual(await endOf(run), { code: 0, signal: null });
  assert.match(run.stdout(), /"msg":"stopped"/);
});

/**
 * The responses to requests on connections that were opened before the listener closed; null if the requests were sent
 * so late that the process may have closed a connection that sent nothing for 2 s.
 */
async function sendAfterClosing(): Promise<string[] | null> {
  const run = await start('0');
  const openedAt = performance.now();
  const young = await Promise.all(Array.from({ length: 20 }, () => openConnection(run)));
  // The connections are accepted when a request on a later one gets its response.
  assert.equal((await ask(run, { target: '/healthz', headers: { Connection: 'close' } })).status, 200);
  run.kill('SIGTERM');
  await until(async () => await isRefused(run), 'the listener to be closed');
  for (const connection of young) connection.send({ target: '/healthz' });
  const isInTime = performance.now() - openedAt < 1_800;
  const answers = await Promise.all(young.map(async (connection) => await connection.closed()));
  assert.deepEqual(await endOf(run), { code: 0, signal: null });
  return isInTime ? answers : null;
}

test('a request on a new connection gets its response after the listener has closed', async () => {
  let answers = await sendAfterClosing();
  while (answers === null) answers = await sendAfterClosing();
  assert.equal(answers.length, 20);
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
});
