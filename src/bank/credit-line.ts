// Counts the money of a booking towards a transfer, or accepts a booking as the transfer of a refund: in the
// caller's transaction, once for each booking. refresh-transfer.ts updates payments after the commit.

import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { findAttempt } from '../payments/store.ts';
import { type BankRefund, endBankRefund, noteRefundLine } from '../processors/bank-transfer/refund-store.ts';
import {
  creditTransfer,
  excessOf,
  lockTransfer,
  type Transfer,
} from '../processors/bank-transfer/transfer-store.ts';
import { matchLine, reopenLine } from './line-states.ts';
import type { BankLine } from './store.ts';

export type MatchSource = { by: 'reference' | 'person'; actor: string; note?: string; at: Date };

/** Appends an event about the payment of a transfer, in the transaction that it reports. */
export async function appendTransferEvent(
  tx: TenantTx,
  event: {
    type: 'payment.partly_paid' | 'payment.transfer_review';
    attemptId: string;
    actor: string;
    data: Record<string, unknown>;
    at: Date;
  },
): Promise<void> {
  const attempt = await findAttempt(tx, event.attemptId);
  if (!attempt) throw new Error(`a transfer has no attempt ${event.attemptId}`);
  await appendEvent(tx, { ...event, isPublic: true, paymentId: attempt.paymentId });
}

/** Notifies the merchant of money that completes no payment: a partial payment, or a further overpayment. */
async function appendCreditEvents(
  tx: TenantTx,
  line: { lineId: string; amountMinor: number; isLeft: boolean },
  { attemptId, state, receivedMinor, dueMinor, currency }: Transfer,
  { actor, at }: MatchSource,
): Promise<void> {
  const { lineId, amountMinor, isLeft } = line;
  if (isLeft) {
    const reason = 'surplus_again';
    await reopenLine(tx, lineId, reason);
    const data = { lineId, reason, amountMinor, currency };
    await appendTransferEvent(tx, { type: 'payment.transfer_review', attemptId, actor, data, at });
  } else if (state === 'open') {
    const data = { lineId, amountMinor, receivedMinor, dueMinor: dueMinor - receivedMinor, currency };
    await appendTransferEvent(tx, { type: 'payment.partly_paid', attemptId, actor, data, at });
  }
}

/** An overpayment is refunded once; later ones wait for a person. False if the booking was handled before. */
export async function creditLine(
  tx: TenantTx,
  line: BankLine,
  { attemptId }: Pick<Transfer, 'attemptId'>,
  matcher: MatchSource,
): Promise<boolean> {
  const { lineId, amountMinor, counterpartyName: payerName, counterpartyIban: payerIban } = line;
  if (amountMinor === null) throw new Error('a line without an amount cannot be credited');
  const current = await lockTransfer(tx, attemptId);
  if (!current) throw new Error('the transfer of a line does not exist');
  if (!(await matchLine(tx, lineId, { ...matcher, attemptId, isCredited: true }))) return false;
  const isLeft = excessOf(current) > 0;
  const credit = { amountMinor, isLeft, payerName, payerIban, at: matcher.at };
  const transfer = await creditTransfer(tx, attemptId, credit);
  await appendCreditEvents(tx, { lineId, amountMinor, isLeft }, transfer, matcher);
  return true;
}

/** Accepts a booking as the transfer of a refund. False if the booking or the refund was handled before. */
export async function confirmRefund(
  tx: TenantTx,
  line: BankLine,
  { refundId, attemptId }: Pick<BankRefund, 'refundId' | 'attemptId'>,
  matcher: MatchSource,
): Promise<boolean> {
  const { lineId } = line;
  const { actor, at } = matcher;
  const sent = { refundId, to: 'sent', lineId, endedBy: actor, note: null, at } as const;
  // A refund that a person marked as sent gets its booking now.
  if (!(await endBankRefund(tx, sent)) && !(await noteRefundLine(tx, refundId, lineId))) return false;
  return await matchLine(tx, lineId, { ...matcher, attemptId, refundId, isCredited: false });
}
