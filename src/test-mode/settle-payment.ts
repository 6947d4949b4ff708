// Ends what waits for the sandbox: the live attempt of a payment, or its refund without an outcome. The sandbox decides, and
// the use cases record it.

import { escalateStuckAttempt } from '../attempts/escalate-stuck-attempt.ts';
import { refreshAttempt } from '../attempts/refresh-attempt.ts';
import { errors } from '../base/errors.ts';
import type { TenantTx } from '../db/database.ts';
import { listAttemptsOfPayments } from '../payments/attempt-store.ts';
import type { PayDeps } from '../payments/deps.ts';
import { listRefunds, type Refund } from '../payments/refund-store.ts';
import { isAttemptFinal, isRefundFinal } from '../payments/states.ts';
import { type Attempt, findPaymentByCode } from '../payments/store.ts';
import { findSandboxCharge, moveCharge, setRefundFault } from '../processors/sandbox/store.ts';
import { escalateUnfinished, refundPayment, submitRefund } from '../refunds/refund-payment.ts';
import type { TestOrder } from './pay-with-test-card.ts';

export type Settled = 'succeeded' | 'declined';

type Unfinished = { attempt: Attempt | null; refund: Refund | null };

/** The live or succeeded attempt of a payment, or else its last one. */
async function findCurrentAttempt(tx: TenantTx, paymentId: string): Promise<Attempt | null> {
  const attempts = await listAttemptsOfPayments(tx, [paymentId]);
  return attempts.get(paymentId)?.at(-1) ?? null;
}

/** What of a payment has no outcome. Throws `payment_not_found`, or `state_not_reachable` if nothing has. */
async function findUnfinished({ db }: PayDeps, order: TestOrder): Promise<Unfinished> {
  const found = await db.inTenant(order, async (tx) => {
    const payment = await findPaymentByCode(tx, order.code);
    if (!payment) throw errors.paymentNotFound();
    const current = await findCurrentAttempt(tx, payment.paymentId);
    const attempt = current && !isAttemptFinal(current.state) ? current : null;
    const refunds = await listRefunds(tx, payment.paymentId);
    return { attempt, refund: refunds.find(({ state }) => !isRefundFinal(state)) ?? null };
  });
  if (found.attempt || found.refund) return found;
  throw errors.stateNotReachable({
    detail: 'No attempt and no refund of this payment waits for an outcome.',
  });
}

/** Has the sandbox decide about a charge. Throws `state_not_reachable` if it has decided otherwise. */
async function settleCharge(tx: TenantTx, attemptId: string, outcome: Settled): Promise<void> {
  const charge = await findSandboxCharge(tx, attemptId);
  if (!charge)
    throw errors.stateNotReachable({
      detail: 'The attempt is not at the sandbox, which alone can be told how to settle.',
    });
  const move = { idempotencyKey: attemptId, to: outcome } as const;
  const declined = outcome === 'declined' ? { declineCode: 'generic_decline' as const } : {};
  for (const from of ['pending', 'challenge'] as const)
    if (await moveCharge(tx, { ...move, ...declined, from })) return;
  if (charge.state !== outcome)
    throw errors.stateNotReachable({
      detail: `The sandbox has decided before: the charge is ${charge.state}.`,
    });
}

/** Ends the live attempt, or else the refund without an outcome. Throws `state_not_reachable`. */
export async function settlePayment(deps: PayDeps, order: TestOrder, outcome: Settled): Promise<void> {
  const { attempt, refund } = await findUnfinished(deps, order);
  const { companyId, mode } = order;
  if (attempt) {
    const { attemptId } = attempt;
    await deps.db.inTenant(order, async (tx) => await settleCharge(tx, attemptId, outcome));
    await refreshAttempt(deps, { companyId, mode, attemptId, actor: 'processor:sandbox' });
  } else if (refund) {
    const { attemptId, refundId } = refund;
    const fault = outcome === 'succeeded' ? null : 'refuse';
    await deps.db.inTenant(order, async (tx) => await setRefundFault(tx, { attemptId, refundId }, fault));
    await submitRefund(deps, { companyId, refund });
  }
}

export type TestRefund = { refundId: string; amount?: number; outcome: 'succeeded' | 'failed' | 'unknown' };

/** Refunds a payment with an outcome. Throws what `refundPayment` throws. */
export async function refundInTest(deps: PayDeps, order: TestOrder, wanted: TestRefund): Promise<void> {
  const { refundId, amount, outcome } = wanted;
  const capture = await deps.db.inTenant(order, async (tx) => {
    const payment = await findPaymentByCode(tx, order.code);
    const current = payment && (await findCurrentAttempt(tx, payment.paymentId));
    return current?.state === 'succeeded' ? current : null;
  });
  if (outcome !== 'succeeded' && capture && capture.processor !== 'sandbox')
    throw errors.stateNotReachable({ detail: 'Only the sandbox can be told how a refund ends.' });
  const faults = { succeeded: null, failed: 'refuse', unknown: 'no_answer' } as const;
  const fault = faults[outcome];
  // By the ID of the refund: if it cannot be made, the fault concerns no other.
  if (capture && fault !== null)
    await deps.db.inTenant(
      order,
      async (tx) => await setRefundFault(tx, { attemptId: capture.attemptId, refundId }, fault),
    );
  const refund = { ...order, refundId, createdBy: order.actor, ...(amount === undefined ? {} : { amount }) };
  await refundPayment(deps, refund);
}

/** Makes the live attempt a case, or else the refund without an outcome, as three days without a response would. */
export async function escalatePayment(deps: PayDeps, order: TestOrder): Promise<void> {
  const { attempt, refund } = await findUnfinished(deps, order);
  const { companyId, actor } = order;
  const at = deps.clock.now();
  if (attempt)
    await deps.db.inTenant(order, async (tx) => await escalateStuckAttempt(tx, attempt, { at, actor }));
  else if (refund) await escalateUnfinished(deps, { companyId, refund });
}
