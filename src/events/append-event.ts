// The audit trail: one row for everything that happened, written in the transaction that made it
// happen. Rows are never changed or removed; the role of a tenant has no right to.

import { newId } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';

export type NewEvent = {
  /** For work that may run again: an event that stands under this id is not written a second time. */
  eventId?: string;
  type: string;
  /** Whether the merchant is told of it. */
  isPublic: boolean;
  paymentId?: string;
  attemptId?: string;
  /** Who did it: `customer`, `processor:sandbox`, `job:reconcile-attempt`, `account:acc_…`. */
  actor: string;
  /** What changed. Never card data, never a secret. */
  data: Record<string, unknown>;
  at: Date;
};

/** Appends an event of the transaction's company. A public one is signalled once it is committed. Returns its id. */
export async function appendEvent(tx: TenantTx, event: NewEvent): Promise<string> {
  const eventId = event.eventId ?? newId('evt', event.at);
  await tx.query(
    `insert into events (company_id, event_id, type, is_public, payment_id, attempt_id, actor, data, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (company_id, event_id) do nothing`,
    [
      tx.companyId,
      eventId,
      event.type,
      event.isPublic,
      event.paymentId ?? null,
      event.attemptId ?? null,
      event.actor,
      JSON.stringify(event.data),
      event.at,
    ],
  );
  if (event.isPublic) tx.signal('public_event');
  return eventId;
}
