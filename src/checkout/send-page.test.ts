import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOriginsOf, pagePolicy } from './send-page.ts';

const base = 'http://127.0.0.1:3000';
const originsOf = (address: string) =>
  formOriginsOf({ successUrl: address, failureUrl: address }, base).slice(0, -1);

test('the origin of a URL is the one that browsers use, cached or not', () => {
  const shown: readonly [address: string, origin: string | null][] = [
    ['https://shop.example/done?order=1', 'https://shop.example'],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example?to=//other.example/', 'https://shop.example'],
    ['https://shop.example#//other.example/', 'https://shop.example'],
    ['https://shop.example\\@other.example/', 'https://shop.example'],
    ['https://shop.example:8443/', 'https://shop.example:8443'],
    ['https://SHOP.example:443/', 'https://shop.example'],
    ['http://shop.example:443/', 'http://shop.example:443'],
    ['http://127.1/', 'http://127.0.0.1'],
    ['https://blüte.example/', 'https://xn--blte-1ra.example'],
    ['https:/shop.example/', 'https://shop.example'],
    // A policy can't name it.
    ['http://[::1]:3000/', null],
  ];
  for (const visit of ['first', 'second'])
    for (const [address, origin] of shown)
      assert.deepEqual(originsOf(address), origin ? [origin, origin] : [], `${visit} ${address}`);
});

test('the policy allows forms to the page itself and the origins of its payment, each listed once', () => {
  const [policy, ...others] = [
    pagePolicy(formOriginsOf({ successUrl: 'https://a.example/1', failureUrl: 'https://b.example/2' }, base)),
    pagePolicy(['https://a.example', 'https://a.example']),
    pagePolicy([]),
  ].map((text) => text.split('; ').at(-1));
  assert.equal(policy, `form-action 'self' https://a.example https://b.example ${base}`);
  assert.deepEqual(others, ["form-action 'self' https://a.example", "form-action 'self'"]);
});
