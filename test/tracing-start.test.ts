// What a service process loads and sends: nothing of OpenTelemetry without its settings, and traces with those of a .env
// file. What it imports is read from Node's loader.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCollector } from './harness/collector.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { createProcessGroup, stopRun } from './harness/process.ts';

const stage = createProcessGroup();
let database: Awaited<ReturnType<typeof createFromTemplate>>;
before(async () => {
  database = await createFromTemplate();
});
after(async () => {
  await stage.clear();
  await database.drop();
});

/** Writes every import of OpenTelemetry, by whatever file, into a file. */
const hookFor = (file: string) => `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    if (/opentelemetry|open-export/.test(name)) appendFileSync(${JSON.stringify(file)}, name + '\\n');
    return next(name, context);
  } });`;

const masterKey = Buffer.alloc(32, 7).toString('base64');

/** Starts the service in a folder, calls it, and stops it. Returns what it imported of OpenTelemetry. */
async function run(home: string, settings: Record<string, string>): Promise<string[]> {
  const file = join(home, 'loaded.txt');
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hookFor(file))}`;
  const service = await stage.start({
    through: 'server',
    cwd: home,
    settings: { NODE_OPTIONS, DATABASE_URL: database.url, PAYLINK_MASTER_KEY: masterKey, ...settings },
  });
  await service.ready();
  assert.equal((await fetch(`${service.url}/pay/unknown`)).status, 404);
  assert.deepEqual(await stopRun(service), { code: 0, signal: null });
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

test('without an endpoint, no file of OpenTelemetry is loaded', async () => {
  const settings = { OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'a=b' };
  assert.deepEqual(await run(await stage.folder(), settings), []);
});

test('the settings of a .env file count, and what is left is sent when the service stops', async () => {
  const collector = await startCollector();
  const home = await stage.folder();
  const lines = [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`,
    'OTEL_EXPORTER_OTLP_PROTOCOL=http/json',
    'OTEL_EXPORTER_OTLP_HEADERS=x-tenant=from-file',
    'OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=from-file',
  ];
  await writeFile(join(home, '.env'), lines.join('\n'));
  const loaded = await run(home, {});
  assert.ok(loaded.includes('@opentelemetry/sdk-trace'));
  assert.ok(!loaded.some((name) => /instrumentation|grpc/.test(name)));
  const span = collector.spans().find(({ kind, name }) => kind === 2 && name.startsWith('GET /pay/'));
  assert.equal(span?.resource['deployment.environment.name'], 'from-file');
  assert.ok(collector.metrics().has('http.server.request.duration'));
  for (const { headers } of collector.posts) assert.equal(headers['x-tenant'], 'from-file');
  await collector.close();
});
