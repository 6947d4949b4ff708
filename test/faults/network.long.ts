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
async function findRefused(rig: FaultRig, credentials: Credentials, link: string): Promise<void> {
  const { baseUrl, merchant } = rig;
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
      const { rig, proxy } = network;
      const credentials = await rig.logIn();
      const { link } = await rig.createLink(credentials);
      const cut = breakNetwork(
        proxy,
        [{ kind: 'cut' }],
        async () => await findRefused(rig, credentials, link),
      );
      await runUnderNetworkFaults(t, network, { disruptions: 1, customers: 8, disrupt: cut });
      const slow = breakNetwork(proxy, [{ kind: 'slow', delayMs: 60 }], async () => await sleep(2_000));
      await runUnderNetworkFaults(t, network, { disruptions: 1, customers: 8, disrupt: slow });
    } finally {
      await network.close();
    }
  });

  test('half open: 503 during the silence, and everything completes within 60 s of the repair', async (t) => {
    const network = await openNetworkFaultRig('database');
    try {
      const { rig, proxy } = network;
      const isReady = async () => {
        const answer = await fetch(`${rig.baseUrl}/readyz`);
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], refusedForNow);
      };
      const disrupt = breakNetwork(proxy, [{ kind: 'half-open', loses: 'both' }], isReady);
      await runUnderNetworkFaults(t, network, { disruptions: 1, customers: 8, disrupt });
    } finally {
      await network.close();
    }
  });
});
