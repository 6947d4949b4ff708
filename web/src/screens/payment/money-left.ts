// What of a payment can still be given back. The API has the last word: it is told what was believed to be left, and
// refuses when that is not so. Counted in cents, because amounts with decimals can't be added exactly.

import type { OperationResponse } from '../../api/call.ts';

export type Refund = OperationResponse<'listRefunds'>['data'][number];

const cents = (amount: number) => Math.round(amount * 100);

/** Refunds that are under way set their amount aside; what nobody owed is no part of the payment. */
const isUnderWay = ({ status, kind }: Pick<Refund, 'status' | 'kind'>) =>
  kind === 'merchant' && status !== 'succeeded' && status !== 'failed';

/** What is left, in major units. */
export function leftToRefund(
  payment: { amount: number; refundedAmount: number },
  refunds: readonly Pick<Refund, 'status' | 'kind' | 'amount'>[],
): number {
  const underWay = refunds.filter(isUnderWay).reduce((sum, { amount }) => sum + cents(amount), 0);
  return (cents(payment.amount) - cents(payment.refundedAmount) - underWay) / 100;
}
