import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, formatShare, formatUtc, readAmount } from './format.ts';

test('amounts are read as written in both languages, and ambiguous ones are refused', () => {
  for (const [text, amount] of [
    ['12', 12],
    ['12.5', 12.5],
    ['12,50', 12.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
    ['12,345,678.90', 12_345_678.9],
    [' 1 234 567 ', 1_234_567],
    ['1\u202f234,5', 1234.5],
    ["1'234.50", 1234.5],
    ['1’234', 1234],
    ['0.07', 0.07],
    ['5.', 5],
  ] as const)
    assert.equal(readAmount(text), amount, text);
  for (const text of ['', '.', '1.234', '1,234', '12.345', '1,23,4.5', '-1', '1e3', '€5', '1.2.3', '１２'])
    assert.equal(readAmount(text), null, text);
});

test('an amount with a space that does not group digits by threes is refused', () => {
  for (const text of [
    '5 0',
    '1 9.99',
    '1 23',
    '12 34 567',
    '1  234',
    '1 234 56',
    '1234 567',
    "5'0",
    '1 234,5 0',
    '1 234.567',
  ])
    assert.equal(readAmount(text), null, text);
});

test('amounts, shares and times are formatted in the chosen language', () => {
  assert.equal(formatMoney('en', 1234.5, 'EUR'), '€1,234.50');
  assert.equal(formatMoney('de', 1234.5, 'EUR').replace(/\s/g, ' '), '1.234,50 €');
  assert.equal(formatMoney('en', 0.1 + 0.2, 'USD'), '$0.30');
  assert.equal(formatShare('de', 0.125).replace(/\s/g, ' '), '12,5 %');
  assert.equal(formatUtc('2026-11-20T13:54:58.330+01:00'), '2026-11-20 12:54:58.330 UTC');
});
