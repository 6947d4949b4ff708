// Pays a link in three acts. Reserve: one transaction writes the attempt, moves the link and enqueues
// the attempt's reconciliation. Ask: the processor, under the attempt's id, with no transaction open.
// Record: one transaction. A crash between two acts needs no code here: the job ends the story.

import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Database } from '../db/database.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { findCompany } from '../merchants/store.ts';
import type { SealedCard } from '../processors/card.ts';
import type { Processor, Processors } from '../processors/processor.ts';
import { expireIfDue } from './expire-payments.ts';
import { paymentLink } from './present-payment.ts';
import { type Evidence, recordOutcome } from './record-outcome.ts';
import { type Attempt, insertAttempt, listAttempts, lockPaymentByCode, type Payment } from './store.ts';
import { transitionPayment } from './transition.ts';

export type Log = {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
};

export type PayDeps = {
  db: Database;
  clock: Clock;
  jobs: JobQueue;
  processors: Processors;
  baseUrl: string;
  /** How long a processor may take to answer before the outcome counts as unknown. */
  askTimeoutMs: number;
  /** Seconds until the first look at an attempt or refund that nobody finished, when not the default. */
  firstLookSeconds?: number;
  log: Log;
};

/** A payment and, when it has one that lives or was the last, its attempt. */
export type Standing = { payment: Payment; attempt: Attempt | null };

/** Seconds until the first look at an attempt that nobody finished: longer than any answer may take. */
const firstLookSeconds = 15;

type Reserved =
  | { reserved: Attempt; payment: Payment; merchantName: string }
  | { reserved: null; standing: Standing };

/** Act one. No attempt is reserved when the link can't be paid now; then it says how the link stands. */
async function reserve(
  deps: PayDeps,
  order: { companyId: string; code: string; card: SealedCard; processor: Processor },
): Promise<Reserved | null> {
  const now = deps.clock.now();
  return await deps.db.inTenant(order.companyId, async (tx) => {
    const found = await lockPaymentByCode(tx, order.code);
    if (!found) return null;
    const payment = await expireIfDue(tx, found, now);
    const attempts = await listAttempts(tx, payment.paymentId);
    const standing = { payment, attempt: attempts.at(-1) ?? null };
    // A link whose budget of attempts is spent is not open any more; so nobody can try cards out on it.
    if (payment.state !== 'open') return { reserved: null, standing };
    const attempt: Attempt = {
      attemptId: newId('att', now),
      paymentId: payment.paymentId,
      state: 'created',
      processor: order.processor.name,
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      cardBrand: order.card.brand,
      cardLast4: order.card.last4,
      actionUrl: null,
      declineCode: null,
      createdAt: now,
    };
    if (!(await insertAttempt(tx, attempt))) return { reserved: null, standing };
    const actor = 'customer';
    const data = { attemptId: attempt.attemptId };
    await transitionPayment(tx, {
      paymentId: payment.paymentId,
      from: 'open',
      to: 'processing',
      at: now,
      actor,
      data,
    });
    const job = { companyId: order.companyId, attemptId: attempt.attemptId };
    await deps.jobs.enqueue(tx, 'reconcile-attempt', job, {
      afterSeconds: deps.firstLookSeconds ?? firstLookSeconds,
    });
    const company = await findCompany(tx);
    return { reserved: attempt, payment, merchantName: company?.name ?? '' };
  });
}

/** Act two. Whatever goes wrong, the money may have moved: that is `unknown`, never a decline. */
async function ask(
  deps: PayDeps,
  processor: Processor,
  request: Parameters<Processor['authorise']>[0],
): Promise<Evidence> {
  const signal = AbortSignal.timeout(deps.askTimeoutMs);
  try {
    return await rejectOnAbort(processor.authorise(request, signal), signal);
  } catch (error) {
    deps.log.warn(
      { attemptId: request.attemptId, processor: processor.name, err: error },
      'no answer from the processor',
    );
    return { kind: 'unknown', why: 'no_answer' };
  }
}

/** Stops waiting when the signal fires, even if the processor does not heed it. */
async function rejectOnAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Tries to pay a link with a card. Null when there is no such link; otherwise how the link stands
 * afterwards. When the link can't be paid now nobody is asked, and the standing says why.
 */
export async function pay(
  deps: PayDeps,
  order: { companyId: string; code: string; card: SealedCard; locale: string },
): Promise<Standing | null> {
  const processor = deps.processors.default;
  const reservation = await reserve(deps, { ...order, processor });
  if (!reservation) return null;
  if (!reservation.reserved) return reservation.standing;
  const { reserved: attempt, payment, merchantName } = reservation;
  const outcome = await ask(deps, processor, {
    companyId: order.companyId,
    attemptId: attempt.attemptId,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    card: order.card,
    returnUrl: `${paymentLink(deps.baseUrl, payment.code)}/return`,
    merchantName,
    locale: order.locale,
  });
  const recorded = await recordOutcome(deps, {
    companyId: order.companyId,
    attemptId: attempt.attemptId,
    outcome,
    actor: `processor:${processor.name}`,
  });
  deps.log.info(
    {
      companyId: order.companyId,
      paymentId: payment.paymentId,
      attemptId: attempt.attemptId,
      outcome: outcome.kind,
      state: recorded.payment.state,
    },
    'attempt recorded',
  );
  return recorded;
}
