// Who asks, as far as an address tells: what limits that come before credentials count by. Must never
// believe a header by itself; which proxies are believed is the server's setting.

import { isIP } from 'node:net';

/** An IPv4 address as it is, an IPv6 address as its /64, which is what one household or server gets. */
export function networkOf(ip: string): string {
  const address = ip.split('%', 1)[0] ?? '';
  const version = isIP(address);
  // A trusted proxy may pass on what is no address at all; all of that is one client.
  if (version === 0) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (version === 4 || mapped) return mapped ?? address;
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** The client of a request, for limits. */
export function clientOf(request: { ip: string }): string {
  return networkOf(request.ip);
}
