// The headers of each kind of response: JSON has only those that it needs, documents have all.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLink, credentialHeaders, logIn, orderOf, processPayment } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server', { settings: { RATE_LIMIT_PROCESS_PER_SECOND: '1000' } });
});
after(async () => await paylink.stop());

/** On every response. */
const ofTheWire = ['connection', 'date', 'keep-alive', 'x-request-id', 'x-response-code'];
const withBody = ['content-length', 'content-type'];
const ofAll = [
  'cache-control',
  'cross-origin-resource-policy',
  'strict-transport-security',
  'x-content-type-options',
];
const ofVersion = ['paylink-version'];
const ofDeprecation = ['deprecation', 'link'];
const ofDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

const namesOf = (headers: Headers) => [...headers.keys()].sort();
const sorted = (...lists: string[][]) => lists.flat().sort();

test('a created link has the headers of JSON, its rate limit, its version and its deprecation, and no others', async () => {
  const credentials = await logIn(paylink);
  const { headers } = await processPayment(paylink, credentials, orderOf());
  const own = ['ratelimit', 'ratelimit-policy'];
  assert.deepEqual(namesOf(headers), sorted(ofTheWire, withBody, ofAll, ofDeprecation, ofVersion, own));
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
});

test('reads and problem documents have the headers of JSON, the version, and no others', async () => {
  const credentials = credentialHeaders(await logIn(paylink));
  const read = await fetch(`${paylink.baseUrl}/v1/payments`, { headers: credentials });
  assert.deepEqual(namesOf(read.headers), sorted(ofTheWire, withBody, ofAll, ofDeprecation, ofVersion));
  const refused = await fetch(`${paylink.baseUrl}/v1/payments`);
  assert.equal(refused.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.deepEqual(
    namesOf(refused.headers),
    sorted(ofTheWire, withBody, ofAll, ofVersion, ['www-authenticate']),
  );
  const unknown = await fetch(`${paylink.baseUrl}/nothing`);
  assert.deepEqual(namesOf(unknown.headers), sorted(ofTheWire, withBody, ofAll));
});

test('pages have all security headers, with their own policy', async () => {
  const { link } = await createLink(paylink);
  const own = ['content-language', 'vary', 'x-robots-tag'];
  for (const address of [link, `${link}x`]) {
    const { headers } = await fetch(address);
    assert.deepEqual(namesOf(headers), sorted(ofTheWire, withBody, ofAll, ofDocuments, own), address);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/);
  }
  const docs = await fetch(`${paylink.baseUrl}/docs`, { redirect: 'follow' });
  assert.match(docs.headers.get('content-security-policy') ?? '', /connect-src 'self'/);
  assert.equal(docs.headers.get('x-frame-options'), 'DENY');
});

test('redirects, files and texts have all security headers and a policy that loads nothing', async () => {
  const credentials = credentialHeaders(await logIn(paylink));
  const { link, code } = await createLink(paylink);
  const redirect = await fetch(`${link}/wait`, { redirect: 'manual' });
  const picture = await fetch(`${paylink.baseUrl}/v1/payments/${code}/qr?format=svg`, {
    headers: credentials,
  });
  const table = await fetch(`${paylink.baseUrl}/v1/exports/payments`, { headers: credentials });
  assert.deepEqual([redirect.status, picture.status, table.status], [303, 200, 200]);
  for (const { url, headers } of [redirect, picture, table]) {
    for (const name of [...ofAll, ...ofDocuments]) assert.ok(headers.has(name), `${name} of ${url}`);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';frame-ancestors 'none'/);
  }
});
