// `Content-Type: application/json` without a body, which many clients send, on every route that allows no body.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callRoute } from './harness/call-route.ts';
import { credentialHeaders } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import {
  credentialsFor,
  listRoutes,
  openCompany,
  type Route,
  type RouteCompany,
  validCall,
} from './harness/route-cases.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

const optional = ['POST /v1/api-keys/{keyId}/roll', 'POST /v1/webhook-endpoints/{endpointId}/roll-secret'];

let paylink: Paylink;
let company: RouteCompany;
let routes: Route[];
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  company = await openCompany(paylink, paylink.merchant);
  routes = await listRoutes(paylink.baseUrl);
});
after(async () => await paylink.stop());

async function callEmpty(route: Route, contentType: Record<string, string>) {
  const { params } = await validCall(route, company);
  const headers = credentialHeaders(await credentialsFor(route, company));
  return await callRoute(paylink.baseUrl, route, { params, headers: { ...headers, ...contentType } });
}

const json = { 'content-type': 'application/json' };

test('every route without a body also accepts an empty JSON body', async () => {
  const bodyless = routes.filter(
    ({ method, operation }) => method !== 'GET' && operation.requestBody === undefined,
  );
  assert.ok(bodyless.length > 8);
  const refused: string[] = [];
  for (const route of bodyless) {
    const answer = await callEmpty(route, json);
    if (answer.status >= 300) refused.push(`${route.name}: ${answer.status} ${answer.json.code}`);
  }
  assert.deepEqual(refused, []);
});

test('a body with only optional fields may be omitted, with and without the header', async () => {
  for (const name of optional) {
    const route = routes.find((each) => each.name === name);
    assert.ok(route, name);
    for (const contentType of [json, {}])
      assert.equal((await callEmpty(route, contentType)).status, 200, name);
  }
});

test('a required body must be sent, and an empty body never refunds the full amount', async () => {
  for (const name of ['POST /v1/payment/process', 'POST /v1/payments/{code}/refunds']) {
    const route = routes.find((each) => each.name === name);
    assert.ok(route, name);
    const answer = await callEmpty(route, json);
    assert.deepEqual([answer.status, answer.json.code], [400, 'malformed_json'], name);
  }
});
