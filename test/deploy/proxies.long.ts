// The examples in deploy/proxies, with TLS, in front of a real service: what a client sees, and what the service sees
// of the client. test/faults/restarts.long.ts restarts processes behind the same files.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { proxyNames, type RunningProxy, startProxy } from '../faults/proxies.ts';
import { type Credentials, credentialHeaders, logIn, orderOf } from '../harness/client.ts';
import { type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { ask, createTlsFiles, type TlsFiles } from './encrypted.ts';

const loginsPerMinute = 3;

let folder: string;
let tls: TlsFiles;
let paylink: Paylink;
let credentials: Credentials;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-tls-'));
  tls = await createTlsFiles(folder);
  paylink = await startPaylink('server', {
    settings: {
      // Only the address of the proxy: clients have other addresses of the loopback interface.
      TRUSTED_PROXIES: '127.0.0.1/32',
      RATE_LIMIT_LOGIN_PER_MINUTE: String(loginsPerMinute),
    },
  });
  credentials = await logIn(paylink);
});
after(async () => {
  await paylink.stop();
  await rm(folder, { recursive: true });
});

/** A server that answers with the number of bytes that it has received. */
async function startCounter(): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end(String(bytes)));
    // A proxy that refuses the rest of a body closes the connection.
    request.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close().closeAllConnections() };
}

const json = { 'content-type': 'application/json' };

/** The same service twice: these tests do not restart it. */
async function startInFront(name: (typeof proxyNames)[number]): Promise<RunningProxy> {
  const port = Number(new URL(paylink.baseUrl).port);
  return await startProxy(name, [port, port], { tls });
}

for (const [index, name] of proxyNames.entries())
  describe(name, () => {
    let proxy: RunningProxy;
    before(async () => {
      proxy = await startInFront(name);
    });
    after(async () => await proxy.stop());

    test('serves the API over TLS 1.2 or newer', async () => {
      const order = orderOf();
      const made = await ask(`${proxy.url}/v1/payment/process`, tls, {
        method: 'POST',
        headers: { ...json, ...credentialHeaders(credentials) },
        body: JSON.stringify(order),
      });
      assert.equal(made.status, 200, made.text);
      assert.equal(JSON.parse(made.text).customerOrderId, order.customerOrderId);
      await assert.rejects(
        async () => await ask(`${proxy.url}/healthz`, tls, { maxVersion: 'TLSv1.1' }),
        /protocol|version|ssl|unsupported/i,
      );
    });

    // Caddy redirects by itself, from the port 80 only, which a test cannot use.
    if (name !== 'caddy')
      test('redirects plain HTTP without changing the request', async () => {
        const { status, headers } = await ask(`${proxy.plainUrl}/pay/x?y=1`, null, { method: 'POST' });
        assert.deepEqual(
          [status, headers.location?.replace(/:\d+/, '')],
          [308, 'https://127.0.0.1/pay/x?y=1'],
        );
      });

    test('tells the service the address of each client, whatever the client claims', async () => {
      const logInFrom = async (localAddress: string, claimed: string) => {
        const { status } = await ask(`${proxy.url}/v1/auth/login`, tls, {
          ...{ method: 'POST', headers: { ...json, 'x-forwarded-for': claimed }, localAddress },
          body: JSON.stringify({ email: paylink.merchant.email, password }),
        });
        return status;
      };
      const [first, second] = [`127.0.${index + 1}.2`, `127.0.${index + 1}.3`];
      for (let count = 0; count < loginsPerMinute; count++)
        assert.equal(await logInFrom(first, `198.51.100.${count}`), 200);
      assert.equal(await logInFrom(first, '198.51.100.99'), 429, 'a claimed address is not believed');
      assert.equal(await logInFrom(second, '198.51.100.99'), 200, 'another client has its own count');
    });

    test('lets no larger body through than the service accepts, except a bank statement', async () => {
      const behind = await startCounter();
      const counted = await startProxy(name, [behind.port, behind.port], { tls });
      const send = async (path: string, bytes: number) =>
        await ask(counted.url + path, tls, { method: 'POST', body: Buffer.alloc(bytes, ' ') }).catch(
          // It may close the connection before it has read the body.
          (error: NodeJS.ErrnoException) => ({ status: 413, text: `${error.code}` }),
        );
      try {
        const { status } = await send('/v1/payment/process', 300 * 1024);
        // Caddy notices it while it passes the body on, and its version 2.6 then answers 502.
        assert.ok(status === 413 || (name === 'caddy' && status === 502), `${status}`);
        for (const [path, bytes] of [
          ['/v1/payment/process', 64 * 1024],
          ['/processors/stripe/webhook/x', 250 * 1024],
          ['/v1/bank-statements', 1024 * 1024],
        ] as const)
          assert.deepEqual(await send(path, bytes).then(({ text }) => text), String(bytes), path);
      } finally {
        await counted.stop();
        behind.close();
      }
    });
  });

test('a wait of 30 s in the event feed gets its answer through every proxy', async () => {
  const proxies: RunningProxy[] = [];
  try {
    for (const name of proxyNames) proxies.push(await startInFront(name));
    // Events of other tests end a wait early.
    const own = await logIn({ baseUrl: paylink.baseUrl, merchant: await paylink.createMerchant() });
    const startedAt = performance.now();
    const answers = await Promise.all(
      proxies.map(
        async ({ url }) =>
          await ask(`${url}/v1/events?after=latest&wait=30`, tls, { headers: credentialHeaders(own) }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      proxyNames.map(() => 200),
    );
    assert.ok(performance.now() - startedAt >= 29_000, 'they waited');
  } finally {
    for (const proxy of proxies) await proxy.stop();
  }
});
