// Every route of the API in the time of a company whose test clock is ahead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRoute } from './harness/call-route.ts';
import { call, credentialHeaders, type Json, logIn, post } from './harness/client.ts';
import { browse, signIn } from './harness/dashboard.ts';
import { engines, startPaylink } from './harness/paylink.ts';
import { makeOperator } from './harness/people.ts';
import { credentialsFor, listRoutes, openCompany, routeCaseOf, validCall } from './harness/route-cases.ts';
import { advance } from './harness/test-clocks.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

for (const engine of engines)
  test(`every route works while the test clock is ahead, on the ${engine} database`, async () => {
    const paylink = await startPaylink(engine, { settings: loopbackSettings });
    try {
      const company = await openCompany(paylink, paylink.merchant);
      makeOperator(paylink, paylink.merchant);
      await advance(paylink, company.credentials, 'P3D');
      for (const route of await listRoutes(paylink.baseUrl)) {
        const wanted = await validCall(route, company);
        const headers = routeCaseOf(route).roles
          ? credentialHeaders(await credentialsFor(route, company))
          : {};
        const answer = await callRoute(paylink.baseUrl, route, { headers, ...wanted });
        assert.ok(answer.status < 300, `${route.name} ${answer.status} ${answer.text}`);
      }
    } finally {
      await paylink.stop();
    }
  });

test('the status of the service does not follow the test clock of an operator', async () => {
  const paylink = await startPaylink('server');
  try {
    makeOperator(paylink, paylink.merchant);
    const who = await logIn(paylink);
    await advance(paylink, who, 'P300D');
    const { status, body } = await call(paylink, who, ['GET', '/v1/operator/status']);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(Math.abs(Date.parse(String(body.at)) - Date.now()) < 60_000, String(body.at));
    const late = (body.problems as Json[]).filter(({ code }) => /late|unsealed/.test(String(code)));
    assert.deepEqual(late, []);
  } finally {
    await paylink.stop();
  }
});

test('the Idempotency-Key of a request that creates a credential, or moves the clock, ends in real time', async () => {
  const paylink = await startPaylink('server');
  try {
    const who = await logIn(paylink);
    const send = async (path: string, body: Json, key: string) =>
      await post(`${paylink.baseUrl}${path}`, body, { ...credentialHeaders(who), 'idempotency-key': key });
    const created = ['/v1/service-keys', { scopes: ['payments'] }, 'one'] as const;
    const moved = ['/v1/test/clock/advance', { by: 'P3D' }, 'two'] as const;
    const { body: first } = await send(...created);
    assert.equal((await send(...moved)).body.aheadSeconds, 259_200);
    await advance(paylink, who, 'PT1S');
    assert.equal((await send(...created)).body.keyId, first.keyId);
    assert.equal((await send(...moved)).headers.get('idempotent-replayed'), 'true');
    assert.equal((await call(paylink, who, ['GET', '/v1/test/clock'])).body.aheadSeconds, 259_201);
  } finally {
    await paylink.stop();
  }
});

test('a person can sign in to another company in a browser whose company has a clock ahead', async () => {
  const paylink = await startPaylink(engines[0] ?? 'server');
  try {
    const first = await signIn(paylink, paylink.merchant);
    const moved = await browse(paylink, first, ['POST', '/v1/test/clock/advance'], { body: { by: 'P3D' } });
    assert.equal(moved.status, 200);
    const session = await browse(paylink, first, ['GET', '/v1/session']);
    assert.equal(session.status, 200);
    const other = await paylink.createMerchant();
    const second = await browse(paylink, first, ['POST', '/v1/session'], {
      body: { email: other.email, password: 'correct horse battery' },
    });
    assert.equal(second.status, 200);
    assert.equal((await browse(paylink, first, ['GET', '/v1/audit-events'])).status, 200);
  } finally {
    await paylink.stop();
  }
});
