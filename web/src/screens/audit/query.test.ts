// The filters of the audit log, from the URL to the query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFiltering, noFilters, queryOf, readFilters } from './query.ts';

test('what the address says and is no filter asks for nothing', () => {
  const odd = {
    ...{ type: '<b>', actor: '*x', about: 'payments', payment: '../x', from: 'yesterday', to: '2026-02-30' },
    else: 'x',
  };
  assert.deepEqual(readFilters(odd), noFilters);
  assert.deepEqual(queryOf(readFilters(odd)), {});
  assert.equal(isFiltering(readFilters(odd)), false);
});

test('each filter asks for what it says, days as moments with the last day in them', () => {
  const filters = readFilters({
    type: 'key.*',
    actor: 'account:acc_1',
    about: 'company',
    from: '2026-11-22',
  });
  const start = new Date(2026, 10, 22).toISOString();
  assert.deepEqual(queryOf(filters), {
    ...{ type: 'key.*', actor: 'account:acc_1', about: 'company', from: start },
  });
  assert.equal(queryOf(readFilters({ to: '2026-11-22' })).to, new Date(2026, 10, 23).toISOString());
  assert.ok(isFiltering(filters));
});

test('what is asked about a payment is not asked about the company as well', () => {
  const filters = readFilters({ payment: 'abc123', about: 'company' });
  assert.deepEqual(queryOf(filters), { PaymentLinkCode: 'abc123' });
});
