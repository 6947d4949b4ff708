// The statuses of payments, attempts and refunds, and every legal transition with its event. Pure tables: a test proves
// that exactly these edges exist, and draws the diagram of the docs from them.

import { t, type ValueOf } from '../db/statements.ts';
export const paymentStatuses = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const;
export const paymentStatus = t.oneOf(...paymentStatuses);
export type PaymentStatus = ValueOf<typeof paymentStatus>;
export const attemptStatuses = [
  'created',
  'requires_action',
  'processing',
  'unknown',
  'succeeded',
  'declined',
  'cancelled',
] as const;
export const attemptStatus = t.oneOf(...attemptStatuses);
export type AttemptStatus = ValueOf<typeof attemptStatus>;

export const refundStatuses = ['created', 'processing', 'unknown', 'succeeded', 'failed'] as const;
export const refundStatus = t.oneOf(...refundStatuses);
export type RefundStatus = ValueOf<typeof refundStatus>;

/** The event of a transition. Merchants see public ones. Others are only in the audit log. */
export type TransitionEdge = { event: string; isPublic: boolean };
export type TransitionGraph<S extends string> = Readonly<
  Record<S, Readonly<Partial<Record<S, TransitionEdge>>>>
>;

const publicEvent = (event: string): TransitionEdge => ({ event, isPublic: true });
const internalEvent = (event: string): TransitionEdge => ({ event, isPublic: false });

export const paymentGraph: TransitionGraph<PaymentStatus> = {
  open: {
    processing: publicEvent('payment.processing'),
    expired: publicEvent('payment.expired'),
    cancelled: publicEvent('payment.cancelled'),
  },
  processing: {
    // The attempt ended without money and the customer may try again.
    open: internalEvent('payment.reopened'),
    paid: publicEvent('payment.paid'),
    failed: publicEvent('payment.failed'),
  },
  paid: {},
  failed: {},
  expired: {},
  cancelled: {},
};

const ends = {
  succeeded: internalEvent('attempt.succeeded'),
  declined: internalEvent('attempt.declined'),
  cancelled: internalEvent('attempt.cancelled'),
};

export const attemptGraph: TransitionGraph<AttemptStatus> = {
  created: {
    requires_action: internalEvent('attempt.requires_action'),
    processing: internalEvent('attempt.processing'),
    unknown: publicEvent('attempt.unknown'),
    ...ends,
  },
  // The customer may have paid on the processor's page: without its response the outcome is unknown.
  requires_action: {
    processing: internalEvent('attempt.processing'),
    unknown: publicEvent('attempt.unknown'),
    ...ends,
  },
  processing: { ...ends },
  unknown: {
    requires_action: internalEvent('attempt.requires_action'),
    processing: internalEvent('attempt.processing'),
    succeeded: publicEvent('attempt.resolved'),
    declined: publicEvent('attempt.resolved'),
    cancelled: publicEvent('attempt.resolved'),
  },
  succeeded: {},
  declined: {},
  cancelled: {},
};

const refundEnds = { succeeded: publicEvent('refund.succeeded'), failed: publicEvent('refund.failed') };

export const refundGraph: TransitionGraph<RefundStatus> = {
  created: {
    processing: internalEvent('refund.processing'),
    unknown: internalEvent('refund.unknown'),
    ...refundEnds,
  },
  processing: { ...refundEnds },
  unknown: { processing: internalEvent('refund.processing'), ...refundEnds },
  // The customer's bank may return the money days later.
  succeeded: { failed: publicEvent('refund.failed') },
  failed: {},
};

/**
 * Whether a refund has ended, with or without success. A succeeded refund may still fail, if the processor reports it.
 */
export function isRefundFinal(state: RefundStatus): boolean {
  return state === 'succeeded' || state === 'failed';
}

/** Whether an attempt has ended, with or without success. */
export function isAttemptFinal(state: AttemptStatus): boolean {
  return Object.keys(attemptGraph[state]).length === 0;
}

/** A graph as a Mermaid state diagram, one edge per line. */
export function drawGraph<S extends string>(graph: TransitionGraph<S>, start: S): string {
  const lines = ['stateDiagram-v2', `    [*] --> ${start}`];
  for (const [from, targets] of Object.entries(graph) as [S, Partial<Record<S, TransitionEdge>>][]) {
    const edges = Object.entries(targets) as [S, TransitionEdge][];
    for (const [to, edge] of edges) lines.push(`    ${from} --> ${to}: ${edge.event}`);
    if (edges.length === 0) lines.push(`    ${from} --> [*]`);
  }
  return lines.join('\n');
}
