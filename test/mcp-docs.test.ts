// Compares the tools of `paylink mcp` with the API that they call, and with docs/mcp.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { acts } from '../src/mcp/acts.ts';
import { maxPageCharacters, splitPage } from '../src/mcp/documentation.ts';
import { notice } from '../src/mcp/results.ts';
import { tools } from '../src/mcp/tools.ts';
import { type Json, logIn } from './harness/client.ts';
import { bare, blocksOf, documents, read, rowsOf, sectionOf } from './harness/documents.ts';
import { connectClient, connectMcp, type McpClient } from './harness/mcp.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { commandPath, root } from './harness/process.ts';
import { createServiceKey } from './harness/service-keys.ts';

let paylink: Paylink;
let mcp: McpClient;
before(async () => {
  paylink = await startPaylink('server');
  const { key } = await createServiceKey(paylink, await logIn(paylink), { scopes: ['events:read'] });
  mcp = await connectMcp(paylink, key);
});
after(async () => {
  await paylink.stop();
  await mcp.close();
});

const page = read('docs/mcp.md');

type Parameter = { name?: string; $ref?: string; in?: string; schema?: Json };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
};
const description = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; parameters?: Record<string, Parameter> };
};
const operations = new Map(
  Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);
const resolve = (schema: Json): Json =>
  typeof schema.$ref === 'string'
    ? (description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
    : schema;

/** The operation of each tool. */
const operationOf: Readonly<Record<string, string>> = {
  list_payments: 'listPayments',
  get_payment: 'getPayment',
  list_payment_events: 'listPaymentEvents',
  list_refunds: 'findRefunds',
  get_refund: 'getRefund',
  list_events: 'listEvents',
  list_webhook_endpoints: 'listWebhookEndpoints',
  get_webhook_endpoint: 'getWebhookEndpoint',
  list_webhook_deliveries: 'listWebhookDeliveries',
  list_payment_deliveries: 'listPaymentDeliveries',
  get_webhook_delivery: 'getWebhookDelivery',
  list_balances: 'listBalances',
  list_requests: 'listRequests',
  get_request: 'getRequest',
  get_access: 'getAccess',
  create_payment: 'processPayment',
  cancel_payment: 'cancelPayment',
  refund_payment: 'refundPayment',
};

/** The parameters and the fields of the body of an operation, by name. */
function fieldsOf(operation: Operation): Map<string, Json> {
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref ? (description.components.parameters?.[one.$ref.split('/').at(-1) ?? ''] ?? one) : one,
  );
  const body = operation.requestBody?.content['application/json']?.schema;
  const fields = body ? (resolve(body).properties as Record<string, Json>) : {};
  return new Map([
    ...parameters.map(({ name = '', schema = {} }): [string, Json] => [name, resolve(schema)]),
    ...Object.entries(fields).map(([name, schema]): [string, Json] => [name, resolve(schema)]),
  ]);
}

/** Values that the API has, and the tools leave out. */
const leftOut: Readonly<Record<string, readonly string[]>> = { sort: ['-CreatedOn', 'CreatedOn'] };

test('each argument of a tool is one of its operation, with the same values, and the scope is that of the operation', () => {
  const names = tools.map(({ name }) => name).filter((name) => name !== 'read_documentation');
  assert.deepEqual(names.sort(), Object.keys(operationOf).sort());
  for (const { name, scope, input } of tools) {
    const operation = operations.get(operationOf[name] ?? '');
    if (!operation) continue;
    const [scopes = []] = (operation.security ?? []).flatMap(({ serviceKey }) =>
      serviceKey ? [serviceKey] : [],
    );
    assert.deepEqual(scope === null ? [] : [scope], scopes, name);
    const fields = fieldsOf(operation);
    for (const [argument, schema] of Object.entries(input.properties) as unknown as [string, Json][]) {
      if (argument === 'idempotencyKey') continue;
      const field = fields.get(argument === 'paymentLinkCode' && fields.has('code') ? 'code' : argument);
      assert.ok(field, `${name} ${argument}`);
      if (!schema.enum) continue;
      const values = (field.enum as string[]).filter((value) => !leftOut[argument]?.includes(value));
      assert.deepEqual(schema.enum, values, `${name} ${argument}`);
    }
  }
});

test('docs/mcp.md has every tool with its scope, every act, and the sentences at the mark', () => {
  const documented = ['### What it reads', '### What it changes'].flatMap((heading) =>
    rowsOf(sectionOf(page, heading).split('\n## ')[0] ?? '').map(([name = '', , scope = '']) => [
      bare(name),
      bare(scope),
    ]),
  );
  const expected = tools.map(({ name, scope }) => [name, scope ?? 'none']);
  assert.deepEqual(documented.sort(), expected.sort());
  for (const act of acts) assert.ok(page.includes(`\`${act}\``), act);
  assert.ok(page.replaceAll(/\s+/g, ' ').includes(notice), notice);
});

test('the configuration in docs/mcp.md starts the server, and its results are those of the server', async () => {
  const [configuration, empty, failed] = blocksOf(page, 'json').map((block) => JSON.parse(block) as Json);
  const { paylink: server } = configuration?.mcpServers as Record<string, { args: string[]; env: Json }>;
  assert.ok(server);
  const { key } = await createServiceKey(paylink, await logIn(paylink), { scopes: ['read'] });
  const values: Readonly<Record<string, string>> = { PAYLINK_URL: paylink.baseUrl, PAYLINK_SERVICE_KEY: key };
  assert.deepEqual(Object.keys(server.env), Object.keys(values));
  const started = await connectClient(
    new StdioClientTransport({
      command: process.execPath,
      args: server.args.map((word) => word.replace('/path/to/your/clone/', root)),
      env: { PATH: commandPath(), ...values },
      stderr: 'ignore',
    }),
  );
  try {
    assert.deepEqual((await started.call('list_payments')).json, empty);
    const { json } = await started.call('get_payment', { paymentLinkCode: 'none' });
    const { requestId } = json.error as Json;
    assert.match(String(requestId), /^req_/);
    (json.error as Json).requestId = (failed?.error as Json).requestId;
    assert.deepEqual(json, failed);
  } finally {
    await started.close();
  }
});

test('the documentation is read page by page, and a long page by section', async () => {
  const list = await mcp.call('read_documentation');
  for (const file of documents.filter((one) => one.startsWith('docs/')))
    assert.ok(list.text.includes(`- ${file}: `) || file === 'docs/README.md', file);
  const states = await mcp.call('read_documentation', { page: '/docs/states.md#refunds' });
  const served = async (path: string) => await (await fetch(`${paylink.baseUrl}/${path}`)).text();
  assert.equal(states.text, await served('docs/states.md'));
  assert.deepEqual(states.structured, { mode: 'test', data: { page: 'docs/states.md', text: states.text } });
  const api = await served('docs/api.md');
  assert.ok(api.length > maxPageCharacters);
  const { text, structured } = await mcp.call('read_documentation', { page: 'docs/api.md' });
  assert.ok(text.length < maxPageCharacters);
  const { sections } = structured?.data as { sections: string[] };
  assert.ok(sections.includes('Service keys') && text.includes('"Service keys"'));
  const section = await mcp.call('read_documentation', { page: 'docs/api.md', section: '## service keys' });
  assert.ok(section.text.startsWith('## Service keys\n'));
  assert.ok(api.includes(section.text.trimEnd()));
  for (const [given, code] of [
    [{ page: 'package.json' }, 'unknown_page'],
    [{ page: 'docs/../package.json' }, 'unknown_page'],
    [{ page: 'https://evil.example/x.md' }, 'unknown_page'],
    [{ page: 'docs/api.md', section: 'Nothing' }, 'unknown_section'],
  ] as [Json, string][])
    assert.equal((await mcp.fail('read_documentation', given)).code, code);
});

test('a heading in a code block does not begin a section', () => {
  const text = '# Page\n\nstart\n\n## One\n\n```sh\n## not a heading\n```\n\n## Two\nend';
  const { start, sections } = splitPage(text);
  assert.equal(start, '# Page\n\nstart\n\n');
  assert.deepEqual(
    sections.map(({ heading }) => heading),
    ['One', 'Two'],
  );
  assert.ok(sections[0]?.text.includes('## not a heading'));
});
