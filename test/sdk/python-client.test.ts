// The Python client has the same methods as the SDK for Node, and its generated modules are those of openapi.json.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiDocument, Schema } from '../../sdk/generate-types.ts';
import { routes } from '../../sdk/src/api-routes.ts';
import { createPaylink } from '../../sdk/src/index.ts';
import { writePython } from '../../sdk-python/generate-python.ts';
import { annotationOf, snake, writeModels } from '../../sdk-python/python-types.ts';
import { resources } from '../../sdk-python/resources.ts';
import { read } from '../harness/documents.ts';

const document = JSON.parse(read('openapi.json')) as ApiDocument;

/** Method and path of an operation, with `x` for each parameter. */
function requestOf(operation: string): string {
  const { method, path } = routes[operation as keyof typeof routes];
  return `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`;
}

type Call = (...parameters: unknown[]) => unknown;

/** The request that each method of the client for Node sends, by their names in Python. */
async function requestsOfNode(): Promise<Map<string, string>> {
  let sent = '';
  const paylink = createPaylink({
    baseUrl: 'http://localhost',
    credentials: { token: 't', apiKey: 'k', companyId: 'c' },
    fetch: async (url, init) => {
      sent = `${init?.method} ${new URL(String(url)).pathname}`;
      return Response.json({ data: [], nextCursor: null });
    },
  });
  const found = new Map<string, string>();
  for (const [resource, methods] of Object.entries(paylink).filter(([, value]) => typeof value === 'object'))
    for (const [name, call] of Object.entries(methods as unknown as Record<string, Call>)) {
      if (name === 'follow') continue;
      const first = name === 'uploadLogo' ? new Blob([], { type: 'image/png' }) : 'x';
      const answer = (await call(first, {})) as { page?: () => Promise<unknown> } | undefined;
      await answer?.page?.();
      found.set(`${snake(resource)}.${snake(name)}`, sent);
    }
  return found;
}

test('each method of the SDK for Node is in the Python client under its name, with the same request', async () => {
  const ofPython = Object.entries(resources).flatMap(([resource, { methods }]) =>
    Object.entries(methods).map(([name, method]): [string, string] => [
      `${resource}.${name}`,
      requestOf(typeof method === 'string' ? method : method.operation),
    ]),
  );
  const sorted = (entries: Iterable<[string, string]>) => Object.fromEntries([...entries].sort());
  assert.deepEqual(sorted(ofPython), sorted(await requestsOfNode()));
  assert.ok(ofPython.length > 70);
});

test('the generated modules of the Python client are those of openapi.json', () => {
  for (const [name, content] of Object.entries(writePython(document)))
    assert.equal(read(`sdk-python/src/paylink_sdk/${name}`), content, name);
});

test('the packages have one version', () => {
  const [, version] = /^version = "(.*)"$/m.exec(read('sdk-python/pyproject.toml')) ?? [];
  assert.equal(version, JSON.parse(read('sdk/package.json')).version);
});

test('names of the API become names of Python', () => {
  const names = { PaymentLinkCode: 'payment_link_code', CreatedOn: 'created_on', success_url: 'success_url' };
  const others = {
    clientDataJSON: 'client_data_json',
    from: 'from_',
    webhookURLs: 'webhook_ur_ls',
    json: 'json_',
  };
  for (const [name, python] of Object.entries({ ...names, ...others })) assert.equal(snake(name), python);
});

test('an unknown form of schema stops the generator, and a planted field reaches the models', () => {
  const unknown = { not: { type: 'string' } } as Schema;
  assert.throws(() => annotationOf(unknown, () => ''), /"not"/);
  assert.throws(() => annotationOf({ $ref: 'other.json' }, () => ''), /other\.json/);
  const planted = structuredClone(document);
  const payment = planted.components?.schemas?.Payment;
  assert.ok(payment?.properties);
  payment.properties.plantedField = {
    anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }],
  };
  payment.required?.push('plantedField');
  const alias = 'validation_alias="plantedField", serialization_alias="plantedField"';
  assert.ok(writeModels(planted).includes(`    planted_field: list[int] | None = Field(${alias})\n`));
});
