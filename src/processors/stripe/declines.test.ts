import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declineCodeOf } from './declines.ts';

const said = (decline_code: string | undefined, code = 'card_declined') =>
  declineCodeOf({ type: 'card_error', code, ...(decline_code ? { decline_code } : {}) });

test('declines that the customer can fix are distinguished from others', () => {
  assert.equal(said('incorrect_cvc'), 'incorrect_csc');
  assert.equal(said('expired_card'), 'expired_card');
  assert.equal(said('authentication_required'), 'authentication_failed');
  assert.equal(said('processing_error'), 'processing_error');
  assert.equal(said('insufficient_funds'), 'source_declined');
  assert.equal(said('stolen_card'), 'lost_or_stolen');
  assert.equal(said('fraudulent'), 'suspected_fraud');
  assert.equal(said('do_not_honor'), 'source_declined');
});

test('a failed 3-D Secure has an error code without a decline code', () => {
  assert.equal(said(undefined, 'payment_intent_authentication_failure'), 'authentication_failed');
  assert.equal(said(undefined, 'incorrect_cvc'), 'incorrect_csc');
});

test('a decline code takes precedence over the error code', () => {
  assert.equal(said('insufficient_funds', 'processing_error'), 'source_declined');
});

test('an unknown code is a generic decline', () => {
  for (const code of ['invented_next_year', 'constructor', '__proto__', 'toString'])
    assert.equal(said(code, code), 'source_declined', code);
  assert.equal(declineCodeOf({}), 'source_declined');
});

test('a code that is not a string throws', () => {
  assert.throws(() => declineCodeOf({ decline_code: 51 }));
});
