// A refund in its API form, in responses and in webhooks alike.

import { toMajorNumber } from '../base/money.ts';
import type { RefundResponse } from './refund-schema.ts';
import type { Refund } from './refund-store.ts';

/** `paymentLinkCode` is the code of its payment. */
export function presentRefund(refund: Refund, paymentLinkCode: string): RefundResponse {
  const createdAt = refund.createdAt.toISOString();
  return {
    refundId: refund.refundId,
    paymentLinkCode,
    amount: toMajorNumber(refund.amountMinor, refund.currency),
    currency: refund.currency,
    status: refund.state,
    kind: refund.kind,
    reason: refund.reason,
    failureCode: refund.failureCode,
    createdAt,
    CreatedOn: createdAt,
  };
}
