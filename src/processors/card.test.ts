import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { brandOf, parseCard, passesLuhn, revealCard } from './card.ts';

const now = new Date('2026-06-15T00:00:00Z');
const good = { name: 'Ada Lovelace', number: '4242 4242-4242 4242', expiry: '06/26', csc: '737' };

function faultsOf(changed: Partial<typeof good>): object {
  const read = parseCard({ ...good, ...changed }, now);
  return 'faults' in read ? read.faults : {};
}

test('a protected card shows only brand and last four digits, however it is printed', () => {
  const read = parseCard(good, now);
  assert.ok('card' in read);
  assert.equal(JSON.stringify(read.card), '{"brand":"visa","last4":"4242"}');
  assert.equal(inspect({ read }, { depth: 9 }).includes('42424242'), false);
  assert.equal(`${inspect(read.card)}`, '[card]');
  assert.equal(revealCard(read.card).number, '4242424242424242');
  assert.throws(() => revealCard({ brand: 'visa', last4: '4242' }));
});

for (const expiry of ['06/26', '6/26', '06 / 2026', '0626', '2026-06', '06-26', '12/34'])
  test(`the expiry ${expiry} is read`, () => assert.deepEqual(faultsOf({ expiry }), {}));

for (const [expiry, fault] of [
  ['05/26', 'expired'],
  ['13/30', 'invalid'],
  ['00/30', 'invalid'],
  ['2030', 'invalid'],
  ['12/99', 'invalid'],
  ['', 'missing'],
  ['soon', 'invalid'],
] as const)
  test(`the expiry ${JSON.stringify(expiry)} is ${fault}`, () =>
    assert.deepEqual(faultsOf({ expiry }), { expiry: fault }));

test('a card is valid until the last day of its month, in every time zone', () => {
  const read = (at: string) => 'card' in parseCard(good, new Date(at));
  assert.equal(read('2026-06-30T23:59:59Z'), true);
  assert.equal(read('2026-07-01T11:59:00Z'), true, 'it is still June in Honolulu');
  assert.equal(read('2026-07-02T00:00:01Z'), false);
});

test('all field errors are reported at once', () => {
  assert.deepEqual(faultsOf({ name: ' ', number: '4242424242424241', expiry: '1', csc: '12' }), {
    name: 'missing',
    number: 'invalid',
    expiry: 'invalid',
    csc: 'invalid',
  });
  assert.deepEqual(faultsOf({ number: '', csc: '' }), { number: 'missing', csc: 'missing' });
  assert.deepEqual(faultsOf({ name: 'x'.repeat(201) }), { name: 'too_long' });
  assert.deepEqual(faultsOf({ number: '378282246310005', csc: '1234' }), {});
  assert.deepEqual(faultsOf({ number: '378282246310005' }), { csc: 'invalid' });
});

test('a wrong digit and two swapped digits fail the check digit', () => {
  assert.ok(passesLuhn('4242424242424242'));
  assert.ok(!passesLuhn('4242424242424243'));
  assert.ok(!passesLuhn('2442424242424242'));
});

test('brands follow from the first digits', () => {
  assert.deepEqual(['4', '51', '2221', '34', '6011', '9'].map(brandOf), [
    'visa',
    'mastercard',
    'mastercard',
    'amex',
    'discover',
    'card',
  ]);
});
