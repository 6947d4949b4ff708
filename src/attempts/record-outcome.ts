// The third step of paying: writes a processor's report as status and event in one transaction. The checkout, the
// reconciliation worker and processor webhooks use it. Must not move a status backwards.

import { type BatchItemResult as Answer, createSharedBatcher, serializeByKey } from '../base/batcher.ts';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { isCurrency } from '../base/money.ts';
import { findCompany, type RetryPolicy } from '../companies/store.ts';
import { type Database, scopeKey, scopeOfKey, type TenantScope, type TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { listPaymentEvents } from '../events/list-events.ts';
import type { NewLedgerEntry } from '../ledger/post-entry.ts';
import { listAttemptsOfPayments } from '../payments/attempt-store.ts';
import { batchOptions } from '../payments/batch-options.ts';
import { addProcessorCase } from '../payments/case-store.ts';
import type { EndCode } from '../payments/end-codes.ts';
import { type AttemptStatus, isAttemptFinal, type PaymentStatus } from '../payments/states.ts';
import {
  type Attempt,
  findAttempt,
  findPayment,
  type LockOptions,
  listAttemptsById,
  lockPayments,
  type Payment,
} from '../payments/store.ts';
import { type AttemptTransition, applyTransitions, type PaymentTransition } from '../payments/transition.ts';
import type { AttemptOutcome } from '../processors/processor.ts';
import { refundOverpayment } from '../refunds/refund-overpayment.ts';
import { escalateStuckAttempt } from './escalate-stuck-attempt.ts';
import { countDeclinedAttempts, mayRetry } from './retry-policy.ts';

export type RecordDeps = { db: Database; clock: Clock };

/** The processor's outcome, or that it gave none that can be trusted. */
export type Evidence = AttemptOutcome | { kind: 'unknown'; why: string };

/** An attempt and the policy of its company, which do not change while a report of it is recorded. */
export type KnownAttempt = { attempt: Attempt; retryPolicy: RetryPolicy };

/** `known`: what the caller has read already. Its status may be out of date: it is read again under the lock. */
export type AttemptReport = TenantScope & {
  attemptId: string;
  outcome: Evidence;
  actor: string;
  known?: KnownAttempt;
};

export type RecordedAttempt = { payment: Payment; attempt: Attempt };

type TransitionPlan = {
  attemptTo: AttemptStatus;
  paymentTo: PaymentStatus | null;
  endCode?: EndCode;
  evidence: NonNullable<AttemptTransition['evidence']>;
};

/** Whether the processor reports another amount or currency than requested. */
function isAmountMismatch(outcome: Evidence, attempt: Attempt): boolean {
  return (
    outcome.kind === 'succeeded' &&
    (outcome.amountMinor !== attempt.amountMinor || outcome.currency !== attempt.currency)
  );
}

/** Whether a processor collected only a part of the amount. More may come, so a person decides about a refund. */
function isPartialCapture(outcome: Evidence, attempt: Attempt): boolean {
  return (
    outcome.kind === 'succeeded' &&
    !outcome.isLastOfIt &&
    outcome.currency === attempt.currency &&
    outcome.amountMinor > 0 &&
    outcome.amountMinor < attempt.amountMinor
  );
}

function planFinal(
  code: EndCode,
  attemptTo: 'declined' | 'cancelled',
  context: PlanContext,
  reference?: string,
): TransitionPlan {
  return {
    attemptTo,
    paymentTo: mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'failed',
    endCode: code,
    evidence: { declineCode: code, ...(reference ? { processorReference: reference } : {}) },
  };
}

/** Why an attempt was voided before any money moved. */
function endCodeOfVoid({ state, actionUrl, cardLast4 }: Attempt): EndCode {
  if (actionUrl) return cardLast4 ? 'authentication_abandoned' : 'not_completed';
  // The customer never had to act: the processor did not receive the attempt.
  return state === 'processing' ? 'not_completed' : 'never_started';
}

type PlanContext = { attempt: Attempt; policy: RetryPolicy; endedBefore: number };

/** The transitions that an outcome requires. Pure. */
function planTransition(outcome: Evidence, context: PlanContext): TransitionPlan {
  if (outcome.kind === 'succeeded' && isPartialCapture(outcome, context.attempt))
    return {
      attemptTo: 'processing',
      paymentTo: null,
      evidence: { processorReference: outcome.reference },
    };
  // Money came, but not the requested amount: the attempt ends, and the money is refunded.
  if (outcome.kind === 'succeeded' && isAmountMismatch(outcome, context.attempt))
    return planFinal('amount_mismatch', 'declined', context, outcome.reference);
  switch (outcome.kind) {
    case 'succeeded':
      return {
        attemptTo: 'succeeded',
        paymentTo: 'paid',
        evidence: { processorReference: outcome.reference },
      };
    case 'declined':
      return planFinal(outcome.code, 'declined', context, outcome.reference);
    case 'unavailable':
      return planFinal('never_started', 'cancelled', context);
    case 'void':
      return planFinal(endCodeOfVoid(context.attempt), 'cancelled', context);
    case 'requires_action':
      return {
        attemptTo: 'requires_action',
        paymentTo: null,
        evidence: { processorReference: outcome.reference, actionUrl: outcome.url },
      };
    case 'processing':
      return {
        attemptTo: 'processing',
        paymentTo: null,
        evidence: { processorReference: outcome.reference },
      };
    case 'unknown':
      return { attemptTo: 'unknown', paymentTo: null, evidence: {} };
  }
}

/** Maximum of events that are searched for an earlier record of the same report. */
const maxEventsScanned = 1000;

/** Records a report that can't be trusted and notifies the merchant, once: a processor may repeat it. */
async function recordContradiction(
  tx: TenantTx,
  attempt: Attempt,
  outcome: Evidence,
  at: Date,
): Promise<void> {
  const type = 'attempt.contradicted';
  const { attemptId, paymentId, processor, state } = attempt;
  const { amountMinor, currency } = 'amountMinor' in outcome ? outcome : {};
  const earlier = await listPaymentEvents(tx, paymentId, { after: null, limit: maxEventsScanned });
  const isRepeat = earlier.some(
    (event) =>
      event.type === type &&
      event.attemptId === attemptId &&
      event.data.said === outcome.kind &&
      event.data.amountMinor === amountMinor &&
      event.data.currency === currency,
  );
  if (isRepeat) return;
  await appendEvent(tx, {
    type,
    isPublic: true,
    paymentId,
    attemptId,
    actor: `processor:${processor}`,
    data: { state, said: outcome.kind, ...(currency ? { amountMinor, currency } : {}) },
    at,
  });
}

type PlannedAttempt = { attempt: Attempt; plan: TransitionPlan; actor: string };

function attemptTransition({ attempt, plan, actor }: PlannedAttempt, at: Date): AttemptTransition {
  const { attemptId, paymentId, state } = attempt;
  return { attemptId, paymentId, from: state, to: plan.attemptTo, evidence: plan.evidence, at, actor };
}

function captureEntry({ attemptId, paymentId, amountMinor, currency }: Attempt, at: Date): NewLedgerEntry {
  return { kind: 'capture', amountMinor, currency, paymentId, sourceId: attemptId, at };
}

/** The transition of the payment that the one of its attempt requires; null if it requires none. */
function paymentTransition({ attempt, plan, actor }: PlannedAttempt, at: Date): PaymentTransition | null {
  const { attemptId, paymentId } = attempt;
  if (!plan.paymentTo) return null;
  const data = { attemptId, ...(plan.endCode ? { declineCode: plan.endCode } : {}) };
  return { paymentId, from: 'processing', to: plan.paymentTo, data, at, actor };
}

/** A payment and its attempt after a transition. Nobody else changes them: the payment is locked. */
function applyPlan(before: RecordedAttempt, { attemptTo, paymentTo, evidence }: TransitionPlan, at: Date) {
  const { payment, attempt } = before;
  const change = paymentTo && { state: paymentTo, updatedAt: at, version: payment.version + 1 };
  return {
    payment: { ...payment, ...change },
    attempt: { ...attempt, ...evidence, state: attemptTo, updatedAt: at },
  };
}

/** Whether an outcome means that this attempt collected an overpayment. */
function isOverpayment(
  attempt: Attempt,
  outcome: Evidence,
): outcome is AttemptOutcome & { kind: 'succeeded' } {
  if (outcome.kind !== 'succeeded') return false;
  if (isAttemptFinal(attempt.state)) return attempt.state !== 'succeeded';
  return isAmountMismatch(outcome, attempt) && !isPartialCapture(outcome, attempt);
}

/** Whether a processor retracts a capture, or now reports another amount. */
function retractsCapture(attempt: Attempt, outcome: Evidence): boolean {
  if (attempt.state !== 'succeeded') return false;
  return outcome.kind === 'declined' || outcome.kind === 'void' || isAmountMismatch(outcome, attempt);
}

/** Records an overpayment, notifies the merchant and refunds it, once for each attempt. */
async function refundOrEscalateOverpayment(
  tx: TenantTx,
  attempt: Attempt,
  outcome: AttemptOutcome & { kind: 'succeeded' },
  at: Date,
): Promise<void> {
  const { amountMinor, currency, reference } = outcome;
  if (!isCurrency(currency) || amountMinor <= 0) {
    await recordContradiction(tx, attempt, outcome, at);
    // The customer has paid, and this processor can't refund it.
    if (amountMinor > 0) await addProcessorCase(tx, { attempt, code: 'currency_mismatch', ...outcome, at });
    return;
  }
  const reason = isAttemptFinal(attempt.state) ? 'paid_late' : 'wrong_amount';
  await refundOverpayment(tx, attempt, { amountMinor, currency, reference, reason, at });
}

/** Whether an outcome is older than the status, or adds nothing to it. */
function isStale(state: AttemptStatus, outcome: Evidence): boolean {
  if (outcome.kind === 'unavailable') return state !== 'created';
  // While the customer is at the processor, a missing response matters: they may have paid.
  if (outcome.kind === 'unknown') return state !== 'created' && state !== 'requires_action';
  return outcome.kind === 'requires_action' && state === 'processing';
}

/** A report with its attempt and how many attempts ended before it. The payment is locked. */
type LockedReport = { payment: Payment; attempt: Attempt; endedBefore: number; report: AttemptReport };

/** Holds a partial capture for a person: records it, notifies the merchant, and adds a case, once. */
async function holdPartialCapture(tx: TenantTx, { attempt, report }: LockedReport, at: Date): Promise<void> {
  await recordContradiction(tx, attempt, report.outcome, at);
  await escalateStuckAttempt(tx, attempt, { at, actor: report.actor });
}

/** Handles overpayments, partial captures and retracted captures. */
async function handleDiscrepancies(tx: TenantTx, known: LockedReport, at: Date): Promise<LockedReport> {
  const { attempt, report } = known;
  if (!isAttemptFinal(attempt.state) && isPartialCapture(report.outcome, attempt))
    await holdPartialCapture(tx, known, at);
  if (retractsCapture(attempt, report.outcome)) await recordContradiction(tx, attempt, report.outcome, at);
  if (!isOverpayment(attempt, report.outcome)) return known;
  await refundOrEscalateOverpayment(tx, attempt, report.outcome, at);
  const payment = await findPayment(tx, attempt.paymentId);
  const now = await findAttempt(tx, attempt.attemptId);
  if (!payment || !now) throw new Error('a payment or an attempt does not exist');
  return { ...known, payment, attempt: now };
}

/** The transitions of attempts whose reports are neither late nor out of date. */
async function planTransitions(tx: TenantTx, known: readonly LockedReport[]): Promise<PlannedAttempt[]> {
  const fresh = known.filter(
    ({ attempt: { state }, report }) => !isAttemptFinal(state) && !isStale(state, report.outcome),
  );
  const company = fresh.some(({ report }) => !report.known) ? await findCompany(tx) : null;
  const planned = fresh.map(({ attempt, endedBefore, report: { outcome, actor, known: read } }) => {
    const policy = read?.retryPolicy ?? company?.retryPolicy ?? 'fixable';
    return { attempt, plan: planTransition(outcome, { attempt, policy, endedBefore }), actor };
  });
  return planned.filter(({ attempt, plan }) => attempt.state !== plan.attemptTo);
}

/** Locks the payments of reports and reads their attempts. Payments that could not be locked are missing. */
async function lockReported(
  tx: TenantTx,
  found: readonly { report: AttemptReport; attempt: Attempt }[],
  options: LockOptions,
): Promise<LockedReport[]> {
  // Locks in the same order as paying, to avoid deadlocks.
  const paymentIds = found.map(({ attempt }) => attempt.paymentId);
  const payments = await lockPayments(tx, paymentIds, options);
  const attemptsOf = await listAttemptsOfPayments(tx, [...payments.keys()]);
  return found.flatMap(({ report, attempt }) => {
    const payment = payments.get(attempt.paymentId);
    const attempts = attemptsOf.get(attempt.paymentId) ?? [];
    const now = attempts.find(({ attemptId }) => attemptId === attempt.attemptId) ?? attempt;
    return payment ? [{ payment, attempt: now, endedBefore: countDeclinedAttempts(attempts), report }] : [];
  });
}

/**
 * Records reports about different payments: moves the attempts, posts the captures, and moves the payments. Null for a
 * report whose payment could not be locked.
 */
async function recordDistinct(
  tx: TenantTx,
  found: readonly { report: AttemptReport; attempt: Attempt }[],
  { at, ...lock }: LockOptions & { at: Date },
): Promise<(RecordedAttempt | null)[]> {
  const known: LockedReport[] = [];
  for (const each of await lockReported(tx, found, lock)) known.push(await handleDiscrepancies(tx, each, at));
  const planned = await planTransitions(tx, known);
  const moves = planned.map((each) => ({
    attempt: attemptTransition(each, at),
    payment: paymentTransition(each, at),
    entry: each.plan.attemptTo === 'succeeded' ? captureEntry(each.attempt, at) : null,
  }));
  const moved = await applyTransitions(tx, moves);
  const plans = new Map(planned.map(({ attempt, plan }) => [attempt.attemptId, plan]));
  const recorded = new Map<string, RecordedAttempt>();
  for (const { payment, attempt } of known) {
    const before = { payment, attempt };
    const plan = moved.has(attempt.attemptId) ? plans.get(attempt.attemptId) : undefined;
    recorded.set(attempt.attemptId, plan ? applyPlan(before, plan, at) : before);
  }
  return found.map(({ attempt }) => recorded.get(attempt.attemptId) ?? null);
}

/** The attempts of reports by ID. Reads those that the callers have not read. */
async function readReported(
  tx: TenantTx,
  reports: readonly AttemptReport[],
): Promise<ReadonlyMap<string, Attempt>> {
  const ids = reports.flatMap(({ attemptId, known }) => (known ? [] : [attemptId]));
  const read = ids.length > 0 ? await listAttemptsById(tx, ids) : [];
  const all = [...read, ...reports.flatMap(({ known }) => known?.attempt ?? [])];
  return new Map(all.map((attempt) => [attempt.attemptId, attempt]));
}

/** Records reports of one company, each as if it came alone. Reports about one payment run one after another. */
async function recordBatch(
  deps: RecordDeps,
  scope: TenantScope,
  reports: readonly AttemptReport[],
  options: LockOptions,
): Promise<Answer<RecordedAttempt | null>[]> {
  const at = deps.clock.now();
  const work = async (tx: TenantTx) => {
    const attempts = await readReported(tx, reports);
    const found = reports.flatMap((report, place) => {
      const attempt = attempts.get(report.attemptId);
      return attempt ? [{ report, attempt, place }] : [];
    });
    const recorded = await serializeByKey(
      found,
      ({ attempt }) => attempt.paymentId,
      async (turn) => await recordDistinct(tx, turn, { ...options, at }),
    );
    const values = new Map(found.map(({ place }, index) => [place, recorded[index] ?? null]));
    return reports.map((_, place) => {
      const value = values.get(place);
      return value === undefined ? { error: errors.notFound() } : { value };
    });
  };
  return await deps.db.inTenant(scope, work, { isBatch: true });
}

const recordInBatch = createSharedBatcher<RecordDeps, AttemptReport, RecordedAttempt | null>((deps) => ({
  ...batchOptions,
  runBatch: async (key, reports) => await recordBatch(deps, scopeOfKey(key), reports, { skipsLocked: true }),
}));

/**
 * Records what is known of an attempt. Repeated reports change nothing, and overpayments are refunded. Returns payment
 * and attempt as they are afterwards. Reports of a company that come at the same time are recorded in a batch, which
 * skips locked payments; this call then waits for the lock. Throws `not_found`.
 */
export async function recordOutcome(deps: RecordDeps, report: AttemptReport): Promise<RecordedAttempt> {
  const recorded = await recordInBatch(deps, scopeKey(report), report);
  if (recorded) return recorded;
  const [answer] = await recordBatch(deps, report, [report], { skipsLocked: false });
  if (answer && 'error' in answer) throw answer.error;
  if (!answer?.value) throw new Error('the payment of an attempt does not exist');
  return answer.value;
}
