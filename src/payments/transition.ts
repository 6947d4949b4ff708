// The sole writer of state. A move is one guarded statement: update where state = from. No row back
// means that somebody else moved it first. Each move appends its event in the same transaction.

import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import {
  type AttemptState,
  attemptGraph,
  type Edge,
  type PaymentState,
  paymentGraph,
  type RefundState,
  refundGraph,
} from './states.ts';

type Move<S> = { from: S; to: S; at: Date; actor: string; data?: Record<string, unknown> };
export type PaymentMove = Move<PaymentState> & { paymentId: string };
export type AttemptMove = Move<AttemptState> & {
  attemptId: string;
  paymentId: string;
  /** What the processor said, kept beside the new state. */
  evidence?: { processorReference?: string; actionUrl?: string; declineCode?: string };
};

function edgeOf<S extends string>(
  graph: Record<S, Partial<Record<S, Edge>>>,
  move: { from: S; to: S },
): Edge {
  const edge = graph[move.from][move.to];
  if (!edge) throw new Error(`there is no move from ${move.from} to ${move.to}`);
  return edge;
}

/**
 * Moves a payment along the graph. True when this call moved it; false when it was not in `from`
 * any more, or was to expire and has been given more time. Throws for a move that the graph does not have.
 */
export async function transitionPayment(tx: TenantTx, move: PaymentMove): Promise<boolean> {
  const edge = edgeOf(paymentGraph, move);
  const [moved] = await tx.query<{ version: number }>(
    `update payments set state = $4, updated_at = $5, version = version + 1
     where company_id = $1 and payment_id = $2 and state = $3 and ($4 <> 'expired' or expires_at <= $5)
     returning version`,
    [tx.companyId, move.paymentId, move.from, move.to, move.at],
  );
  if (!moved) return false;
  await appendEvent(tx, {
    type: edge.event,
    isPublic: edge.isPublic,
    paymentId: move.paymentId,
    actor: move.actor,
    data: { from: move.from, to: move.to, version: moved.version, ...move.data },
    at: move.at,
  });
  return true;
}

/** Moves an attempt along the graph, as `transitionPayment` does a payment. */
export async function transitionAttempt(tx: TenantTx, move: AttemptMove): Promise<boolean> {
  const edge = edgeOf(attemptGraph, move);
  const evidence = move.evidence ?? {};
  const [moved] = await tx.query<{ attemptId: string }>(
    `update attempts set state = $4, updated_at = $5,
            processor_reference = coalesce($6, processor_reference),
            action_url = coalesce($7, action_url),
            decline_code = coalesce($8, decline_code)
     where company_id = $1 and attempt_id = $2 and state = $3
     returning attempt_id as "attemptId"`,
    [
      tx.companyId,
      move.attemptId,
      move.from,
      move.to,
      move.at,
      evidence.processorReference ?? null,
      evidence.actionUrl ?? null,
      evidence.declineCode ?? null,
    ],
  );
  if (!moved) return false;
  await appendEvent(tx, {
    type: edge.event,
    isPublic: edge.isPublic,
    paymentId: move.paymentId,
    attemptId: move.attemptId,
    actor: move.actor,
    data: {
      from: move.from,
      to: move.to,
      ...(evidence.declineCode ? { declineCode: evidence.declineCode } : {}),
      ...move.data,
    },
    at: move.at,
  });
  return true;
}

export type RefundMove = Move<RefundState> & {
  refundId: string;
  paymentId: string;
  evidence?: { processorReference?: string; failureCode?: string };
};

/** Moves a refund along the graph, as `transitionPayment` does a payment. */
export async function transitionRefund(tx: TenantTx, move: RefundMove): Promise<boolean> {
  const edge = edgeOf(refundGraph, move);
  const evidence = move.evidence ?? {};
  const [moved] = await tx.query<{ refundId: string }>(
    `update refunds set state = $4, updated_at = $5,
            processor_reference = coalesce($6, processor_reference), failure_code = coalesce($7, failure_code)
     where company_id = $1 and refund_id = $2 and state = $3
     returning refund_id as "refundId"`,
    [
      tx.companyId,
      move.refundId,
      move.from,
      move.to,
      move.at,
      evidence.processorReference ?? null,
      evidence.failureCode ?? null,
    ],
  );
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
