// The API description: it passes a linter, and its examples work.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Errors } from 'typebox/schema';
import { errorCatalogue } from '../src/base/errors.ts';
import { nameComponents } from '../src/http/openapi-components.ts';
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

/** The schema errors of a value. */
function misfits(schema: Json, value: unknown): string[] {
  const [, faults] = Errors(schema, value);
  return faults.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const successOf = (route: Route) => route.operation.responses['200']?.content?.['application/json'];

test('the description passes the linter', async () => {
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

test('every request and response has an example that fits its schema', () => {
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

test('every example is accepted, and its response has the fields of the example', async () => {
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

type Content = { content?: Record<string, { schema?: Json }> };
type Document = {
  paths: Record<string, Record<string, { requestBody?: Content; responses: Record<string, Content> }>>;
};

const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');

/** Larger shapes must be components. */
const maxInlineMembers = 1;

/** The places of each larger object schema, ignoring descriptions. */
function placesOfShapes(document: object): Map<string, string[]> {
  const places = new Map<string, string[]>();
  const visit = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { description: _, examples: __, title: ___, ...form } = value as Json;
    if (form.type === 'object' && Object.keys(form.properties ?? {}).length > maxInlineMembers) {
      const key = JSON.stringify(form);
      places.set(key, [...(places.get(key) ?? []), place]);
    }
    for (const [name, member] of Object.entries(value))
      if (name !== 'example' && name !== 'examples') visit(member, `${place}/${name}`);
  };
  visit(document, '#');
  return places;
}

const repeatedShapes = (document: object) =>
  [...placesOfShapes(document).values()].filter((places) => places.length > 1);

/** JSON bodies and errors that are not components. */
function inlineBodies({ paths }: Document): string[] {
  return Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
      Object.entries({ ...responses, body: requestBody ?? {} }).flatMap(([name, body]) => {
        const schema = body.content?.['application/json']?.schema;
        const isNamed = Number(name) >= 400 ? '$ref' in body : !schema || '$ref' in schema;
        return isNamed ? [] : [`${method} ${name} ${JSON.stringify(body).slice(0, 80)}`];
      }),
    ),
  );
}

test('the committed description is small, without repeated shapes, and every body and error is a component', () => {
  const document = JSON.parse(committed) as Document;
  // Each operation costs a reader of the description as much.
  const perOperation =
    Buffer.byteLength(committed) / Object.values(document.paths).flatMap(Object.values).length;
  assert.ok(perOperation < 5_500, `${Math.round(perOperation)} bytes for each operation`);
  assert.ok(placesOfShapes(document).size > 80);
  assert.deepEqual(repeatedShapes(document), []);
  assert.deepEqual(inlineBodies(document), []);
});

test('a repeated shape, an inline body and an inline error are detected', () => {
  const document = JSON.parse(committed);
  const { schemas } = document.components;
  const { post } = document.paths['/v1/payments/{code}/refunds'];
  post.responses['200'].content['application/json'].schema = {
    ...schemas.Refund,
    description: 'Another text',
  };
  post.responses['409'] = document.components.responses.Conflict;
  assert.deepEqual(
    repeatedShapes(document).map((places) => places.length),
    [2],
  );
  assert.deepEqual(
    inlineBodies(document).map((one) => one.slice(0, 8)),
    ['post 200', 'post 409'],
  );
});

test('different schemas with one name are rejected', () => {
  const operation = (schema: object) => ({
    operationId: 'getThing',
    responses: { 200: { description: 'It', content: { 'application/json': { schema } } } },
  });
  const named = (members: object) => ({ type: 'object', title: 'Thing', properties: members });
  const describe = (a: object, b: object) =>
    nameComponents({ paths: { '/a': { get: operation(a) }, '/b': { get: operation(b) } } }) as object;
  const thing = named({ id: { type: 'string' } });
  const { components } = describe(thing, { ...thing, description: 'One thing' }) as {
    components: { schemas: object };
  };
  assert.deepEqual(Object.keys(components.schemas), ['Thing']);
  assert.throws(
    () => describe(thing, named({ id: { type: 'integer' } })),
    /two different schemas are named Thing/,
  );
});

test('/openapi.json is sent compressed if accepted, and not again for a known ETag', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${paylink.baseUrl}/openapi.json`, { headers });
  const plain = await (await ask({ 'accept-encoding': 'identity' })).text();
  for (const encoding of ['br', 'gzip']) {
    const response = await ask({ 'accept-encoding': encoding });
    assert.equal(response.headers.get('content-encoding'), encoding);
    assert.equal(response.headers.get('vary'), 'accept-encoding');
    assert.ok(Number(response.headers.get('content-length')) < plain.length / 8);
    assert.equal(await response.text(), plain);
    const etag = response.headers.get('etag') ?? '';
    const again = await ask({ 'accept-encoding': encoding, 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
    assert.equal((await ask({ 'accept-encoding': encoding, 'if-none-match': '"another"' })).status, 200);
  }
});

test('webhook messages have their own tag', async () => {
  type Paths = Record<string, Record<string, { tags: string[] }>>;
  const { webhooks, paths } = JSON.parse(committed) as { webhooks: Paths; paths: Paths };
  const tagsOf = (part: Paths) =>
    new Set(Object.values(part).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)));
  assert.deepEqual([...tagsOf(webhooks)], ['webhook-messages']);
  assert.ok(!tagsOf(paths).has('webhook-messages'));
});

test('every error of a route is a problem document with the codes of its status', () => {
  const statusOf = new Map<string, number>(
    Object.values(errorCatalogue).map(({ code, status }) => [code, status]),
  );
  for (const { name, operation } of routes) {
    const codes = operation['x-error-codes'];
    for (const code of codes) {
      const reported = operation.responses[String(statusOf.get(code))]?.description ?? '';
      assert.ok(reported.includes(`\`${code}\``), `${name} ${code}`);
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

test('every error code that a route returns is in the description', () => {
  const reported = new Set(routes.flatMap(({ operation }) => operation['x-error-codes']));
  const left = Object.values(errorCatalogue).filter(({ code }) => !reported.has(code));
  assert.deepEqual(
    left.map(({ code }) => code),
    ['invalid_notice', 'method_not_allowed'],
  );
});
