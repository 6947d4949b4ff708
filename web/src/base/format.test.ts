import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatMoney, formatShare, formatUtc, readAmount } from './format.ts';

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

test('a duration is in its largest whole unit, in both languages', () => {
  for (const [seconds, en, de] of [
    [0, '0 seconds', '0 Sekunden'],
    [59.9, '59 seconds', '59 Sekunden'],
    [60, '1 minute', '1 Minute'],
    [3_599, '59 minutes', '59 Minuten'],
    [7_200, '2 hours', '2 Stunden'],
    [86_400, '1 day', '1 Tag'],
  ] as const) {
    assert.equal(formatDuration('en', seconds), en);
    assert.equal(formatDuration('de', seconds), de);
  }
});
