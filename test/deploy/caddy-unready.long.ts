// The example for Caddy while no process is ready: customers get the page of a process, other calls the answer of Caddy.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../harness/paylink.ts';
import { root, until } from '../harness/process.ts';
import { proxyPath } from '../harness/services.ts';

/** A process of which a test says whether it is ready. */
async function startStub() {
  const state = { isReady: true };
  const server = createServer((_request, response) => {
    response.writeHead(state.isReady ? 200 : 503, { 'x-from': 'stub' }).end('stub');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, state, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Starts Caddy with the file as it is: its variables name the addresses. */
async function startCaddy(processes: string) {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-caddy-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const file = join(root, 'deploy/proxies/Caddyfile');
  const url = `http://127.0.0.1:${port}`;
  const own = { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, CADDY_ADMIN: `127.0.0.1:${adminPort}` };
  const caddy = spawn(proxyPath('caddy'), ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...process.env, ...own, PAYLINK_HOST: url, PAYLINK_PROCESSES: processes },
    stdio: 'ignore',
  });
  const stop = async () => {
    const ended = once(caddy, 'exit');
    caddy.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

test('while no process is ready, customers get the page of a process, and other calls 503 with Retry-After', async () => {
  const stub = await startStub();
  const caddy = await startCaddy(stub.address);
  const ask = async (method: string) =>
    await fetch(`${caddy.url}/pay/x`, { method, ...(method === 'POST' && { body: 'a=1' }) }).catch(
      () => null,
    );
  const isAnswered = async (status: number) => (await ask('POST'))?.status === status;
  try {
    await until(async () => await isAnswered(200), 'Caddy passes calls on');
    stub.state.isReady = false;
    // The stub would answer without Retry-After.
    await until(async () => (await ask('POST'))?.headers.has('retry-after') === true, 'Caddy has noticed it');
    const page = await ask('GET');
    assert.deepEqual([page?.status, page?.headers.get('x-from')], [503, 'stub']);
    for (let times = 0; times < 20; times++) {
      const answer = await ask('POST');
      assert.deepEqual([answer?.status, answer?.headers.get('retry-after')], [503, '5']);
      assert.match((await answer?.text()) ?? '', /Try again in a minute/);
    }
    stub.state.isReady = true;
    await until(async () => await isAnswered(200), 'Caddy passes calls on again');
  } finally {
    await caddy.stop();
    stub.server.close().closeAllConnections();
  }
});
