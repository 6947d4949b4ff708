// Refunds at PayPal: the order is read first, so that a refund which was made and whose answer was lost is found,
// also when PayPal has forgotten the request id (it keeps one for 45 days). It must never refund one id twice.

import { toDecimalText } from '../../base/money.ts';
import type { RefundOutcome, RefundRequest } from '../processor.ts';
import { unexpected } from './api.ts';
import { type Account, findOrder } from './attempts.ts';
import { refundRefusalOf } from './declines.ts';
import { readFields, readIssues } from './fields.ts';
import { writeNote } from './note.ts';
import { findTaken, type Order, type Refund, readRefund } from './order.ts';

function outcomeOfRefund(refund: Refund): RefundOutcome {
  const { id: reference, status, amountMinor, currency } = refund;
  if (status === 'COMPLETED') return { kind: 'succeeded', reference, amountMinor, currency };
  if (status === 'PENDING') return { kind: 'processing', reference };
  if (status === 'FAILED' || status === 'CANCELLED')
    return { kind: 'failed', reference, code: status.toLowerCase() };
  throw new Error('PayPal sent a refund in a state that is not known');
}

const findStanding = (order: Order | null, refundId: string) =>
  order?.refunds.find((refund) => refund.refundId === refundId) ?? null;

function refundBody(account: Account, request: RefundRequest): object {
  const { refundId, attemptId, companyId, amountMinor, currency } = request;
  const { connectionId } = account.connection;
  return {
    amount: { currency_code: currency, value: toDecimalText(amountMinor, currency) },
    invoice_id: refundId,
    custom_id: writeNote({ refundId, attemptId, connectionId, companyId }),
  };
}

export async function refund(
  account: Account,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { api, connection } = account;
  const { refundId, processorReference } = request;
  const order = await findOrder(account, request, processorReference, signal);
  if (!order) throw new Error('PayPal does not know the order whose money is to go back');
  const standing = findStanding(order, refundId);
  if (standing) return outcomeOfRefund(standing);
  const capture = findTaken(order);
  if (!capture) return { kind: 'failed', reference: order.orderId, code: 'nothing_to_give_back' };

  const path = `/v2/payments/captures/${capture.captureId}/refund`;
  const call = { method: 'POST', path, requestId: refundId, json: refundBody(account, request) } as const;
  const { status, body } = await api.call(connection, call, signal);
  if (status === 200 || status === 201) {
    const made = readRefund(readFields(body, 'refund'));
    if (made.refundId !== refundId) throw new Error('PayPal speaks of another refund');
    return outcomeOfRefund(made);
  }
  const issues = readIssues(body);
  // PayPal made none, so there is no reference of it but that of the money which stays.
  const code = status === 422 ? refundRefusalOf(issues) : null;
  if (!code) throw unexpected('a refund', status, issues);
  const madeMeanwhile = findStanding(await findOrder(account, request, order.orderId, signal), refundId);
  return madeMeanwhile
    ? outcomeOfRefund(madeMeanwhile)
    : { kind: 'failed', reference: capture.captureId, code };
}
