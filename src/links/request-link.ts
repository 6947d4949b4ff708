// The customer of a link that has expired or failed asks the merchant for a new one. Writes only the event: a trigger
// creates the email (migrations/0039_link_requests.sql). Must not change the payment's status or version, and must not
// report whether a request was recorded: the customer gets the same response in any case.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { markLinkRequested, type Payment, wasLinkRequested } from '../payments/store.ts';

/** The requests of one link within this time are reported to the merchant once. */
const requestIntervalMs = 60 * 60 * 1000;

type Deps = { db: Database; clock: Clock };
type Requested = Pick<Payment, 'companyId' | 'mode' | 'paymentId'>;

/** Reports the request to the merchant, unless one was reported within the last hour or the link has not ended unpaid. */
export async function requestLink(deps: Deps, { paymentId, ...scope }: Requested): Promise<void> {
  const at = deps.clock.now();
  const unlessSince = new Date(at.getTime() - requestIntervalMs);
  await deps.db.inTenant(scope, async (tx) => {
    if (!(await markLinkRequested(tx, paymentId, { at, unlessSince }))) return;
    const event = { type: 'payment.link_requested', isPublic: true, actor: 'customer', data: {} };
    await appendEvent(tx, { ...event, paymentId, at });
  });
}

/** Whether the merchant was notified within the last hour. */
export async function isLinkRequested(deps: Deps, { paymentId, ...scope }: Requested): Promise<boolean> {
  const since = new Date(deps.clock.now().getTime() - requestIntervalMs);
  return await deps.db.inTenant(scope, async (tx) => await wasLinkRequested(tx, paymentId, since));
}
