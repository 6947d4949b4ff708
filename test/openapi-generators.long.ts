// Three generators create clients from openapi.json. Each is installed with fixed versions into a temporary folder,
// because they need an older TypeScript or Python.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from './harness/process.ts';

const run = promisify(execFile);

const packages = { 'openapi-typescript': '7.13.0', '@hey-api/openapi-ts': '0.99.0', typescript: '5.9.3' };

type Response = { content: Record<string, { schema: object }> };
type Operation = { operationId: string; responses: Record<string, Response> };
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; parameters: Record<string, object> };
};

/** The result of a generator: the names of its models, and the unnamed ones. */
type Generated = { models: string[]; unnamed: string[] };

/** For downloads, which may be slow. */
const timeLimit = { timeout: 900_000 };

let folder: string;
let description: Description;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-generators-'));
  description = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await run('python3', ['-m', 'venv', join(folder, 'python')]);
  const requirements = join(root, 'test/openapi-generators.requirements.txt');
  await run(tool('python/bin/pip'), ['install', '--only-binary', ':all:', '-r', requirements]);
}, timeLimit);
after(async () => await rm(folder, { recursive: true, force: true }));

const tool = (path: string) => join(folder, path);
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Writes a description into a separate folder for the generators. */
async function place(name: string, document: Description): Promise<string> {
  const at = join(folder, name);
  await mkdir(at);
  await writeFile(join(at, 'openapi.json'), JSON.stringify(document));
  return at;
}

async function checkTypes(file: string): Promise<void> {
  await run(tool('node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'nodenext', file]);
}

async function runOpenapiTypescript(at: string): Promise<Generated> {
  const file = join(at, 'types.ts');
  await run(tool('node_modules/.bin/openapi-typescript'), [join(at, 'openapi.json'), '-o', file]);
  await checkTypes(file);
  const source = await readFile(file, 'utf8');
  const schemas = /\n {4}schemas: \{\n(.*?)\n {4}\};\n/s.exec(source)?.[1] ?? '';
  return {
    models: namesIn(schemas, /^ {8}(\w+): /gm),
    unnamed: namesIn(source, /"application\/json": (?!components\["schemas"\])(.*)/g),
  };
}

async function runHeyApi(at: string): Promise<Generated> {
  const { parameters, schemas } = description.components;
  const output = join(at, 'hey-api');
  const options = ['-i', join(at, 'openapi.json'), '-o', output, '-p', '@hey-api/typescript'];
  await run(tool('node_modules/.bin/openapi-ts'), options, { cwd: folder });
  const file = join(output, 'types.gen.ts');
  await checkTypes(file);
  const source = await readFile(file, 'utf8');
  const operations = Object.values(description.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const ofOperation = `(${operations.join('|')})(Data|Errors?|Responses?)`;
  const ofDocument = new RegExp(
    `^(ClientOptions|Webhooks|\\w+Webhook(Payload|Request)|${ofOperation})$`,
    'i',
  );
  return {
    models: namesIn(source, /^export (?:type|const|enum) (\w+)/gm).filter(
      (name) => name in schemas || !(name in parameters || ofDocument.test(name)),
    ),
    unnamed: namesIn(source, /^ {4}((?:20\d|body\??): \{)$/gm),
  };
}

/** Imports every module of the client and prints its models. */
const listModels = `
import importlib, pkgutil, json, client, client.models
for module in pkgutil.walk_packages(client.__path__, 'client.'): importlib.import_module(module.name)
print(json.dumps(client.models.__all__))
`;

async function runPythonClient(at: string): Promise<Generated> {
  const options = ['--path', join(at, 'openapi.json'), '--output-path', join(at, 'client'), '--meta', 'none'];
  await run(tool('python/bin/openapi-python-client'), ['generate', ...options], { cwd: at });
  const { stdout } = await run(tool('python/bin/python'), ['-c', listModels], { cwd: at });
  return { models: JSON.parse(stdout), unnamed: await findTwins(join(at, 'client/models')) };
}

/** Python models that differ only in their names, unless all of them are components. */
async function findTwins(models: string): Promise<string[]> {
  const { schemas } = description.components;
  const files = (await readdir(models)).filter((file) => file.endsWith('.py') && file !== '__init__.py');
  const bodies = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(join(models, file), 'utf8');
      const name = /^class (\w+)/m.exec(source)?.[1] ?? '';
      const body = source
        .replaceAll(/"""(.*?)"""/gs, '')
        .replaceAll(new RegExp(`\\b(${name}|${file.replace('.py', '')})\\b`, 'g'), '');
      return { name, body };
    }),
  );
  return [...Map.groupBy(bodies, ({ body }) => body).values()]
    .filter((group) => group.length > 1 && group.some(({ name }) => !(name in schemas)))
    .map((group) => group.map(({ name }) => name).join(' = '));
}

/** Models named after a component and its property, or an operation and its parameter; besides types of messages. */
const derivedModels = [
  'AccountSessionKind',
  'AttemptStatus',
  'BankLineDirection',
  'CaseStatus',
  'CauseTestEventType',
  'ChangeCompanyRequestBranding',
  'ChangeCompanyRequestMail',
  'ConnectionStatusHealth',
  'CreateServiceKeyRequestScopesItem',
  'DrawQrCodeFormat',
  'ExportPaymentsFormat',
  'GetOverviewDays',
  'LedgerEntryKind',
  'ListAuditEventsAbout',
  'ListLedgerEntriesSort',
  'ListPaymentsSort',
  'ListRequestsMethod',
  'OpenCaseCountKind',
  'OverviewAttention',
  'OverviewAttentionExpiring',
  'PaymentDeclineCode',
  'PaymentMethodType',
  'ProblemCode',
  'ProcessorTakes',
  'ResolveBankLineRequestAction',
  'ResolveBankRefundRequestOutcome',
  'ServiceProblemCode',
  'ServiceStatusVerdict',
  'TestDeclineDeclineCode',
  'TestProcessAttemptStatus',
  'TestRefundOutcome',
  'TestSettleOutcome',
  'UpdateWebhookEndpointRequestStatus',
  'WebhookRequestMethod',
];

test('openapi-typescript names its models as the description does', timeLimit, async () => {
  const { models, unnamed } = await runOpenapiTypescript(await place('openapi-typescript', description));
  assert.deepEqual(models, Object.keys(description.components.schemas));
  assert.deepEqual(unnamed, []);
});

test(
  '@hey-api/openapi-ts names its models as the description does, without numbered names',
  timeLimit,
  async () => {
    const { models, unnamed } = await runHeyApi(await place('hey-api', description));
    assert.deepEqual(models.sort(), Object.keys(description.components.schemas));
    assert.deepEqual(unnamed, []);
  },
);

test(
  'openapi-python-client names its models as the description does, and creates none twice',
  timeLimit,
  async () => {
    const { models, unnamed } = await runPythonClient(await place('python-client', description));
    const schemas = description.components.schemas;
    assert.deepEqual(
      Object.keys(schemas).filter((name) => !models.includes(name)),
      [],
    );
    const derived = models.filter((name) => !(name in schemas || name.endsWith('MessageType')));
    assert.deepEqual(derived.sort(), derivedModels);
    assert.deepEqual(unnamed, []);
  },
);

test('an inline shape in two responses is found in the output of each generator', timeLimit, async () => {
  const planted = structuredClone(description);
  const { Refund = {} } = planted.components.schemas;
  for (const path of ['/v1/payments/{code}/refunds', '/v1/payments/{code}/cancel']) {
    const body = planted.paths[path]?.post?.responses['200']?.content['application/json'];
    assert.ok(body);
    body.schema = Refund;
  }
  for (const generate of [runOpenapiTypescript, runHeyApi, runPythonClient]) {
    const { unnamed } = await generate(await place(`planted-${generate.name}`, planted));
    assert.notDeepEqual(unnamed, [], generate.name);
  }
});
