// Act three of paying: what a processor said becomes state and event in one transaction, or not at
// all. The checkout, the reconciliation job and processors' webhooks all come through here.
// It never moves anything backwards: evidence after the end changes nothing.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { isCurrency } from '../base/money.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { listPaymentEvents } from '../events/list-events.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { findCompany, type RetryPolicy } from '../merchants/store.ts';
import type { Outcome } from '../processors/processor.ts';
import { countRefused, type EndCode, mayRetry } from './retry-policy.ts';
import { sendBack } from './send-back.ts';
import { type AttemptState, isAttemptOver, type PaymentState } from './states.ts';
import {
  type Attempt,
  findAttempt,
  listAttempts,
  lockPayment,
  noteReference,
  type Payment,
} from './store.ts';
import { transitionAttempt, transitionPayment } from './transition.ts';

export type RecordDeps = { db: Database; clock: Clock; jobs: JobQueue };

/** What is to be recorded: the processor's word, or that it gave none that can be believed. */
export type Evidence = Outcome | { kind: 'unknown'; why: string };

export type Recorded = { payment: Payment; attempt: Attempt };

type Step = { attemptTo: AttemptState; paymentTo: PaymentState | null; endCode?: EndCode; evidence: object };

/** Whether the processor speaks of the very money that the attempt asked for. */
function contradicts(outcome: Evidence, attempt: Attempt): boolean {
  return (
    outcome.kind === 'succeeded' &&
    (outcome.amountMinor !== attempt.amountMinor || outcome.currency !== attempt.currency)
  );
}

function planEnd(
  code: EndCode,
  attemptTo: 'declined' | 'cancelled',
  context: PlanContext,
  reference?: string,
): Step {
  return {
    attemptTo,
    paymentTo: mayRetry(context.policy, code, context.endedBefore + 1) ? 'open' : 'failed',
    endCode: code,
    evidence: { declineCode: code, ...(reference ? { processorReference: reference } : {}) },
  };
}

/** Why an attempt was made void before any money moved. */
function endOfVoid({ state, actionUrl, cardLast4 }: Attempt): EndCode {
  if (actionUrl) return cardLast4 ? 'authentication_abandoned' : 'not_completed';
  // Before the customer was asked for anything nobody gave up: the processor never heard of it.
  return state === 'processing' ? 'not_completed' : 'never_started';
}

type PlanContext = { attempt: Attempt; policy: RetryPolicy; endedBefore: number };

/** Which moves an outcome asks for. Pure. */
function planStep(outcome: Evidence, context: PlanContext): Step {
  // Money came, but not the money that was asked for: the attempt ends, and what came goes back.
  if (outcome.kind === 'succeeded' && contradicts(outcome, context.attempt))
    return planEnd('amount_mismatch', 'declined', context, outcome.reference);
  switch (outcome.kind) {
    case 'succeeded':
      return {
        attemptTo: 'succeeded',
        paymentTo: 'paid',
        evidence: { processorReference: outcome.reference },
      };
    case 'declined':
      return planEnd(outcome.code, 'declined', context, outcome.reference);
    case 'unavailable':
      return planEnd('never_started', 'cancelled', context);
    case 'void':
      return planEnd(endOfVoid(context.attempt), 'cancelled', context);
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

/** How many events of a payment are looked through for a note that was made before. */
const notedBefore = 1000;

/** Notes what can't be believed, and tells the merchant, once: a processor may repeat itself as often as it likes. */
async function noteContradiction(tx: TenantTx, attempt: Attempt, outcome: Evidence, at: Date): Promise<void> {
  const type = 'attempt.contradicted';
  const { attemptId, paymentId, processor, state } = attempt;
  const { amountMinor, currency } = 'amountMinor' in outcome ? outcome : {};
  const noted = await listPaymentEvents(tx, paymentId, { after: null, limit: notedBefore });
  const isNoted = noted.some(
    (event) =>
      event.type === type &&
      event.attemptId === attemptId &&
      event.data.said === outcome.kind &&
      event.data.amountMinor === amountMinor &&
      event.data.currency === currency,
  );
  if (isNoted) return;
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

async function applyStep(
  tx: TenantTx,
  attempt: Attempt,
  step: Step,
  move: { at: Date; actor: string },
): Promise<void> {
  if (attempt.state === step.attemptTo) return;
  const { attemptId, paymentId } = attempt;
  const moved = await transitionAttempt(tx, {
    attemptId,
    paymentId,
    from: attempt.state,
    to: step.attemptTo,
    evidence: step.evidence,
    ...move,
  });
  if (!moved || !step.paymentTo) return;
  if (step.attemptTo === 'succeeded') {
    const { amountMinor, currency } = attempt;
    await postEntry(tx, {
      kind: 'capture',
      amountMinor,
      currency,
      paymentId,
      sourceId: attemptId,
      at: move.at,
    });
  }
  const data = { attemptId, ...(step.endCode ? { declineCode: step.endCode } : {}) };
  if (!(await transitionPayment(tx, { paymentId, from: 'processing', to: step.paymentTo, data, ...move })))
    throw new Error('a payment with a live attempt was not in processing');
}

/** Whether an outcome says that this attempt took money which its payment has no place for. */
function isSurplus(attempt: Attempt, outcome: Evidence): outcome is Outcome & { kind: 'succeeded' } {
  if (outcome.kind !== 'succeeded') return false;
  return isAttemptOver(attempt.state) ? attempt.state !== 'succeeded' : contradicts(outcome, attempt);
}

/** Whether a processor takes back that it took the money, or says now that it was other money. */
function takesBack(attempt: Attempt, outcome: Evidence): boolean {
  if (attempt.state !== 'succeeded') return false;
  return outcome.kind === 'declined' || outcome.kind === 'void' || contradicts(outcome, attempt);
}

/** Money that nobody owed: noted, told to the merchant, and sent back, once for each attempt. */
async function returnSurplus(
  deps: RecordDeps,
  tx: TenantTx,
  attempt: Attempt,
  outcome: Outcome & { kind: 'succeeded' },
  at: Date,
): Promise<void> {
  const { attemptId } = attempt;
  const { amountMinor, currency, reference } = outcome;
  if (!isCurrency(currency) || amountMinor <= 0) {
    await noteContradiction(tx, attempt, outcome, at);
    return;
  }
  await noteReference(tx, attemptId, reference);
  const reason = isAttemptOver(attempt.state) ? 'paid_late' : 'wrong_amount';
  await sendBack(deps, tx, attempt, { amountMinor, currency, reason, at });
}

/**
 * Records what is known of an attempt. Repeats, and anything but news, change nothing; money that
 * nobody owed is sent back. Returns payment and attempt as they stand afterwards.
 */
export async function recordOutcome(
  deps: RecordDeps,
  record: { companyId: string; attemptId: string; outcome: Evidence; actor: string },
): Promise<Recorded> {
  const at = deps.clock.now();
  const { outcome, actor } = record;
  return await deps.db.inTenant(record.companyId, async (tx) => {
    const known = await findAttempt(tx, record.attemptId);
    if (!known) throw errors.notFound();
    // Payment first, then its attempt: the order in which paying locks them, so no two can deadlock.
    await lockPayment(tx, known.paymentId);
    const attempts = await listAttempts(tx, known.paymentId);
    const attempt = attempts.find((candidate) => candidate.attemptId === record.attemptId) ?? known;
    if (isSurplus(attempt, outcome)) await returnSurplus(deps, tx, attempt, outcome, at);
    if (isAttemptOver(attempt.state)) {
      if (takesBack(attempt, outcome)) await noteContradiction(tx, attempt, outcome, at);
    } else if (!isBehind(attempt.state, outcome)) {
      const company = await findCompany(tx);
      const policy = company?.retryPolicy ?? 'fixable';
      const step = planStep(outcome, { attempt, policy, endedBefore: countRefused(attempts) });
      await applyStep(tx, attempt, step, { at, actor });
    }
    return await readBack(tx, attempt);
  });
}

/** Whether an outcome is older news than the state: a question that went unanswered tells nothing new. */
function isBehind(state: AttemptState, outcome: Evidence): boolean {
  if (outcome.kind === 'unknown' || outcome.kind === 'unavailable') return state !== 'created';
  return outcome.kind === 'requires_action' && state === 'processing';
}

async function readBack(tx: TenantTx, attempt: Attempt): Promise<Recorded> {
  const payment = await lockPayment(tx, attempt.paymentId);
  const now = await findAttempt(tx, attempt.attemptId);
  if (!payment || !now) throw new Error('a payment or an attempt has vanished');
  return { payment, attempt: now };
}
