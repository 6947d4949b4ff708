// The filters of the request log, from the URL to the query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFiltering, noFilters, pathOfRequest, queryOf, readFilters } from './query.ts';

test('invalid filters in the URL are ignored', () => {
  const invalid = {
    status: '9xx',
    method: 'TRACE',
    path: 'v1',
    key: '<b>',
    from: 'yesterday',
    to: '2026-02-30',
  };
  assert.deepEqual(readFilters(invalid), noFilters);
  assert.deepEqual(queryOf(readFilters(invalid)), {});
  assert.equal(isFiltering(noFilters), false);
});

test('each filter becomes a query parameter, and the last day is included', () => {
  const given = {
    status: '4xx',
    method: 'POST',
    path: '/v1/pay',
    key: '3f7k2m9qyt5wp0hy',
    from: '2026-11-22',
  };
  const filters = readFilters({ ...given, to: '2026-11-22' });
  assert.deepEqual(queryOf(filters), {
    ...{ status: '4xx', method: 'POST', path: '/v1/pay', keyId: '3f7k2m9qyt5wp0hy' },
    createdFrom: new Date(2026, 10, 22).toISOString(),
    createdTo: new Date(2026, 10, 23).toISOString(),
  });
  assert.ok(isFiltering(filters));
});

test('a pasted ID with spaces around it or a slash in it leads to one request', () => {
  assert.equal(pathOfRequest(' req_1 '), '/requests/req_1');
  assert.equal(pathOfRequest('a/b'), '/requests/a%2Fb');
});
