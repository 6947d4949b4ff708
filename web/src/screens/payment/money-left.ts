// The amount of a payment that can still be refunded. The API decides: it receives the expected amount, and refuses
// if that is wrong. Counted in cents, because amounts with decimals can't be added exactly.

import type { OperationResponse } from '../../api/call.ts';

export type Refund = OperationResponse<'listRefunds'>['data'][number];

const cents = (amount: number) => Math.round(amount * 100);

/** Pending refunds reserve their amount. An overpayment is no part of the payment. */
const isPending = ({ status, kind }: Pick<Refund, 'status' | 'kind'>) =>
  kind === 'merchant' && status !== 'succeeded' && status !== 'failed';

export function leftToRefund(
  payment: { amount: number; refundedAmount: number },
  refunds: readonly Pick<Refund, 'status' | 'kind' | 'amount'>[],
): number {
  const pending = refunds.filter(isPending).reduce((sum, { amount }) => sum + cents(amount), 0);
  return (cents(payment.amount) - cents(payment.refundedAmount) - pending) / 100;
}
