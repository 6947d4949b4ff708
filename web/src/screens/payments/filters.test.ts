// The API query of the list's URL.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFiltering, noFilters, queryOf, readFilters } from './filters.ts';

test('invalid filters in the URL are left out, and valid ones reach the API', () => {
  const invalid = {
    status: 'bought',
    currency: 'XXX',
    minAmount: '-1',
    maxAmount: '1e9',
    from: '2026-02-31',
  };
  assert.deepEqual(readFilters({ ...invalid, to: 'soon', sort: 'amount', focus: 'search' }), noFilters);
  const good = { status: 'paid', currency: 'EUR', minAmount: '10', maxAmount: '19.99', email: 'ada@*' };
  assert.deepEqual(queryOf(readFilters(good)), good);
});

test('days are local, and the last one is included', () => {
  const { createdFrom, createdTo } = queryOf({ ...noFilters, from: '2026-11-01', to: '2026-11-01' });
  const day = new Date(2026, 10, 1);
  assert.equal(createdFrom, day.toISOString());
  assert.equal(createdTo, new Date(2026, 10, 2).toISOString());
});

test('a search determines the order, so no other is requested', () => {
  assert.deepEqual(queryOf({ ...noFilters, sort: 'createdAt' }), { sort: 'createdAt' });
  assert.deepEqual(queryOf({ ...noFilters, sort: 'createdAt', text: 'ada' }), { text: 'ada' });
  assert.deepEqual(queryOf({ ...noFilters, sort: 'createdAt', customerOrderId: 'A-*' }), {
    customerOrderId: 'A-*',
  });
  assert.equal(isFiltering({ ...noFilters, sort: 'createdAt' }), false);
});
