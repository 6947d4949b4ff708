// The first step of paying: one statement locks the link, inserts the attempt with the time at which the worker asks about
// it, and moves the link. Must not call a processor.

import { createSharedBatcher } from '../base/batcher.ts';
import { movedTimeOf } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { scopeKey, scopeOfKey, type TenantTx } from '../db/database.ts';
import { expireIfDue } from '../links/expire-payments.ts';
import { listAttemptsOfPayments } from '../payments/attempt-store.ts';
import { batchOptions } from '../payments/batch-options.ts';
import type { PayDeps } from '../payments/deps.ts';
import { type Attempt, lockPaymentByCode, type Payment } from '../payments/store.ts';
import { type NewAttempt, startAttempts } from '../payments/transition.ts';
import type { PayInput, PaymentWithAttempt } from './pay-order.ts';
import { maxStartedAttempts } from './retry-policy.ts';

export type ReserveDeps = Pick<PayDeps, 'db' | 'clock' | 'firstReconcileSeconds'>;

/** `current`: why the link can't be paid now. */
export type Reservation =
  | { attempt: Attempt; payment: Payment }
  | { attempt: null; current: PaymentWithAttempt };

/** Seconds until the first query about an attempt without an outcome: longer than any response may take. */
const defaultFirstReconcileSeconds = 15;

function newAttempt({ code, method, card, locale, pageLocale }: PayInput, at: Date): NewAttempt {
  const { name, actionLifeMs, mayOutliveLink } = method.kind;
  return {
    ...{ attemptId: newId('att', at), code, processor: name, connectionId: method.connectionId },
    ...{ cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null, locale, pageLocale },
    ...{ actionEndsAt: new Date(at.getTime() + actionLifeMs), mayOutliveLink, at },
  };
}

/** Starts attempts on different links, in one statement. Null for those that could not be started. */
async function startAll(deps: ReserveDeps, tx: TenantTx, orders: readonly PayInput[]) {
  const at = deps.clock.now();
  const inSeconds = deps.firstReconcileSeconds ?? defaultFirstReconcileSeconds;
  const due = { at: movedTimeOf(deps.clock), inMs: inSeconds * 1_000 };
  const attempts = orders.map((order) => newAttempt(order, at));
  return await startAttempts(tx, attempts, { due, mostAttempts: maxStartedAttempts });
}

/**
 * Null if the attempt was not started, for whatever reason: the link does not exist, is not open, is overdue, is locked, had
 * too many attempts, or is in the batch twice.
 */
const reserveInBatch = createSharedBatcher<ReserveDeps, PayInput, Reservation | null>((deps) => ({
  ...batchOptions,
  runBatch: async (key, orders) => {
    // Of several orders on one link, the first is tried here, and reserveLocked tries the others.
    const first = [...Map.groupBy(orders, ({ code }) => code).values()].flatMap(([order]) => order ?? []);
    const started = await deps.db.inTenant(scopeOfKey(key), async (tx) => await startAll(deps, tx, first), {
      isBatch: true,
      isSingle: true,
    });
    return orders.map((order) => ({
      value: first.includes(order) ? (started.get(order.code) ?? null) : null,
    }));
  },
}));

/**
 * Waits for the lock of the link, and then tries again: the statement does not skip what this transaction has locked itself.
 * Expires an overdue link. If the link can't be paid, returns it with its current attempt.
 */
async function reserveLocked(deps: ReserveDeps, order: PayInput): Promise<Reservation | null> {
  return await deps.db.inTenant(order, async (tx) => {
    const locked = await lockPaymentByCode(tx, order.code);
    if (!locked) return null;
    const payment = await expireIfDue(tx, locked, deps.clock.now());
    const started = (await startAll(deps, tx, [order])).get(order.code);
    if (started) return started;
    const attempts = (await listAttemptsOfPayments(tx, [payment.paymentId])).get(payment.paymentId) ?? [];
    // The limit prevents tests of stolen cards.
    if (payment.state === 'open' && attempts.length >= maxStartedAttempts) throw errors.tooManyAttempts();
    return { attempt: null, current: { payment, attempt: attempts.at(-1) ?? null } };
  });
}

/**
 * Reserves an attempt on a link. Null if the link does not exist. Links of a company that are paid at the same time are
 * reserved in a batch, in one statement. It skips links that are locked or can't be paid: for these, this call waits for
 * the lock and returns why. Throws `too_many_attempts`.
 */
export async function reserveAttempt(deps: ReserveDeps, order: PayInput): Promise<Reservation | null> {
  return (await reserveInBatch(deps, scopeKey(order), order)) ?? (await reserveLocked(deps, order));
}
