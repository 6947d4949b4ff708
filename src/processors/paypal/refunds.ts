// Refunds at PayPal. Reads the order first, which finds a refund whose response was lost, even after PayPal
// has forgotten the request ID (after 45 days). Must not: refund one ID twice.

import { toDecimalText } from '../../base/money.ts';
import { RejectedRequestError } from '../check-response.ts';
import type {
  AttemptRequest,
  ExternalRefund,
  ExternalRefundKind,
  ProcessorRefundRequest,
  RefundOutcome,
} from '../processor.ts';
import { unexpectedResponse } from './api.ts';
import { findOrder, type PaypalAccount } from './attempts.ts';
import { encodeCustomId } from './custom-id.ts';
import { isRefundTooEarly, refundRefusalOf } from './declines.ts';
import { findFaultyField, readFields, readIssues } from './fields.ts';
import {
  findCompletedCapture,
  type PaypalOrder,
  type PaypalRefund,
  readRefund,
  requireOwnRefund,
} from './order.ts';

/** The outcome of one of our refunds. Throws `ResponseMismatchError` for any other. */
function outcomeOfRefund(
  { connection }: PaypalAccount,
  request: ProcessorRefundRequest,
  refund: PaypalRefund,
): RefundOutcome {
  requireOwnRefund(refund, request, connection);
  const { id: reference, status, amountMinor, currency } = refund;
  if (status === 'COMPLETED') return { kind: 'succeeded', reference, amountMinor, currency };
  if (status === 'PENDING') return { kind: 'processing', reference };
  if (status === 'FAILED' || status === 'CANCELLED')
    return { kind: 'failed', reference, code: status.toLowerCase() };
  throw new Error('PayPal sent a refund with an unknown status');
}

const findExistingRefund = (order: PaypalOrder | null, refundId: string) =>
  order?.refunds.find((refund) => refund.refundId === refundId) ?? null;

/** The outcome of an external refund; null while it is under way. */
function externalRefundKindOf({ status }: PaypalRefund): ExternalRefundKind | null {
  if (status === 'COMPLETED') return 'outside_refund';
  return status === 'FAILED' || status === 'CANCELLED' ? 'failed_outside_refund' : null;
}

/** External refunds of an attempt's money: made at PayPal, they have the order's custom_id and no refund ID. */
export async function listExternalRefunds(
  account: PaypalAccount,
  { attemptId: key, processorReference }: AttemptRequest,
): Promise<ExternalRefund[]> {
  if (processorReference === null) return [];
  const order = await findOrder(account, { attemptId: key }, processorReference);
  return (order?.refunds ?? []).flatMap((refund) => {
    const { id: reference, refundId, amountMinor, currency } = refund;
    const kind = refundId === null ? externalRefundKindOf(refund) : null;
    return kind ? [{ kind, key, reference, amountMinor, currency }] : [];
  });
}

function refundBody(account: PaypalAccount, request: ProcessorRefundRequest): object {
  const { refundId, attemptId, companyId, amountMinor, currency } = request;
  const { connectionId } = account.connection;
  return {
    amount: { currency_code: currency, value: toDecimalText(amountMinor, currency) },
    invoice_id: refundId,
    custom_id: encodeCustomId({ refundId, attemptId, connectionId, companyId }),
  };
}

export async function refund(
  account: PaypalAccount,
  request: ProcessorRefundRequest,
): Promise<RefundOutcome> {
  const { refundId, processorReference } = request;
  // The order's amount is unknown here: the refund may be for a part.
  const owner = { attemptId: request.attemptId };
  const order = await findOrder(account, owner, processorReference);
  if (!order) throw new Error('PayPal does not know the order to refund');
  const existing = findExistingRefund(order, refundId);
  if (existing) return outcomeOfRefund(account, request, existing);
  const capture = findCompletedCapture(order);
  if (!capture) return { kind: 'failed', reference: order.orderId, code: 'nothing_to_give_back' };

  const path = `/v2/payments/captures/${capture.captureId}/refund`;
  const json = refundBody(account, request);
  const response = await account.call({ method: 'POST', path, requestId: refundId, json });
  const { status, body } = response;
  if (status === 200 || status === 201)
    return outcomeOfRefund(account, request, readRefund(readFields(body, 'refund')));
  const issues = readIssues(body);
  if (status === 422 && isRefundTooEarly(issues)) return { kind: 'processing', reference: capture.captureId };
  // PayPal made no refund, so the reference is the capture, whose money stays.
  const code = status === 422 ? refundRefusalOf(issues) : null;
  // PayPal names one of our fields: the request is malformed.
  const field = status === 400 || status === 422 ? findFaultyField(body) : null;
  if (!code && field) throw new RejectedRequestError('a refund at PayPal', field);
  if (!code) throw unexpectedResponse('a refund', response);
  const concurrentRefund = findExistingRefund(await findOrder(account, owner, order.orderId), refundId);
  return concurrentRefund
    ? outcomeOfRefund(account, request, concurrentRefund)
    : { kind: 'failed', reference: capture.captureId, code };
}
