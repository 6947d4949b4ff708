// Unusual requests for every route of the running service: no response is a 5xx, every error is a problem document, and
// the route's description has every returned status and code.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { errorCatalogue } from '../src/base/errors.ts';
import { credentialHeaders, type Json } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { type RawAnswer, sendBytes } from './harness/raw-http.ts';
import {
  fillPath,
  listRoutes,
  openCompany,
  type Route,
  type RouteCompany,
  routeCaseOf,
} from './harness/route-cases.ts';
import { exampleOrderId, type UnusualRequest, unusualRequestsOf } from './harness/unusual-requests.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

/** `FUZZ_SEED` repeats a run; `FUZZ_RUNS` makes it longer. */
const seed = Number(
  process.env.FUZZ_SEED ?? Math.trunc(performance.timeOrigin + performance.now()) % 2 ** 31,
);
const runs = Number(process.env.FUZZ_RUNS ?? 1500);
const limitMs = Number(process.env.FUZZ_RUNS ? 3_600_000 : 25_000);
/** Requests per route, interleaved with those of other routes. A slow machine sends one request per route. */
const rounds = 4;

let paylink: Paylink;
let company: RouteCompany;
let routes: Route[];
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  const owned = await openCompany(paylink, paylink.merchant);
  company = { ...owned, caller: await newCaller(owned) };
  routes = await listRoutes(paylink.baseUrl);
});
after(async () => await paylink.stop());

/** Another owner: calls that end the caller's session or account leave the original owner unaffected. */
const newCaller = async ({ credentials }: RouteCompany) => await addMember(paylink, credentials, ['owner']);

const statusOf = new Map<string, number>(
  Object.values(errorCatalogue).map(({ code, status }) => [code, status]),
);
/** The codes that a request without a route may return. */
const codesOfNoRoute = [
  'not_found',
  'method_not_allowed',
  'bad_request',
  'headers_too_large',
  'request_timeout',
];

/** Valid path parameters of each route, created once, so that most calls concern an existing object. */
const goodParams = new Map<string, Record<string, string>>();
async function paramsOf(route: Route): Promise<Record<string, string>> {
  const known = goodParams.get(route.name) ?? (await routeCaseOf(route).params?.(company)) ?? {};
  goodParams.set(route.name, known);
  return known;
}

function routeOf({ routeName }: UnusualRequest): Route {
  const route = routes.find(({ name }) => name === routeName);
  assert.ok(route);
  return route;
}

/** Whether an address matches a template, with or without a trailing slash. */
function isOf(template: string, address: string): boolean {
  const wanted = template.split('/');
  const given = address.replace(/\/$/, '').split('/');
  const fits = (part: string, i: number) => part.startsWith('{') || part === given[i];
  return wanted.length === given.length && wanted.every(fits);
}

/**
 * The route that a request reaches. It may differ from the route that the request was generated for, because another
 * method may have a parameter where that route has a word. A word takes precedence over a parameter.
 */
function reachedBy({ method, target }: { method: string; target: string }): Route | null {
  const [address = ''] = target.split('?');
  const all = routes.filter((route) => route.method === method && isOf(route.path, address));
  // Templates of one address first differ where one has a word and the other a brace, and a brace sorts last.
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1))[0] ?? null;
}

async function targetOf(unusual: UnusualRequest): Promise<string> {
  const { pathValues, query } = unusual;
  const route = routeOf(unusual);
  if (pathValues === null) return fillPath(route.path, await paramsOf(route)) + query;
  return route.path.replaceAll(/\{\w+\}/g, () => pathValues) + query;
}

/** The body with another order ID: otherwise all later requests would replay the open link. */
function withFreshOrder(body: Buffer): Buffer {
  return Buffer.from(body.toString('latin1').replace(exampleOrderId, randomUUID()), 'latin1');
}

async function send(unusual: UnusualRequest): Promise<RawAnswer & { target: string }> {
  const named = new Set(unusual.headers.map(([name]) => name.toLowerCase()));
  const usual: Record<string, string> = {
    host: new URL(paylink.baseUrl).host,
    ...(unusual.body ? { 'content-type': 'application/json' } : {}),
    ...(unusual.isSigned ? credentialHeaders(company.caller.credentials) : {}),
  };
  const headers = [...Object.entries(usual).filter(([name]) => !named.has(name)), ...unusual.headers];
  const target = await targetOf(unusual);
  const answer = await sendBytes(Number(new URL(paylink.baseUrl).port), {
    method: unusual.method,
    target,
    headers,
    body: unusual.body && withFreshOrder(unusual.body),
  });
  // The object was used up: the next request gets a new one.
  if (answer.status < 300 && unusual.method !== 'GET') goodParams.delete(unusual.routeName);
  // The route may have ended the caller's session or account, so another owner continues.
  if (answer.status === 401 && unusual.isSigned && unusual.headers.length === 0) {
    company = { ...company, caller: await newCaller(company) };
    goodParams.clear();
  }
  return { ...answer, target };
}

function checkAnswer(unusual: UnusualRequest, answer: RawAnswer & { target: string }): void {
  const { status, headers, text, target } = answer;
  assert.ok(status < 500, `${status} ${text}`);
  assert.equal(headers['x-response-code'], String(status));
  const operation = reachedBy({ method: unusual.method, target })?.operation;
  if (status < 400) {
    if (operation) assert.ok(String(status) in operation.responses, `${status} is not described`);
    return;
  }
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
  if (unusual.method === 'HEAD') return;
  const problem = JSON.parse(text) as Json;
  const { code } = problem as { code: string };
  assert.deepEqual([problem.status, statusOf.get(code)], [status, status], text);
  for (const name of ['type', 'title', 'detail', 'instance', 'requestId'])
    assert.equal(typeof problem[name], 'string', name);
  if (code === 'method_not_allowed') assert.ok(headers.allow, 'Allow is sent');
  const described = operation ? operation['x-error-codes'] : [];
  assert.ok(described.includes(code) || codesOfNoRoute.includes(code), `${code} is not described: ${text}`);
}

test('unusual requests get no 5xx, and only responses that the description has', async (t) => {
  t.diagnostic(`seed ${seed}; FUZZ_SEED=${seed} repeats this run`);
  const answered = new Map<string, number>();
  const turns = routes.length * rounds;
  const endsAtMs = performance.now() + limitMs;
  for (let turn = 0; turn < turns; turn++) {
    if (turn >= routes.length && performance.now() > endsAtMs) break;
    const route = routes[turn % routes.length];
    assert.ok(route);
    const property = fc.asyncProperty(unusualRequestsOf(route), async (unusual) => {
      const answer = await send(unusual);
      checkAnswer(unusual, answer);
      answered.set(unusual.routeName, (answered.get(unusual.routeName) ?? 0) + 1);
    });
    await fc.assert(property, {
      seed: seed + turn,
      numRuns: Math.ceil(runs / turns),
      endOnFailure: false,
    });
  }
  const least = Math.min(...routes.map(({ name }) => answered.get(name) ?? 0));
  t.diagnostic(
    `${[...answered.values()].reduce((sum, count) => sum + count, 0)} requests, ${least} at least for a route`,
  );
  assert.ok(least > 0, 'every route was asked');
  assert.equal((await fetch(`${paylink.baseUrl}/readyz`)).status, 200);
  const faults = paylink
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  assert.deepEqual(faults, []);
});

test('an address that is a word for one method and a parameter for another gets a response of its own method', async () => {
  const unusual = { pathValues: null, query: '', headers: [], body: null, isSigned: false };
  const others = routes.flatMap((route) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
      ...unusual,
      routeName: route.name,
      method,
    })),
  );
  let reached = 0;
  for (const other of others) {
    const { path } = routeOf(other);
    const route = reachedBy({ method: other.method, target: path });
    if (!route || route.path === path) continue;
    reached++;
    checkAnswer(other, await send(other));
  }
  assert.ok(reached > 0, 'there is such an address');
});

test('requests that the socket refuses are logged', async () => {
  const port = Number(new URL(paylink.baseUrl).port);
  const request = { method: 'GET', target: '/healthz', headers: [['a b', 'c']] as const, body: null };
  const answer = await sendBytes(port, request);
  assert.equal(answer.status, 400);
  const { requestId } = JSON.parse(answer.text) as { requestId: string };
  const line = paylink
    .log()
    .split('\n')
    .find((one) => one.includes(requestId));
  assert.match(line ?? '', /"code":"bad_request"/);
});
