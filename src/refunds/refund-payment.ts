// Refunds a payment in three steps, like paying: reserve the amount, call the processor under the refund's ID without
// an open transaction, record. After a crash, the worker completes the refund.

import { movedTimeOf, runInTestTime } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Currency, parseAmount, toDecimalText } from '../base/money.ts';
import { openProcessor } from '../connections/open-connection.ts';
import { shareLockConnection } from '../connections/store.ts';
import { modeOf, type TenantScope, type TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { escalateAfterMs, escalateRefund } from '../payments/case-store.ts';
import type { PayDeps } from '../payments/deps.ts';
import {
  type Capture,
  type ChargeReference,
  findCapture,
  findCharge,
  findOverpaymentRefund,
  findRefund,
  insertRefund,
  type NewRefund,
  type Refund,
  reserveRefundAmount,
  reverseRefundAmount,
  settleRefundAmount,
} from '../payments/refund-store.ts';
import { isRefundFinal, type RefundStatus } from '../payments/states.ts';
import { lockPayment, lockPaymentByCode, type Payment, saveProcessorReference } from '../payments/store.ts';
import { transitionRefund } from '../payments/transition.ts';
import { describeUnknownOutcome, RejectedRequestError } from '../processors/check-response.ts';
import type { RefundOutcome } from '../processors/processor.ts';
import { NotFinalError } from '../work/not-final-error.ts';

export type RefundDeps = Pick<
  PayDeps,
  'db' | 'clock' | 'keyring' | 'processors' | 'processorTimeoutMs' | 'firstReconcileSeconds' | 'log'
>;

export type RefundInput = TenantScope & {
  code: string;
  /**
   * The refund's ID if the caller may repeat the call: an existing refund with this ID is continued. Without it, a new
   * one is made.
   */
  refundId?: string;
  /** In major units; without it, the whole remaining amount. */
  amount?: number;
  /** The remaining amount that the caller expects, in major units. Another value refuses the refund with 412. */
  expectedRemaining?: number;
  reason?: string;
  createdBy: string;
};

const defaultFirstReconcileSeconds = 15;

/** The amount that can still be refunded, in minor units. */
export function remainingOf(payment: Payment): number {
  return payment.state === 'paid' ? payment.amountMinor - payment.refundedMinor - payment.refundingMinor : 0;
}

function readAmount(amount: number, field: string, currency: Currency): number {
  const parsed = parseAmount(String(amount), currency);
  if ('amountMinor' in parsed) return parsed.amountMinor;
  throw errors.invalidFields({
    errors: [
      { field, code: parsed.fault, detail: 'This must be a valid amount in the currency of the payment.' },
    ],
  });
}

function requireExpectedRemaining(order: RefundInput, payment: Payment, remaining: number): void {
  if (order.expectedRemaining === undefined) return;
  const expected =
    order.expectedRemaining === 0
      ? 0
      : readAmount(order.expectedRemaining, 'expectedRemaining', payment.currency);
  if (expected === remaining) return;
  throw errors.staleRemaining({
    detail: `${toDecimalText(remaining, payment.currency)} ${payment.currency} can still be refunded. Get the payment again.`,
  });
}

/** Throws `not_refundable` if the connection was deleted. */
async function requireConnection(tx: TenantTx, { connectionId }: Capture): Promise<void> {
  if (connectionId === null || (await shareLockConnection(tx, connectionId))) return;
  throw errors.notRefundable({
    detail: 'The connection of this payment was deleted. Refund the payment in the processor’s dashboard.',
  });
}

async function reserve(deps: RefundDeps, order: RefundInput): Promise<Refund> {
  const now = deps.clock.now();
  return await deps.db.inTenant(order, async (tx) => {
    const payment = await lockPaymentByCode(tx, order.code);
    if (!payment) throw errors.paymentNotFound();
    // An earlier run was interrupted after this step.
    const existing = order.refundId === undefined ? null : await findRefund(tx, order.refundId);
    if (existing) return existing;
    if (payment.state !== 'paid')
      throw errors.notRefundable({
        detail: `The payment is ${payment.state}. Only a paid payment can be refunded.`,
      });
    const remaining = remainingOf(payment);
    requireExpectedRemaining(order, payment, remaining);
    const amountMinor =
      order.amount === undefined ? remaining : readAmount(order.amount, 'amount', payment.currency);
    const capture = await findCapture(tx, payment.paymentId);
    if (!capture) throw new Error('a paid payment has no succeeded attempt');
    await requireConnection(tx, capture);
    if (amountMinor === 0 || !(await reserveRefundAmount(tx, payment.paymentId, amountMinor)))
      throw errors.refundTooLarge({
        detail: `At most ${toDecimalText(remaining, payment.currency)} ${payment.currency} can still be refunded.`,
      });
    return await insertWithEvent(tx, {
      refundId: order.refundId ?? newId('ref', now),
      paymentId: payment.paymentId,
      attemptId: capture.attemptId,
      kind: 'merchant',
      amountMinor,
      currency: payment.currency,
      reason: order.reason ?? null,
      createdBy: order.createdBy,
      createdAt: now,
      due: {
        at: movedTimeOf(deps.clock),
        inMs: (deps.firstReconcileSeconds ?? defaultFirstReconcileSeconds) * 1_000,
      },
    });
  });
}

/** Inserts a refund with its event, in the caller's transaction. The worker asks about it when it is due. */
async function insertWithEvent(tx: TenantTx, refund: NewRefund): Promise<Refund> {
  if (!(await insertRefund(tx, refund))) throw new Error('a refund with this key exists');
  await recordRefundCreated(tx, refund);
  const { due: _, ...inserted } = refund;
  return { ...inserted, mode: modeOf(tx), state: 'created', failureCode: null };
}

async function recordRefundCreated(tx: TenantTx, refund: NewRefund): Promise<void> {
  const { refundId, paymentId, attemptId, amountMinor, currency, kind } = refund;
  await appendEvent(tx, {
    type: 'refund.created',
    isPublic: true,
    paymentId,
    attemptId,
    actor: refund.createdBy,
    data: { refundId, amountMinor, currency, kind },
    at: refund.createdAt,
  });
}

/** How long after a refusal the refund of an overpayment is retried, if its processor still reports the money. */
const overpaymentRetryMs = 12 * 60 * 60 * 1000;

/**
 * Refunds an overpayment, in the transaction that records it. Once for each attempt, however often its money is
 * reported, unless the processor has refused and half a day has passed. True if this overpayment is new. The attempt
 * keeps the reference of the charge that is refunded: other reports during the refund must not change it.
 */
export async function insertOverpaymentRefund(
  tx: TenantTx,
  overpayment: {
    paymentId: string;
    attemptId: string;
    amountMinor: number;
    currency: Currency;
    reference?: string;
    reason: string;
    at: Date;
  },
): Promise<boolean> {
  const { reason, at, reference, ...money } = overpayment;
  const known = await findOverpaymentRefund(tx, overpayment.attemptId);
  const isRetryDue =
    known?.state === 'failed' && at.getTime() - known.createdAt.getTime() >= overpaymentRetryMs;
  if (known && !isRetryDue) return false;
  const refund: NewRefund = {
    ...money,
    refundId: newId('ref', at),
    kind: 'surplus',
    reason,
    createdBy: 'system',
    createdAt: at,
  };
  if (!(await insertRefund(tx, refund))) return false;
  if (reference !== undefined) await saveProcessorReference(tx, overpayment.attemptId, reference);
  await recordRefundCreated(tx, refund);
  if (known) return false;
  await postEntry(tx, { ...money, kind: 'surplus', sourceId: overpayment.attemptId, at });
  return true;
}

/** A processor's outcome of a refund; null if it is unknown. `rejectedField`: it rejected a field of our request. */
type ProcessorRefundAnswer = { outcome: RefundOutcome | null; rejectedField?: string };

async function requestRefund(
  deps: RefundDeps,
  wanted: { companyId: string; refund: Refund; charge: ChargeReference },
): Promise<ProcessorRefundAnswer> {
  const { companyId, refund, charge } = wanted;
  const { refundId, attemptId, amountMinor, currency } = refund;
  const request = {
    companyId,
    refundId,
    attemptId,
    amountMinor,
    currency,
    processorReference: charge.processorReference ?? '',
  };
  const signal = AbortSignal.timeout(deps.processorTimeoutMs);
  try {
    const processor = await openProcessor(deps, { companyId, mode: refund.mode, ...charge });
    return { outcome: await processor.refund(request, signal) };
  } catch (error) {
    const isRejected = error instanceof RejectedRequestError;
    const message = isRejected
      ? 'a processor rejected a refund request as malformed; it is retried'
      : `${describeUnknownOutcome(error)}, about a refund`;
    deps.log.warn({ processor: charge.processor, refundId, err: error }, message);
    return { outcome: null, ...(isRejected ? { rejectedField: error.field } : {}) };
  }
}

function matchesRequest(outcome: RefundOutcome, refund: Refund): boolean {
  return (
    outcome.kind !== 'succeeded' ||
    (outcome.amountMinor === refund.amountMinor && outcome.currency === refund.currency)
  );
}

async function finishRefund(tx: TenantTx, refund: Refund, isRefunded: boolean, at: Date): Promise<void> {
  const { paymentId, amountMinor, currency, kind, refundId } = refund;
  if (kind === 'merchant') await settleRefundAmount(tx, { paymentId, amountMinor, isRefunded, at });
  if (!isRefunded) return;
  const entryKind = kind === 'merchant' ? 'refund' : 'surplus_refund';
  await postEntry(tx, { kind: entryKind, amountMinor, currency, paymentId, sourceId: refundId, at });
}

/** Posts that the money of a succeeded refund came back. */
async function postReversal(tx: TenantTx, refund: Refund, at: Date): Promise<void> {
  const { paymentId, amountMinor, currency, kind, refundId } = refund;
  const isMerchantRefund = kind === 'merchant';
  if (isMerchantRefund && !(await reverseRefundAmount(tx, { paymentId, amountMinor, at })))
    throw new Error('the refunded amount of a payment is less than one of its refunds');
  const entryKind = isMerchantRefund ? 'refund_reversal' : 'surplus_refund_reversal';
  await postEntry(tx, { kind: entryKind, amountMinor, currency, paymentId, sourceId: refundId, at });
}

async function escalate(
  tx: TenantTx,
  refund: { refundId: string; paymentId: string; to: RefundStatus; at: Date; rejectedField?: string },
): Promise<void> {
  const { refundId, paymentId, to: state, at, rejectedField } = refund;
  if (!(await escalateRefund(tx, refundId, at))) return;
  const actor = 'job:reconcile-refund';
  const data = { refundId, state, ...(rejectedField ? { reason: 'request_rejected', rejectedField } : {}) };
  await appendEvent(tx, { type: 'refund.escalated', isPublic: true, paymentId, actor, data, at });
}

/** Records what a processor reports about a refund. A succeeded refund may fail. Nothing else changes an ended one. */
export async function recordRefund(
  deps: Pick<RefundDeps, 'db' | 'clock'>,
  report: { companyId: string; refund: Refund; outcome: RefundOutcome | null; actor: string },
): Promise<Refund> {
  const at = deps.clock.now();
  const { companyId, outcome, actor } = report;
  return await deps.db.inTenant({ companyId, mode: report.refund.mode }, async (tx) => {
    await lockPayment(tx, report.refund.paymentId);
    const refund = (await findRefund(tx, report.refund.refundId)) ?? report.refund;
    const known = outcome && matchesRequest(outcome, refund) ? outcome : null;
    const to: RefundStatus = known?.kind ?? 'unknown';
    const isReversal = refund.state === 'succeeded' && to === 'failed';
    const isTransition =
      refund.state !== to && !isRefundFinal(refund.state) && (known !== null || refund.state === 'created');
    if (!isTransition && !isReversal) return refund;
    const { refundId, paymentId } = refund;
    const evidence = {
      ...(known ? { processorReference: known.reference } : {}),
      ...(known?.kind === 'failed' ? { failureCode: known.code } : {}),
    };
    if (!(await transitionRefund(tx, { refundId, paymentId, from: refund.state, to, at, actor, evidence })))
      throw new Error('a refund changed its status despite the lock on its payment');
    if (isReversal) await postReversal(tx, refund, at);
    else if (isRefundFinal(to)) await finishRefund(tx, refund, to === 'succeeded', at);
    // After a failed refund of an overpayment, a person must return the money.
    if (to === 'failed' && refund.kind === 'surplus') await escalate(tx, { refundId, paymentId, to, at });
    return (await findRefund(tx, refundId)) ?? refund;
  });
}

/**
 * Refunds a payment, partially or in full. Throws `payment_not_found`, `not_refundable`, `stale_remaining` (412),
 * `refund_too_large` or `invalid_fields`. The refund may still be under way when this returns.
 */
export async function refundPayment(deps: RefundDeps, order: RefundInput): Promise<Refund> {
  const refund = await reserve(deps, order);
  return await submitRefund(deps, { companyId: order.companyId, refund });
}

/**
 * Asks the processor for a refund, for the first time or again, and records the outcome: with the processor as actor,
 * unless another actor requested it. An ended refund is left alone, unless the processor reported it (`isReportedByProcessor`): it may
 * have failed since.
 */
export async function submitRefund(deps: RefundDeps, submission: RefundSubmission): Promise<Refund> {
  const { refund } = await askForRefund(deps, submission);
  return refund;
}

type RefundSubmission = {
  companyId: string;
  refund: Refund;
  actor?: string;
  isReportedByProcessor?: boolean;
};

/** `hasResponse`: whether the processor answered, if it was asked. */
async function askForRefund(
  deps: RefundDeps,
  submission: RefundSubmission,
): Promise<{ refund: Refund; hasResponse: boolean }> {
  const { companyId, refund, isReportedByProcessor = false } = submission;
  if (isRefundFinal(refund.state) && !(isReportedByProcessor && refund.state === 'succeeded'))
    return { refund, hasResponse: true };
  const scope = { companyId, mode: refund.mode };
  const charge = await deps.db.inTenant(scope, async (tx) => await findCharge(tx, refund.attemptId));
  const { outcome, rejectedField } = charge
    ? await requestRefund(deps, { companyId, refund, charge })
    : { outcome: null };
  const actor = submission.actor ?? (charge ? `processor:${charge.processor}` : 'system');
  const recorded = await recordRefund(deps, { companyId, refund, outcome, actor });
  if (rejectedField !== undefined) await escalateUnfinished(deps, { companyId, refund, rejectedField });
  return { refund: recorded, hasResponse: outcome !== null };
}

/** Escalates a refund that has not ended, once. */
export async function escalateUnfinished(
  deps: Pick<RefundDeps, 'db' | 'clock'>,
  { companyId, refund, rejectedField }: { companyId: string; refund: Refund; rejectedField?: string },
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.inTenant({ companyId, mode: refund.mode }, async (tx) => {
    await lockPayment(tx, refund.paymentId);
    const now = await findRefund(tx, refund.refundId);
    if (!now || isRefundFinal(now.state)) return;
    await escalate(tx, { ...now, to: now.state, at, ...(rejectedField ? { rejectedField } : {}) });
  });
}

/** Thrown while a refund has no final outcome. */
export class RefundNotFinalError extends NotFinalError {
  override readonly name = 'RefundNotFinalError';
}

/**
 * Asks the processor for a refund again, under the refund's ID, if it has no final outcome. Throws RefundNotFinalError
 * while it has none.
 */
export async function reconcileRefund(
  deps: RefundDeps,
  job: { companyId: string; refundId: string },
): Promise<void> {
  const read = async () =>
    await deps.db.inBothModes(job.companyId, async (tx) => await findRefund(tx, job.refundId));
  const refund = await runInTestTime(null, read);
  if (!refund || isRefundFinal(refund.state)) return;
  const { companyId } = job;
  const { refund: recorded, hasResponse } = await askForRefund(deps, {
    ...{ companyId, refund },
    actor: 'job:reconcile-refund',
  });
  if (isRefundFinal(recorded.state)) return;
  const at = deps.clock.now();
  if (at.getTime() - refund.createdAt.getTime() > escalateAfterMs)
    await escalateUnfinished(deps, { companyId, refund });
  throw new RefundNotFinalError(`the refund is still ${recorded.state}`, { hasResponse });
}
