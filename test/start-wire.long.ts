// The running process over the network: malformed bytes, slow clients, stops during requests, and the log.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { loggedFields } from '../src/telemetry.ts';
import { credentialHeaders, orderOf, post } from './harness/client.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { refuseCardData, testCsc } from './harness/paylink.ts';
import { createProcessGroup, endOf, type ServiceProcess, stopRun, until } from './harness/process.ts';
import { fillCard, payWith, visit } from './harness/visitor.ts';

const stage = createProcessGroup();
const drops: (() => Promise<void>)[] = [];
after(async () => {
  await stage.clear();
  for (const drop of drops) await drop();
});

const account = { email: 'owner@example.com', password: 'only for this test 1' };

async function startOnServer(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const database = await createFromTemplate();
  drops.push(database.drop);
  const run = await stage.start({
    through: 'server',
    settings: {
      DATABASE_URL: database.url,
      PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_EMAIL: account.email,
      BOOTSTRAP_PASSWORD: account.password,
      ...settings,
    },
  });
  await run.ready();
  return run;
}

function open(run: ServiceProcess) {
  const socket = connect(run.port, '127.0.0.1');
  let text = '';
  const state = { isClosed: false };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // A connection that is cut may end with an error; the tests only check the received bytes.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    state.isClosed = true;
  });
  return {
    send: (bytes: string) => void socket.write(bytes),
    received: () => text,
    closed: async (limitMs?: number) => {
      await until(() => state.isClosed, 'the connection to be closed', limitMs);
      return text;
    },
    end: () => socket.destroy(),
  };
}

/** Sends bytes and reads until the server closes the connection. */
async function exchange(run: ServiceProcess, bytes: string): Promise<string> {
  const connection = open(run);
  connection.send(bytes);
  return await connection.closed();
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

function assertProblem(answer: string, status: number, code: string): void {
  assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(answer, /^content-type: application\/problem\+json/im);
  assert.match(answer, /^connection: close\r$/im);
  const problem = JSON.parse(bodyOf(answer));
  assert.deepEqual(
    [problem.status, problem.code, problem.responseCode],
    [status, code, String(status)],
    answer,
  );
  assert.match(problem.requestId, /^req_\w+$/);
}

// Concurrent, because one test waits for a limit of 10 s.
describe('the running process', { concurrency: true }, () => {
  let run: ServiceProcess;
  before(async () => {
    run = await startOnServer();
  });

  test('a client that stops during its headers gets a 408', async () => {
    const half = open(run);
    half.send('GET /healthz HTTP/1.1\r\nHost: pay.example\r\n');
    const silent = open(run);
    // The limit is 10 s, and the server checks its connections periodically. Without the limit, Node's is 60 s.
    for (const connection of [half, silent])
      assertProblem(await connection.closed(40_000), 408, 'request_timeout');
  });

  test('an HTTP/1.1 request without a Host is a 400', async () => {
    assertProblem(
      await exchange(run, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'bad_request',
    );
  });

  test('bytes that are not HTTP get a 400 problem document', async () => {
    for (const bytes of ['\x16\x03\x01\x02\x00\x01', 'garbage\r\n\r\n', 'GET / HTTP/1.1\r\nno colon\r\n\r\n'])
      assertProblem(await exchange(run, bytes), 400, 'bad_request');
  });

  test('two lengths of one body (request smuggling) are a 400', async () => {
    const head =
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n';
    assertProblem(await exchange(run, `${head}0\r\n\r\n`), 400, 'bad_request');
  });

  test('17 KiB of headers or address are a 431', async () => {
    const long = 'a'.repeat(17 * 1024);
    for (const head of [
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${long}`,
      `GET /${long} HTTP/1.1\r\nHost: x`,
    ])
      assertProblem(await exchange(run, `${head}\r\n\r\n`), 431, 'headers_too_large');
  });

  test('a HEAD request gets the response of a GET without its body', async () => {
    const answer = await exchange(run, 'HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /^content-length: 15\r$/im);
    assert.equal(bodyOf(answer), '');
  });

  test('an OPTIONS request is a 405 that names the methods of the address', async () => {
    const request = 'OPTIONS /v1/payment/process HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await exchange(run, request);
    assertProblem(answer, 405, 'method_not_allowed');
    assert.match(answer, /^allow: POST\r$/im);
  });

  test('a connection is kept alive, and closed on request', async () => {
    const connection = open(run);
    connection.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => connection.received().endsWith('{"status":"ok"}'), 'the first answer');
    connection.send('GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const answers = await connection.closed();
    assert.match(answers, /^connection: keep-alive\r$/im);
    assert.match(answers, /^connection: close\r$/im);
    assert.ok(answers.endsWith('{"status":"ready"}'));
  });

  test('a stop finishes requests in progress, reports 503 at /readyz, and ignores a second signal', async () => {
    const run = await startOnServer();
    const idle = open(run);
    idle.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => idle.received().endsWith('{"status":"ok"}'), 'an answer on the idle connection');
    const probe = open(run);
    probe.send('GET /readyz HTTP/1.1\r\nHost: x\r\n');
    const login = open(run);
    const body = JSON.stringify(account);
    login.send(
      `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    );
    // The partial requests have arrived when a later request gets its response.
    assert.equal((await fetch(`${run.url}/healthz`, { headers: { connection: 'close' } })).status, 200);
    run.kill('SIGTERM');
    await idle.closed();
    run.kill('SIGINT');
    run.kill('SIGTERM');
    probe.send('\r\n');
    assertProblem(await probe.closed(), 503, 'unavailable');
    assert.match(probe.received(), /^retry-after: \d+\r$/im);
    assert.match(probe.received(), /The process is stopping/);
    assert.equal(run.hasEnded(), false);
    login.send(body.slice(9));
    const answer = await login.closed();
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /^connection: close\r$/im);
    assert.deepEqual(await endOf(run), { code: 0, signal: null });
    assert.equal(run.stdout().match(/"msg":"stopped"/g)?.length, 1);
  });

  test('an unused connection does not delay a stop', async () => {
    const run = await startOnServer();
    const silent = open(run);
    assert.equal((await fetch(`${run.url}/healthz`)).status, 200);
    const startedAt = performance.now();
    assert.deepEqual(await stopRun(run), { code: 0, signal: null });
    await silent.closed();
    // A stop waits 15 s for connections with a request.
    assert.ok(performance.now() - startedAt < 14_000, 'the stop waited for a connection without a request');
  });

  test('an endless request is aborted, and the stop is still orderly', async () => {
    const run = await startOnServer();
    const endless = open(run);
    endless.send('POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    endless.send('Content-Length: 99\r\n\r\n{');
    assert.equal((await fetch(`${run.url}/healthz`)).status, 200);
    assert.deepEqual(await stopRun(run), { code: 0, signal: null });
    await endless.closed();
    assert.match(run.stdout(), /"msg":"stopped"/);
  });

  test('the log contains only allowed fields, and no secret, address or card', async () => {
    const run = await startOnServer({ LOG_LEVEL: 'trace' });
    const login = await post(`${run.url}/v1/auth/login`, account);
    assert.equal(login.status, 200);
    const credentials = {
      token: String(login.body.token),
      apiKey: login.headers.get('x-api-key') ?? '',
      companyId: login.headers.get('x-company-id') ?? '',
    };
    await post(`${run.url}/v1/auth/login`, { email: 'ada@example.com', password: 'wrong-password-1' });
    const headers = credentialHeaders(credentials);
    const codes: string[] = [];
    for (const number of [
      '4242 4242 4242 4242',
      '4000000000000002',
      '5555555555554444',
      '4000000000009011',
    ]) {
      const made = await post(`${run.url}/v1/payment/process`, orderOf(), headers);
      assert.equal(made.status, 200);
      codes.push(String(made.body.PaymentLinkCode));
      await payWith(`${run.url}/pay/${codes.at(-1)}`, { number });
    }
    const { action, body } = fillCard(await visit(`${run.url}/pay/${codes[2]}`), {
      number: '4242424242424242',
    });
    body.delete('number');
    await visit(`${action}/x?${body}`, { method: 'POST', body });
    await post(
      `${run.url}/v1/payment/process`,
      orderOf({ amount: 'ada@example.com', currency: '4242424242424242' }),
      headers,
    );
    await post(`${run.url}/v1/payment/process`, '{"email":"ada@example.com",', headers);
    await post(`${run.url}/v1/payment/process`, orderOf(), {
      ...headers,
      'x-api-key': `${credentials.apiKey}x`,
    });
    const leaving = open(run);
    leaving.send(
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"email":',
    );
    await fetch(`${run.url}/4242424242424242/ada@example.com?email=ada@example.com`);
    await exchange(run, `4242424242424242 ada@example.com ${credentials.token}\r\n\r\n`);
    leaving.end();
    await stopRun(run);

    const lines = run
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const allowed = new Set([...loggedFields, 'level', 'time', 'msg']);
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const entry of entries)
      assert.deepEqual(
        Object.keys(entry).filter((name) => !allowed.has(name)),
        [],
      );
    // Nothing that a client does is logged as an error of the service.
    assert.deepEqual(
      entries.filter(({ level }) => level === 'error' || level === 'fatal'),
      [],
    );
    const requests = entries.filter(({ msg }) => msg === 'answered');
    assert.ok(requests.length >= 20, `${requests.length} requests are in the log`);
    for (const request of requests) {
      assert.match(String(request.reqId), /^req_\w+$/);
      assert.match(String(request.method), /^(GET|POST)$/);
      assert.match(String(request.route), /^(\/[\w./:-]*|unknown)$/);
      assert.equal(typeof request.status, 'number');
    }
    const text = lines.join('\n') + run.stderr();
    // The whole number: IDs may contain a part of it.
    const phone = String(orderOf().phone);
    const secrets = [
      account.password,
      'wrong-password-1',
      credentials.token,
      credentials.apiKey,
      ...codes,
      '@example.com',
      'Lovelace',
      phone,
      phone.replaceAll(/\D/g, ''),
      '5555555555554444',
      '5555 5555',
    ];
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is in the log`);
    refuseCardData('the log', text);
    assert.ok(!new RegExp(`"${testCsc}"`).test(text));
  });
});
