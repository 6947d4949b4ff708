// Who asks, as far as an address tells: what limits that come before credentials count by. Must never
// believe a header by itself; which proxies are believed is the server's setting.

import { isIP } from 'node:net';

/** A network that a client is in, and how many times the limit of a single client it has. */
export type ClientNetwork = { name: string; times: number };

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  return [...left, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}

const prefixOf = (groups: readonly number[], length: number) =>
  `${groups.map((group) => group.toString(16)).join(':')}::/${length}`;

/**
 * The networks of an address, the narrowest first: an IPv4 address alone, and the /64, /56 and /48 of an IPv6 address. A
 * provider gives a customer any of the three, so limits count by all of them; a wider one has a larger limit, because
 * it may be shared.
 */
export function networksOf(ip: string): [ClientNetwork, ...ClientNetwork[]] {
  const address = ip.split('%', 1)[0] ?? '';
  const version = isIP(address);
  // A trusted proxy may pass on what is no address at all; all of that is one client.
  if (version === 0) return [{ name: 'unknown', times: 1 }];
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (version === 4 || mapped) return [{ name: mapped ?? address, times: 1 }];
  const groups = groupsOf(address).slice(0, 4);
  const [a = 0, b = 0, c = 0, d = 0] = groups;
  return [
    { name: prefixOf(groups, 64), times: 1 },
    { name: prefixOf([a, b, c, d & 0xff00], 56), times: 2 },
    { name: prefixOf([a, b, c], 48), times: 4 },
  ];
}

/** An IPv4 address as it is, an IPv6 address as its /64, which is what one household or server gets. */
export function networkOf(ip: string): string {
  return networksOf(ip)[0].name;
}

/** The client of a request, for limits. */
export function clientKeyOf(request: { ip: string }): string {
  return networkOf(request.ip);
}
