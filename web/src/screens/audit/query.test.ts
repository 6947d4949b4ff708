// The filters of the audit log, from the URL to the query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFiltering, noFilters, queryOf, readFilters } from './query.ts';

test('invalid filters in the URL are ignored', () => {
  const invalid = {
    ...{ type: '<b>', actor: '*x', about: 'payments', payment: '../x', from: 'yesterday', to: '2026-02-30' },
    else: 'x',
  };
  assert.deepEqual(readFilters(invalid), noFilters);
  assert.deepEqual(queryOf(readFilters(invalid)), {});
  assert.equal(isFiltering(readFilters(invalid)), false);
});

test('each filter becomes a query parameter, and the last day is included', () => {
  const filters = readFilters({
    type: 'key.*',
    actor: 'account:acc_1',
    about: 'company',
    from: '2026-11-22',
  });
  const start = new Date(2026, 10, 22).toISOString();
  assert.deepEqual(queryOf(filters), {
    ...{ type: 'key.*', actor: 'account:acc_1', about: 'company', createdFrom: start },
  });
  assert.equal(queryOf(readFilters({ to: '2026-11-22' })).createdTo, new Date(2026, 10, 23).toISOString());
  assert.ok(isFiltering(filters));
});

test('a filter by payment overrides the filter by company events', () => {
  const filters = readFilters({ payment: 'abc123', about: 'company' });
  assert.deepEqual(queryOf(filters), { paymentLinkCode: 'abc123' });
});
