// Unusual requests below the router: versions, Host headers, undecodable addresses. And the common headers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, credentialHeaders, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { exchangeBytes, type RawAnswer } from './harness/raw-http.ts';
import { listRoutes } from './harness/route-cases.ts';

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server');
});
after(async () => await paylink.stop());

const send = async (bytes: string) => await exchangeBytes(Number(new URL(paylink.baseUrl).port), bytes);
const codeOf = (answer: RawAnswer) => [answer.status, JSON.parse(answer.text).code];

/** Headers whose values differ between responses, or depend on the body. */
const varying = new Set([
  'x-request-id',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'x-response-code',
]);
const commonHeaders = ({ headers }: RawAnswer) =>
  Object.entries(headers)
    .filter(([name]) => !varying.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));

test('a missing, empty, malformed or repeated Host is a 400', async () => {
  const bad = ['', 'Host:\r\n', 'Host: \r\n', 'Host: a\r\nHost: a\r\n', 'Host: a\r\nhost: b\r\n'].concat(
    [
      'a b',
      'a/b',
      'a@b',
      'http://a',
      'a:b',
      'a:65536',
      '[::1',
      '[nonsense]',
      'a,b@c',
      'ä',
      'a?b',
      'a#b',
      ':80',
    ].map((host) => `Host: ${host}\r\n`),
  );
  for (const lines of bad) {
    const ask = async (path: string) =>
      await send(`GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
    for (const path of ['/healthz', '/nothing'])
      assert.deepEqual(codeOf(await ask(path)), [400, 'bad_request'], JSON.stringify(lines));
    assert.equal((await ask('/pay/x')).status, 400, JSON.stringify(lines));
  }
});

test('a request that cannot be parsed to its end gets exactly one response', async () => {
  for (const host of ['', 'shop.example'])
    for (const rest of [
      'Transfer-Encoding: gzip\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\nno chunk\r\n\r\n',
    ]) {
      const { text } = await send(`GET /nothing HTTP/1.1\r\nHost: ${host}\r\n${rest}`);
      assert.doesNotMatch(text, /HTTP\/1\.1/, rest);
      assert.doesNotThrow(() => JSON.parse(text), rest);
    }
});

test('every form of Host in RFC 9110 is accepted, and HTTP/1.0 needs none', async () => {
  for (const host of [
    'pay.example',
    'PAY.example:3000',
    'a_b.example',
    '127.0.0.1:80',
    '[::1]',
    '[::1]:3000',
    'a:',
  ])
    assert.equal(
      (await send(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status,
      200,
      host,
    );
  assert.equal((await send('GET /healthz HTTP/1.0\r\n\r\n')).status, 200);
  assert.deepEqual(codeOf(await send('GET /healthz HTTP/1.0\r\nHost:\r\n\r\n')), [400, 'bad_request']);
});

test('a request line with another version or none is a 400', async () => {
  const lines = [
    'GET / HTTP/2.0',
    'GET /healthz HTTP/2.0',
    'GET /healthz',
    'GET /healthz HTTP/0.9',
    'GET / HTTP/1.2',
  ];
  for (const line of [...lines, 'GET /healthz HTTP/3.0', 'PRI * HTTP/2.0', 'GET /healthz HTTP/11'])
    assert.deepEqual(codeOf(await send(`${line}\r\nHost: pay.example\r\n\r\n`)), [400, 'bad_request'], line);
});

test('every response has the common headers, wherever the request is rejected', async () => {
  const usual = await send('GET /nothing HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n');
  assert.equal(usual.status, 404);
  assert.equal(usual.headers['x-content-type-options'], 'nosniff');
  const long = 'x'.repeat(20_000);
  const refused: [string, number][] = [
    ['GET /% HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n', 400],
    ['GET /%ff HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n', 400],
    [`GET /${'a/'.repeat(300)}%zz HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n`, 400],
    [
      `GET /v1/payments/${'a'.repeat(1000)}/refunds HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n`,
      404,
    ],
    ['garbage\r\n\r\n', 400],
    ['GET /healthz\r\n\r\n', 400],
    ['CONNECT pay.example:443 HTTP/1.1\r\nHost: pay.example\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: pay.example\r\nX-Long: ${long}\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['DELETE /healthz HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n', 405],
    [
      `POST /v1/auth/login HTTP/1.1\r\nHost: pay.example\r\nContent-Type: application/json\r\nContent-Length: 70000\r\nConnection: close\r\n\r\n${'x'.repeat(70_000)}`,
      413,
    ],
  ];
  for (const [bytes, status] of refused) {
    const answer = await send(bytes);
    const what = bytes.slice(0, 60);
    assert.equal(answer.status, status, what);
    assert.deepEqual(
      // Those of a 405, and of the API.
      commonHeaders(answer).filter(([name]) => name !== 'allow' && name !== 'paylink-version'),
      commonHeaders(usual),
      what,
    );
    assert.equal(answer.headers['x-response-code'], String(status), what);
    assert.equal(answer.headers['x-request-id'], JSON.parse(answer.text).requestId, what);
  }
});

test('Allow lists every method of an address, in a 405 and for OPTIONS', async () => {
  const routes = await listRoutes(paylink.baseUrl);
  const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');
  const fits = (template: string, path: string) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  for (const path of new Set(routes.map((route) => concrete(route.path)))) {
    const methods = new Set(routes.filter((route) => fits(route.path, path)).map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    for (const method of ['OPTIONS', 'TRACE']) {
      const answer = await send(
        `${method} ${path} HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n`,
      );
      assert.deepEqual([answer.status, answer.headers.allow], [405, [...methods].sort().join(', ')], path);
    }
  }
});

test('an ID with a NUL is a 404 on every route, without a database query', async () => {
  const credentials = await logIn(paylink, paylink.merchant);
  const routes = await listRoutes(paylink.baseUrl);
  const described = routes
    .filter(({ path }) => path.includes('{'))
    .map(({ method, path }) => ({ method, path }));
  const hidden = [
    { method: 'POST', path: '/processors/{processor}/webhook/{connectionId}' },
    { method: 'GET', path: '/pay/{code}' },
    { method: 'POST', path: '/pay/{code}' },
    { method: 'GET', path: '/pay/{code}/back/{attemptId}' },
    { method: 'GET', path: '/pay/{code}/receipt' },
    { method: 'GET', path: '/pay/{code}/receipt.pdf' },
    { method: 'GET', path: '/sandbox/3ds/{company}/{reference}' },
    { method: 'GET', path: '/assets/{color}/{file}' },
    { method: 'GET', path: '/assets/logos/{companyId}/{file}' },
    { method: 'GET', path: '/dashboard/assets/{name}' },
    { method: 'GET', path: '/docs/assets/{name}' },
    { method: 'GET', path: '/docs/{page}' },
  ];
  assert.ok(described.length > 15);
  for (const { method, path } of [...described, ...hidden])
    for (const name of path.match(/\{\w+\}/g) ?? []) {
      const target = path.replace(name, 'a%00b').replaceAll(/\{\w+\}/g, 'stripe');
      const headers = { ...credentialHeaders(credentials), 'content-type': 'application/json' };
      const response = await fetch(paylink.baseUrl + target, {
        method,
        headers,
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      assert.equal(response.status, 404, `${method} ${target}`);
    }
});

test('an unknown code is payment_not_found on every route of a payment', async () => {
  const credentials = await logIn(paylink, paylink.merchant);
  const routes = await listRoutes(paylink.baseUrl);
  const about = routes.filter(({ path }) => path.startsWith('/v1/payments/{code}'));
  assert.ok(about.length > 8);
  const unknown = `${credentials.companyId.slice(3)}${'x'.repeat(22)}`;
  const asked = about.flatMap(({ method, path, operation }) =>
    [unknown, 'nothing', 'x'.repeat(200)].map((code) => {
      const example = operation.requestBody?.content['application/json']?.example ?? {};
      return { method, path: path.replace('{code}', code), body: method === 'GET' ? undefined : example };
    }),
  );
  const queries = ['/v1/ledger/entries', '/v1/audit-events'].map(
    (path) => `${path}?PaymentLinkCode=${unknown}`,
  );
  for (const { method, path, body } of [
    ...asked,
    ...queries.map((path) => ({ method: 'GET', path, body: undefined })),
  ]) {
    const answer = await call(paylink, credentials, [method, path], body);
    assert.deepEqual([answer.status, answer.body.code], [404, 'payment_not_found'], `${method} ${path}`);
  }
});

test('a query with a NUL is a 422 with its parameter, on every route', async () => {
  const credentials = await logIn(paylink, paylink.merchant);
  const routes = await listRoutes(paylink.baseUrl);
  const asked = routes.flatMap(({ method, path, operation }) =>
    path.includes('{')
      ? []
      : (operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'query')
          .map((parameter) => ({ method, path, name: parameter.name })),
  );
  assert.ok(asked.length > 20);
  for (const { method, path, name } of asked) {
    const response = await fetch(`${paylink.baseUrl}${path}?${name}=a%00b`, {
      method,
      headers: credentialHeaders(credentials),
    });
    const { errors } = (await response.json()) as { errors: { field: string; code: string }[] };
    assert.deepEqual(
      [response.status, errors],
      [422, [{ ...errors[0], field: name, code: 'not_text' }]],
      name,
    );
  }
});
