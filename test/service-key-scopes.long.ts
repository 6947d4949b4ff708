// Scopes of service keys × all routes of the running service, from its own description. Which routes each scope opens is
// compared with what the routes do, so neither can change alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rights, serviceKeyScopes } from '../src/http/roles.ts';
import { callRoute } from './harness/call-route.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { listRoutes, openCompany, type Route, type RouteCompany, validCall } from './harness/route-cases.ts';
import { createServiceKey, withServiceKey } from './harness/service-keys.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

type Scope = (typeof serviceKeyScopes)[number];

let paylink: Paylink;
let company: RouteCompany;
let routes: Route[];
/** By scope: a key with only this one, and a key with all others. */
const only = new Map<Scope, string>();
const allBut = new Map<Scope, string>();
let allKey: string;

before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  company = await openCompany(paylink, paylink.merchant);
  routes = await listRoutes(paylink.baseUrl);
  const newKey = async (scopes: readonly Scope[]) =>
    (await createServiceKey(paylink, company.credentials, { scopes })).key;
  allKey = await newKey(serviceKeyScopes);
  for (const scope of serviceKeyScopes) {
    only.set(scope, await newKey([scope]));
    allBut.set(scope, await newKey(serviceKeyScopes.filter((other) => other !== scope)));
  }
});
after(async () => await paylink.stop());

/** The scopes that the description names for a route; undefined for a route that takes no service key. */
const scopesOf = ({ operation }: Route): readonly string[] | undefined =>
  (operation.security ?? []).flatMap(({ serviceKey }) => (serviceKey ? [serviceKey] : []))[0];

/** The scope that a route needs; null for one that takes no service key. */
function scopeOf(route: Route): Scope | null {
  const needed = scopesOf(route);
  if (needed === undefined) return null;
  assert.equal(needed.length, 1, route.name);
  return needed[0] as Scope;
}

/** Routes that a service key may call whatever its scopes. */
const openToEveryKey = ['GET /v1/access'];
const allSecuredRoutes = () => routes.filter(({ operation }) => (operation.security ?? []).length > 0);
const securedRoutes = () => allSecuredRoutes().filter(({ name }) => !openToEveryKey.includes(name));
const keyOf = (keys: Map<Scope, string>, scope: Scope) => withServiceKey(keys.get(scope) ?? '');

test('each route that takes a service key works with a key that has exactly its scope', async () => {
  const used = new Set<Scope>();
  for (const route of securedRoutes()) {
    const scope = scopeOf(route);
    if (scope === null) continue;
    used.add(scope);
    const wanted = await validCall(route, company);
    const answer = await callRoute(paylink.baseUrl, route, { headers: keyOf(only, scope), ...wanted });
    assert.ok(answer.status < 300, `${route.name} with ${scope}: ${answer.status} ${answer.text}`);
  }
  assert.deepEqual([...used].sort(), [...serviceKeyScopes].sort(), 'every scope opens a route');
});

test('each of these routes refuses a key with all other scopes, and names the one that it needs', async () => {
  for (const route of securedRoutes()) {
    const scope = scopeOf(route);
    if (scope === null) continue;
    const answer = await callRoute(paylink.baseUrl, route, { headers: keyOf(allBut, scope), body: null });
    assert.deepEqual(
      [answer.status, answer.json.code],
      [403, 'scope_not_allowed'],
      `${route.name} ${answer.text}`,
    );
    const [, needed, held] =
      /with the scope (\S+)\. The scopes of this key: (.+)\.$/.exec(String(answer.json.detail)) ?? [];
    assert.equal(needed, scope, route.name);
    assert.deepEqual(
      held?.split(', '),
      serviceKeyScopes.filter((other) => other !== scope),
    );
  }
});

test('only the route that returns the scopes of a key needs none, and it names exactly those of the key', async () => {
  const withoutScope = allSecuredRoutes().filter((route) => scopesOf(route)?.length === 0);
  assert.deepEqual(
    withoutScope.map(({ name }) => name),
    openToEveryKey,
  );
  const [route] = withoutScope;
  assert.ok(route);
  for (const scope of serviceKeyScopes) {
    const answer = await callRoute(paylink.baseUrl, route, { headers: keyOf(only, scope), body: null });
    assert.deepEqual([answer.status, answer.json.rights], [200, [scope]]);
  }
});

test('every other route with credentials refuses a key with all scopes', async () => {
  const closed = securedRoutes().filter((route) => scopeOf(route) === null);
  assert.ok(closed.length > 30, `${closed.length}`);
  for (const route of closed) {
    const answer = await callRoute(paylink.baseUrl, route, { headers: withServiceKey(allKey), body: null });
    assert.deepEqual(
      [answer.status, answer.json.code],
      [403, 'service_key_not_allowed'],
      `${route.name} ${answer.text}`,
    );
  }
});

test('the routes of people, keys, members, processors, the bank and the company are among these', () => {
  const closed = new Set(
    securedRoutes()
      .filter((route) => scopeOf(route) === null)
      .map(({ name }) => name),
  );
  for (const name of [
    'GET /v1/me',
    'POST /v1/me/password',
    'POST /v1/me/totp',
    'POST /v1/auth/logout',
    'POST /v1/api-keys',
    'POST /v1/service-keys',
    'GET /v1/members',
    'POST /v1/members',
    'PATCH /v1/company',
    'POST /v1/processor-connections',
    'POST /v1/bank-statements',
    'GET /v1/operator/status',
  ])
    assert.ok(closed.has(name), name);
});

test('the database refuses a key without scopes, and one with a right that no service key may have', async () => {
  const { db } = paylink.app.deps;
  const write = async (scopes: readonly string[]) =>
    await db.asOwner.query(
      `update service_keys set scopes = $2 where company_id = $1 and scopes = array['audit:read']`,
      [company.merchant.companyId, scopes],
    );
  const allowed: readonly string[] = serviceKeyScopes;
  const never = Object.keys(rights).filter((right) => !allowed.includes(right));
  assert.ok(never.includes('keys:manage'));
  for (const scopes of [[], ...never.map((right) => ['payments:read', right])])
    await assert.rejects(write(scopes), { constraint: 'service_keys_scopes' }, scopes.join());
  await write(serviceKeyScopes);
});
