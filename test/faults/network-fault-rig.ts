// A rig whose service reaches PostgreSQL or the acquirer through a TCP proxy that fails on command. The rig itself
// connects directly, so that the oracle always sees everything.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type FaultRig, type FaultRigOptions, openFaultRig } from './fault-rig.ts';
import type { Running } from './processes.ts';
import { type Disruption, runStorm } from './storm.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type NetworkFaultRig = { rig: FaultRig; proxy: TcpProxy; service: Running; close(): Promise<void> };

/** Opens a rig with a proxy in front of `to`, and starts the service. */
export async function openNetworkFaultRig(
  to: 'database' | 'acquirer',
  options: FaultRigOptions = {},
): Promise<NetworkFaultRig> {
  const proxies: TcpProxy[] = [];
  const rig = await openFaultRig({
    ...options,
    reroute: async (target, port) => {
      if (target !== to) return port;
      const proxy = await openTcpProxy(port);
      proxies.push(proxy);
      return proxy.port;
    },
  });
  const close = async () => {
    await rig.close();
    for (const proxy of proxies) await proxy.close();
  };
  const [proxy] = proxies;
  const service = await rig.start();
  if (proxy && service) return { rig, proxy, service, close };
  await close();
  throw new Error('the service did not start behind its proxy');
}

/**
 * Runs customers during the disruptions, and asserts: no invalid responses, everything settled in time, nothing lost or
 * done twice, and the service still runs and accepts a payment.
 */
export async function runUnderNetworkFaults(
  t: TestContext,
  { rig, service }: Pick<NetworkFaultRig, 'rig' | 'service'>,
  options: { disruptions: number; customers: number; disrupt: Disruption },
): Promise<void> {
  const report = await runStorm(rig, {
    ...options,
    seed: Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31)),
  });
  const found = [...rig.invalidResponses, ...(await rig.findFaults())];
  t.diagnostic(JSON.stringify({ ...report, found }));
  assert.deepEqual(found, [], `seed ${report.seed}`);
  assert.ok(report.charges > 0 && report.interrupted > 0, 'payments were in progress at the disruptions');
  assert.equal(service.hasEnded(), false, 'the service still runs');
  const link = await rig.createLink(await rig.logIn());
  assert.equal(await rig.payWell(link), 'paid');
}
