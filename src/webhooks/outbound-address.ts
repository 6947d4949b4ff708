// Which internet addresses may receive messages if a merchant names the receiver. Pure: it parses an address
// and looks nothing up. Must not say "public" of an address that leads into the internal network.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The platform of Azure, from inside its machines: the one address that a cloud keeps for itself outside the registries. */
const azurePlatform = '168.63.129.16';

/** The only part of IPv6 from which addresses for everybody are given out. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may belong to a server on the internet: it is in no range of the IANA Special-Purpose Address
 * Registries (RFC 6890), and is not multicast. An IPv6 address must also be inside 2000::/3, which excludes addresses that
 * embed an IPv4 address, and future reservations. A text that is no address, or that has a zone, is not public.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads 0x7f.1 and 0177.0.0.1, which a resolver may read in another way.
  if (isIP(address) === 0 || address.includes('%') || address === azurePlatform) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/** Whether an address is a plain loopback address: 127.0.0.0/8 or ::1, and no mapped form of them. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && !address.includes('%') && ipaddr.parse(address).range() === 'loopback';
}
