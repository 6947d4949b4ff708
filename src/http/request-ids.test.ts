import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { remoteSpanOf, requestIdOf } from './request-ids.ts';
import { createProxyTrust } from './trusted-proxies.ts';

const requestOf = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

const now = new Date('2026-11-20T12:00:00Z');
const all = () => true;
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

test('a proxy is trusted by its address, in every form that sockets report', () => {
  const isTrusted = createProxyTrust([
    '192.0.2.1',
    '10.0.0.0/8',
    'loopback',
    'uniquelocal',
    '2001:db8::/32',
    'fe80::1%eth0',
  ]);
  const trusted = ['192.0.2.1', '::ffff:192.0.2.1', '10.255.0.1', '::ffff:10.1.2.3', '127.0.0.1', '::1'];
  for (const address of [...trusted, 'fd00::1', '172.16.0.1', '2001:db8:7::1', 'fe80::1', 'fe80::1%eth1'])
    assert.ok(isTrusted(requestOf(address)), address);
  for (const address of [
    '192.0.2.2',
    '::ffff:192.0.2.2',
    '11.0.0.1',
    '2001:db9::1',
    '',
    'unknown',
    '172.32.0.1',
  ])
    assert.ok(!isTrusted(requestOf(address)), address);
});

test('an IPv4 range written as IPv6 is trusted', () => {
  const isTrusted = createProxyTrust(['::ffff:10.0.0.0/104']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3']) assert.ok(isTrusted(requestOf(address)), address);
  for (const address of ['11.1.2.3', '::1', 'fd00::1']) assert.ok(!isTrusted(requestOf(address)), address);
});

test('without trusted proxies, no client is trusted', () => {
  for (const address of ['127.0.0.1', '::1', '10.0.0.1'])
    assert.ok(!createProxyTrust([])(requestOf(address)), address);
});

test('a request ID of up to 128 safe characters is used, and any other is replaced', () => {
  const idFor = (id: string) =>
    requestIdOf(requestOf('::1', { 'x-request-id': id }), { isTrusted: all, now });
  for (const id of ['a', '7b3e-4a', 'C0A8:1F90_0A:01BB', 'aGVsbG8+/w==', 'x'.repeat(128)])
    assert.equal(idFor(id), id);
  const bad = [
    '',
    ' ',
    'a b',
    'a\tb',
    'x'.repeat(129),
    'a,b',
    '<script>',
    'a"b',
    "a'b",
    'ä',
    'a%20',
    'a\u0000',
    '{}',
  ];
  for (const id of [...bad, 'one, two']) assert.match(idFor(id), /^req_\w+$/, id);
  assert.match(requestIdOf(requestOf('::1'), { isTrusted: all, now }), /^req_/);
});

test('only a traceparent in the form of the standard gives the span of the caller', () => {
  const spanFor = (traceparent: string) => remoteSpanOf(requestOf('::1', { traceparent }), all);
  for (const good of [
    `00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-00`,
    `01-${trace}-${parent}-01-more`,
    `cc-${trace}-${parent}-01`,
  ])
    assert.deepEqual(
      spanFor(good),
      { traceId: trace, spanId: parent, isSampled: !good.endsWith('-00') },
      good,
    );
  const bad = [
    '',
    trace,
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-1`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${trace}0-${parent}-01`,
    ` 00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
    `00-${'g'.repeat(32)}-${parent}-01`,
    `01-${trace}-${parent}-01x`,
  ];
  for (const text of bad) assert.equal(spanFor(text), null, text);
});
