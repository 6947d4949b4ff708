// The command `paylink mcp` over standard input and output: with the official client in both generations of the protocol,
// and line by line.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHome, type Home, program } from './harness/cli.ts';
import { createLink, type Json, logIn } from './harness/client.ts';
import { connectClient } from './harness/mcp.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { createServiceKey } from './harness/service-keys.ts';

let paylink: Paylink;
let home: Home;
let key: string;
before(async () => {
  [paylink, home] = await Promise.all([startPaylink('server'), createHome()]);
  key = (await createServiceKey(paylink, await logIn(paylink), { scopes: ['payments', 'read'] })).key;
});
after(async () => {
  await home.remove();
  await paylink.stop();
});

const settings = () => ({ PAYLINK_URL: paylink.baseUrl, PAYLINK_SERVICE_KEY: key });
const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: home.folder,
  XDG_CONFIG_HOME: home.folder,
  ...settings(),
});

/** The command, with its lines of standard output as messages. */
function startCommand(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [program, 'mcp', ...args], { env: environment() });
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const messages = () =>
    texts.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Json);
  return {
    child,
    texts,
    ended,
    messages,
    send: (message: unknown) =>
      void child.stdin?.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    responseTo: async (id: number) => {
      let found: Json | undefined;
      await until(() => {
        found = messages().find((message) => message.id === id);
        return found !== undefined;
      }, `the response to ${id}`);
      return found as Json;
    },
  };
}

const request = (id: number, method: string, params: Json = {}) => ({ jsonrpc: '2.0', id, method, params });
const initialize = request(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'line-by-line', version: '1' },
});

for (const [mode, version] of [
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
] as const)
  test(`the official client of protocol ${version} lists tools, calls them, and reads the documentation`, async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--allow', 'payments:cancel'],
      env: environment(),
      stderr: 'pipe',
    });
    const mcp = await connectClient(transport, mode);
    try {
      assert.equal(mcp.client.getNegotiatedProtocolVersion(), version);
      assert.match(mcp.client.getInstructions() ?? '', /test mode: no real money moves/);
      const names = (await mcp.list()).map(({ name }) => name);
      assert.ok(names.includes('list_payments') && names.includes('cancel_payment'));
      assert.ok(!names.includes('refund_payment'));
      const { code } = await createLink(paylink);
      const result = await mcp.call('cancel_payment', { paymentLinkCode: code });
      assert.equal((result.structured?.untrustedData as Json).status, 'cancelled');
      const { resources } = await mcp.client.listResources();
      const page = resources.find(({ name }) => name === 'docs/states.md');
      assert.ok(page && resources.length > 90);
      const { contents } = await mcp.client.readResource({ uri: page.uri });
      const served = await (await fetch(`${paylink.baseUrl}/docs/states.md`)).text();
      assert.deepEqual(contents, [{ uri: page.uri, mimeType: 'text/markdown', text: served }]);
      await assert.rejects(mcp.client.readResource({ uri: 'paylink:///package.json' }), /not found/i);
      await assert.rejects(mcp.client.readResource({ uri: 'file:///etc/passwd' }), /not found/i);
    } finally {
      await mcp.close();
    }
  });

describe('line by line', () => {
  test('standard output has messages of the protocol only, whatever is sent; the end of the input ends the command', async () => {
    const run = startCommand();
    run.send('hello\n{"jsonrpc":\n\n[]\n{"jsonrpc":"2.0"}\n');
    run.send(initialize);
    const { result } = await run.responseTo(0);
    assert.equal((result as Json).protocolVersion, '2025-06-18');
    run.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    run.send('nonsense\n');
    run.send(request(1, 'tools/call', { name: 'list_balances' }));
    run.send(request(2, 'no/such/method'));
    run.send(request(3, 'tools/call', { name: 7 }));
    assert.ok(((await run.responseTo(1)).result as Json).structuredContent);
    assert.equal(((await run.responseTo(2)).error as Json).code, -32_601);
    assert.ok((await run.responseTo(3)).error);
    run.child.stdin?.end();
    assert.equal(await run.ended, 0);
    for (const message of run.messages()) assert.equal(message.jsonrpc, '2.0');
    assert.match(run.texts.err, /^Serving http:\/\/127\.0\.0\.1:\d+ in test mode/m);
    assert.ok(!(run.texts.out + run.texts.err).includes(key.slice(-64)), 'the key was printed');
  });

  test('an amount with more digits than a number holds is refused, not rounded', async () => {
    const run = startCommand('--allow', 'payments:create');
    run.send(initialize);
    await run.responseTo(0);
    const order = {
      ...{ idempotencyKey: 'exact-amounts-0001', customerOrderId: 'exact-1', email: 'ada@example.com' },
      ...{ currency: 'EUR', success_url: 'https://shop.example/', failure_url: 'https://shop.example/' },
    };
    const message = JSON.stringify(
      request(1, 'tools/call', { name: 'create_payment', arguments: { ...order, amount: 'AMOUNT' } }),
    );
    run.send(`${message.replace('"AMOUNT"', '19.990000000000000001')}\n`);
    const { result } = await run.responseTo(1);
    const [{ text = '' } = {}] = (result as { content: { text?: string }[] }).content;
    assert.equal((result as Json).isError, true);
    assert.deepEqual((JSON.parse(text).error as Json).fields, [
      { field: 'amount', code: 'type', detail: 'This must be number.' },
    ]);
    run.send(`${message.replace('"AMOUNT"', '19.990').replace('"id":1', '"id":2')}\n`);
    const created = (await run.responseTo(2)).result as { structuredContent: { untrustedData: Json } };
    assert.equal(created.structuredContent.untrustedData.amount, 19.99);
    run.child.kill('SIGTERM');
    assert.equal(await run.ended, 0);
  });

  test('a signal ends the command although its input is open', async () => {
    const run = startCommand();
    run.send(initialize);
    await run.responseTo(0);
    run.child.kill('SIGINT');
    assert.equal(await run.ended, 0);
  });
});

describe('its start', () => {
  const start = async (env: Record<string, string>, ...args: string[]) => await home.run(env, 'mcp', ...args);

  test('without a service key it says how to give one; it never uses the login of an account', async () => {
    const none = await start({ PAYLINK_URL: paylink.baseUrl });
    assert.deepEqual([none.code, none.out], [3, '']);
    assert.match(
      none.err,
      /needs a service key\. Set PAYLINK_SERVICE_KEY, or store one with: paylink login --service-key\n$/,
    );
    const login = [
      'login',
      '--url',
      paylink.baseUrl,
      '--email',
      paylink.merchant.email,
      '--profile',
      'person',
    ];
    assert.equal((await home.feed(password, {}, ...login)).code, 0);
    assert.equal((await start({}, '--profile', 'person')).code, 3);
    const withPassword = { PAYLINK_EMAIL: paylink.merchant.email, PAYLINK_PASSWORD: password };
    assert.equal((await start({ ...withPassword, PAYLINK_URL: paylink.baseUrl })).code, 3);
  });

  test('a stored service key is used; one that the service refuses ends the command', async () => {
    const login = ['login', '--service-key', '--url', paylink.baseUrl, '--profile', 'shop'];
    assert.equal((await home.feed(key, {}, ...login)).code, 0);
    const stored = await start({}, '--profile', 'shop');
    assert.deepEqual([stored.code, stored.out], [0, '']);
    assert.match(stored.err, /in test mode .* It only reads\.\n$/);
    const wrong = `${key.slice(0, -4)}${key.endsWith('0000') ? '1111' : '0000'}`;
    for (const args of [[], ['--json']]) {
      const refused = await start({ ...settings(), PAYLINK_SERVICE_KEY: wrong }, ...args);
      assert.deepEqual([refused.code, refused.out], [3, '']);
      assert.match(refused.err, /invalid_service_key/);
    }
  });

  test('--allow takes the acts of its list only, and an act without its scope is reported', async () => {
    for (const [value, message] of [
      [
        'payments',
        /^--allow has the acts payments:create, payments:cancel, payments:refund, not "payments"\.\n$/,
      ],
      ['payments:refund,all', /not "all"/],
      [' ', /^--allow needs an act/],
    ] as const) {
      const refused = await start(settings(), '--allow', value);
      assert.deepEqual([refused.code, refused.out], [2, '']);
      assert.match(refused.err, message);
    }
    const { key: narrow } = await createServiceKey(paylink, await logIn(paylink), {
      scopes: ['payments:cancel'],
    });
    const env = { ...settings(), PAYLINK_SERVICE_KEY: narrow };
    const lacking = await start(env, '--allow', 'payments:refund, payments:cancel');
    assert.equal(lacking.code, 0);
    assert.match(
      lacking.err,
      /^The service key lacks the scope payments:refund, so this act is not offered\.$/m,
    );
    assert.ok(!lacking.err.includes('lacks the scope payments:cancel'));
  });

  test('while the service is down it starts all the same', async () => {
    const down = { ...settings(), PAYLINK_URL: 'http://127.0.0.1:9' };
    const started = await start(down);
    assert.deepEqual([started.code, started.out], [0, '']);
    assert.match(started.err, /The tools are listed once it responds\.$/m);
  });
});
