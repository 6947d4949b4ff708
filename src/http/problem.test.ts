import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue, errors } from '../base/errors.ts';
import { toApiError, toProblem } from './problem.ts';

const failing = (fields: object) => Object.assign(new Error('secret inside'), fields);

test('an unreachable, full or restarting database is a 503 with Retry-After, not a 500', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '53300', '08006', '55P03']) {
    const refusal = toApiError(failing({ code }));
    assert.deepEqual([refusal.status, refusal.headers['retry-after']], [503, '2'], code);
  }
  for (const message of [
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'the database connection is lost',
    'the embedded database has stopped (PANIC); restart the process',
  ])
    assert.equal(toApiError(new Error(message)).status, 503, message);
});

test('an unexpected error is a 500 that hides its cause', () => {
  const refusal = toApiError(failing({ code: '23505', detail: 'Key (email)=(a@b)' }));
  assert.equal(refusal.status, 500);
  assert.doesNotMatch(JSON.stringify(toProblem(refusal, 'req_1', 'http://pay')), /secret|a@b|23505/);
});

test('a problem document has the members of RFC 9457 and the legacy fields', () => {
  const problem = toProblem(
    errors.orderConflict({ errors: [{ field: 'amount', code: 'differs', detail: 'x' }] }),
    'req_1',
    'http://pay',
  );
  assert.equal(problem.type, 'http://pay/problems/order_conflict');
  assert.equal(problem.responseCode, '409');
  assert.equal(problem.errors[0]?.field, 'amount');
});

test('codes are unique, and each error says what to do', () => {
  const entries = Object.values(errorCatalogue);
  assert.equal(new Set(entries.map(({ code }) => code)).size, entries.length);
  for (const { code, status, detail } of entries) {
    assert.match(code, /^[a-z_]+$/);
    assert.ok(status >= 400 && status <= 599);
    assert.match(detail, /\.$/, code);
  }
});
