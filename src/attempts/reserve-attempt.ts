// The first step of paying: one transaction locks the link, inserts the attempt with the time at which the worker asks
// about it, and moves the link. Must not call a processor.

import { type BatchItemResult, createSharedBatcher, serializeByKey } from '../base/batcher.ts';
import { movedTimeOf } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { scopeKey, scopeOfKey, type TenantScope, type TenantTx } from '../db/database.ts';
import { expireIfDue } from '../links/expire-payments.ts';
import { insertAttempts, listAttemptsOfPayments } from '../payments/attempt-store.ts';
import { batchOptions } from '../payments/batch-options.ts';
import type { PayDeps } from '../payments/deps.ts';
import { type Attempt, type LockOptions, lockPaymentsByCode, type Payment } from '../payments/store.ts';
import { transitionPayments } from '../payments/transition.ts';
import { actionExpiry } from './attempt-request.ts';
import type { PayInput, PaymentWithAttempt } from './pay-order.ts';
import { maxStartedAttempts } from './retry-policy.ts';

export type ReserveDeps = Pick<PayDeps, 'db' | 'clock' | 'firstReconcileSeconds'>;

/** `current`: why the link can't be paid now. */
export type Reservation =
  | { attempt: Attempt; payment: Payment }
  | { attempt: null; current: PaymentWithAttempt };

/** Seconds until the first query about an attempt without an outcome: longer than any response may take. */
const defaultFirstReconcileSeconds = 15;

function newAttempt(order: PayInput, payment: Payment, now: Date): Attempt {
  const { method, card, locale } = order;
  return {
    attemptId: newId('att', now),
    paymentId: payment.paymentId,
    mode: payment.mode,
    state: 'created',
    processor: method.kind.name,
    connectionId: method.connectionId,
    processorReference: null,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    actionUrl: null,
    declineCode: null,
    // A processor may support the language of the payment even if our page does not.
    locale: payment.locale ?? locale,
    createdAt: now,
    expiresAt: actionExpiry(method.kind, payment, now),
  };
}

type ReservationCandidate = { current: PaymentWithAttempt; attempt: Attempt };

/**
 * Reserves on different links: locks them, expires due ones, and inserts the attempts of those that may be paid. Null for
 * a link that does not exist or could not be locked.
 */
async function reserveDistinct(
  deps: ReserveDeps,
  tx: TenantTx,
  orders: readonly PayInput[],
  { now, ...lock }: LockOptions & { now: Date },
): Promise<BatchItemResult<Reservation | null>[]> {
  const codes = orders.map(({ code }) => code);
  const locked = await lockPaymentsByCode(tx, codes, lock);
  const paymentIds = [...locked.values()].map(({ paymentId }) => paymentId);
  const attemptsOf = await listAttemptsOfPayments(tx, paymentIds);
  const results = new Map<PayInput, BatchItemResult<Reservation | null>>();
  const candidates = new Map<PayInput, ReservationCandidate>();
  for (const order of orders) {
    const found = locked.get(order.code);
    const payment = found && (await expireIfDue(tx, found, now));
    const attempts = attemptsOf.get(payment?.paymentId ?? '') ?? [];
    const current = payment && { payment, attempt: attempts.at(-1) ?? null };
    results.set(order, { value: current ? { attempt: null, current } : null });
    if (current?.payment.state !== 'open') continue;
    // The limit prevents tests of stolen cards.
    if (attempts.length >= maxStartedAttempts) results.set(order, { error: errors.tooManyAttempts() });
    else candidates.set(order, { current, attempt: newAttempt(order, current.payment, now) });
  }
  const attempts = [...candidates.values()].map(({ attempt }) => attempt);
  const inSeconds = deps.firstReconcileSeconds ?? defaultFirstReconcileSeconds;
  const due = { at: movedTimeOf(deps.clock), inMs: inSeconds * 1_000 };
  const inserted = await insertAttempts(tx, attempts, due);
  const started = attempts.filter(({ attemptId }) => inserted.has(attemptId));
  if (started.length === 0) return orders.map((order) => results.get(order) ?? { value: null });
  await startPayments(tx, started, now);
  for (const [order, { attempt, current }] of candidates)
    if (inserted.has(attempt.attemptId)) results.set(order, { value: { attempt, payment: current.payment } });
  return orders.map((order) => results.get(order) ?? { value: null });
}

/** Moves the links of new attempts to `processing`. */
async function startPayments(tx: TenantTx, started: readonly Attempt[], now: Date): Promise<void> {
  const move = { from: 'open', to: 'processing', at: now, actor: 'customer' } as const;
  await transitionPayments(
    tx,
    started.map(({ attemptId, paymentId }) => ({ ...move, paymentId, data: { attemptId } })),
  );
}

/** Reserves on links of one company, each as if it came alone. Reservations on one link run one after another. */
async function reserveBatch(
  deps: ReserveDeps,
  scope: TenantScope,
  orders: readonly PayInput[],
  options: LockOptions,
): Promise<BatchItemResult<Reservation | null>[]> {
  const now = deps.clock.now();
  const work = async (tx: TenantTx) =>
    await serializeByKey(
      orders,
      ({ code }) => code,
      async (turn) => await reserveDistinct(deps, tx, turn, { ...options, now }),
    );
  return await deps.db.inTenant(scope, work, { isBatch: true });
}

const reserveInBatch = createSharedBatcher<ReserveDeps, PayInput, Reservation | null>((deps) => ({
  ...batchOptions,
  runBatch: async (key, orders) => await reserveBatch(deps, scopeOfKey(key), orders, { skipsLocked: true }),
}));

/**
 * Reserves an attempt on a link. Null if the link does not exist. Links of a company that are paid at the same time are
 * reserved in a batch, which skips locked links; this call then waits for the lock. Throws `too_many_attempts`.
 */
export async function reserveAttempt(deps: ReserveDeps, order: PayInput): Promise<Reservation | null> {
  const reserved = await reserveInBatch(deps, scopeKey(order), order);
  if (reserved) return reserved;
  const [outcome] = await reserveBatch(deps, order, [order], { skipsLocked: false });
  if (!outcome) throw new Error('an order had no outcome');
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
