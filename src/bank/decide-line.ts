// Decides what a booking with a reference of Paylink means. Pure: it gets what the database has for the
// references, and returns what is to be done. Must not treat money as received or sent if two readings are
// possible.

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

/** What the database has for the references of a booking, and the accounts that customers pay to. */
export type LineCandidates = {
  transfers: readonly Transfer[];
  refunds: readonly BankRefund[];
  accounts: ReadonlySet<string>;
};

/** The decision that a person must review a booking, which concerns an attempt or a refund. */
export function review(
  reason: LineReason,
  { attemptId = null, refundId = null }: { attemptId?: string | null; refundId?: string | null } = {},
): LineDecision & { kind: 'put' } {
  return { kind: 'put', state: 'review', reason, attemptId, refundId };
}

function decideRefund(line: BankLine, refund: BankRefund): LineDecision {
  // Money that arrives under a refund's reference: the refund came back.
  if (line.direction === 'credit' || line.isReturn) return review('refund_returned', refund);
  if (line.amountMinor !== refund.amountMinor) return review('refund_amount_differs', refund);
  const isWaiting = refund.state === 'waiting' || (refund.state === 'sent' && refund.lineId === null);
  return isWaiting ? { kind: 'refund_sent', refund } : review('refund_not_waiting', refund);
}

/** A SEPA transfer carries at most 999,999,999.99. Far larger sums would not be safe integers. */
const maxReceivedMinor = 99_999_999_999;

/**
 * Whether a booking's money can be counted towards a transfer: an amount above zero and within the limit of a
 * bank transfer.
 */
export function canCredit(
  { receivedMinor }: Pick<Transfer, 'receivedMinor'>,
  { amountMinor }: Pick<BankLine, 'amountMinor'>,
): boolean {
  return amountMinor !== null && amountMinor > 0 && receivedMinor + amountMinor <= maxReceivedMinor;
}

function decideTransfer(line: BankLine, transfer: Transfer): LineDecision {
  const { attemptId } = transfer;
  // A payer who takes money back reports it to the merchant, not to Paylink: a paid payment stays paid.
  if (line.direction === 'debit' || line.isReturn) return review('returned', { attemptId });
  if (line.accountIban !== transfer.iban) return review('other_account', { attemptId });
  if (!canCredit(transfer, line)) return review('too_large', { attemptId });
  return { kind: 'credit', transfer };
}

export function decideLine(line: BankLine, { transfers, refunds, accounts }: LineCandidates): LineDecision {
  const [transfer] = transfers;
  const [refund] = refunds;
  if (!transfer && !refund) {
    const reason = line.isBatchUnclear ? 'batch_unclear' : 'unknown_reference';
    return { kind: 'put', ...classifyUnmatched(line, accounts, reason), attemptId: null, refundId: null };
  }
  if (line.isBatchUnclear) return review('batch_unclear', { attemptId: transfer?.attemptId ?? null });
  // A refund often also names the payment that it refunds.
  if (refund && refunds.length === 1 && line.direction === 'debit') return decideRefund(line, refund);
  if (transfers.length + refunds.length > 1)
    return review('several_references', { attemptId: transfer?.attemptId ?? null });
  if (refund) return decideRefund(line, refund);
  return transfer ? decideTransfer(line, transfer) : review('unknown_reference');
}

/** Whether the values of two files may be the same, if one of them may be missing. */
const mayBeSame = (one: string | null, other: string | null) =>
  one === null || other === null || one === other;

function mayBeSameBooking(line: BankLine, counted: BankLine): boolean {
  if (counted.amountMinor !== line.amountMinor) return false;
  // It is one booking. Only one of the files has its full text.
  if (line.bankReference !== null && line.bankReference === counted.bankReference) return true;
  // The bank's references of an entry and its transaction differ. One matched by a person had no reference of ours.
  const isWellKnown = line.bankReference !== null && counted.bankReference !== null;
  return (
    (!isWellKnown || counted.matchedBy === 'person') &&
    mayBeSame(line.counterpartyIban, counted.counterpartyIban) &&
    mayBeSame(line.bookedOn, counted.bookedOn)
  );
}

/** Two bookings that a reference matched, each with the bank's own reference, are different ones. */
export function mayBeDuplicate(line: BankLine, counted: readonly BankLine[]): boolean {
  return counted.some((other) => other.statementId !== line.statementId && mayBeSameBooking(line, other));
}
