// The states of a payment and of an attempt, and every legal move between them with its event. Pure
// tables: a test proves that exactly these edges exist, and draws the diagram of the docs from them.

export type PaymentState = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';
export type AttemptState =
  | 'created'
  | 'requires_action'
  | 'processing'
  | 'unknown'
  | 'succeeded'
  | 'declined'
  | 'cancelled';

export type RefundState = 'created' | 'processing' | 'unknown' | 'succeeded' | 'failed';

/** The event of a move. A public one is told to the merchant; the others are the audit trail alone. */
export type Edge = { event: string; isPublic: boolean };
export type Graph<S extends string> = Readonly<Record<S, Readonly<Partial<Record<S, Edge>>>>>;

const told = (event: string): Edge => ({ event, isPublic: true });
const noted = (event: string): Edge => ({ event, isPublic: false });

export const paymentGraph: Graph<PaymentState> = {
  open: {
    processing: told('payment.processing'),
    expired: told('payment.expired'),
    cancelled: told('payment.cancelled'),
  },
  processing: {
    // The attempt ended without money and the customer may try again.
    open: noted('payment.reopened'),
    paid: told('payment.paid'),
    failed: told('payment.failed'),
  },
  paid: {},
  failed: {},
  expired: {},
  cancelled: {},
};

const ends = {
  succeeded: noted('attempt.succeeded'),
  declined: noted('attempt.declined'),
  cancelled: noted('attempt.cancelled'),
};

export const attemptGraph: Graph<AttemptState> = {
  created: {
    requires_action: noted('attempt.requires_action'),
    processing: noted('attempt.processing'),
    unknown: told('attempt.unknown'),
    ...ends,
  },
  // The customer may have paid on the processor's page: without its answer nobody knows.
  requires_action: {
    processing: noted('attempt.processing'),
    unknown: told('attempt.unknown'),
    ...ends,
  },
  processing: { ...ends },
  unknown: {
    requires_action: noted('attempt.requires_action'),
    processing: noted('attempt.processing'),
    succeeded: told('attempt.resolved'),
    declined: told('attempt.resolved'),
    cancelled: told('attempt.resolved'),
  },
  succeeded: {},
  declined: {},
  cancelled: {},
};

const refundEnds = { succeeded: told('refund.succeeded'), failed: told('refund.failed') };

export const refundGraph: Graph<RefundState> = {
  created: { processing: noted('refund.processing'), unknown: noted('refund.unknown'), ...refundEnds },
  processing: { ...refundEnds },
  unknown: { processing: noted('refund.processing'), ...refundEnds },
  // The bank of the customer may send the money back days later.
  succeeded: { failed: told('refund.failed') },
  failed: {},
};

/** Whether a refund has ended, one way or the other. One that has succeeded may still fail, if the processor says so. */
export function isRefundOver(state: RefundState): boolean {
  return state === 'succeeded' || state === 'failed';
}

/** Whether an attempt has ended, one way or the other. */
export function isAttemptOver(state: AttemptState): boolean {
  return Object.keys(attemptGraph[state]).length === 0;
}

/** A graph as a Mermaid state diagram, one line an edge. */
export function drawGraph<S extends string>(graph: Graph<S>, start: S): string {
  const lines = ['stateDiagram-v2', `    [*] --> ${start}`];
  for (const [from, targets] of Object.entries(graph) as [S, Partial<Record<S, Edge>>][]) {
    const edges = Object.entries(targets) as [S, Edge][];
    for (const [to, edge] of edges) lines.push(`    ${from} --> ${to}: ${edge.event}`);
    if (edges.length === 0) lines.push(`    ${from} --> [*]`);
  }
  return lines.join('\n');
}
