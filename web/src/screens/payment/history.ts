// What the history of a payment shows: the number of each attempt, whether its outcome is unknown, and the amount that
// can still be refunded. The API decides: it receives the expected amount, and refuses if that is wrong.

import type { OperationResponse } from '../../api/call.ts';

export type Refund = OperationResponse<'listRefunds'>['data'][number];

/** Amounts with decimals can’t be added exactly. */
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

export type HistoryEvent = OperationResponse<'listPaymentEvents'>['data'][number];
type EventWithData = Pick<HistoryEvent, 'type' | 'attemptId'>;

/** The number of each attempt, from 1, in the order in which they began. */
export function numberAttempts(
  events: readonly Pick<EventWithData, 'attemptId'>[],
): ReadonlyMap<string, number> {
  const ids = new Set(events.flatMap(({ attemptId }) => attemptId ?? []));
  return new Map([...ids].map((id, index) => [id, index + 1]));
}

const open = ['attempt.unknown', 'attempt.escalated'];

/** Whether the outcome of the last attempt is still unknown. */
export function isOutcomeUnknown(events: readonly EventWithData[]): boolean {
  const last = events.findLast(({ attemptId, type }) => attemptId !== null && type.startsWith('attempt.'));
  return last !== undefined && open.includes(last.type);
}
