// Receivers of webhooks as docs/webhooks.md shows them, in the real frameworks, and the adapters of the SDK against
// bodies that are forged, old, parsed or too large.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { expressWebhook } from '../../sdk/src/express.ts';
import { fastifyWebhook } from '../../sdk/src/fastify.ts';
import { PaylinkError, type WebhookEvent } from '../../sdk/src/index.ts';
import { makeWebhookSecret, signWebhook } from '../../sdk/src/testing.ts';
import { createLink, logIn, orderOf } from '../harness/client.ts';
import { blocksOf, read, sectionOf } from '../harness/documents.ts';
import { freePort, type Paylink, startPaylink } from '../harness/paylink.ts';
import { root, until } from '../harness/process.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';

const page = sectionOf(read('docs/webhooks.md'), '## Receivers');

/** The program of a framework in the document. */
function programOf(framework: string): string {
  const [, section = ''] = page.split(`### ${framework}\n`);
  return blocksOf(section, 'js')[0] ?? assert.fail(`no program for ${framework}`);
}

/** A project with the frameworks and the SDK, from its sources: `package.test.ts` tests the packed one. */
async function createShop(): Promise<string> {
  const shop = await mkdtemp(path.join(tmpdir(), 'paylink-shop-'));
  const modules = path.join(shop, 'node_modules');
  const sdk = path.join(modules, '@paylink', 'sdk');
  await mkdir(sdk, { recursive: true });
  const { exports } = JSON.parse(read('sdk/package.json'));
  const sources = Object.entries<{ default: string }>(exports).map(([name, target]) => [
    name,
    target.default?.replace('./dist/', './src/').replace('.js', '.ts'),
  ]);
  await writeFile(
    path.join(sdk, 'package.json'),
    JSON.stringify({ name: '@paylink/sdk', type: 'module', exports: Object.fromEntries(sources) }),
  );
  await symlink(path.join(root, 'sdk', 'src'), path.join(sdk, 'src'));
  for (const name of ['express', 'fastify', 'hono'])
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  return shop;
}

type Handle = (request: Request) => Response | Promise<Response>;

describe('the receivers of the documents', () => {
  let paylink: Paylink;
  let shop: string;
  const children: ChildProcess[] = [];
  before(async () => {
    paylink = await startPaylink('embedded', { settings: loopbackSettings });
    shop = await createShop();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await paylink.stop();
    await rm(shop, { recursive: true, force: true });
  });

  /** Starts a program on a port of its own with a new endpoint. Returns its output so far. */
  async function startReceiver(framework: string) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhooks/paylink`;
    const { secret } = await createTestEndpoint(paylink, await logIn(paylink), { url });
    const program = programOf(framework);
    assert.ok(program.includes('3001'));
    const file = path.join(shop, `${framework}.mjs`);
    await writeFile(file, program.replaceAll('3001', String(port)));
    const env = { PATH: process.env.PATH, PAYLINK_WEBHOOK_SECRET: secret };
    const child = spawn(process.execPath, [file], { env, cwd: shop });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    await until(async () => (await isListening(port)) || child.exitCode !== null, framework);
    assert.equal(child.exitCode, null, output);
    return { url, output: () => output };
  }

  const isListening = async (port: number) =>
    await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });

  for (const framework of ['Express', 'Fastify'])
    test(`the receiver for ${framework} handles the webhooks of a real payment, and refuses forged ones`, async () => {
      const receiver = await startReceiver(framework);
      const order = orderOf();
      const { link } = await createLink(paylink, order);
      await payWith(link, { number: '4242424242424242' });
      const line = `Paid: ${order.customerOrderId}\n`;
      await until(() => receiver.output().includes(line), 'the webhook');
      const forged = await signWebhook({ payload: { type: 'payment.paid' }, secret: makeWebhookSecret() });
      const refused = await fetch(receiver.url, {
        method: 'POST',
        headers: forged.headers,
        body: forged.body,
      });
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /^wrong_signature: .*secret.*raw body/);
      assert.equal(receiver.output(), line);
    });

  for (const framework of ['Hono', 'Next'])
    test(`the receiver for ${framework} handles a genuine webhook, and refuses forged ones`, async (t) => {
      const secret = makeWebhookSecret();
      process.env.PAYLINK_WEBHOOK_SECRET = secret;
      t.after(() => {
        delete process.env.PAYLINK_WEBHOOK_SECRET;
      });
      const printed: string[] = [];
      t.mock.method(console, 'log', (line: string) => printed.push(line));
      const file = path.join(shop, `${framework}.mjs`);
      await writeFile(file, programOf(framework));
      const loaded = (await import(pathToFileURL(file).href)) as {
        default?: { fetch: Handle };
        POST?: Handle;
      };
      const handle = loaded.POST ?? loaded.default?.fetch ?? assert.fail('it exports a handler');
      const payload = { type: 'payment.paid', data: { payment: { customerOrderId: 'order-1' } } };
      const { body, headers } = await signWebhook({ payload, secret });
      const send = async (text: string) =>
        (
          await handle(
            new Request('http://localhost/webhooks/paylink', { method: 'POST', headers, body: text }),
          )
        ).status;
      assert.equal(await send(body), 204);
      assert.deepEqual(printed, ['Paid: order-1']);
      assert.equal(await send(`${body} `), 400);
      assert.deepEqual(printed, ['Paid: order-1']);
    });
});

const secret = makeWebhookSecret();
const payload = { id: 'evt_1', type: 'payment.paid', data: { payment: { amount: 19.99 } } };

type Server = { post(path: string, body: string, headers: Record<string, string>): Promise<Response> };

async function listen(listener: RequestListener, work: (server: Server) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await work({
      post: async (at, body, headers) =>
        await fetch(`http://127.0.0.1:${port}${at}`, { method: 'POST', body, headers }),
    });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

describe('expressWebhook', () => {
  test('the event is typed by its type, and its program is told the ID and the time', async () => {
    const seen: [string, number, string][] = [];
    const onEvent = (event: WebhookEvent, { id }: { id: string }) => {
      if (event.type === 'payment.paid') seen.push([event.id, event.data.payment.amount, id]);
    };
    const app = express().post('/', expressWebhook(secret, onEvent));
    const { body, headers } = await signWebhook({ payload, secret, id: 'evt_1' });
    await listen(app, async ({ post }) => assert.equal((await post('/', body, headers)).status, 204));
    assert.deepEqual(seen, [['evt_1', 19.99, 'evt_1']]);
  });

  test('an old message and a body of more than 1 MiB are refused', async () => {
    const app = express().post('/', expressWebhook(secret, assert.fail));
    const old = await signWebhook({ payload, secret, sentAt: new Date(Date.now() - 600_000) });
    const large = await signWebhook({ payload: 'x'.repeat(1_048_576), secret });
    await listen(app, async ({ post }) => {
      const refused = await post('/', old.body, old.headers);
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /^expired: The message was sent 60\d s ago, and 300 s are allowed/);
      assert.equal((await post('/', large.body, large.headers)).status, 413);
    });
  });

  test('a body that was parsed before is an error that says what to do, and one that was kept raw is not', async () => {
    const { body, headers } = await signWebhook({ payload, secret });
    const errors: unknown[] = [];
    let count = 0;
    const app = express();
    const handler = expressWebhook(secret, () => {
      count += 1;
    });
    app.post('/json', express.json(), handler);
    app.post('/text', express.text({ type: '*/*' }), handler);
    app.post('/raw', express.raw({ type: 'application/json' }), handler);
    app.use(
      '/kept',
      express.json({
        verify: (request, _response, bytes) => {
          Object.assign(request, { rawBody: bytes });
        },
      }),
      handler,
    );
    app.use(
      (error: unknown, _q: express.Request, response: express.Response, _next: express.NextFunction) => {
        errors.push(error);
        response.sendStatus(500);
      },
    );
    await listen(app, async ({ post }) => {
      for (const at of ['/text', '/raw', '/kept'])
        assert.equal((await post(at, body, headers)).status, 204, at);
      assert.equal((await post('/json', body, headers)).status, 500);
      assert.equal((await post('/json', '{}', headers)).status, 500);
    });
    assert.equal(count, 3);
    for (const error of errors) {
      assert.ok(error instanceof PaylinkError && error.code === 'parsed_body');
      assert.match(error.message, /before express\.json\(\)/);
    }
    assert.equal(errors.length, 2);
  });

  test('an error of the program is passed on, and without Express it is the status 500', async () => {
    const { body, headers } = await signWebhook({ payload, secret });
    const handler = expressWebhook(secret, async () => {
      throw new Error('the shop is closed');
    });
    const passed: unknown[] = [];
    const withNext: RequestListener = (request, response) =>
      void handler(request, response, (error) => {
        passed.push(error);
        response.writeHead(500).end();
      });
    for (const listener of [withNext, handler as RequestListener])
      await listen(listener, async ({ post }) => assert.equal((await post('/', body, headers)).status, 500));
    assert.match(String(passed[0]), /the shop is closed/);
    assert.equal(passed.length, 1);
  });

  test('a key that verifies nothing is refused at once', () => {
    for (const key of ['', 'plk_test_123', undefined as unknown as string, []])
      assert.throws(
        () => expressWebhook(key, () => undefined),
        (error) => error instanceof PaylinkError && error.code === 'invalid_option',
      );
  });
});

describe('fastifyWebhook', () => {
  const inject = async (app: FastifyInstance, body: string, headers: Record<string, string>) =>
    await app.inject({ method: 'POST', url: '/shop/webhooks', payload: body, headers });

  test('its route gets the body unparsed, and other routes keep their parsers', async () => {
    const seen: string[] = [];
    const app = fastify();
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      done(null, JSON.parse(String(body)));
    });
    await app.register(fastifyWebhook, {
      prefix: '/shop',
      path: '/webhooks',
      key: secret,
      onEvent: (event) => seen.push(event.type),
    });
    app.post('/orders', async (request) => request.body);
    const { body, headers } = await signWebhook({ payload, secret });
    const answer = await inject(app, body, headers);
    assert.deepEqual([answer.statusCode, answer.body, seen], [204, '', ['payment.paid']]);
    const parsed = await app.inject({ method: 'POST', url: '/orders', payload: { a: 1 } });
    assert.deepEqual(parsed.json(), { a: 1 });
    const forged = await inject(app, `${body} `, headers);
    assert.equal(forged.statusCode, 400);
    assert.match(forged.body, /^wrong_signature: /);
    assert.deepEqual(seen, ['payment.paid']);
    await app.close();
  });

  test('an error of the program reaches the error handler, and a key that verifies nothing stops the start', async () => {
    const app = fastify();
    await app.register(fastifyWebhook, {
      path: '/shop/webhooks',
      key: secret,
      onEvent: () => {
        throw new Error('the shop is closed');
      },
    });
    const { body, headers } = await signWebhook({ payload, secret });
    const answer = await inject(app, body, headers);
    assert.equal(answer.statusCode, 500);
    assert.match(answer.body, /the shop is closed/);
    await app.close();
    const other = fastify();
    other.register(fastifyWebhook, { path: '/', key: '', onEvent: () => undefined });
    await assert.rejects(async () => await other.ready(), /The webhook secret is missing/);
  });
});
