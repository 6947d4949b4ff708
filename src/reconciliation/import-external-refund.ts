// Imports a refund that was made in the processor's own dashboard, once for each processor ID. Reverses it if it fails
// later. Must not post more than the remaining amount: the rest becomes a case.

import { type RefreshDeps, readAttempt } from '../attempts/refresh-attempt.ts';
import { newId } from '../base/ids.ts';
import { openProcessor } from '../connections/open-connection.ts';
import type { TenantScope, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { addProcessorCase } from '../payments/case-store.ts';
import {
  findExternalRefund,
  findRefundByReference,
  hasRefundUnderWay,
  insertRefund,
  reserveRefundAmount,
  settleRefundAmount,
} from '../payments/refund-store.ts';
import { type Attempt, findAttempt, lockPayment, type Payment } from '../payments/store.ts';
import { transitionRefund } from '../payments/transition.ts';
import type { ExternalRefund } from '../processors/processor.ts';
import { recordRefund, remainingOf } from '../refunds/refund-payment.ts';

/**
 * The result of an import: `known` from before; `taken_over` now; `excess`: more than the payment had left, now a case;
 * `waiting` for our own refund under way; `unmatched`: of no attempt that took the money; `moved_back`: it failed after
 * its import.
 */
export type ExternalRefundResult = 'known' | 'taken_over' | 'excess' | 'waiting' | 'unmatched' | 'moved_back';

type ImportRefundDeps = Pick<RefreshDeps, 'db' | 'clock'>;

type ExternalRefundEntry = {
  payment: Payment;
  attempt: Attempt;
  reference: string;
  amountMinor: number;
  at: Date;
};

/** The caller holds the lock of the payment. */
async function postExternalRefund(tx: TenantTx, entry: ExternalRefundEntry): Promise<void> {
  const { payment, attempt, reference, amountMinor, at } = entry;
  const { paymentId, currency } = payment;
  const { attemptId, processor } = attempt;
  const actor = `processor:${processor}`;
  const refundId = newId('ref', at);
  if (!(await reserveRefundAmount(tx, paymentId, amountMinor)))
    throw new Error('a locked payment has less left than expected');
  const refund = {
    ...({ refundId, paymentId, attemptId, kind: 'merchant', amountMinor, currency } as const),
    ...{ reason: null, createdBy: actor, createdAt: at, externalReference: reference },
  };
  if (!(await insertRefund(tx, refund))) throw new Error('a refund with this key exists');
  await appendEvent(tx, {
    ...{ type: 'refund.created', isPublic: true, paymentId, attemptId, actor, at },
    data: { refundId, amountMinor, currency, kind: 'merchant' },
  });
  const evidence = { processorReference: reference };
  const move = { refundId, paymentId, from: 'created', to: 'succeeded', at, actor, evidence } as const;
  if (!(await transitionRefund(tx, move))) throw new Error('a new refund changed its status concurrently');
  await settleRefundAmount(tx, { paymentId, amountMinor, isRefunded: true, at });
  await postEntry(tx, { kind: 'refund', amountMinor, currency, paymentId, sourceId: refundId, at });
}

/** Reverses an imported refund that has failed since. One that was never imported stays out of the ledger. */
async function failImportedRefund(
  deps: ImportRefundDeps,
  report: TenantScope & { refund: ExternalRefund },
): Promise<ExternalRefundResult> {
  const { companyId } = report;
  const { key: attemptId, reference } = report.refund;
  const found = await deps.db.inTenant(report, async (tx) => {
    const refund = await findExternalRefund(tx, { attemptId, reference });
    const attempt = refund?.state === 'succeeded' && (await findAttempt(tx, attemptId));
    return refund && attempt ? { refund, actor: `processor:${attempt.processor}` } : null;
  });
  if (!found) return 'known';
  const outcome = { kind: 'failed', reference, code: 'failed_later' } as const;
  await recordRefund(deps, { companyId, ...found, outcome });
  return 'moved_back';
}

/** Imports a refund of the processor's dashboard, or its later failure. Repeats change nothing. */
export async function importExternalRefund(
  deps: ImportRefundDeps,
  report: TenantScope & { refund: ExternalRefund },
): Promise<ExternalRefundResult> {
  if (report.refund.kind === 'failed_outside_refund') return await failImportedRefund(deps, report);
  const at = deps.clock.now();
  const { key: attemptId, reference, amountMinor, currency } = report.refund;
  return await deps.db.inTenant(report, async (tx) => {
    const attempt = await findAttempt(tx, attemptId);
    const payment = attempt && (await lockPayment(tx, attempt.paymentId));
    if (!attempt || !payment) return 'unmatched';
    if (await findRefundByReference(tx, { attemptId, reference })) return 'known';
    const isOurs = attempt.state === 'succeeded' && payment.state === 'paid' && payment.currency === currency;
    if (!isOurs) return 'unmatched';
    // It may be our own refund without our metadata. Importing it would count it twice.
    if (await hasRefundUnderWay(tx, { attemptId, amountMinor })) return 'waiting';
    const left = remainingOf(payment);
    // If our own refund fails, this one fits.
    if (amountMinor > left && payment.refundingMinor > 0) return 'waiting';
    const postedMinor = Math.min(amountMinor, left);
    if (postedMinor > 0)
      await postExternalRefund(tx, { payment, attempt, reference, amountMinor: postedMinor, at });
    if (postedMinor === amountMinor) return 'taken_over';
    const rest = { amountMinor: amountMinor - postedMinor, currency, reference, at };
    const isNew = await addProcessorCase(tx, { attempt, code: 'refund_exceeds_payment', ...rest });
    return isNew ? 'excess' : 'known';
  });
}

/**
 * Queries the processor for the refunds of an attempt that were made in its dashboard, and imports them. Throws if it
 * does not respond.
 */
export async function importExternalRefunds(
  deps: RefreshDeps,
  report: TenantScope & { attemptId: string },
): Promise<void> {
  const { companyId, mode } = report;
  const known = await readAttempt(deps, report);
  if (known?.attempt.state !== 'succeeded') return;
  const { processor: name, connectionId } = known.attempt;
  const processor = await openProcessor(deps, { companyId, mode, processor: name, connectionId });
  const signal = AbortSignal.timeout(deps.processorTimeoutMs);
  const refunds = (await processor.listOutsideRefunds?.(known.request, signal)) ?? [];
  for (const refund of refunds) await importExternalRefund(deps, { companyId, mode, refund });
}
