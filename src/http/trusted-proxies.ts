// Whether a peer's address is a proxy in TRUSTED_PROXIES. Must not: rely on anything in the request.

import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

export type IsTrusted = (request: IncomingMessage) => boolean;

const withoutZone = (address: string) => address.replace(/%.*$/, '');

/** Returns a check whether an address belongs to given proxies: addresses, ranges, or names of ranges. */
export function createProxyCheck(proxies: readonly string[]): (address: string) => boolean {
  if (proxies.length === 0) return () => false;
  const isProxy = proxyAddr.compile(proxies.map(withoutZone));
  // Parsing an IPv6 address takes about 15 µs, and most requests come from the same few proxies.
  const known = new LRUCache<string, boolean>({
    max: 1_000,
    memoMethod: (address) => isProxy(withoutZone(address), 0),
  });
  return (address) => known.memo(address);
}

/** Returns the check for the addresses, ranges and names in the setting. */
export function createProxyTrust(proxies: readonly string[]): IsTrusted {
  const isProxy = createProxyCheck(proxies);
  return ({ socket }) => isProxy(socket?.remoteAddress ?? '');
}
