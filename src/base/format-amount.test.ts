// Amounts as people read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount } from './format-amount.ts';

const nbsp = '\u00a0';

test('amounts print exactly, from one cent to the largest, in the form of the language', () => {
  const table = [
    [1, 'EUR', '€0.01', `0,01${nbsp}€`],
    [1, 'USD', '$0.01', `0,01${nbsp}$`],
    [10, 'EUR', '€0.10', `0,10${nbsp}€`],
    [1999, 'EUR', '€19.99', `19,99${nbsp}€`],
    [100_000, 'USD', '$1,000.00', `1.000,00${nbsp}$`],
    [999_999_999, 'EUR', '€9,999,999.99', `9.999.999,99${nbsp}€`],
    [1_000_000_000, 'EUR', '€10,000,000.00', `10.000.000,00${nbsp}€`],
  ] as const;
  for (const [amountMinor, currency, english, german] of table) {
    assert.equal(formatAmount(amountMinor, currency, 'en'), english);
    assert.equal(formatAmount(amountMinor, currency, 'de'), german);
  }
});

test('amounts that a float would round still print every cent', () => {
  assert.equal(formatAmount(9_007_199_254_740_991, 'EUR', 'en'), '€90,071,992,547,409.91');
});

test('an unsupported currency and a fraction of a cent are rejected', () => {
  assert.throws(() => formatAmount(1, 'GBP', 'en'), RangeError);
  assert.throws(() => formatAmount(0.5, 'EUR', 'en'), RangeError);
});
