import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isSameDecimal,
  maxExactMinor,
  parseAmount,
  parseStatementAmount,
  toDecimalText,
  toMajorNumber,
  toMajorSum,
} from './money.ts';

const cases: [string, number | string][] = [
  ['19.99', 1999],
  ['1e2', 10000],
  ['1E+2', 10000],
  ['0.1', 10],
  ['0.01', 1],
  ['19.990', 1999],
  ['1999e-2', 1999],
  ['10000000', 1_000_000_000],
  ['10000000.00', 1_000_000_000],
  ['10000000.01', 'too_large'],
  ['1e300', 'too_large'],
  ['19.999', 'too_precise'],
  ['1e-3', 'too_precise'],
  ['0.001', 'too_precise'],
  ['0', 'not_positive'],
  ['-0', 'not_positive'],
  ['-5', 'not_positive'],
  ['0.00', 'not_positive'],
  ['NaN', 'not_a_number'],
  ['1e99999', 'too_large'],
  ['1e-99999', 'too_precise'],
  ['1e9999999999', 'not_a_number'],
  ['0e9999999999', 'not_positive'],
  ['1e00002', 10000],
  ['1E+0000000000000002', 10000],
  ['1999e-00002', 1999],
  ['00019.9900', 1999],
  ['1e', 'not_a_number'],
  ['1e+', 'not_a_number'],
  ['1.', 'not_a_number'],
  ['', 'not_a_number'],
  ['0x10', 'not_a_number'],
  ['1,50', 'not_a_number'],
];

for (const [text, expected] of cases) {
  test(`the amount ${JSON.stringify(text)} is read as ${expected}`, () => {
    const result = parseAmount(text, 'EUR');
    assert.equal('fault' in result ? result.fault : result.amountMinor, expected);
  });
}

test('every amount in minor units survives a round trip through a JSON number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (amountMinor) => {
      const text = JSON.stringify(toMajorNumber(amountMinor, 'USD'));
      assert.deepEqual(parseAmount(text, 'USD'), { amountMinor });
      assert.deepEqual(parseAmount(toDecimalText(amountMinor, 'USD'), 'USD'), { amountMinor });
    }),
  );
});

test('a sum of up to 15 digits is exact as a JSON number, and a larger one is rejected, not rounded', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amountMinor) => {
      if (Math.abs(amountMinor) > maxExactMinor)
        assert.throws(() => toMajorNumber(amountMinor, 'EUR'), RangeError);
      else
        assert.ok(
          isSameDecimal(String(toMajorNumber(amountMinor, 'EUR')), toDecimalText(amountMinor, 'EUR')),
          String(amountMinor),
        );
    }),
    { numRuns: 5_000 },
  );
  // 2^46 major units: from here on, two amounts in cents share a double.
  assert.throws(() => toMajorNumber(2 ** 46 * 100 + 1, 'EUR'), RangeError);
});

test('a sum is exact up to 15 digits, and the nearest number above that', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), (sumMinor) => {
      const shown = toMajorSum(sumMinor, 'EUR');
      assert.ok(Number.isFinite(shown));
      if (sumMinor <= BigInt(maxExactMinor) && sumMinor >= -BigInt(maxExactMinor))
        assert.equal(shown, toMajorNumber(Number(sumMinor), 'EUR'));
      // The bound is half of the step between two doubles, in units of 2^-53.
      else assert.ok(Math.abs(shown * 100 - Number(sumMinor)) <= Math.abs(Number(sumMinor)) / 2 ** 51);
    }),
    { numRuns: 2_000 },
  );
});

test('a decimal always has all digits of its currency', () => {
  assert.equal(toDecimalText(5, 'EUR'), '0.05');
  assert.equal(toDecimalText(-1999, 'EUR'), '-19.99');
  assert.equal(toDecimalText(1_000_000_000, 'USD'), '10000000.00');
  assert.throws(() => toDecimalText(0.5, 'EUR'), RangeError);
});

test('two spellings of a number are the same decimal, and a rounded number is not', () => {
  assert.ok(isSameDecimal('19.990', '19.99'));
  assert.ok(isSameDecimal('1e2', '100'));
  assert.ok(isSameDecimal('1e00002', '100'));
  assert.ok(isSameDecimal('1e21', '1000000000000000000000'));
  assert.ok(isSameDecimal('0.000', '0e99999999999'));
  assert.ok(!isSameDecimal('1e400', 'Infinity'));
  assert.ok(isSameDecimal('-0', '0'));
  assert.ok(!isSameDecimal('19.990000000000000001', '19.99'));
  assert.ok(!isSameDecimal('1', '-1'));
});

test('an external amount may be zero or larger than a payment, and is never rounded', () => {
  const read = (text: string) => parseStatementAmount(text, 'EUR');
  assert.deepEqual(read('0.00'), { amountMinor: 0 });
  assert.deepEqual(read('10000000.01'), { amountMinor: 1_000_000_001 });
  assert.deepEqual(read('9999999999999.99'), { amountMinor: maxExactMinor });
  assert.deepEqual(read('10000000000000.00'), { fault: 'too_large' });
  assert.deepEqual(read('0.001'), { fault: 'too_precise' });
  assert.deepEqual(read('-0.01'), { fault: 'not_positive' });
  assert.deepEqual(read('1,00'), { fault: 'not_a_number' });
});
