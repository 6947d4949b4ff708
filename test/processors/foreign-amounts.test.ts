// Money in an unsupported currency is reported unchanged, so that it becomes a case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPayment } from '../../src/processors/mollie/parse.ts';
import { outcomeOfOrder, readOrder } from '../../src/processors/paypal/order.ts';

const molliePayment = (amountCaptured: object) => ({
  ...{ resource: 'payment', id: 'tr_12345678', mode: 'test', status: 'paid', amountCaptured },
  amount: { currency: 'EUR', value: '19.99' },
  metadata: { company: 'co_1', connection: 'con_1', attempt: 'att_1' },
});
const paypalOrder = (amount: object) => ({
  ...{ id: 'ORDER1', status: 'COMPLETED', intent: 'CAPTURE' },
  purchase_units: [
    {
      amount: { currency_code: 'EUR', value: '19.99' },
      payments: { captures: [{ id: 'CAP1', status: 'COMPLETED', amount }] },
    },
  ],
});

test('a Mollie capture in an unrequested currency is reported unchanged', () => {
  const result = (currency: string, value: string) =>
    readPayment(molliePayment({ currency, value })).captured;
  assert.deepEqual(result('GBP', '17.20'), { amountMinor: 1720, currency: 'GBP' });
  assert.deepEqual(result('JPY', '3100'), { amountMinor: 3100, currency: 'JPY' });
  assert.deepEqual(result('EUR', '19.99'), { amountMinor: 1999, currency: 'EUR' });
  for (const [currency, value] of [
    ...([
      ['GBP', '-1.00'],
      ['GBP', 'x'],
      ['gbp', '1.00'],
      ['GBP', '9999999999999999.00'],
    ] as const),
    ...([['EUR', '19.999']] as const),
  ])
    assert.throws(() => result(currency, value), /amount/);
});

test('a PayPal capture in an unrequested currency is reported unchanged', () => {
  const result = (currency_code: string, value: string) =>
    outcomeOfOrder(readOrder(paypalOrder({ currency_code, value }), null));
  const succeeded = { kind: 'succeeded', reference: 'ORDER1' };
  assert.deepEqual(result('GBP', '17.20'), { ...succeeded, amountMinor: 1720, currency: 'GBP' });
  assert.deepEqual(result('JPY', '3100'), { ...succeeded, amountMinor: 3100, currency: 'JPY' });
  assert.throws(() => result('GBP', '-1.00'), /amount/);
  assert.throws(() => result('EUR', '19.999'), /amount/);
});
