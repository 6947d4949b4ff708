import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDecimal } from '../../shared/amounts.ts';
import { readAmount } from './amounts.ts';

test('every form in which Medusa passes an amount is read exactly', () => {
  const likeBigNumberJs = { c: [11], e: 1, s: 1, toFixed: () => '11.8881' };
  const likeMedusa = { numeric: 11.8881, raw: { value: '11.888100000000000001', precision: 20 } };
  const forms: [unknown, string][] = [
    [11.8881, '11.8881'],
    ['11.8881', '11.8881'],
    [{ value: '11.8881', precision: 20 }, '11.8881'],
    [{ value: 11 }, '11'],
    [likeMedusa, '11.888100000000000001'],
    [{ numeric: 5 }, '5'],
    [likeBigNumberJs, '11.8881'],
  ];
  for (const [input, text] of forms) assert.equal(formatDecimal(readAmount(input)), text);
});

test('what is no number is refused', () => {
  for (const input of [undefined, null, {}, Number.NaN, 'ten', { value: 'x' }, true])
    assert.throws(() => readAmount(input), { name: 'RefusedError', refusal: 'invalid' });
});
