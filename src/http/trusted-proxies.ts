// Whether a connection comes from a proxy in TRUSTED_PROXIES, whose X-Forwarded-For is trusted. It checks the
// peer's address. Must not: rely on anything in the request.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export type IsTrusted = (request: IncomingMessage) => boolean;

/** The ranges behind the names, as for X-Forwarded-For. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const withoutZone = (address: string) => address.replace(/%.*$/, '');

/** Removes the zone, and converts an IPv4-mapped IPv6 address to IPv4. */
const normaliseAddress = (address: string) => withoutZone(address).replace(/^::ffff:(?=\d+\.)/i, '');

/** Returns the check for the addresses, ranges and names in the setting. */
export function createProxyTrust(proxies: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const range of proxies.flatMap((proxy) => namedRanges[proxy] ?? [proxy])) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(normaliseAddress(address), familyOf(normaliseAddress(address)));
    // The prefix length refers to the form in which the range is written.
    else list.addSubnet(withoutZone(address), Number(prefix), familyOf(address));
  }
  return ({ socket }) => {
    if (proxies.length === 0) return false;
    const address = normaliseAddress(socket?.remoteAddress ?? '');
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}
