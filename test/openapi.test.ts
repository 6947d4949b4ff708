// The description of the API: a linter finds nothing in it, every example in it is sent for real, and what
// comes back is what it says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Errors } from 'typebox/schema';
import { errorCatalogue } from '../src/base/errors.ts';
import { callRoute } from './harness/call-route.ts';
import { credentialHeaders, type Json } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import {
  credentialsFor,
  listRoutes,
  openCompany,
  type Route,
  type RouteCompany,
  routeCaseOf,
  validCall,
} from './harness/route-cases.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

let paylink: Paylink;
let company: RouteCompany;
let routes: Route[];
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  company = await openCompany(paylink, paylink.merchant);
  routes = await listRoutes(paylink.baseUrl);
});
after(async () => await paylink.stop());

/** What does not fit a schema of the description, in words; empty when all does. */
function misfits(schema: Json, value: unknown): string[] {
  const [, faults] = Errors(schema, value);
  return faults.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const successOf = (route: Route) => route.operation.responses['200']?.content?.['application/json'];

test('a linter finds nothing in the description', async () => {
  const source = await (await fetch(`${paylink.baseUrl}/openapi.json`)).text();
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'tag-description': 'error',
      'operation-tag-defined': 'error',
      'info-contact': 'error',
      // The service under test runs on this machine.
      'no-server-example.com': 'off',
    },
  });
  const problems = await lintFromString({ source, config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''} ${message}`),
    [],
  );
});

test('every request and every answer has an example, and each fits its schema', () => {
  for (const { name, operation } of routes) {
    const request = operation.requestBody?.content['application/json'];
    if (request) {
      assert.ok(request.example, `${name} has no example of its body`);
      assert.deepEqual(misfits(request.schema, request.example), [], name);
    }
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      const answer = content['application/json'];
      if (!answer) continue;
      assert.ok(answer.example, `${name} has no example of its answer ${status}`);
      assert.deepEqual(misfits(answer.schema, answer.example), [], name);
    }
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'path') assert.ok(parameter.example, `${name} ${parameter.name}`);
  }
});

test('every example is accepted when it is sent, and its answer has the fields of the example', async () => {
  for (const route of routes) {
    const wanted = await validCall(route, company);
    const headers = routeCaseOf(route).roles ? credentialHeaders(await credentialsFor(route, company)) : {};
    const answer = await callRoute(paylink.baseUrl, route, { headers, ...wanted });
    assert.ok(answer.status < 300, `${route.name} ${answer.status} ${answer.text}`);
    const described = successOf(route);
    if (!described?.example) continue;
    assert.deepEqual(misfits(described.schema, answer.json), [], route.name);
    assert.deepEqual(Object.keys(answer.json).sort(), Object.keys(described.example).sort(), route.name);
  }
});

test('every refusal of a route is a problem document, and its codes are those of its status', () => {
  const statusOf = new Map<string, number>(
    Object.values(errorCatalogue).map(({ code, status }) => [code, status]),
  );
  for (const { name, operation } of routes) {
    const codes = operation['x-error-codes'];
    for (const code of codes) {
      const told = operation.responses[String(statusOf.get(code))]?.description ?? '';
      assert.ok(told.includes(`\`${code}\``), `${name} ${code}`);
    }
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      assert.deepEqual(Object.keys(content ?? {}), ['application/problem+json'], `${name} ${status}`);
      assert.ok(
        codes.some((code) => String(statusOf.get(code)) === status),
        `${name} ${status}`,
      );
    }
  }
});

test('every code of the catalogue is in the description, but those of no route, of pages and of processors’ webhooks', () => {
  const told = new Set(routes.flatMap(({ operation }) => operation['x-error-codes']));
  const left = Object.values(errorCatalogue).filter(({ code }) => !told.has(code));
  assert.deepEqual(
    left.map(({ code }) => code),
    ['invalid_notice', 'too_many_attempts', 'method_not_allowed'],
  );
});
