// A refund in its API form, in responses and in webhooks alike.

import { toMajorNumber } from '../base/money.ts';
import type { Refund } from './refund-store.ts';

export function presentRefund(refund: Refund) {
  return {
    refundId: refund.refundId,
    amount: toMajorNumber(refund.amountMinor, refund.currency),
    currency: refund.currency,
    status: refund.state,
    kind: refund.kind,
    reason: refund.reason,
    failureCode: refund.failureCode,
    CreatedOn: refund.createdAt.toISOString(),
  };
}
