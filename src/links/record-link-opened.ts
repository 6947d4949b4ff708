// The first time that a customer opens a link. It is noted once, by one guarded statement; it changes nothing
// that the payment shows, so it makes no version of it.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { markOpened, type Payment } from '../payments/store.ts';

/** Programs that open links to draw a preview or an index of them; no list of them is ever whole. */
const robots =
  /^node\b|bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slack|telegram|skype|discord|embedly|curl|wget|python/i;

/** What a request tells of who opens a link. */
export type LinkVisit = { method: string; userAgent: string | undefined; purpose: string | undefined };

/** Whether a person may be looking: not a look at the headers alone, a prefetch, or a program that says it is one. */
export function isHumanVisit({ method, userAgent, purpose }: LinkVisit): boolean {
  return method === 'GET' && !purpose && userAgent !== undefined && !robots.test(userAgent);
}

/** Whether a first opening of the link may still come, as far as was read. */
export function isUnopened({ openedAt, state }: Pick<Payment, 'openedAt' | 'state'>): boolean {
  return openedAt === null && state === 'open';
}

/** Notes that a customer opened the link of a payment, unless it was noted before. */
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
