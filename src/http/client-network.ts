// Identifies a client by its address, for limits before authentication. Must not: trust a header by itself.
// The settings name the trusted proxies.

import { isIP } from 'node:net';

/** A network of a client, and its limit as a multiple of a single client's limit. */
export type ClientNetwork = { name: string; times: number };

function groupsOf(address: string): number[] {
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  return [...left, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}

const prefixOf = (groups: readonly number[], length: number) =>
  `${groups.map((group) => group.toString(16)).join(':')}::/${length}`;

/**
 * The networks of an address, the narrowest first: the address itself for IPv4, and the /64, /56 and /48 for
 * IPv6. A provider gives a customer any of the three, so limits count all of them. A wider one has a larger
 * limit, because customers may share it.
 */
export function networksOf(ip: string): [ClientNetwork, ...ClientNetwork[]] {
  const address = ip.split('%', 1)[0] ?? '';
  const version = isIP(address);
  // A trusted proxy may forward an invalid address; all of these count as one client.
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

/** An IPv4 address unchanged; for IPv6 the /64, which one household or server gets. */
export function networkOf(ip: string): string {
  return networksOf(ip)[0].name;
}

export function clientKeyOf(request: { ip: string }): string {
  return networkOf(request.ip);
}
