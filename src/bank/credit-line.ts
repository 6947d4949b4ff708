// Counts the money of a line to a transfer, or a line as the sending of a refund: in the caller's transaction,
// once for each line. Payments hear of it after the commit, from settle-transfer.ts.

import type { TenantTx } from '../db/database.ts';
import { type BankRefund, endBankRefund, noteRefundLine } from '../processors/bank-transfer/refund-store.ts';
import { creditTransfer, lockTransfer, type Transfer } from '../processors/bank-transfer/transfer-store.ts';
import { matchLineTo } from './line-states.ts';
import type { BankLine } from './store.ts';
import { tellMerchant } from './tell-merchant.ts';

/** Who says that they belong together: the reference that both have, or a person. */
export type Matcher = { by: 'reference' | 'person'; actor: string; note?: string; at: Date };

/** Counts a line's money to its transfer. False when the line had been dealt with. */
export async function creditLine(
  tx: TenantTx,
  line: BankLine,
  { attemptId }: Pick<Transfer, 'attemptId'>,
  matcher: Matcher,
): Promise<boolean> {
  const { lineId, amountMinor, counterpartyName: payerName, counterpartyIban: payerIban } = line;
  if (amountMinor === null) throw new Error('a line without an amount was to be counted');
  if (!(await lockTransfer(tx, attemptId))) throw new Error('a transfer has vanished');
  if (!(await matchLineTo(tx, lineId, { ...matcher, attemptId, isCredited: true }))) return false;
  const { actor, at } = matcher;
  const transfer = await creditTransfer(tx, attemptId, { amountMinor, payerName, payerIban, at });
  if (transfer.state === 'open') {
    const { receivedMinor, dueMinor, currency } = transfer;
    const data = { lineId, amountMinor, receivedMinor, dueMinor: dueMinor - receivedMinor, currency };
    await tellMerchant(tx, { type: 'payment.partly_paid', attemptId, actor, data, at });
  }
  return true;
}

/** Takes a line as the sending of a refund. False when the line or the refund had been dealt with. */
export async function confirmRefund(
  tx: TenantTx,
  line: BankLine,
  { refundId, attemptId }: Pick<BankRefund, 'refundId' | 'attemptId'>,
  matcher: Matcher,
): Promise<boolean> {
  const { lineId } = line;
  const { actor, at } = matcher;
  const sent = { refundId, to: 'sent', lineId, endedBy: actor, note: null, at } as const;
  // One that a person had called sent gets its line now.
  if (!(await endBankRefund(tx, sent)) && !(await noteRefundLine(tx, refundId, lineId))) return false;
  return await matchLineTo(tx, lineId, { ...matcher, attemptId, refundId, isCredited: false });
}
