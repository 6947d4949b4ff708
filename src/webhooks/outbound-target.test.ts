import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insideUrls, oddUrls } from '../../test/dns/spellings.ts';
import { checkEndpointUrl, readTarget, rulesFor, type TargetRules } from './outbound-target.ts';

const strict: TargetRules = { allowsLoopback: false, isHttpsRequired: false };
const live: TargetRules = { allowsLoopback: false, isHttpsRequired: true };
const sandbox: TargetRules = { allowsLoopback: true, isHttpsRequired: false };

test('every spelling of an internal address is refused', () => {
  for (const url of insideUrls) assert.equal(checkEndpointUrl(url, strict)?.code, 'not_allowed', url);
});

test('every unusual URL is refused, even if loopback is allowed', () => {
  for (const url of oddUrls)
    for (const rules of [strict, live, sandbox]) assert.ok(checkEndpointUrl(url, rules), JSON.stringify(url));
});

test('a refusal is a complete sentence', () => {
  for (const url of [...insideUrls, ...oddUrls, `https://example.com/${'a'.repeat(2048)}`])
    assert.match(
      checkEndpointUrl(url, strict)?.detail ?? '',
      /^(This|In live mode this) (must|may) .+\.$/,
      url,
    );
});

test('the refusal of a local address mentions paylink listen, and the setting if it would help', () => {
  const detailOf = (url: string, rules: TargetRules) => checkEndpointUrl(url, rules)?.detail ?? '';
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'shop.localhost:3000'])
    assert.match(detailOf(`http://${host}/hook`, strict), /"paylink listen .*WEBHOOKS_ALLOW_LOOPBACK=true/);
  for (const url of ['http://10.0.0.1/', 'http://192.168.1.5:8080/']) {
    assert.match(detailOf(url, strict), /"paylink listen /);
    assert.doesNotMatch(detailOf(url, strict), /WEBHOOKS_ALLOW_LOOPBACK/);
  }
  assert.match(detailOf('https://localhost/', live), /"paylink listen /);
  assert.doesNotMatch(detailOf('https://localhost/', live), /WEBHOOKS_ALLOW_LOOPBACK/);
});

test('public URLs are accepted', () => {
  const urls = [
    'https://hooks.example.com',
    'https://hooks.example.com/paylink?shop=1&x=%20',
    'https://HOOKS.Example.COM:8443/a',
    'https://xn--mnchen-3ya.example/hook',
    'https://münchen.example/hook',
    'https://a_b.example.com/',
    'https://93.184.215.14/hook',
    'https://[2606:4700:4700::1111]:8443/hook',
    `https://${`${'a'.repeat(60)}.`.repeat(4)}example/`,
  ];
  for (const url of urls) assert.equal(checkEndpointUrl(url, live), null, url);
  assert.equal(checkEndpointUrl('http://hooks.example.com:8080/', strict), null);
});

test('live mode accepts only https, whatever the loopback setting', () => {
  assert.deepEqual(rulesFor('live', { webhooksAllowLoopback: true }), live);
  assert.deepEqual(rulesFor('test', { webhooksAllowLoopback: false }), strict);
  assert.deepEqual(rulesFor('test', { webhooksAllowLoopback: true }), sandbox);
  assert.match(checkEndpointUrl('http://hooks.example.com/', live)?.detail ?? '', /^In live mode/);
});

test('if loopback is allowed, its plain names are accepted and no other internal address', () => {
  const plain = [
    'localhost:3000',
    'LOCALHOST:3000',
    'shop.localhost:3000',
    '127.0.0.1:3000',
    '127.9.9.9',
    '[::1]:80',
  ];
  for (const host of plain) {
    assert.equal(checkEndpointUrl(`http://${host}/`, sandbox), null, host);
    assert.equal(checkEndpointUrl(`http://${host}/`, strict)?.code, 'not_allowed', host);
  }
  const inside = [
    '10.0.0.1',
    '192.168.0.1',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '[fe80::1]',
  ];
  for (const host of inside)
    assert.equal(checkEndpointUrl(`http://${host}/`, sandbox)?.code, 'not_allowed', host);
});

test('ports of other protocols are refused, and other ports are accepted', () => {
  for (const port of [
    1, 21, 22, 23, 25, 53, 110, 143, 389, 445, 465, 587, 993, 1023, 5060, 6379, 6667, 11211,
  ])
    assert.equal(
      checkEndpointUrl(`https://hooks.example.com:${port}/`, live)?.code,
      'not_allowed',
      `${port}`,
    );
  for (const port of [80, 443, 1024, 3000, 8080, 8443, 65535])
    assert.equal(checkEndpointUrl(`https://hooks.example.com:${port}/`, live), null, `${port}`);
  for (const port of [0, 65536, -1])
    assert.ok(checkEndpointUrl(`https://hooks.example.com:${port}/`, live), `${port}`);
});

test('a URL is parsed into its parts', () => {
  const partsOf = (url: string) => {
    const read = readTarget(url, sandbox);
    assert.ok('target' in read);
    const { hostname, port, isTls } = read.target;
    return { hostname, port, isTls };
  };
  assert.deepEqual(partsOf('https://A.Example/x'), { hostname: 'a.example', port: 443, isTls: true });
  assert.deepEqual(partsOf('http://a.example/x'), { hostname: 'a.example', port: 80, isTls: false });
  assert.deepEqual(partsOf('http://[::1]:8080'), { hostname: '::1', port: 8080, isTls: false });
});
