// Which internet addresses may receive messages if a merchant names the receiver. Pure: it parses an address
// and looks nothing up. Must not say "public" of an address that leads into the internal network.

import { BlockList, isIP } from 'node:net';

export type SpecialRange = { network: string; prefix: number; what: string };

/**
 * Addresses that no merchant's server has: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC
 * 6890; as of 2025), multicast, and one address that a cloud reserves for itself. The few entries that the
 * registries call globally reachable are relays and sinks for everybody, so they are included, too. IPv6
 * ranges are needed only inside 2000::/3, see `buildAddressCheck`. No range is inside another, so that each
 * is needed, which a test proves.
 */
export const specialRanges: readonly SpecialRange[] = [
  { network: '0.0.0.0', prefix: 8, what: 'this network; 0.0.0.0 reaches the own machine' },
  { network: '10.0.0.0', prefix: 8, what: 'private' },
  { network: '100.64.0.0', prefix: 10, what: 'shared by carriers; holds 100.100.100.200, metadata' },
  { network: '127.0.0.0', prefix: 8, what: 'loopback' },
  { network: '168.63.129.16', prefix: 32, what: 'the platform of Azure, from inside its machines' },
  { network: '169.254.0.0', prefix: 16, what: 'link-local; holds 169.254.169.254, metadata' },
  { network: '172.16.0.0', prefix: 12, what: 'private' },
  { network: '192.0.0.0', prefix: 24, what: 'protocol assignments; holds 192.0.0.192, metadata' },
  { network: '192.0.2.0', prefix: 24, what: 'documentation' },
  { network: '192.31.196.0', prefix: 24, what: 'AS112' },
  { network: '192.52.193.0', prefix: 24, what: 'multicast relays (AMT)' },
  { network: '192.88.99.0', prefix: 24, what: 'relays of 6to4' },
  { network: '192.168.0.0', prefix: 16, what: 'private' },
  { network: '192.175.48.0', prefix: 24, what: 'AS112' },
  { network: '198.18.0.0', prefix: 15, what: 'benchmarks' },
  { network: '198.51.100.0', prefix: 24, what: 'documentation' },
  { network: '203.0.113.0', prefix: 24, what: 'documentation' },
  { network: '224.0.0.0', prefix: 4, what: 'multicast' },
  { network: '240.0.0.0', prefix: 4, what: 'reserved, and broadcast' },
  { network: '2001::', prefix: 23, what: 'protocol assignments: Teredo, benchmarks, ORCHID and more' },
  { network: '2001:db8::', prefix: 32, what: 'documentation' },
  { network: '2002::', prefix: 16, what: '6to4, which carries an IPv4 address' },
  { network: '2620:4f:8000::', prefix: 48, what: 'AS112' },
  { network: '3fff::', prefix: 20, what: 'documentation' },
];

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function listOf(ranges: readonly Omit<SpecialRange, 'what'>[]): BlockList {
  const list = new BlockList();
  for (const { network, prefix } of ranges) list.addSubnet(network, prefix, familyOf(network));
  return list;
}

/**
 * A check against these ranges. An IPv6 address must also be inside 2000::/3, the only part from which public
 * addresses are assigned. That excludes what embeds an IPv4 address (mapped, compatible, NAT64), unique
 * local, link-local, site-local and multicast addresses, and future reservations outside it. A text that is
 * no address, or that has a zone, is not public.
 */
export function buildAddressCheck(ranges: readonly SpecialRange[]): (address: string) => boolean {
  const ipv4 = listOf(ranges.filter(({ network }) => isIP(network) === 4));
  const ipv6 = listOf(ranges.filter(({ network }) => isIP(network) === 6));
  const globalUnicast = listOf([{ network: '2000::', prefix: 3 }]);
  return (address) => {
    if (isIP(address) === 4) return !ipv4.check(address, 'ipv4');
    if (isIP(address) !== 6 || address.includes('%')) return false;
    return globalUnicast.check(address, 'ipv6') && !ipv6.check(address, 'ipv6');
  };
}

/** Whether an address may belong to a server on the internet. */
export const isPublicAddress = buildAddressCheck(specialRanges);

const loopback4 = listOf([{ network: '127.0.0.0', prefix: 8 }]);
// A separate list: BlockList looks a mapped address up among IPv4 ranges, and that form is only used by
// attackers.
const loopback6 = listOf([{ network: '::1', prefix: 128 }]);

/** Whether an address is a plain loopback address: 127.0.0.0/8 or ::1, and no mapped form of them. */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return loopback4.check(address, 'ipv4');
  return isIP(address) === 6 && loopback6.check(address, 'ipv6');
}
