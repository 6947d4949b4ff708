import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDecimals,
  formatDecimal,
  parseDecimal,
  readCurrency,
  roundToMinor,
  toMajor,
  toMinor,
} from './amounts.ts';

const read = (text: string) => {
  const decimal = parseDecimal(text);
  assert.ok(decimal, text);
  return decimal;
};

test('cents and the amounts of the API convert into each other exactly, up to the largest amount', () => {
  fc.assert(
    fc.property(fc.bigInt(-1_000_000_000n, 1_000_000_000n), (minor) => {
      const major = toMajor(minor);
      assert.equal(toMinor(major), minor);
      assert.match(String(major), /^-?\d+(\.\d{1,2})?$/);
    }),
  );
});

test('amounts that floats get wrong stay exact', () => {
  // 1.005 × 100 is 100.49999999999999 in floats, and 0.1 + 0.2 is 0.30000000000000004.
  assert.equal(roundToMinor(read('1.005')), 101n);
  assert.equal(formatDecimal(addDecimals(read('0.1'), read('0.2'))), '0.3');
  assert.equal(toMajor(2999), 29.99);
});

test('half a cent is rounded away from zero', () => {
  const cases = [
    ['0.004', 0n],
    ['0.005', 1n],
    ['29.6667', 2967n],
    ['29.664999999999999999', 2966n],
    ['-0.005', -1n],
    ['-0.004', 0n],
    ['10', 1000n],
  ] as const;
  for (const [text, minor] of cases) assert.equal(roundToMinor(read(text)), minor, text);
});

test('a decimal is read with an exponent, and nothing else is a number', () => {
  assert.equal(formatDecimal(read('1e2')), '100');
  assert.equal(formatDecimal(read('1.5e-3')), '0.0015');
  assert.equal(formatDecimal(read('11.888100000000000000')), '11.8881');
  for (const text of ['', 'NaN', 'Infinity', '1,5', '0x10', '1e1000', '--1', '1.', '9'.repeat(61)])
    assert.equal(parseDecimal(text), null, text);
});

test('EUR and USD are taken in any case, and no other currency', () => {
  assert.deepEqual(['eur', 'USD', 'gbp', 'jpy', ''].map(readCurrency), ['EUR', 'USD', null, null, null]);
});
