import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../harness/browser.ts';
import { createLink, logIn, orderOf } from '../harness/client.ts';
import { type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { machineNode, root } from '../harness/process.ts';
import { createServiceKey } from '../harness/service-keys.ts';
import { payWith } from '../harness/visitor.ts';
import { installPacked, type Project, run } from './packed.ts';

/** Serves the files of a folder and a blank page. */
async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    const isProgram = request.url?.endsWith('.js');
    response.setHeader('content-type', isProgram ? 'text/javascript' : 'text/html');
    response.end(
      isProgram ? readFileSync(path.join(folder, request.url ?? '')) : '<!doctype html><title>Shop</title>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

const compilerPath = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const order = {
  customerOrderId: 'order-9',
  email: 'ada@example.com',
  amount: 19.99,
  currency: 'EUR',
};

describe('the packed SDK in an empty project', () => {
  let service: Paylink;
  let project: Project;
  before(async () => {
    service = await startPaylink('embedded');
    project = await installPacked();
  });
  after(async () => {
    await service.stop();
    await project.remove();
  });

  const installed = () => path.join(project.folder, 'node_modules', '@paylink', 'sdk');

  test('it contains its programs, their types, the README and the licence, and depends on nothing', () => {
    const modules = readdirSync(path.join(root, 'sdk', 'src')).map((name) => name.replace(/\.ts$/, ''));
    const expected = ['dist', 'dist/cjs'].flatMap((folder) =>
      modules.flatMap((name) => [`${folder}/${name}.d.ts`, `${folder}/${name}.js`]),
    );
    const others = ['dist/cjs/package.json', 'LICENSE', 'README.md', 'package.json'];
    assert.deepEqual(project.packed, [...expected, ...others].sort());
    const { dependencies, peerDependencies, engines, type } = JSON.parse(
      readFileSync(path.join(installed(), 'package.json'), 'utf8'),
    );
    assert.deepEqual(
      [dependencies, peerDependencies, engines, type],
      [undefined, undefined, { node: '>=20' }, 'module'],
    );
    const modulesIn = (folder: string) =>
      readdirSync(path.join(project.folder, folder)).filter((name) => !name.startsWith('.'));
    assert.deepEqual(
      [modulesIn('node_modules'), modulesIn('node_modules/@paylink')],
      [['@paylink'], ['sdk']],
    );
  });

  test('no program in it uses Node, so that it works in browsers', () => {
    const programs = project.packed.filter((name) => name.endsWith('.js'));
    assert.ok(programs.length > 10);
    for (const name of programs) {
      const source = readFileSync(path.join(installed(), name), 'utf8').replaceAll(/^\s*\/[/*].*$/gm, '');
      const isCommonJs = name.startsWith('dist/cjs/');
      const text = isCommonJs ? source.replaceAll(/\brequire\("\.\/[\w-]+\.js"\)/g, '') : source;
      assert.doesNotMatch(text, /node:|\brequire\(|\bprocess\.|\bBuffer\b|\b__dirname\b/, name);
      for (const [, specifier] of text.matchAll(/\bfrom '([^']+)'/g))
        assert.match(specifier ?? '', /^\.\/.*\.js$/);
    }
  });

  test('JavaScript can use it, with the Node of this machine and of the project', async () => {
    const file = await project.write(
      'shop.mjs',
      `import { createPaylink, PaylinkApiError, SignatureError } from '@paylink/sdk';
       import { verifyWebhook } from '@paylink/sdk/webhooks';
       import { createTestService, makeWebhookSecret, signWebhook } from '@paylink/sdk/testing';
       import assert from 'node:assert/strict';
       import { randomUUID } from 'node:crypto';

       const { BASE_URL: baseUrl, EMAIL: email, PASSWORD: password, ADDRESS: address } = process.env;
       const paylink = createPaylink({ baseUrl, email, password });
       const urls = { success_url: 'https://shop.example/a', failure_url: 'https://shop.example/b' };
       const made = await paylink.payments.create({ ...${JSON.stringify(order)}, customerOrderId: randomUUID(), ...urls });
       assert.equal((await paylink.payments.get(made.PaymentLinkCode)).status, 'open');
       await assert.rejects(paylink.payments.get('x'), (error) => error instanceof PaylinkApiError && error.status === 404);

       assert.equal((await paylink.verifyRedirect(address)).status, 'paid');
       const changed = address.replace(/paymentResult=.{40}/, (text) => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A'));
       await assert.rejects(paylink.verifyRedirect(changed), SignatureError);

       const secret = makeWebhookSecret();
       const { body, headers } = await signWebhook({ payload: { type: 'payment.paid' }, secret });
       assert.equal((await verifyWebhook(body, headers, secret)).payload.type, 'payment.paid');
       const service = await createTestService();
       const signed = await service.signWebhook({ payload: 1 });
       assert.equal((await verifyWebhook(signed.body, signed.headers, { keySet: service.keySet })).payload, 1);
       console.log('all well on', process.versions.node);`,
    );
    const { link } = await createLink(service);
    const env = {
      BASE_URL: service.baseUrl,
      EMAIL: service.merchant.email,
      PASSWORD: password,
      ADDRESS: (await payWith(link, { number: '4242424242424242' })).url,
    };
    for (const node of new Set([machineNode(), process.execPath])) {
      const { code, output, errors } = await run(
        node,
        ['--disable-warning=ExperimentalWarning', file],
        project.folder,
        env,
      );
      assert.match(output, /^all well on \d+/, `${node}: ${code} ${errors}`);
      assert.equal(errors, '', node);
    }
  });

  test('a browser verifies with it', async () => {
    const site = await serveFolder(path.join(installed(), 'dist'));
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(site.origin);
      const reported = await page.evaluate(`(async () => {
        const { verifyRedirect } = await import('/index.js');
        const { verifyWebhook } = await import('/webhooks.js');
        const { createTestService, makeWebhookSecret, signWebhook } = await import('/testing.js');
        const at = { baseUrl: 'https://pay.example.com', companyId: 'co_1' };
        const service = await createTestService();
        const { status } = await verifyRedirect(await service.signRedirect(at), { ...at, keySet: service.keySet });
        const secret = makeWebhookSecret();
        const { body, headers } = await signWebhook({ payload: { of: 'v1' }, secret });
        const { payload } = await verifyWebhook(body, headers, secret);
        const changed = await verifyWebhook(body + ' ', headers, secret).catch((error) => error.code);
        return { status, payload, changed };
      })()`);
      assert.deepEqual(reported, { status: 'paid', payload: { of: 'v1' }, changed: 'wrong_signature' });
    } finally {
      await Promise.allSettled([browser.close(), site.stop()]);
    }
  });

  const commonJs = `
    import { createPaylink, PaylinkApiError, PaylinkError, type Payment } from '@paylink/sdk';
    import { makeWebhookSecret, signWebhook } from '@paylink/sdk/testing';
    import { expressWebhook } from '@paylink/sdk/express';
    import { fastifyWebhook } from '@paylink/sdk/fastify';
    import webhooks = require('@paylink/sdk/webhooks');

    declare const process: { env: Record<string, string> };
    declare const require: (name: string) => unknown;
    const { BASE_URL: baseUrl = '', EMAIL: email = '', PASSWORD: password = '', CODE: code = '' } = process.env;
    async function shop(): Promise<string> {
      const paylink = createPaylink({ baseUrl, email, password });
      const { status }: Payment = await paylink.payments.get(code);
      const refused = await paylink.payments.get('x').catch((error: unknown) => error);
      const secret = makeWebhookSecret();
      const { body, headers } = await signWebhook({ payload: { type: 'payment.paid' }, secret });
      const { payload } = await webhooks.verifyWebhook<{ type: string }>(body, headers, secret);
      const isOneClass = refused instanceof PaylinkApiError && refused instanceof PaylinkError;
      const receivers = [expressWebhook(secret, () => undefined), fastifyWebhook];
      return [status, isOneClass, payload.type, typeof require('@paylink/sdk'), receivers.length].join(' ');
    }
    void shop().then((result) => console.log(result));`;

  for (const module of ['node16', 'nodenext']) {
    test(`a CommonJS program in TypeScript compiles with module=${module}, and runs on both versions of Node`, async () => {
      const folder = `cjs-${module}`;
      await mkdir(path.join(project.folder, folder));
      await project.write(`${folder}/package.json`, '{ "type": "commonjs" }');
      await project.write(`${folder}/shop.ts`, commonJs);
      const compilerOptions = {
        strict: true,
        module,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        skipLibCheck: false,
      };
      const tsconfig = await project.write(
        `${folder}/tsconfig.json`,
        JSON.stringify({ compilerOptions, files: ['shop.ts'] }),
      );
      const compiled = await run(
        process.execPath,
        [compilerPath, '--pretty', 'false', '-p', tsconfig],
        project.folder,
      );
      assert.deepEqual([compiled.code, compiled.output], [0, '']);
      const { code } = await createLink(service);
      const { email } = service.merchant;
      const env = { BASE_URL: `${service.baseUrl}/v1`, EMAIL: email, PASSWORD: password, CODE: code };
      for (const node of new Set([machineNode(), process.execPath])) {
        // Without this, a newer Node would load the ES modules, which an older one cannot require.
        const [quiet, own] = ['--disable-warning=ExperimentalWarning', '--no-experimental-require-module'];
        const file = path.join(project.folder, folder, 'shop.js');
        const { output, errors } = await run(node, [quiet, own, file], project.folder, env);
        assert.deepEqual([output, errors], ['open true payment.paid object 2\n', ''], node);
      }
    });
  }

  /** Compiles files in a strict project that also checks the types of its packages. Returns the compiler's output. */
  const compile = async (texts: readonly string[]) => {
    const files = texts.map((_text, index) => `shop-${index}.ts`);
    for (const [index, text] of texts.entries()) await project.write(`shop-${index}.ts`, text);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      skipLibCheck: false,
      noEmit: true,
    };
    const tsconfig = await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const { output } = await run(
      process.execPath,
      [compilerPath, '--pretty', 'false', '-p', tsconfig],
      project.folder,
    );
    return output.split('\n').filter((line) => line !== '');
  };

  const typed = `
    import { createPaylink, PaylinkApiError, type Payment, type PaymentRequest, verifyRedirect } from '@paylink/sdk';
    import { createTestService, signWebhook } from '@paylink/sdk/testing';
    import { expressWebhook } from '@paylink/sdk/express';
    import { verifyWebhook, type WebhookMessage } from '@paylink/sdk/webhooks';

    const paylink = createPaylink({ baseUrl: new URL('https://pay.example.com'), email: 'a@example.com', password: 'p' });
    export async function shop(order: PaymentRequest, signal?: AbortSignal): Promise<Payment['status']> {
      const payment = await paylink.payments.create({ ...order, currency: 'EUR' }, { signal, idempotencyKey: 'k' });
      const link: string = payment.PaymentLink;
      for await (const refund of paylink.payments.listRefunds(payment.PaymentLinkCode)) {
        const status: 'created' | 'processing' | 'unknown' | 'succeeded' | 'failed' = refund.status;
        if (status === 'failed') console.log(refund.failureCode?.length, link);
      }
      const seen = await paylink.request('getPayment', { path: { code: payment.PaymentLinkCode } });
      return seen.status;
    }
    export const receive = expressWebhook('whsec_', (event) => {
      if (event.type === 'refund.failed') console.log(event.data.refund.failureCode, event.data.payment.amount);
      if (event.type === 'webhook_endpoint.disabled') console.log(event.data.endpoint.url);
    });
    export function fault(error: unknown): number | undefined {
      return error instanceof PaylinkApiError && error.code === 'order_conflict' ? error.errors.length : undefined;
    }
    export async function verify(): Promise<[number, WebhookMessage<{ type: string }>]> {
      const { keySet, signRedirect } = await createTestService();
      const at = { baseUrl: 'https://pay.example.com', companyId: 'co_1' };
      const { amount } = await verifyRedirect(await signRedirect(at), { ...at, keySet });
      const { body, headers } = await signWebhook({ payload: {}, secret: 'whsec_x' });
      return [amount, await verifyWebhook<{ type: string }>(body, headers, ['whsec_x'])];
    }`;

  test('TypeScript can use it in a strict project that checks the package’s types', async () => {
    assert.deepEqual(await compile([typed]), []);
  });

  const mistakes: [string, string, string][] = [
    ['a currency that is not allowed', "currency: 'EUR'", "currency: 'GBP'"],
    ['a field that does not exist', "currency: 'EUR'", 'curency: 1'],
    ['an operation that does not exist', "request('getPayment'", "request('getPaymint'"],
    ['a state that does not exist', "status === 'failed'", "status === 'refused'"],
    ['an event type that does not exist', "event.type === 'refund.failed'", "event.type === 'refund.fialed'"],
    ['data that an event does not have', 'event.data.endpoint.url', 'event.data.payment.amount'],
    ['half of a login', ", password: 'p'", ''],
  ];
  test('the types reject mistakes', async () => {
    const said = await compile(
      mistakes.map(([, right, wrong]) => {
        assert.ok(typed.includes(right));
        return typed.replace(right, wrong);
      }),
    );
    for (const [index, [title]] of mistakes.entries())
      assert.ok(
        said.some((line) => line.startsWith(`shop-${index}.ts(`)),
        `${title} is refused`,
      );
  });

  test('the examples of its README work unchanged', async () => {
    const readme = readFileSync(path.join(installed(), 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
    let program = blocks.join('\n');
    const { key } = await createServiceKey(service, await logIn(service));
    for (const [shown, here] of [
      ["baseUrl: 'http://localhost:3000'", `baseUrl: '${service.baseUrl}'`],
      ["'owner@example.com'", `'${service.merchant.email}'`],
      ['process.env.PAYLINK_PASSWORD', `'${password}'`],
      ['process.env.PAYLINK_SERVICE_KEY', `'${key}'`],
    ] as const) {
      assert.ok(program.includes(shown), shown);
      program = program.replaceAll(shown, here);
    }
    const shop = await import(pathToFileURL(await project.write('readme.mjs', program)).href);
    const own = orderOf();
    const { PaymentLink, PaymentLinkCode: code } = await shop.askForPayment(own);
    assert.equal((await shop.look(code)).status, 'open');
    assert.equal((await shop.createShopClient().payments.get(code)).status, 'open');
    const address = (await payWith(PaymentLink, { number: '4242424242424242' })).url;
    assert.equal(await shop.isPaid(address, own), true);
    await assert.rejects(shop.isPaid(address, { ...own, amount: 1 }), {
      name: 'SignatureError',
      code: 'differs',
    });
    const { companyId } = service.merchant;
    assert.equal((await shop.readResult(address, companyId)).PaymentLinkCode, code);
    assert.deepEqual(await shop.refundOrder(code), { status: 'succeeded', amounts: [5, 14.99] });
    assert.equal((await shop.findOrder(own.customerOrderId))[0]?.PaymentLinkCode, code);
    assert.equal(await shop.cancel(code), null);
    await assert.rejects(
      shop.look(code, AbortSignal.abort(new Error('no longer needed'))),
      /no longer needed/,
    );
    assert.equal((await shop.tryWebhook()).event.data.payment.customerOrderId, 'order-1');
    assert.deepEqual((await shop.tryRedirect()).status, 'paid');
    assert.deepEqual(await shop.listCases(), []);
    await shop.askForPayment(orderOf({ email: 'open@example.com' }));
    const { open, pictures, file } = await shop.report('open@example.com');
    assert.deepEqual([open.length, pictures.length], [1, 1]);
    assert.match(pictures[0], /^<svg /);
    assert.deepEqual(JSON.parse(file).metadata, { remind: 'yes' });
    const stop = new AbortController();
    const saved: unknown[] = [];
    const save = async (...given: unknown[]) => {
      saved.push(...given);
      stop.abort(new Error('that will do'));
    };
    await assert.rejects(shop.followPaid('MCAw', save, stop.signal), /that will do/);
    assert.deepEqual(saved.slice(-2), [code, 'MCAw']);
    const till = await shop.addTill('till@example.com');
    assert.match(till.key, /^plk_test_/);
    assert.match(till.serviceKey, /^pls_test_/);
    assert.ok(till.url.startsWith(service.baseUrl));
    const connected = await shop.connectShop({});
    assert.ok(connected.kinds.includes(connected.processor));
    assert.deepEqual([connected.name, connected.enabled], ['Shop', true]);
    assert.equal(blocks.length, 15);
  });
});
