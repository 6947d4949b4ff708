import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '../../base/clock.ts';
import type { AttemptRequest } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import type { StripeAccount } from './client.ts';
import { readSession, sessionOutcome } from './session-outcome.ts';

const account: StripeAccount = {
  apiUrl: null,
  clock: systemClock,
  signal: new AbortController().signal,
  connection: { connectionId: 'con_1', companyId: 'co_1', mode: 'test', credentials: {} },
};
const request = {
  ...{ companyId: 'co_1', attemptId: 'att_1', amountMinor: 1999, currency: 'EUR' },
} as AttemptRequest;
const metadata = { paylink_company: 'co_1', paylink_connection: 'con_1', paylink_attempt: 'att_1' };
const url = 'https://checkout.stripe.com/c/pay/cs_test_1';
const insufficient = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };

const intent = (status: string, changes: UntrustedFields = {}) => ({
  ...{ id: 'pi_1', object: 'payment_intent', status, amount: 1999, amount_received: 0, currency: 'eur' },
  ...{ livemode: false, metadata, last_payment_error: null, ...changes },
});
const session = (status: string, payment_intent: unknown, changes: UntrustedFields = {}) => ({
  ...{ id: 'cs_test_1', object: 'checkout.session', status, livemode: false, client_reference_id: 'att_1' },
  ...{ amount_total: 1999, currency: 'eur', metadata },
  ...{ url: status === 'open' ? url : null, payment_intent, ...changes },
});
const judge = (value: unknown) => sessionOutcome(readSession(account, request, value));

test('an open session sends the customer to its page, also after a decline, in a challenge or with a processing card', () => {
  const expected = { kind: 'requires_action', reference: 'cs_test_1', url };
  assert.deepEqual(judge(session('open', null)), expected);
  const declined = intent('requires_payment_method', { last_payment_error: insufficient });
  assert.deepEqual(judge(session('open', declined)), expected);
  assert.deepEqual(judge(session('open', intent('requires_action'))), expected);
  assert.deepEqual(judge(session('open', intent('processing'))), expected);
});

test('the received amount and currency count as captured', () => {
  const received = intent('succeeded', { amount_received: 1998, currency: 'usd' });
  const expected = { kind: 'succeeded', reference: 'pi_1', amountMinor: 1998, currency: 'USD' };
  assert.deepEqual(judge(session('complete', received)), expected);
  assert.deepEqual(judge(session('open', received)), expected);
  assert.deepEqual(judge(session('expired', received)), expected);
});

test('a complete session without money is processing', () => {
  const expected = { kind: 'processing', reference: 'cs_test_1' };
  for (const status of ['processing', 'requires_action'])
    assert.deepEqual(judge(session('complete', intent(status), { payment_status: 'unpaid' })), expected);
  assert.deepEqual(judge(session('open', intent('processing'), { url: null })), expected);
});

test('an ended session is declined if a card was, and void if none was tried', () => {
  const declined = intent('canceled', { last_payment_error: insufficient });
  const expected = { kind: 'declined', reference: 'pi_1', code: 'source_declined' };
  assert.deepEqual(judge(session('expired', declined)), expected);
  assert.deepEqual(judge(session('complete', { ...declined, status: 'requires_payment_method' })), expected);
  assert.deepEqual(judge(session('expired', null)), { kind: 'void' });
  assert.deepEqual(judge(session('expired', intent('canceled'))), { kind: 'void' });
});

test('a session whose money may still move never counts as ended', () => {
  assert.throws(() => judge(session('expired', intent('processing'))));
  assert.throws(() => judge(session('expired', intent('requires_capture'))));
  assert.throws(() => judge(session('complete', null)));
});

test('a paid session without a payment intent throws', () => {
  assert.throws(() => judge(session('complete', null, { payment_status: 'paid' })));
  assert.throws(() => judge(session('complete', 'pi_1', { payment_status: 'paid' })));
});

test('a session of another attempt or mode, or a response without one, throws', () => {
  const contradicts = { name: 'ResponseMismatchError' };
  assert.throws(() => judge(session('open', null, { client_reference_id: 'att_2' })), contradicts);
  assert.throws(() => judge(session('open', null, { client_reference_id: null })), contradicts);
  assert.throws(() => judge(session('open', null, { livemode: true })), contradicts);
  assert.throws(() => judge(session('open', null, { livemode: 'false' })));
  for (const value of [null, [], 'cs_test_1', {}, { object: 'list' }]) assert.throws(() => judge(value));
});

test('the customer is only sent to https pages', () => {
  for (const bad of ['http://checkout.stripe.com/x', 'javascript:alert(1)', 'data:text/html,x', 'nowhere'])
    assert.throws(() => judge(session('open', null, { url: bad })), bad);
});

test('amounts that are not integers in minor units throw', () => {
  for (const amount_received of [19.99, '1999', -1, Number.MAX_SAFE_INTEGER + 1, null])
    assert.throws(
      () => judge(session('complete', intent('succeeded', { amount_received }))),
      String(amount_received),
    );
  for (const currency of ['EUR', 'euro', '', null])
    assert.throws(() => judge(session('complete', intent('succeeded', { currency }))), String(currency));
});

test('no error repeats a received value', () => {
  const secret = 'ada@shop.example';
  for (const value of [{ object: secret }, session('open', null, { url: secret }), session(secret, null)])
    assert.throws(
      () => judge(value),
      (error: Error) => !inspect(error, { depth: null }).includes(secret),
    );
});
