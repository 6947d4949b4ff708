// People's actions, for checks of all of a company's data. Must not be part of a request.

import type { TenantTx } from '../db/database.ts';
import { eventColumns, type StoredEvent } from './list-events.ts';

/**
 * People's actions on payments in the transaction's mode before `until`, oldest first. Omits the creation of
 * a payment, which determined its mode.
 */
export async function listAccountActions(tx: TenantTx, until: Date): Promise<StoredEvent[]> {
  return await tx.query<StoredEvent>(
    // safe: the columns are a literal of this module.
    `select ${eventColumns} from events
     where company_id = $1 and mode = current_mode() and payment_id is not null and at < $2
       and starts_with(actor, 'account:') and type <> 'payment.created'
     order by event_id`,
    [tx.companyId, until],
  );
}

/** Every opened session, with a token or in a browser, oldest first. */
export async function listSessionOpenings(tx: TenantTx): Promise<StoredEvent[]> {
  return await tx.query<StoredEvent>(
    // safe: the columns are a literal of this module.
    `select ${eventColumns} from events
     where company_id = $1 and payment_id is null and type = 'session.opened' order by event_id`,
    [tx.companyId],
  );
}
