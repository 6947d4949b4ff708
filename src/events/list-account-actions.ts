// What people did, for looks back over all that a company has. It must never be part of a request.

import type { TenantTx } from '../db/database.ts';
import { eventColumns, type StoredEvent } from './list-events.ts';

/**
 * What people did to payments of the transaction's mode before `until`, the oldest first. The creation of a payment is
 * left out: it made the payment's mode.
 */
export async function listAccountActions(tx: TenantTx, until: Date): Promise<StoredEvent[]> {
  return await tx.query<StoredEvent>(
    // safe: the columns are a literal of this room.
    `select ${eventColumns} from events
     where company_id = $1 and mode = current_mode() and payment_id is not null and at < $2
       and starts_with(actor, 'account:') and type <> 'payment.created'
     order by event_id`,
    [tx.companyId, until],
  );
}

/** Every session that was opened, with a token or in a browser; the oldest first. */
export async function listSessionOpenings(tx: TenantTx): Promise<StoredEvent[]> {
  return await tx.query<StoredEvent>(
    // safe: the columns are a literal of this room.
    `select ${eventColumns} from events
     where company_id = $1 and payment_id is null and type = 'session.opened' order by event_id`,
    [tx.companyId],
  );
}
