import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAddressRange, isAllowedAddress } from './allowed-addresses.ts';

test('addresses and ranges of both versions are accepted', () => {
  for (const text of [
    '203.0.113.7',
    '203.0.113.0/24',
    '0.0.0.0/0',
    '2001:db8::1',
    '2001:DB8::/32',
    '::/0',
    '::ffff:203.0.113.7',
  ])
    assert.equal(isAddressRange(text), true, text);
});

test('other texts are refused', () => {
  for (const text of [
    '',
    'localhost',
    'loopback',
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/',
    '203.0.113.7/255.255.255.0',
    '203.0.113.7 ',
    '203.0.113.7,203.0.113.8',
    '203.0.113.007',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:203.0.113.0/120',
    '*',
  ])
    assert.equal(isAddressRange(text), false, text);
});

test('an address is allowed by itself or by its range, and by an empty list', () => {
  const ranges = ['203.0.113.7', '198.51.100.0/24', '2001:db8:7::/48'];
  for (const ip of ['203.0.113.7', '198.51.100.255', '2001:db8:7::1', '2001:DB8:7:ffff::'])
    assert.equal(isAllowedAddress(ranges, ip), true, ip);
  for (const ip of ['203.0.113.8', '198.51.101.0', '2001:db8:8::1', '::1', 'unknown', ''])
    assert.equal(isAllowedAddress(ranges, ip), false, ip);
  assert.equal(isAllowedAddress([], 'unknown'), true);
});

test('an IPv4 address in IPv6 notation is the IPv4 address, on both sides', () => {
  assert.equal(isAllowedAddress(['203.0.113.7'], '::ffff:203.0.113.7'), true);
  assert.equal(isAllowedAddress(['::ffff:203.0.113.7'], '203.0.113.7'), true);
  assert.equal(isAllowedAddress(['203.0.113.0/24'], '::FFFF:203.0.113.9'), true);
  assert.equal(isAllowedAddress(['203.0.113.0/24'], '::ffff:203.0.114.9'), false);
  assert.equal(isAllowedAddress(['::/0'], '203.0.113.7'), false, 'a range of IPv6 allows no IPv4 address');
});

test('the zone of a link-local address does not matter', () => {
  assert.equal(isAllowedAddress(['fe80::/10'], 'fe80::1%eth0'), true);
});
