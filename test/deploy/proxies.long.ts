// The examples in deploy/proxies, with TLS, in front of a real service: what a client sees, and what the service sees
// of the client. test/faults/restarts.long.ts restarts processes behind the same files.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
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

const json = { 'content-type': 'application/json' };

/** The same service twice: these tests do not restart it. */
async function startInFront(name: (typeof proxyNames)[number]): Promise<RunningProxy> {
  const port = Number(new URL(paylink.baseUrl).port);
  return await startProxy(name, [port, port], tls);
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

    test('refuses a body that is too large, and passes on a large bank statement', async () => {
      const send = async (path: string, bytes: number) =>
        await ask(proxy.url + path, tls, {
          ...{ method: 'POST', headers: { 'content-type': 'application/xml' } },
          body: Buffer.alloc(bytes, ' '),
        }).catch((error: NodeJS.ErrnoException) => ({ status: 413, headers: {}, text: `${error.code}` }));
      const refused = await send('/v1/payment/process', 300 * 1024);
      assert.equal(refused.status, 413);
      assert.doesNotMatch(refused.text, /"code"/, 'the proxy refuses it, not the service');
      const passed = await send('/v1/bank-statements', 1024 * 1024);
      assert.equal(JSON.parse(passed.text).status, 401, 'the service answers');
    });
  });

test('a wait of 30 s in the event feed gets its answer through every proxy', async () => {
  const proxies = await Promise.all(proxyNames.map(startInFront));
  try {
    // Events of other tests end a wait early.
    const { merchant } = { merchant: await paylink.createMerchant() };
    const own = await logIn({ baseUrl: paylink.baseUrl, merchant });
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
