// Whether a connection comes from a proxy of TRUSTED_PROXIES: the same addresses whose X-Forwarded-For is believed, by
// the same package of Fastify's. It asks for the peer itself, and must never go by anything that a request says.

import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

export type IsTrusted = (request: IncomingMessage) => boolean;

const withoutZone = (address: string) => address.replace(/%.*$/, '');

/** Says whether an address is one of some proxies: addresses, ranges, or the names of ranges. */
export function createProxyCheck(proxies: readonly string[]): (address: string) => boolean {
  if (proxies.length === 0) return () => false;
  const isProxy = proxyAddr.compile(proxies.map(withoutZone));
  // Reading an IPv6 address takes some 15 µs, and most requests come from the same few proxies.
  const known = new LRUCache<string, boolean>({
    max: 1_000,
    memoMethod: (address) => isProxy(withoutZone(address), 0),
  });
  return (address) => known.memo(address);
}

/** The judge of peers for the addresses, ranges and names of the setting. */
export function createProxyTrust(proxies: readonly string[]): IsTrusted {
  const isProxy = createProxyCheck(proxies);
  return ({ socket }) => isProxy(socket?.remoteAddress ?? '');
}
