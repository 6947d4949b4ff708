import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from './outbound-address.ts';

/**
 * Both registries of IANA, row by row, and further ranges that must be refused. Written independently of the tables of
 * ipaddr.js, and compared as whole numbers: an update of the package that loses a range fails here.
 */
const registries = `
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32
  ::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32
  2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28
  2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10
  224.0.0.0/4 168.63.129.16/32 ::/96 ::ffff:0:0:0/96 200::/7 fec0::/10 ff00::/8
  ::/3 4000::/2 8000::/1`
  .trim()
  .split(/\s+/);

type Family = 4 | 6;
type Range = { family: Family; first: bigint; last: bigint };

const groupsOf = (text: string | undefined) => (text ? text.split(':') : []);

function numberOf(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head, tail] = address.split('::');
  const missing = 8 - groupsOf(head).length - groupsOf(tail).length;
  const groups = [...groupsOf(head), ...Array.from({ length: missing }, () => '0'), ...groupsOf(tail)];
  return groups.reduce((sum, group) => sum * 0x10000n + BigInt(`0x${group}`), 0n);
}

const bits = { 4: 32n, 6: 128n };
const unitBits = { 4: 8n, 6: 16n };

function addressOf(value: bigint, family: Family): string {
  const units: string[] = [];
  for (let shift = bits[family] - unitBits[family]; shift >= 0n; shift -= unitBits[family])
    units.push(((value >> shift) & ((1n << unitBits[family]) - 1n)).toString(family === 4 ? 10 : 16));
  return units.join(family === 4 ? '.' : ':');
}

function rangeOf(text: string): Range {
  const [network = '', prefix = ''] = text.split('/');
  const family = network.includes(':') ? 6 : 4;
  const first = numberOf(network);
  return { family, first, last: first + (1n << (bits[family] - BigInt(prefix))) - 1n };
}

const closed = registries.map(rangeOf);
const isClosed = (value: bigint, family: Family) =>
  closed.some((range) => range.family === family && value >= range.first && value <= range.last);

type Case = { address: string; isPublic: boolean };

/** The ends of every range, an address inside, and the neighbours on both sides. */
function casesOf(ranges: readonly Range[]): Case[] {
  return ranges.flatMap(({ family, first, last }) =>
    [first - 1n, first, (first + last) / 2n, last, last + 1n]
      .filter((value) => value >= 0n && value < 1n << bits[family])
      .map((value) => ({ address: addressOf(value, family), isPublic: !isClosed(value, family) })),
  );
}

const cases = casesOf(closed);
const wrongIn = (isPublic: (address: string) => boolean) =>
  cases.filter((expected) => isPublic(expected.address) !== expected.isPublic).map(({ address }) => address);

test('the ends of every special-purpose range are refused, and their neighbours outside are not', () => {
  assert.ok(cases.filter(({ isPublic }) => isPublic).length > 30, 'there are public neighbours');
  assert.deepEqual(wrongIn(isPublicAddress), []);
});

test('the test detects every missing range', () => {
  const isWithin = ({ family, first, last }: Range, address: string) =>
    (address.includes(':') ? 6 : 4) === family && numberOf(address) >= first && numberOf(address) <= last;
  for (const [index, forgotten] of closed.entries()) {
    const planted = (address: string) => isWithin(forgotten, address) || isPublicAddress(address);
    assert.notDeepEqual(wrongIn(planted), [], `${registries[index]} can be forgotten unseen`);
  }
});

test('an address is public exactly if no range contains it', () => {
  const ipv4 = fc.bigInt(0n, (1n << 32n) - 1n).map((value) => ({ value, family: 4 as const }));
  const ipv6 = fc.bigInt(0n, (1n << 128n) - 1n).map((value) => ({ value, family: 6 as const }));
  // Most of IPv6 is refused, so half of the addresses come from the allowed eighth.
  const open = fc.bigInt(1n << 125n, (1n << 126n) - 1n).map((value) => ({ value, family: 6 as const }));
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6, open), ({ value, family }) => {
      assert.equal(isPublicAddress(addressOf(value, family)), !isClosed(value, family));
    }),
    { numRuns: 1_000 },
  );
});

test('an IPv6 address that embeds an IPv4 address is refused, even if the latter is public', () => {
  for (const inner of ['7f00:1', '808:808', 'a9fe:a9fe']) {
    for (const outer of [`::ffff:${inner}`, `::${inner}`, `64:ff9b::${inner}`, `2002:${inner}::1`])
      assert.equal(isPublicAddress(outer), false, outer);
    assert.equal(isPublicAddress(`2001:0:1234:5678:0:0:${inner}`), false, `Teredo with ${inner}`);
  }
  for (const dotted of ['::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::10.0.0.1', '::ffff:8.8.8.8'])
    assert.equal(isPublicAddress(dotted), false, dotted);
});

test('metadata addresses of clouds are refused', () => {
  const metadata =
    '169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd20:ce::254';
  for (const address of metadata.split(' ')) assert.equal(isPublicAddress(address), false, address);
});

test('an invalid address is not public', () => {
  const texts = ['', 'example.com', 'localhost', '8.8.8', '8.8.8.8 ', '010.8.8.8', '0x8.8.8.8', '8.8.8.8:80'];
  for (const text of [...texts, '[2606:4700::1111]', '2606:4700::1111%eth0', '2606:4700::1111/64', '::'])
    assert.equal(isPublicAddress(text), false, text);
});

test('loopback is 127.0.0.0/8 and ::1 in their plain form only', () => {
  for (const address of ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])
    assert.equal(isLoopbackAddress(address), true, address);
  for (const address of [
    '::ffff:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:1',
    '::127.0.0.1',
    '0.0.0.0',
    '::',
    '::1%lo',
    '127.1',
    '0x7f.0.0.1',
    '128.0.0.1',
  ])
    assert.equal(isLoopbackAddress(address), false, address);
});
