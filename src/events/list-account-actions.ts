// People's actions, for checks of all of a company's data. Must not be part of a request.

import type { TenantTx } from '../db/database.ts';
import { statement } from '../db/statements.ts';
import { StoredEvent } from './list-events.ts';

const listAccountActionsSql = statement(StoredEvent)`
  select ${StoredEvent} from events
  where company_id = $1 and mode = current_mode() and payment_id is not null and at < $2
    and starts_with(actor, 'account:') and type <> 'payment.created'
  order by event_id`;

/**
 * People's actions on payments in the transaction's mode before `until`, oldest first. Omits the creation of
 * a payment, which determined its mode.
 */
export async function listAccountActions(tx: TenantTx, until: Date): Promise<StoredEvent[]> {
  return await tx.query(listAccountActionsSql, [tx.companyId, until]);
}

const listSessionOpeningsSql = statement(StoredEvent)`
  select ${StoredEvent} from events
  where company_id = $1 and payment_id is null and type = 'session.opened' order by event_id`;

/** Every opened session, with a token or in a browser, oldest first. */
export async function listSessionOpenings(tx: TenantTx): Promise<StoredEvent[]> {
  return await tx.query(listSessionOpeningsSql, [tx.companyId]);
}
