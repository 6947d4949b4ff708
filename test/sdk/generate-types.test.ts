import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ApiDocument, type Schema, typeOf, writeRoutes, writeTypes } from '../../sdk/generate-types.ts';
import { routes } from '../../sdk/src/api-routes.ts';
import type { WebhookEvents } from '../../sdk/src/api-types.ts';
import { eventTypes, testEventType } from '../../src/webhooks/event-types.ts';

const forms: [Schema, string][] = [
  [{ type: 'string', description: 'A text' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
  [{ const: 7 }, '7'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ type: 'object' }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }, 'Record<string, string>'],
  [{ $ref: '#/components/schemas/Problem' }, 'Problem'],
  [{ allOf: [{ $ref: '#/components/schemas/A' }, { type: 'object' }] }, '(A) & (Record<string, unknown>)'],
  [{ description: 'whatever it is' }, 'unknown'],
  [
    { type: 'object', properties: { a: { type: 'string' }, 'b-c': { type: 'null' } }, required: ['a'] },
    "{\n  a: string;\n  'b-c'?: null | undefined;\n}",
  ],
];
for (const [schema, type] of forms) {
  test(`the schema ${JSON.stringify(schema)} becomes ${type.replaceAll('\n', ' ')}`, () => {
    assert.equal(typeOf(schema, ''), type);
  });
}

test('an unknown form of schema stops the generator, and so does a missing name', () => {
  const unknown = { type: 'object', properties: { a: { not: { type: 'string' } } } } as Schema;
  assert.throws(() => typeOf(unknown, ''), /"not"/);
  assert.throws(() => typeOf({ $ref: 'other.json' }, ''), /other\.json/);
  const nameless: ApiDocument = { paths: { '/a': { get: { responses: {} } } } };
  assert.throws(() => writeTypes(nameless), /get \/a has no operationId/);
});

const document: ApiDocument = {
  paths: {
    '/v1/things/{id}': {
      get: {
        operationId: 'findThings',
        summary: 'Find */ things',
        security: [{ bearer: [] }],
        parameters: [
          { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
          { in: 'query', name: 'from', schema: { type: 'string', description: 'A moment' } },
          { in: 'query', name: 'sort', schema: { type: 'string', enum: ['up', 'down'] } },
          { in: 'header', name: 'X-Other', schema: { type: 'string' } },
        ],
        responses: {
          200: { content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } } },
          204: {},
          404: { content: { 'application/json': { schema: { type: 'null' } } } },
        },
      },
      post: {
        operationId: 'exportThings',
        deprecated: true,
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } },
      },
    },
  },
};

test('an operation is typed by its parameters, its body and its successful responses', () => {
  const written = writeTypes(document).split('export type Operations = ')[1];
  assert.equal(
    written,
    `{
  /** Find * / things */
  findThings: {
    input: {
      path: {
        id: string;
      };
      query?: {
        /** A moment */
        from?: QueryText | undefined;
        sort?: 'up' | 'down' | undefined;
      } | undefined;
    };
    answer: string[] | undefined;
  };
  /** @deprecated */
  exportThings: {
    input: {
      body?: Record<string, unknown> | undefined;
    };
    answer: Response;
  };
};
`,
  );
});

test('a route has the method, the path, and whether it takes credentials and returns JSON', () => {
  const written = writeRoutes(document);
  const path = "path: '/v1/things/{id}'";
  assert.ok(written.includes(`findThings: { method: 'GET', ${path}, isOpen: false, isJson: true },`));
  assert.ok(written.includes(`exportThings: { method: 'POST', ${path}, isOpen: true, isJson: false },`));
});

test('every operation of openapi.json has its route', () => {
  const { paths } = JSON.parse(
    readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
  ) as ApiDocument;
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
  );
  assert.ok(known.length >= 10);
  assert.deepEqual(
    Object.entries(routes).map(([id, { method, path }]) => [id, method, path]),
    known,
  );
});

test('every event type that the service sends is in the union of webhook events, with the data of its message', () => {
  const types = readFileSync(new URL('../../sdk/src/api-types.ts', import.meta.url), 'utf8');
  const [, block = ''] = /^export type WebhookEvents = \{\n(.*?)^\};/ms.exec(types) ?? [];
  const members = [...block.matchAll(/^ {2}'([\w.]+)': (\w+);$/gm)];
  assert.deepEqual(
    members.map(([, type]) => type).sort(),
    [...Object.keys(eventTypes), testEventType].sort(),
  );
  for (const [, type = '', message = ''] of members) {
    const [, shape = ''] = new RegExp(`^export type ${message} = \\{\\n(.*?)^\\};`, 'ms').exec(types) ?? [];
    assert.ok(shape.includes(`  type: '${type}';\n`), `${message} has the type ${type}`);
    assert.match(shape, /^ {2}data: \w+;$/m, message);
  }
  // Fails in the type check if the types differ.
  const sent: Record<keyof WebhookEvents, unknown> = { ...eventTypes, [testEventType]: null };
  assert.equal(Object.keys(sent).length, members.length);
});

test('a webhook without a schema stops the generator', () => {
  assert.throws(() => writeTypes({ paths: {}, webhooks: { 'a.b': {} } }), /the webhook a\.b has no schema/);
});
