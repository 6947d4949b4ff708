// Whether a connection comes from a proxy of TRUSTED_PROXIES: the same addresses whose X-Forwarded-For is believed. It
// asks for the peer itself, and must never go by anything that a request says.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export type IsTrusted = (request: IncomingMessage) => boolean;

/** What the names of ranges stand for, as for X-Forwarded-For. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const withoutZone = (address: string) => address.replace(/%.*$/, '');

/** Without its zone, and as IPv4 where an IPv6 socket shows one. */
const normaliseAddress = (address: string) => withoutZone(address).replace(/^::ffff:(?=\d+\.)/i, '');

/** The judge of peers for the addresses, ranges and names of the setting. */
export function createProxyTrust(proxies: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const range of proxies.flatMap((proxy) => namedRanges[proxy] ?? [proxy])) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(normaliseAddress(address), familyOf(normaliseAddress(address)));
    // The prefix counts the bits of the form that the range is written in.
    else list.addSubnet(withoutZone(address), Number(prefix), familyOf(address));
  }
  return ({ socket }) => {
    if (proxies.length === 0) return false;
    const address = normaliseAddress(socket?.remoteAddress ?? '');
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}
