import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/harness/manual-clock.ts';
import { openKeyring } from '../base/keyring.ts';
import { currencies } from '../base/money.ts';
import type { Payment } from '../payments/store.ts';
import { addToQuery, resultLink } from './result-link.ts';

const cases: [address: string, result: string][] = [
  ['https://shop.example', 'https://shop.example?a=1'],
  ['https://shop.example/thanks', 'https://shop.example/thanks?a=1'],
  ['https://shop.example/?', 'https://shop.example/?a=1'],
  ['https://shop.example/?x=1', 'https://shop.example/?x=1&a=1'],
  ['https://shop.example/?x=1&', 'https://shop.example/?x=1&a=1'],
  ['https://shop.example/?x=a%20b&x=2#top', 'https://shop.example/?x=a%20b&x=2&a=1#top'],
  ['https://shop.example/#/route?y=1', 'https://shop.example/?a=1#/route?y=1'],
];
for (const [address, result] of cases)
  test(`${address} keeps its own query and fragment`, () =>
    assert.equal(addToQuery(address, { a: '1' }), result));

test('the signed result contains the order and the paid amount, without refunds, and is valid for 15 minutes', async () => {
  const keyring = await openKeyring(Buffer.alloc(32, 1));
  const clock = manualClock(new Date('2026-05-01T12:00:00Z'));
  const baseUrl = 'https://pay.example';
  const payments = fc.integer({ min: 1, max: 1_000_000_000 }).chain((amountMinor) =>
    fc.record({
      ...{ companyId: fc.constant('co_x'), paymentId: fc.constant('pay_x'), code: fc.constant('code') },
      ...{ customerOrderId: fc.string({ minLength: 1 }), state: fc.constantFrom('paid', 'failed') },
      ...{ amountMinor: fc.constant(amountMinor), currency: fc.constantFrom(...currencies) },
      ...{ refundedMinor: fc.nat(amountMinor), refundingMinor: fc.constant(0) },
      ...{
        successUrl: fc.constant('https://shop.example/a'),
        failureUrl: fc.constant('https://shop.example/b'),
      },
    }),
  );
  const proof = fc.asyncProperty(payments, async (payment) => {
    const { state, customerOrderId, currency, amountMinor } = payment;
    const url = new URL(await resultLink({ keyring, clock, baseUrl }, payment as Payment));
    assert.equal(url.pathname, state === 'paid' ? '/a' : '/b');
    const token = url.searchParams.get('paymentResult') ?? '';
    const expected = { issuer: baseUrl, audience: 'co_x', now: clock.now() };
    const issuedAt = clock.now().getTime() / 1000;
    assert.deepEqual(await keyring.verify('payment-result+jwt', token, expected), {
      ...{ iss: baseUrl, aud: 'co_x', sub: 'code', iat: issuedAt, exp: issuedAt + 15 * 60 },
      ...{ customerOrderId, currency, amount: amountMinor / 100, status: state },
    });
    const { PaymentLinkCode, customerOrderId: shown, status } = Object.fromEntries(url.searchParams);
    assert.deepEqual([PaymentLinkCode, shown, status], ['code', customerOrderId, state]);
  });
  await fc.assert(proof, { numRuns: 50 });
});
