// The connection to PostgreSQL is cut, slow or half open while customers pay. Meanwhile the service responds with 503;
// afterwards everything is settled and nothing is lost.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, credentialHeaders, orderOf } from '../harness/client.ts';
import { password } from '../harness/paylink.ts';
import type { FaultRig } from './fault-rig.ts';
import { openNetworkFaultRig, runUnderNetworkFaults } from './network-fault-rig.ts';
import { breakNetwork } from './storm.ts';

const refusedForNow = [503, '2'];

/** Asserts that each kind of request that needs the database gets 503 with Retry-After. */
async function findRefused(field: FaultRig, credentials: Credentials, link: string): Promise<void> {
  const { baseUrl, merchant } = field;
  const headers = { 'content-type': 'application/json', ...credentialHeaders(credentials) };
  const posted = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });
  const answers = await Promise.all([
    fetch(`${baseUrl}/readyz`),
    fetch(link),
    fetch(`${baseUrl}/v1/auth/login`, posted({ email: merchant.email, password })),
    fetch(`${baseUrl}/v1/payment/process`, posted(orderOf())),
  ]);
  for (const answer of answers)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], refusedForNow, answer.url);
}

describe('customers pay while the connection to PostgreSQL fails', { concurrency: true }, () => {
  test('cut, then slow: 503 during the cut, and everything completes within 60 s of the repair', async (t) => {
    const network = await openNetworkFaultRig('database');
    try {
      const { field, proxy } = network;
      const credentials = await field.logIn();
      const { link } = await field.createLink(credentials);
      const cut = breakNetwork(
        proxy,
        [{ kind: 'cut' }],
        async () => await findRefused(field, credentials, link),
      );
      await runUnderNetworkFaults(t, network, { strikes: 1, customers: 8, strike: cut });
      const slow = breakNetwork(proxy, [{ kind: 'slow', delayMs: 60 }], async () => await sleep(2_000));
      await runUnderNetworkFaults(t, network, { strikes: 1, customers: 8, strike: slow });
    } finally {
      await network.close();
    }
  });

  test('half open: 503 during the silence, and everything completes within 60 s of the repair', async (t) => {
    const network = await openNetworkFaultRig('database');
    try {
      const { field, proxy } = network;
      const isReady = async () => {
        const answer = await fetch(`${field.baseUrl}/readyz`);
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], refusedForNow);
      };
      const strike = breakNetwork(proxy, [{ kind: 'half-open', loses: 'both' }], isReady);
      await runUnderNetworkFaults(t, network, { strikes: 1, customers: 8, strike });
    } finally {
      await network.close();
    }
  });
});
