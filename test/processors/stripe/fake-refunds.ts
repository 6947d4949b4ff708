// Refunds of the fake Stripe: never more than was charged, completed at once or later. Must not: import code of the
// service.

import type { FakeAccount } from './accounts.ts';
import { type Asked, type Done, pairsOf } from './api.ts';
import { type Charge, impossible, invalid, missing, newId, type Refund, type Refusal } from './objects.ts';
import type { Change, Records } from './records.ts';

/** The metadata with the key of a refund, which is written into the journal with its money. */
const keyNote = 'paylink_refund';

function moneyOf(refund: Refund): NonNullable<Change['money']> {
  const { id, payment_intent: chargeReference, amount, currency, metadata } = refund;
  return {
    ...{ type: 'refund', key: metadata[keyNote] ?? null, reference: id, chargeReference },
    linkCode: null,
    ...{ amountMinor: amount, currency: currency.toUpperCase() },
  };
}

/** The supported parameters of a refund; Stripe refuses unknown ones. */
const known = /^(payment_intent|amount|metadata\[\w+\])$/;

/** `POST /v1/refunds`; `isAtOnce` completes it at once, as with most cards. */
export function createRefund(records: Records, { account, form }: Asked, isAtOnce: boolean): Done | Refusal {
  const unknown = [...form.keys()].find((name) => !known.test(name));
  if (unknown !== undefined)
    return invalid(unknown, `Received unknown parameter: ${unknown}`, 'parameter_unknown');
  const intentId = form.get('payment_intent') ?? '';
  const intent = records.find(account, 'payment_intent', intentId);
  if (!intent) return missing('payment_intent', intentId);
  const charge = records.find(account, 'charge', intent.latest_charge);
  if (charge?.status !== 'succeeded')
    return impossible('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    });
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = Number(form.get('amount') ?? left);
  if (!Number.isSafeInteger(amount) || amount <= 0) return invalid('amount', 'Invalid positive integer');
  if (left === 0)
    return impossible('The charge has already been refunded.', { code: 'charge_already_refunded' });
  if (amount > left)
    return impossible('The amount is greater than the unrefunded amount.', { param: 'amount' });
  const refunded: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  const refund: Refund = {
    ...{
      id: newId('re'),
      object: 'refund',
      created: records.nowSeconds(),
      metadata: pairsOf(form, 'metadata'),
    },
    ...{ amount, currency: charge.currency, charge: charge.id, payment_intent: intent.id },
    status: isAtOnce ? 'succeeded' : 'pending',
  };
  return {
    ...(isAtOnce ? { money: moneyOf(refund) } : {}),
    objects: [refund, refunded],
    events: [{ type: 'charge.refunded', object: refunded }],
    body: refund,
  };
}

/** Pending refunds are paid out, or returned by the customer's bank. */
export function settleRefunds(records: Records, account: FakeAccount, isPaid: boolean): void {
  for (const refund of records.list(account, 'refund')) {
    if (refund.status !== 'pending') continue;
    if (isPaid) {
      const done = { ...refund, status: 'succeeded' } as const;
      const events = [{ type: 'refund.updated', object: done }];
      records.commit(account, { money: moneyOf(refund), objects: [done], events });
      continue;
    }
    fail(records, account, refund);
  }
}

/** The customer's bank returns the money of a refund. */
function fail(records: Records, account: FakeAccount, refund: Refund): void {
  const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' } as const;
  const charge = records.find(account, 'charge', refund.charge);
  const back = charge
    ? [{ ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false }]
    : [];
  const events = [{ type: 'refund.failed', object: failed }];
  records.commit(account, { objects: [failed, ...back], events });
}

/** An external refund of an attempt in the dashboard: it has no metadata of ours. */
export function refundInDashboard(
  records: Records,
  account: FakeAccount,
  { attemptId, amountMinor }: { attemptId: string; amountMinor: number },
): void {
  const session = records
    .list(account, 'checkout.session')
    .find((one) => one.client_reference_id === attemptId);
  const form = new URLSearchParams({
    payment_intent: session?.payment_intent ?? '',
    amount: String(amountMinor),
  });
  const done = createRefund(records, { account, form, params: {} }, true);
  if ('isKept' in done) throw new Error(`the money of ${attemptId} can't be refunded`);
  records.commit(account, done);
}

/** The customer's bank returns the external refunds of an attempt. */
export function failInDashboard(records: Records, account: FakeAccount, attemptId: string): void {
  const session = records
    .list(account, 'checkout.session')
    .find((one) => one.client_reference_id === attemptId);
  for (const refund of records.list(account, 'refund'))
    if (refund.payment_intent === session?.payment_intent && !refund.metadata[keyNote])
      fail(records, account, refund);
}
