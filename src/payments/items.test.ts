import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseScaled } from '../base/money.ts';
import { type PaymentItem, taxesOf, taxIn } from './items.ts';

const item = (unitAmountMinor: number, taxRate: number | null, quantity = 1): PaymentItem => ({
  ...{ name: 'Tea', quantity, unitAmountMinor, taxRate },
});

const taxes: readonly [what: string, grossMinor: number, rate: number, taxMinor: number][] = [
  ['€19.99 at 19 %', 1_999, 1_900, 319],
  ['€119.00 at 19 %', 11_900, 1_900, 1_900],
  ['€5.00 at 7 %', 500, 700, 33],
  ['€100.00 at 20 %', 10_000, 2_000, 1_667],
  ['€10.00 at 7.7 %', 1_000, 770, 71],
  ['€10.00 at 19.12 %', 1_000, 1_912, 161],
  ['€10.00 at 0 %', 1_000, 0, 0],
  ['€0.01 at 100 %, half a cent', 1, 10_000, 1],
  ['€0.03 at 100 %, one cent and a half', 3, 10_000, 2],
  ['−€0.01 at 100 %, half a cent', -1, 10_000, -1],
  ['−€0.03 at 100 %, one cent and a half', -3, 10_000, -2],
  ['−€19.99 at 19 %', -1_999, 1_900, -319],
  ['nothing at 19 %', 0, 1_900, 0],
  ['¥110 at 10 %, a currency without decimals', 110, 1_000, 10],
  ['KWD 10.500 at 5 %, a currency with three decimals', 10_500, 500, 500],
  ['the largest sum at 25.5 %', 100_000_000_000, 2_550, 20_318_725_100],
];

for (const [what, grossMinor, rate, taxMinor] of taxes)
  test(`the tax in ${what} is ${taxMinor} minor units`, () => {
    assert.equal(taxIn(grossMinor, rate), taxMinor);
    assert.deepEqual(taxesOf([item(grossMinor, rate)]), [{ rate, grossMinor, taxMinor }]);
  });

test('tax is rounded once for each rate, not for each line', () => {
  // A line contains 5.27 cents of tax, three contain 15.8.
  assert.equal(taxIn(33, 1_900) * 3, 15);
  const lines = [item(33, 1_900), item(33, 1_900), item(33, 1_900)];
  assert.deepEqual(taxesOf(lines), [{ rate: 1_900, grossMinor: 99, taxMinor: 16 }]);
  assert.deepEqual(taxesOf([item(33, 1_900, 3)]), taxesOf(lines));
});

test('there is one entry for each rate, highest first; a discount reduces it, and items without a rate are in none', () => {
  const lines = [item(500, 700), item(1_250, 1_900, 2), item(300, null), item(-501, 1_900), item(100, 0)];
  assert.deepEqual(taxesOf(lines), [
    { rate: 1_900, grossMinor: 1_999, taxMinor: 319 },
    { rate: 700, grossMinor: 500, taxMinor: 33 },
    { rate: 0, grossMinor: 100, taxMinor: 0 },
  ]);
  assert.deepEqual(taxesOf([]), []);
  assert.deepEqual(taxesOf([item(300, null)]), []);
});

const anyItem = fc
  .record({
    quantity: fc.integer({ min: 1, max: 9_999 }),
    taxRate: fc.option(fc.oneof(fc.constantFrom(0, 700, 1_900, 10_000), fc.integer({ min: 0, max: 10_000 }))),
    total: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  })
  .map(({ quantity, taxRate, total }) => item(Math.trunc(total / quantity) + 0, taxRate, quantity));

const absolute = (value: bigint) => (value < 0n ? -value : value);

test('the tax of a rate differs from exact arithmetic by at most half a minor unit, and a half goes away from zero', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 100 }), (items) => {
      for (const { rate, grossMinor, taxMinor } of taxesOf(items)) {
        const gross = items
          .filter(({ taxRate }) => taxRate === rate)
          .reduce(
            (sum, { quantity, unitAmountMinor }) => sum + BigInt(quantity) * BigInt(unitAmountMinor),
            0n,
          );
        assert.equal(BigInt(grossMinor), gross);
        // The exact tax is gross × rate ÷ (100 % + rate); both sides times twice the divisor.
        const divisor = BigInt(10_000 + rate);
        const difference = 2n * (BigInt(taxMinor) * divisor - gross * BigInt(rate));
        assert.ok(absolute(difference) <= divisor, `${grossMinor} at ${rate}: ${taxMinor}`);
        if (absolute(difference) === divisor) assert.equal(difference > 0n, gross > 0n);
        assert.equal(taxIn(-grossMinor, rate), taxMinor === 0 ? 0 : -taxMinor);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the taxes of all rates together differ from exact arithmetic by at most half a minor unit for each rate', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 100 }), (items) => {
      const shown = taxesOf(items);
      // In units of 10^-12 of a minor unit, rounded down.
      const unit = 10n ** 12n;
      const exact = shown.reduce(
        (sum, { grossMinor, rate }) =>
          sum + (BigInt(grossMinor) * BigInt(rate) * unit) / BigInt(10_000 + rate),
        0n,
      );
      const sum = shown.reduce((total, { taxMinor }) => total + BigInt(taxMinor), 0n) * unit;
      const allowed = (BigInt(shown.length) * unit) / 2n + BigInt(shown.length);
      assert.ok(absolute(sum - exact) <= allowed);
      for (const { taxMinor, grossMinor } of shown) {
        assert.ok(Number.isSafeInteger(taxMinor) && Number.isSafeInteger(grossMinor));
        assert.ok(Math.abs(taxMinor) <= Math.abs(grossMinor), 'tax is a part of the gross amount');
      }
    }),
    { numRuns: 1_000 },
  );
});

const scaled: readonly [text: string, decimals: number, value: number | string][] = [
  ['19.99', 2, 1_999],
  ['-5.01', 2, -501],
  ['-0', 2, 0],
  ['0', 2, 0],
  ['1e2', 2, 10_000],
  ['-1e-2', 2, -1],
  ['110', 0, 110],
  ['-110', 0, -110],
  ['110.5', 0, 'too_precise'],
  ['10.5', 3, 10_500],
  ['-0.001', 3, -1],
  ['0.0001', 3, 'too_precise'],
  ['19.123', 2, 'too_precise'],
  ['1e-7', 2, 'too_precise'],
  ['90071992547409.91', 2, 9_007_199_254_740_991],
  ['-90071992547409.92', 2, 'too_large'],
  ['1e300', 0, 'too_large'],
  ['NaN', 2, 'not_a_number'],
  ['Infinity', 2, 'not_a_number'],
  ['--1', 2, 'not_a_number'],
  ['', 2, 'not_a_number'],
];

for (const [text, decimals, value] of scaled)
  test(`${JSON.stringify(text)} with ${decimals} decimals is read as ${value}`, () => {
    const parsed = parseScaled(text, decimals);
    assert.equal('fault' in parsed ? parsed.fault : parsed.scaled, value);
  });
