// Every route of the running service with every kind of caller: without credentials, with one missing or of another
// company, in every role, and for data of another company. A route without a row in harness/route-cases.ts fails.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { viewPayment } from '../src/attempts/view-payment.ts';
import type { Role } from '../src/http/authentication.ts';
import { roles as allRoles } from '../src/http/roles.ts';
import { cancelPayment } from '../src/links/cancel-payment.ts';
import { refundPayment } from '../src/refunds/refund-payment.ts';
import { wrapTransactions } from './faults/crash-points.ts';
import { callRoute } from './harness/call-route.ts';
import { type Credentials, credentialHeaders, type Json } from './harness/client.ts';
import { signIn } from './harness/dashboard.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember, makeOperator, type Person, setRoles } from './harness/people.ts';
import type { Call } from './harness/route-cases.ts';
import {
  credentialsFor,
  listRoutes,
  openCompany,
  type Route,
  type RouteCompany,
  routeCaseOf,
  routeCases,
  validCall,
} from './harness/route-cases.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

let paylink: Paylink;
let ours: RouteCompany;
let theirs: RouteCompany;
let routes: Route[];
const members = new Map<Role, Person>();
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  ours = await openCompany(paylink, paylink.merchant);
  theirs = await openCompany(paylink, await paylink.createMerchant());
  routes = await listRoutes(paylink.baseUrl);
  for (const role of allRoles) {
    const member = await addMember(paylink, ours.credentials, [role]);
    makeOperator(paylink, member);
    members.set(role, member);
  }
});
after(async () => await paylink.stop());

const call = async (route: Route, wanted: Call) => await callRoute(paylink.baseUrl, route, wanted);
const securedRoutes = () => routes.filter((route) => routeCaseOf(route).roles !== null);

/** A response without the fields that differ between any two. */
function bare(answer: { status: number; json: Json }): unknown {
  const { requestId: _requestId, instance: _instance, ...rest } = answer.json;
  return { status: answer.status, ...rest };
}

test('every route has a row, every row has a route, and the description says which routes need credentials', () => {
  assert.deepEqual(routes.map(({ name }) => name).sort(), Object.keys(routeCases).sort());
  for (const route of routes) {
    const isSecured = (route.operation.security ?? []).length > 0;
    assert.equal(isSecured, routeCaseOf(route).roles !== null, route.name);
  }
});

test('a route without credentials is open to everybody', async () => {
  for (const route of routes.filter((candidate) => routeCaseOf(candidate).roles === null)) {
    const answer = await call(route, await validCall(route, ours));
    assert.ok(answer.status < 300, `${route.name} ${answer.status} ${answer.text}`);
  }
});

test('without credentials, and without each one of them, every route refuses with 401 and names the missing headers', async () => {
  const names = { token: 'Authorization', apiKey: 'X-API-KEY', companyId: 'X-COMPANY-ID' };
  for (const route of securedRoutes()) {
    const { params } = await validCall(route, ours);
    for (const [left, missing] of [
      [{}, Object.values(names)],
      ...Object.entries(names).map(([name, header]) => [
        Object.fromEntries(Object.entries(ours.credentials).filter(([key]) => key !== name)),
        [header],
      ]),
    ] as [Partial<Credentials>, string[]][]) {
      // Refused before the body is read.
      const answer = await call(route, { headers: credentialHeaders(left), params, body: null });
      const fields = (answer.json.errors as { field: string }[]).map(({ field }) => field);
      assert.deepEqual(
        [answer.status, answer.json.code, fields],
        [401, 'missing_credentials', missing],
        `${route.name} ${answer.text}`,
      );
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm=/);
    }
  }
});

test('with each credential of another company, every route refuses with 403', async () => {
  for (const route of securedRoutes()) {
    const { params } = await validCall(route, ours);
    for (const name of ['token', 'apiKey', 'companyId'] as const) {
      const mixed = { ...ours.credentials, [name]: theirs.credentials[name] };
      const answer = await call(route, { headers: credentialHeaders(mixed), params });
      assert.deepEqual(
        [answer.status, answer.json.code],
        [403, 'credentials_mismatch'],
        `${route.name} ${name}`,
      );
    }
  }
});

test('with only the cookie, every reading route works, and every changing route requires the CSRF token', async () => {
  const browser = await signIn(paylink, ours.merchant);
  for (const route of securedRoutes()) {
    const wanted = await validCall(route, ours);
    const answer = await call(route, { headers: { cookie: browser.cookie }, ...wanted });
    if (route.method === 'GET')
      assert.ok(answer.status < 300, `${route.name} ${answer.status} ${answer.text}`);
    else assert.deepEqual([answer.status, answer.json.code], [403, 'csrf_refused'], route.name);
  }
});

for (const role of allRoles) {
  test(`the role ${role} can call the routes of the table, and other routes name the roles that can`, async () => {
    const caller = members.get(role);
    assert.ok(caller);
    const company = { ...ours, caller };
    for (const route of securedRoutes()) {
      const may = routeCaseOf(route).roles ?? [];
      const wanted = await validCall(route, company);
      const headers = credentialHeaders(await credentialsFor(route, company));
      const answer = await call(route, { headers, ...wanted });
      if (may.includes(role)) {
        assert.ok(answer.status < 300, `${route.name} ${answer.status} ${answer.text}`);
        continue;
      }
      assert.deepEqual([answer.status, answer.json.code], [403, 'role_not_allowed'], route.name);
      const reported = /one of the roles ([\w, ]+)\./.exec(String(answer.json.detail))?.[1];
      assert.deepEqual(reported?.split(', '), [...may], route.name);
    }
  });
}

/** Otherwise, the invitations of the tests before use up the limit of a company. */
async function forgetRates(): Promise<void> {
  await paylink.app.deps.db.asOwner.query('delete from rate_limits');
}

test('a member who has lost a right gets no stored response of an Idempotency-Key', async () => {
  await forgetRates();
  for (const route of securedRoutes().filter(({ method }) => method === 'POST')) {
    const may = routeCaseOf(route).roles ?? [];
    const without = allRoles.find((role) => !may.includes(role));
    if (!without) continue;
    const member = await addMember(paylink, ours.credentials, [may[0] ?? 'owner']);
    const headers = { ...credentialHeaders(member.credentials), 'idempotency-key': randomUUID() };
    const wanted = { headers, ...(await validCall(route, ours)) };
    const first = await call(route, wanted);
    const again = await call(route, wanted);
    assert.equal(again.headers.get('idempotent-replayed'), 'true', `${route.name} ${first.text}`);
    assert.equal(again.text, first.text, route.name);
    await setRoles(paylink, ours.credentials, member, [without]);
    assert.equal((await call(route, wanted)).status, 403, route.name);
  }
});

/** Values of the same form that name no object. */
function unknownOf(params: Record<string, string>): Record<string, string> {
  const last = (text: string) => text.slice(0, -4) + (text.endsWith('0000') ? '1111' : '0000');
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, last(value)]));
}

/** Calls routes with IDs of another company and with unknown IDs, and compares the responses. */
/** Its parameter names a type of event, not an object of a company. */
const ofNoCompany = ['POST /v1/test/events/{type}'];

async function checkNothingCrosses(): Promise<void> {
  await forgetRates();
  let count = 0;
  for (const route of securedRoutes().filter((candidate) => routeCaseOf(candidate).params)) {
    if (ofNoCompany.includes(route.name)) continue;
    const headers = credentialHeaders(ours.credentials);
    const { params, body } = await validCall(route, theirs);
    const own = unknownOf((await validCall(route, ours)).params);
    const foreign = await call(route, { headers, params, body });
    const unknown = await call(route, { headers, params: own, body });
    assert.equal(unknown.status, 404, `${route.name} ${unknown.text}`);
    assert.deepEqual(bare(foreign), bare(unknown), route.name);
    count += 1;
  }
  assert.ok(count >= 4);
}

test('an object of another company gets the response of an unknown one, on every route', async () =>
  await checkNothingCrosses());

describe('tenant isolation with the company removed from every statement', () => {
  let cut = 0;
  let unwrap: () => void;
  const companyFilter = /\b((?:\w+\.)?company_id) = \$1\b/g;
  before(() => {
    const { db } = paylink.app.deps;
    unwrap = wrapTransactions(
      db,
      async (run, companyId, work) =>
        await run(companyId, async (tx) => {
          const query: typeof tx.query = async (text, values) => {
            const loose = text.replaceAll(companyFilter, '$$1::text is not null');
            if (loose !== text) cut += 1;
            return await tx.query(loose, values);
          };
          return await work({ ...tx, query });
        }),
    );
  });
  after(() => {
    unwrap();
  });

  test('the API returns no data of another company', async () => {
    await checkNothingCrosses();
    assert.ok(cut > 50, `${cut} statements had no company`);
  });

  test('functions below the routes find no row of another company', async () => {
    const { deps } = paylink.app;
    const code = await theirs.paidCode();
    const order = { companyId: ours.merchant.companyId, mode: 'test', code } as const;
    const isNotFound = (error: unknown) => (error as { code?: string }).code === 'payment_not_found';
    assert.equal(await viewPayment(deps, order), null);
    await assert.rejects(cancelPayment(deps, { ...order, actor: 'test' }), isNotFound);
    await assert.rejects(refundPayment(deps, { ...order, createdBy: 'test' }), isNotFound);
    // Without row-level security, the same statement finds the row.
    const rowsFound = await deps.db.asOwner.query(
      'select code from payments where $1::text is not null and code = $2',
      [order.companyId, code],
    );
    assert.equal(rowsFound.length, 1);
  });
});
