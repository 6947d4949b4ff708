// Tells payments what the books of bank transfers say: that a transfer is complete, and what came that nobody
// owed. May run as often as one likes; whatever a crash leaves undone, the next run does.

import type { Clock } from '../base/clock.ts';
import type { Database, TenantTx } from '../db/database.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { recordOutcome } from '../payments/record-outcome.ts';
import { returnExcess } from '../payments/send-back.ts';
import { ensureBankRefund, outcomeOf } from '../processors/bank-transfer/bank-transfer.ts';
import {
  findTransfer,
  lockTransfer,
  noteSettled,
  type Transfer,
} from '../processors/bank-transfer/transfer-store.ts';
import { reopenLine } from './line-states.ts';
import { listCreditedLines } from './store.ts';
import { tellMerchant } from './tell-merchant.ts';

export type SettleTransferDeps = { db: Database; clock: Clock; jobs: JobQueue };

const actor = 'bank';

/** What came of a transfer that nobody owes, and that nothing has been done about. */
function excessOf({ state, dueMinor, receivedMinor, returnedMinor, leftMinor }: Transfer): number {
  if (state === 'open') return 0;
  const owedMinor = state === 'complete' ? dueMinor : 0;
  return receivedMinor - owedMinor - returnedMinor - leftMinor;
}

/** Leaves a second surplus to a person: the line that brought it is on the list again, and the merchant hears of it. */
async function leaveToPerson(tx: TenantTx, transfer: Transfer, excessMinor: number, at: Date): Promise<void> {
  const { attemptId, currency } = transfer;
  const [line] = await listCreditedLines(tx, attemptId);
  if (!line) throw new Error('money has come without a line');
  const { lineId } = line;
  const reason = 'surplus_again';
  await reopenLine(tx, lineId, reason);
  const data = { lineId, reason, amountMinor: excessMinor, currency };
  await tellMerchant(tx, { type: 'payment.transfer_review', attemptId, actor, data, at });
}

async function returnWhatNobodyOwed(
  deps: SettleTransferDeps,
  tx: TenantTx,
  transfer: Transfer,
  at: Date,
): Promise<void> {
  const { attemptId, currency, lastPayerName: toName, lastPayerIban: toIban } = transfer;
  const amountMinor = excessOf(transfer);
  if (amountMinor <= 0) return await noteSettled(tx, { attemptId, returnedMinor: 0, leftMinor: 0, at });
  const reason = transfer.state === 'complete' ? 'paid_too_much' : 'paid_late';
  const refund = await returnExcess(deps, tx, { attemptId, amountMinor, currency, reason, at });
  if (refund) {
    const { refundId } = refund;
    // To whoever sent this money, who need not be who paid.
    await ensureBankRefund(tx, { refundId, attemptId, amountMinor, currency, toName, toIban, createdAt: at });
    await noteSettled(tx, { attemptId, returnedMinor: amountMinor, leftMinor: 0, at });
    return;
  }
  await leaveToPerson(tx, transfer, amountMinor, at);
  await noteSettled(tx, { attemptId, returnedMinor: 0, leftMinor: amountMinor, at });
}

/** Brings payments up to date with a transfer that money has come for. */
export async function settleTransfer(
  deps: SettleTransferDeps,
  settle: { companyId: string; attemptId: string },
): Promise<void> {
  const { companyId, attemptId } = settle;
  const transfer = await deps.db.inTenant(companyId, async (tx) => await findTransfer(tx, attemptId));
  if (!transfer?.isUnsettled) return;
  await recordOutcome(deps, { companyId, attemptId, outcome: outcomeOf(transfer), actor });
  const at = deps.clock.now();
  await deps.db.inTenant(companyId, async (tx) => {
    const now = await lockTransfer(tx, attemptId);
    // What came in between is for whoever counted it: its flag stands until payments know of it.
    if (!now?.isUnsettled || now.receivedMinor !== transfer.receivedMinor) return;
    await returnWhatNobodyOwed(deps, tx, now, at);
  });
}
