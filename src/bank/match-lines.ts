// Matches bookings with expected transfers, each in its own transaction: a failed one does not block others. After a
// crash at any point, the next run completes the rest.

import { type Mode, modes, type TenantScope, type TenantTx } from '../db/database.ts';
import {
  listBankRefundsByReference,
  listUnappliedRefunds,
} from '../processors/bank-transfer/refund-store.ts';
import {
  listTransferIbans,
  listTransfersByReference,
  listUnsettled,
} from '../processors/bank-transfer/transfer-store.ts';
import { type RefundDeps, RefundNotFinalError, reconcileRefund } from '../refunds/refund-payment.ts';
import { appendTransferEvent, confirmRefund, creditLine } from './credit-line.ts';
import { decideLine, type LineDecision, mayBeDuplicate, review } from './decide-line.ts';
import { type ImportInput, importStatement, type StatementImport } from './import-statement.ts';
import { classifyLine } from './line-states.ts';
import { refreshTransfer } from './refresh-transfer.ts';
import { type BankLine, listCreditedLines, listNewLines, lockLine } from './store.ts';

export type MatchDeps = RefundDeps;

/** What payments must apply once the transaction of a booking is committed. */
export type MatchedPayment = { attemptId?: string; refundId?: string };

/** Bookings in one run: it ends well within a lease. */
export const batchSize = 200;
const actor = 'bank';

async function decide(tx: TenantTx, line: BankLine): Promise<LineDecision> {
  const { mode, foundReferences } = line;
  const transfers = await listTransfersByReference(tx, mode, foundReferences);
  const refunds = await listBankRefundsByReference(tx, mode, foundReferences);
  const accounts = new Set(await listTransferIbans(tx, mode));
  const decision = decideLine(line, { transfers, refunds, accounts });
  if (decision.kind !== 'credit') return decision;
  const { attemptId } = decision.transfer;
  if (!mayBeDuplicate(line, await listCreditedLines(tx, attemptId))) return decision;
  return review('maybe_duplicate', { attemptId });
}

async function applyDecision(
  tx: TenantTx,
  line: BankLine,
  decision: LineDecision & { kind: 'put' },
  at: Date,
): Promise<void> {
  const { lineId, amountMinor, currency } = line;
  const { attemptId, refundId, reason, state } = decision;
  await classifyLine(tx, lineId, decision);
  if (state !== 'review' || attemptId === null) return;
  const data = { lineId, reason, amountMinor, currency, ...(refundId ? { refundId } : {}) };
  await appendTransferEvent(tx, { type: 'payment.transfer_review', attemptId, actor, data, at });
}

async function matchInTransaction(tx: TenantTx, lineId: string, at: Date): Promise<MatchedPayment> {
  const line = await lockLine(tx, lineId);
  if (line?.state !== 'new') return {};
  const decision = await decide(tx, line);
  const matcher = { by: 'reference', actor, at } as const;
  if (decision.kind === 'put') {
    await applyDecision(tx, line, decision, at);
    return {};
  }
  if (decision.kind === 'credit') {
    await creditLine(tx, line, decision.transfer, matcher);
    return { attemptId: decision.transfer.attemptId };
  }
  const { refund } = decision;
  if (await confirmRefund(tx, line, refund, matcher)) return { refundId: refund.refundId };
  // Another booking was first. This one shows that the refund was sent twice.
  await applyDecision(tx, line, review('refund_not_waiting', refund), at);
  return {};
}

export async function applyMatch(
  deps: MatchDeps,
  scope: TenantScope,
  matched: MatchedPayment,
): Promise<void> {
  const { attemptId, refundId } = matched;
  if (attemptId) await refreshTransfer(deps, { ...scope, attemptId });
  if (!refundId) return;
  try {
    await reconcileRefund(deps, { companyId: scope.companyId, refundId });
  } catch (error) {
    // The worker repeats it when the refund is due.
    if (!(error instanceof RefundNotFinalError)) throw error;
  }
}

/** Matches a booking, if it is new, and updates the payment or refund that it concerns. */
export async function matchBankLine(deps: MatchDeps, scope: TenantScope, lineId: string): Promise<void> {
  const at = deps.clock.now();
  const matched = await deps.db.inTenant(scope, async (tx) => await matchInTransaction(tx, lineId, at));
  await applyMatch(deps, scope, matched);
}

/** Imports a statement and matches the first bookings at once, for the response. The worker continues from there. */
export async function importAndMatch(deps: MatchDeps, input: ImportInput): Promise<StatementImport> {
  const { companyId, mode } = input;
  const imported = await importStatement(deps, input);
  if (imported.isNew)
    await matchBankLines(deps, { companyId, mode }).catch((err: unknown) =>
      deps.log.warn({ companyId, err }, 'matching failed and is left to the worker'),
    );
  return imported;
}

/**
 * Matches a batch of new bookings and updates the payments and refunds that matched ones concern, whoever else works on
 * them. The worker does so until none is left. Throws at the end if one failed.
 */
export async function matchBankLines(
  deps: MatchDeps,
  wanted: { companyId: string; mode?: Mode },
): Promise<void> {
  const { companyId, mode } = wanted;
  for (const each of mode ? [mode] : modes) await matchInMode(deps, { companyId, mode: each });
}

async function matchInMode(deps: MatchDeps, scope: TenantScope): Promise<void> {
  const { companyId } = scope;
  const { inTenant } = deps.db;
  const faults: unknown[] = [];
  const each = async (ids: readonly string[], run: (id: string) => Promise<void>) => {
    for (const id of ids) {
      try {
        await run(id);
      } catch (err) {
        deps.log.warn({ companyId, id, err }, 'a bank line, transfer or refund could not be processed');
        faults.push(err);
      }
    }
  };
  const lineIds = await inTenant(scope, async (tx) => await listNewLines(tx, batchSize));
  await each(lineIds, async (lineId) => await matchBankLine(deps, scope, lineId));
  const unsettled = await inTenant(scope, async (tx) => await listUnsettled(tx, batchSize));
  await each(unsettled, async (attemptId) => await refreshTransfer(deps, { ...scope, attemptId }));
  const unapplied = await inTenant(scope, async (tx) => await listUnappliedRefunds(tx, batchSize));
  await each(unapplied, async (refundId) => await applyMatch(deps, scope, { refundId }));
  if (faults.length > 0)
    throw new AggregateError(faults, `${faults.length} bank lines could not be processed`);
}
