// Updates payments from the state of bank transfers. May run any number of times, also after a crash.

import { recordOutcome } from '../attempts/record-outcome.ts';
import type { Clock } from '../base/clock.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { attemptOutcomeOf, ensureBankRefund } from '../processors/bank-transfer/bank-transfer.ts';
import {
  excessOf,
  findTransfer,
  lockTransfer,
  noteSettled,
  type Transfer,
} from '../processors/bank-transfer/transfer-store.ts';
import { refundExcess } from '../refunds/refund-overpayment.ts';

export type RefreshTransferDeps = { db: Database; clock: Clock };

const actor = 'bank';

async function refundOverpaid(tx: TenantTx, transfer: Transfer, at: Date): Promise<void> {
  const { attemptId, currency, lastPayerName: toName, lastPayerIban: toIban } = transfer;
  const amountMinor = excessOf(transfer) - transfer.returnedMinor - transfer.leftMinor;
  if (amountMinor <= 0) return await noteSettled(tx, { attemptId, returnedMinor: 0, at });
  const reason = transfer.state === 'complete' ? 'paid_too_much' : 'paid_late';
  const refund = await refundExcess(tx, { attemptId, amountMinor, currency, reason, at });
  if (!refund) throw new Error('an overpayment was refunded without a credited line');
  const { refundId } = refund;
  // Refunds the sender of this money, who may differ from the person who paid.
  await ensureBankRefund(tx, { refundId, attemptId, amountMinor, currency, toName, toIban, createdAt: at });
  await noteSettled(tx, { attemptId, returnedMinor: amountMinor, at });
}

export async function refreshTransfer(
  deps: RefreshTransferDeps,
  settle: TenantScope & { attemptId: string },
): Promise<void> {
  const { companyId, mode, attemptId } = settle;
  const transfer = await deps.db.inTenant(settle, async (tx) => await findTransfer(tx, attemptId));
  if (!transfer?.isUnsettled) return;
  await recordOutcome(deps, { companyId, mode, attemptId, outcome: attemptOutcomeOf(transfer), actor });
  const at = deps.clock.now();
  await deps.db.inTenant(settle, async (tx) => {
    const now = await lockTransfer(tx, attemptId);
    // If money came in between, whoever counted it applies it: its flag is set until payments are updated.
    if (!now?.isUnsettled || now.receivedMinor !== transfer.receivedMinor) return;
    await refundOverpaid(tx, now, at);
  });
}
