import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToQuery } from './result-link.ts';

const cases: [address: string, result: string][] = [
  ['https://shop.example', 'https://shop.example?a=1'],
  ['https://shop.example/thanks', 'https://shop.example/thanks?a=1'],
  ['https://shop.example/?', 'https://shop.example/?a=1'],
  ['https://shop.example/?x=1', 'https://shop.example/?x=1&a=1'],
  ['https://shop.example/?x=1&', 'https://shop.example/?x=1&a=1'],
  ['https://shop.example/?x=a%20b&x=2#top', 'https://shop.example/?x=a%20b&x=2&a=1#top'],
  ['https://shop.example/#/route?y=1', 'https://shop.example/?a=1#/route?y=1'],
];
for (const [address, result] of cases)
  test(`${address} keeps its own query and fragment`, () =>
    assert.equal(addToQuery(address, { a: '1' }), result));
