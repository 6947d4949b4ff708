// A field whose service reaches PostgreSQL or the acquirer through a proxy that breaks down on command,
// and one round of load over it. The field itself goes straight: the oracle sees all, always.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type FaultRig, type FaultRigOptions, openFaultRig } from './fault-rig.ts';
import type { Running } from './processes.ts';
import { type Disruption, runStorm } from './storm.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type NetworkFaultRig = { field: FaultRig; proxy: TcpProxy; service: Running; close(): Promise<void> };

/** Opens a field with a proxy on the service's way to `to`, and starts the service on it. */
export async function openNetworkFaultRig(
  to: 'database' | 'acquirer',
  options: FaultRigOptions = {},
): Promise<NetworkFaultRig> {
  const proxies: TcpProxy[] = [];
  const field = await openFaultRig({
    ...options,
    reroute: async (target, port) => {
      if (target !== to) return port;
      const proxy = await openTcpProxy(port);
      proxies.push(proxy);
      return proxy.port;
    },
  });
  const close = async () => {
    await field.close();
    for (const proxy of proxies) await proxy.close();
  };
  const [proxy] = proxies;
  const service = await field.start();
  if (proxy && service) return { field, proxy, service, close };
  await close();
  throw new Error('the service did not start behind its proxy');
}

/**
 * Lets customers pay while `strike` falls, and judges: nobody got an answer that nobody may get, all was
 * settled in time, nothing was lost or done twice, and the service has lived through it and takes money.
 */
export async function runUnderNetworkFaults(
  t: TestContext,
  { field, service }: Pick<NetworkFaultRig, 'field' | 'service'>,
  options: { strikes: number; customers: number; strike: Disruption },
): Promise<void> {
  const report = await runStorm(field, {
    ...options,
    seed: Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31)),
  });
  const found = [...field.misanswers, ...(await field.findFaults())];
  t.diagnostic(JSON.stringify({ ...report, found }));
  assert.deepEqual(found, [], `seed ${report.seed}`);
  assert.ok(report.charges > 0 && report.struck > 0, 'money was moving when it was struck');
  assert.equal(service.hasEnded(), false, 'the service has lived through it');
  const link = await field.createLink(await field.logIn());
  assert.equal(await field.payWell(link), 'paid');
}
