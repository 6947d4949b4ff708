// A fake internet of two listeners: one for all public servers, one for the internal network.

import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Dial } from '../../src/webhooks/outbound-connect.ts';
import { type Resolve, resolveWith } from '../../src/webhooks/outbound-lookup.ts';
import { type DnsServer, type Script, startDnsServer } from './dns-server.ts';
import { answerNoContent, type Listener, startListener } from './listener.ts';

/** Public addresses. Connections to them lead to the outside listener. */
export const outsideAddresses = ['93.184.215.14', '2606:2800:21f:cb07::1', '151.101.1.6', '151.101.2.6'];

export type PretendInternet = {
  dns: DnsServer;
  inside: Listener;
  outside: Listener;
  resolve: Resolve;
  dial: Dial;
  /** Every address that was connected to. */
  dialled: readonly string[];
  stop(): Promise<void>;
};

/**
 * Starts the listeners and the name server, for whose response a lookup waits `lookupMs`. All other addresses lead to the
 * inside listener.
 */
export async function startPretendInternet(script: Script, lookupMs = 10_000): Promise<PretendInternet> {
  const [dns, inside, outside] = await Promise.all([
    startDnsServer(script),
    startListener(answerNoContent),
    startListener(answerNoContent),
  ]);
  const dialled: string[] = [];
  const resolver = new Resolver({ timeout: lookupMs, tries: 1 });
  resolver.setServers([dns.address]);
  return {
    dns,
    inside,
    outside,
    dialled,
    resolve: resolveWith(resolver),
    dial: (address) => {
      dialled.push(address);
      const { port } = outsideAddresses.includes(address) ? outside : inside;
      return connect(port, '127.0.0.1');
    },
    async stop() {
      resolver.cancel();
      await Promise.all([dns.stop(), inside.stop(), outside.stop()]);
    },
  };
}
