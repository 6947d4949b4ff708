// The only module that writes a status. A transition is one guarded statement: update where state = from. If it returns
// no row, another transaction was first. Each transition appends its event in the same transaction.

import type { TenantTx } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';
import { unnestRows } from '../db/unnest.ts';
import { appendEvent, appendEvents, type NewEvent } from '../events/append-event.ts';
import {
  type AttemptStatus,
  attemptGraph,
  type PaymentStatus,
  paymentGraph,
  type RefundStatus,
  refundGraph,
  type TransitionEdge,
} from './states.ts';
import { Attempt, Payment } from './store.ts';

type StatusChange<S> = { from: S; to: S; at: Date; actor: string; data?: Record<string, unknown> };
export type PaymentTransition = StatusChange<PaymentStatus> & { paymentId: string };
export type AttemptTransition = StatusChange<AttemptStatus> & {
  attemptId: string;
  paymentId: string;
  /** What the processor reported, stored with the new status. */
  evidence?: { processorReference?: string; actionUrl?: string; declineCode?: string };
};

function edgeOf<S extends string>(
  graph: Record<S, Partial<Record<S, TransitionEdge>>>,
  move: { from: S; to: S },
): TransitionEdge {
  const edge = graph[move.from][move.to];
  if (!edge) throw new Error(`there is no transition from ${move.from} to ${move.to}`);
  return edge;
}

const transitionPaymentsSql = statement(Payment)`
  update payments set state = state_to, updated_at = moved_at, version = version + 1
  from ${unnestRows('$2::text[], $3::text[], $4::text[], $5::timestamptz[]', 'moved_id, state_from, state_to, moved_at')}
  where company_id = $1 and payment_id = moved_id and state = state_from
    and (state_to <> 'expired' or expires_at <= moved_at)
  returning ${Payment}`;

/** Rows that a statement moved, by ID, and the events of their transitions. */
type Moved<Row> = { moved: ReadonlyMap<string, Row>; events: NewEvent[] };

async function movePayments(tx: TenantTx, moves: readonly PaymentTransition[]): Promise<Moved<Payment>> {
  if (moves.length === 0) return { moved: new Map(), events: [] };
  const planned = moves.map((move) => ({ ...move, edge: edgeOf(paymentGraph, move) }));
  const rows = await tx.query(transitionPaymentsSql, [
    tx.companyId,
    moves.map(({ paymentId }) => paymentId),
    moves.map(({ from }) => from),
    moves.map(({ to }) => to),
    moves.map(({ at }) => at),
  ]);
  const moved = new Map(rows.map((payment) => [payment.paymentId, payment]));
  const events = planned.flatMap(({ paymentId, edge, actor, from, to, data, at }) => {
    const version = moved.get(paymentId)?.version;
    if (version === undefined) return [];
    const { event: type, isPublic } = edge;
    return [{ type, isPublic, paymentId, actor, data: { from, to, version, ...data }, at }];
  });
  return { moved, events };
}

/**
 * Applies transitions to payments, each at most once. Returns the payments that this call changed, by ID. The others
 * were no longer in `from`, or were to expire and have a later expiry now. For more than one payment, the caller must
 * hold the locks. Throws for a transition that is not in the graph.
 */
export async function transitionPayments(
  tx: TenantTx,
  moves: readonly PaymentTransition[],
): Promise<ReadonlyMap<string, Payment>> {
  const { moved, events } = await movePayments(tx, moves);
  await appendEvents(tx, events);
  return moved;
}

/** `transitionPayments` for a single payment: true if this call changed it. */
export async function transitionPayment(tx: TenantTx, move: PaymentTransition): Promise<boolean> {
  return (await transitionPayments(tx, [move])).has(move.paymentId);
}

const transitionAttemptsSql = statement(Attempt)`
  update attempts set state = state_to, updated_at = moved_at,
         processor_reference = coalesce(told_reference, processor_reference),
         action_url = coalesce(told_url, action_url),
         decline_code = coalesce(told_code, decline_code)
  from ${unnestRows(
    '$2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[]',
    'moved_id, state_from, state_to, moved_at, told_reference, told_url, told_code',
  )}
  where company_id = $1 and attempt_id = moved_id and state = state_from
  returning ${Attempt}`;

async function moveAttempts(tx: TenantTx, moves: readonly AttemptTransition[]): Promise<Moved<Attempt>> {
  if (moves.length === 0) return { moved: new Map(), events: [] };
  const planned = moves.map((move) => ({ ...move, edge: edgeOf(attemptGraph, move) }));
  const rows = await tx.query(transitionAttemptsSql, [
    tx.companyId,
    moves.map(({ attemptId }) => attemptId),
    moves.map(({ from }) => from),
    moves.map(({ to }) => to),
    moves.map(({ at }) => at),
    moves.map(({ evidence }) => evidence?.processorReference ?? null),
    moves.map(({ evidence }) => evidence?.actionUrl ?? null),
    moves.map(({ evidence }) => evidence?.declineCode ?? null),
  ]);
  const moved = new Map(rows.map((attempt) => [attempt.attemptId, attempt]));
  const events = planned
    .filter(({ attemptId }) => moved.has(attemptId))
    .map(({ paymentId, attemptId, edge, actor, from, to, evidence, data, at }) => {
      const declineCode = evidence?.declineCode;
      const { event: type, isPublic } = edge;
      const details = { from, to, ...(declineCode ? { declineCode } : {}), ...data };
      return { type, isPublic, paymentId, attemptId, actor, data: details, at };
    });
  return { moved, events };
}

/** A transition of an attempt, and the one of its payment that follows; null if none does. */
export type AttemptWithPayment = { attempt: AttemptTransition; payment: PaymentTransition | null };

/**
 * Applies transitions to attempts, each at most once, and to the payments of those that this call changed, with all
 * events in one statement. Returns the changed rows by ID. The caller holds the locks of the payments. Throws if a
 * payment was not in `from`, and for a transition that is not in the graph.
 */
export async function transitionWithPayments(
  tx: TenantTx,
  moves: readonly AttemptWithPayment[],
): Promise<{ attempts: ReadonlyMap<string, Attempt>; payments: ReadonlyMap<string, Payment> }> {
  const attempts = await moveAttempts(
    tx,
    moves.map(({ attempt }) => attempt),
  );
  const following = moves.flatMap(({ attempt, payment }) =>
    payment && attempts.moved.has(attempt.attemptId) ? [payment] : [],
  );
  const payments = await movePayments(tx, following);
  if (payments.moved.size < following.length)
    throw new Error('a payment with a live attempt was not in processing');
  await appendEvents(tx, [...attempts.events, ...payments.events]);
  return { attempts: attempts.moved, payments: payments.moved };
}

/** Applies a transition to an attempt: true if this call changed it. */
export async function transitionAttempt(tx: TenantTx, move: AttemptTransition): Promise<boolean> {
  const { attempts } = await transitionWithPayments(tx, [{ attempt: move, payment: null }]);
  return attempts.has(move.attemptId);
}

export type RefundTransition = StatusChange<RefundStatus> & {
  refundId: string;
  paymentId: string;
  evidence?: { processorReference?: string; failureCode?: string };
};

const transitionRefundSql = statement({ refundId: t.text })`
  update refunds set state = $4, updated_at = $5,
         processor_reference = coalesce($6, processor_reference), failure_code = coalesce($7, failure_code),
         reversed_at = case when $3 = 'succeeded' then $5 else reversed_at end
  where company_id = $1 and refund_id = $2 and state = $3
  returning refund_id as "refundId"`;

/** Applies a transition to a refund: true if this call changed it. */
export async function transitionRefund(tx: TenantTx, move: RefundTransition): Promise<boolean> {
  const edge = edgeOf(refundGraph, move);
  const evidence = move.evidence ?? {};
  const [moved] = await tx.query(transitionRefundSql, [
    tx.companyId,
    move.refundId,
    move.from,
    move.to,
    move.at,
    evidence.processorReference ?? null,
    evidence.failureCode ?? null,
  ]);
  if (!moved) return false;
  await appendEvent(tx, {
    type: edge.event,
    isPublic: edge.isPublic,
    paymentId: move.paymentId,
    actor: move.actor,
    data: { refundId: move.refundId, from: move.from, to: move.to, ...move.data },
    at: move.at,
  });
  return true;
}
