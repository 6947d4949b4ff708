// The addresses from which a service key may be used: single ones, and ranges in CIDR notation. Must not: take the
// client's address from anywhere but the server, which knows the trusted proxies.

import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

const mappedStart = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

type Range = { address: string; family: 'ipv4' | 'ipv6'; prefix: number };

/** Null for a text that is no address or range. IPv4 addresses in IPv6 notation are IPv4 addresses. */
function parseRange(text: string): Range | null {
  const [, written = '', length] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = written.replace(mappedStart, '');
  const version = isIP(address);
  if (version === 0) return null;
  // A prefix length of the IPv6 notation would mean other bits than it seems to.
  if (address !== written && length !== undefined) return null;
  const bits = version === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}

/** Whether a text is an address or a range. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== null;

/** One list for each version: in one list, ::/0 would also contain every IPv4 address. */
type RangeLists = Record<Range['family'], BlockList>;

function compile(ranges: string): RangeLists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of ranges.split(' ')) {
    const range = parseRange(text);
    if (range) lists[range.family].addSubnet(range.address, range.prefix, range.family);
  }
  return lists;
}

/** Bounds the memory: one entry for each list of a used key. */
const compiled = new LRUCache<string, RangeLists>({ max: 1_000, memoMethod: compile });

/** Whether an address is one of the ranges. An empty list allows every address. */
export function isAllowedAddress(ranges: readonly string[], ip: string): boolean {
  if (ranges.length === 0) return true;
  const address = (ip.split('%', 1)[0] ?? '').replace(mappedStart, '');
  const version = isIP(address);
  // A trusted proxy may forward an invalid address.
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return compiled.memo(ranges.join(' '))[family].check(address, family);
}
