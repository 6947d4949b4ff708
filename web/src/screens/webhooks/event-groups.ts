// The event types that an endpoint may choose, in groups. The names are those of the API; texts/events.ts has their
// meanings.

/** The event types that an endpoint may choose, in groups. */
export const eventGroups = {
  payments: [
    'payment.paid',
    'payment.failed',
    'payment.expired',
    'payment.cancelled',
    'payment.created',
    'payment.opened',
    'payment.processing',
    'payment.link_requested',
    'payment.partly_paid',
    'payment.transfer_review',
    'payment.late',
  ],
  refunds: ['refund.created', 'refund.succeeded', 'refund.failed', 'refund.escalated'],
  attempts: ['attempt.unknown', 'attempt.resolved', 'attempt.escalated'],
  others: ['mail.failed', 'webhook_endpoint.disabled'],
} as const;
