// Records when a customer first opens a link. This does not change the payment's version.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { markOpened, type Payment } from '../payments/store.ts';

/** Programs that open links for a preview or an index. Incomplete. */
const robots =
  /^node\b|bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slack|telegram|skype|discord|embedly|curl|wget|python/i;

export type LinkVisit = { method: string; userAgent: string | undefined; purpose: string | undefined };

/** Whether the visitor may be a person: no HEAD request, no prefetch, and no declared robot. */
export function isHumanVisit({ method, userAgent, purpose }: LinkVisit): boolean {
  return method === 'GET' && !purpose && userAgent !== undefined && !robots.test(userAgent);
}

export function isUnopened({ openedAt, state }: Pick<Payment, 'openedAt' | 'state'>): boolean {
  return openedAt === null && state === 'open';
}

/** Records that a customer opened the link of a payment, unless it was recorded before. */
export async function recordLinkOpened(
  deps: { db: Database; clock: Clock },
  { paymentId, ...scope }: Pick<Payment, 'companyId' | 'mode' | 'paymentId'>,
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.inTenant(scope, async (tx) => {
    if (!(await markOpened(tx, paymentId, at))) return;
    const event = { type: 'payment.opened', isPublic: true, actor: 'customer', data: {} };
    await appendEvent(tx, { ...event, paymentId, at });
  });
}
