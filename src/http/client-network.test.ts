import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './client-network.ts';

test('an IPv6 client is its /64, however the address is written, and an IPv4 client is its address', () => {
  const same = ['2001:db8:0:7::1', '2001:0db8:0000:0007:ffff:ffff:ffff:ffff', '2001:db8:0:7:1:2:3:4%eth0'];
  for (const address of same) assert.equal(networkOf(address), '2001:db8:0:7::/64', address);
  assert.notEqual(networkOf('2001:db8:0:8::1'), networkOf('2001:db8:0:7::1'));
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('fe80::1'), 'fe80:0:0:0::/64');
  assert.equal(networkOf('203.0.113.9'), '203.0.113.9');
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9');
});

test('every invalid address is the same client', () => {
  for (const text of ['', 'unknown', 'x'.repeat(10_000), '1.2.3', '203.0.113.9:443'])
    assert.equal(networkOf(text), 'unknown', text.slice(0, 20));
});
