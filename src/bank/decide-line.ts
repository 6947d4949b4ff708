// What a line with a reference of ours means. Pure: it is given what the books know of its references, and says
// what is to be done. It must never take money as come or gone where two readings are possible.

import type { BankRefund } from '../processors/bank-transfer/refund-store.ts';
import type { Transfer } from '../processors/bank-transfer/transfer-store.ts';
import { classifyUnmatched } from './classify-lines.ts';
import type { BankLine, LineReason } from './store.ts';

export type LineDecision =
  | { kind: 'credit'; transfer: Transfer }
  | { kind: 'refund_sent'; refund: BankRefund }
  | {
      kind: 'put';
      state: 'review' | 'ignored';
      reason: LineReason;
      attemptId: string | null;
      refundId: string | null;
    };

/** What the books have for the references of a line, and the accounts that customers pay to. */
export type LineCandidates = {
  transfers: readonly Transfer[];
  refunds: readonly BankRefund[];
  accounts: ReadonlySet<string>;
};

type ReviewTarget = { attemptId?: string; refundId?: string };

function review(
  reason: LineReason,
  { attemptId = null, refundId = null }: Partial<Record<keyof ReviewTarget, string | null>> = {},
): LineDecision {
  return { kind: 'put', state: 'review', reason, attemptId, refundId };
}

function decideRefund(line: BankLine, refund: BankRefund): LineDecision {
  // Money under a refund's reference that comes instead of going: the refund did not arrive.
  if (line.direction === 'credit' || line.isReturn) return review('refund_returned', refund);
  if (line.amountMinor !== refund.amountMinor) return review('refund_amount_differs', refund);
  const isWaiting = refund.state === 'waiting' || (refund.state === 'sent' && refund.lineId === null);
  return isWaiting ? { kind: 'refund_sent', refund } : review('refund_not_waiting', refund);
}

/** No SEPA transfer carries more: 999,999,999.99. Sums far beyond would be no safe integers any more. */
const maxReceivedMinor = 99_999_999_999;

/** Whether a line's money can be counted to a transfer: it is some, and not more than banks move at once. */
export function canCredit(
  { receivedMinor }: Pick<Transfer, 'receivedMinor'>,
  { amountMinor }: Pick<BankLine, 'amountMinor'>,
): boolean {
  return amountMinor !== null && amountMinor > 0 && receivedMinor + amountMinor <= maxReceivedMinor;
}

function decideTransfer(line: BankLine, transfer: Transfer): LineDecision {
  const { attemptId } = transfer;
  // Whoever takes money back says so to the merchant, never to us: what is paid stays paid.
  if (line.direction === 'debit' || line.isReturn) return review('returned', { attemptId });
  if (line.accountIban !== transfer.iban) return review('other_account', { attemptId });
  if (!canCredit(transfer, line)) return review('too_large', { attemptId });
  return { kind: 'credit', transfer };
}

/** Says what becomes of a new line. */
export function decideLine(line: BankLine, { transfers, refunds, accounts }: LineCandidates): LineDecision {
  const [transfer] = transfers;
  const [refund] = refunds;
  if (!transfer && !refund) {
    const { state, reason } = classifyUnmatched(
      line,
      accounts,
      line.isBatchUnclear ? 'batch_unclear' : 'unknown_reference',
    );
    return {
      kind: 'put',
      state: state === 'ignored' ? state : 'review',
      reason: reason ?? 'unknown_reference',
      attemptId: null,
      refundId: null,
    };
  }
  if (line.isBatchUnclear) return review('batch_unclear', { attemptId: transfer?.attemptId ?? null });
  // A refund often names the payment that it gives back, too.
  if (refund && refunds.length === 1 && line.direction === 'debit') return decideRefund(line, refund);
  if (transfers.length + refunds.length > 1)
    return review('several_references', { attemptId: transfer?.attemptId ?? null });
  if (refund) return decideRefund(line, refund);
  return transfer ? decideTransfer(line, transfer) : review('unknown_reference');
}

/** Whether two files may mean the same, where one of them may be silent. */
const mayBeSame = (one: string | null, other: string | null) =>
  one === null || other === null || one === other;

function mayBeSameBooking(line: BankLine, counted: BankLine): boolean {
  if (counted.amountMinor !== line.amountMinor) return false;
  // It is one booking, whose text only one of the files has in full.
  if (line.bankReference !== null && line.bankReference === counted.bankReference) return true;
  // The bank's references of an entry and of its transaction differ; what a person matched had none of ours.
  const isWellKnown = line.bankReference !== null && counted.bankReference !== null;
  return (
    (!isWellKnown || counted.matchedBy === 'person') &&
    mayBeSame(line.counterpartyIban, counted.counterpartyIban) &&
    mayBeSame(line.bookedOn, counted.bookedOn)
  );
}

/**
 * Whether a credit may be a booking that was counted before, told of in another way. Two that a reference
 * matched, each with a reference of the bank's own, are two bookings.
 */
export function mayBeDuplicate(line: BankLine, counted: readonly BankLine[]): boolean {
  return counted.some((other) => other.statementId !== line.statementId && mayBeSameBooking(line, other));
}
