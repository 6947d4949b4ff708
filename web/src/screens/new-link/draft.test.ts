// The API request of the form of a new link.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstAddresses, newDraft, readForm, restoreDraft, shopAddresses, suggestOrderId } from './draft.ts';

const now = new Date('2026-11-22T10:00:00Z');
const draft = {
  ...newDraft(shopAddresses('http://localhost:3000'), now),
  amount: '1.234,50',
  email: ' ada@example.com ',
};

test('the request has the filled fields only', () => {
  const read = readForm({ ...draft, customerOrderId: 'A-1', locale: 'de', description: ' ' }, now);
  assert.deepEqual(read, {
    body: {
      amount: 1234.5,
      currency: 'EUR',
      customerOrderId: 'A-1',
      email: 'ada@example.com',
      success_url: 'http://localhost:3000/sandbox/shop/success',
      failure_url: 'http://localhost:3000/sandbox/shop/failure',
      locale: 'de',
    },
  });
});

test('the default expiry is left out, so the same form gives the same request later; another one is sent', () => {
  const later = new Date('2026-11-22T10:05:00Z');
  assert.deepEqual(readForm(draft, now), readForm(draft, later));
  const read = readForm({ ...draft, expiry: { choice: 'day', own: '' } }, now);
  assert.ok('body' in read);
  assert.equal(read.body.expiresAt, '2026-11-23T10:00:00.000Z');
});

test('a stored draft is restored, and invalid values in it are ignored', () => {
  const fresh = newDraft(shopAddresses('http://localhost:3000'), now);
  const typed = {
    ...draft,
    expiry: { choice: 'own', own: '2026-12-01T10:00' },
    pairs: [{ name: 'a', value: 'b' }],
  };
  assert.deepEqual(restoreDraft(JSON.parse(JSON.stringify(typed)), fresh), typed);
  for (const stored of [null, 7, 'x', [], { amount: 5, pairs: [{ name: 7 }], expiry: 'soon', extra: 'x' }])
    assert.deepEqual(restoreDraft(stored, fresh), fresh);
});

test('all errors of a form are found at once, by field', () => {
  const expiry = { choice: 'own', own: '' } as const;
  const read = readForm({ ...draft, amount: '19.999', email: ' ', success_url: '', expiry }, now);
  assert.deepEqual(read, {
    errors: { amount: 'amount', email: 'missing', success_url: 'missing', expiresAt: 'time' },
  });
  assert.deepEqual(readForm({ ...draft, amount: '' }, now), { errors: { amount: 'missing' } });
  assert.deepEqual(readForm({ ...draft, amount: '0' }, now), { errors: { amount: 'amount' } });
});

test('empty pairs are left out, and repeated names are an error', () => {
  const withPairs = (...pairs: [string, string][]) =>
    readForm({ ...draft, pairs: pairs.map(([name, value]) => ({ name, value })) }, now);
  const read = withPairs(['', ''], [' cart ', '7']);
  assert.ok('body' in read);
  assert.deepEqual(read.body.metadata, { cart: '7' });
  assert.deepEqual(withPairs(['cart', '7'], ['cart ', '8']), { errors: { metadata: 'repeated' } });
  assert.deepEqual(withPairs(['', '7']), { errors: { metadata: 'missing' } });
});

test('return URLs are those of the last link, else the company’s, and in test mode the demo shop', () => {
  const known = { last: null, allowedOrigins: [], mode: 'test', origin: 'http://localhost:3000' } as const;
  assert.deepEqual(firstAddresses(known), shopAddresses('http://localhost:3000'));
  assert.deepEqual(firstAddresses({ ...known, mode: 'live' }), { success_url: '', failure_url: '' });
  const allowedOrigins = ['https://shop.example'];
  assert.equal(firstAddresses({ ...known, allowedOrigins }).success_url, 'https://shop.example/');
  const last = { success_url: 'https://a.example/', failure_url: 'https://b.example/' };
  assert.deepEqual(firstAddresses({ ...known, allowedOrigins, last }), last);
});

test('suggested order ids contain the day and differ', () => {
  const ids = new Set(Array.from({ length: 50 }, () => suggestOrderId(new Date(2026, 0, 2))));
  assert.equal(ids.size, 50);
  for (const id of ids) assert.match(id, /^20260102-[A-Z2-9]{6}$/);
});
