// Stores the language that the customer picked. Opening a page stores none, only this and paying do.

import type { FastifyReply } from 'fastify';
import { isLocale } from '../base/locale.ts';
import type { Database } from '../db/database.ts';
import { tryConsume } from '../http/rate-limit.ts';
import { saveCustomerLocale } from '../payments/store.ts';
import type { LinkPage } from './views.ts';
import { pathOf, type Visit } from './visit.ts';

/** Each change is a write, so one link may have only some of them. */
const changeLimit = { name: 'language', quota: 20, windowSeconds: 60 };

const linkPages: Readonly<Record<LinkPage, string>> = { receipt: '/receipt', requested: '/requested' };

/** Stores the picked language and returns to the page. A language that does not exist, or too many changes, change nothing. */
export async function changeLanguage(
  { db }: { db: Database },
  visit: Visit,
  isForged: boolean,
): Promise<FastifyReply> {
  const { payment } = visit.view;
  const locale = visit.form.get('locale') ?? '';
  const mayChange = !isForged && isLocale(locale) && locale !== payment.customerLocale;
  if (mayChange && (await tryConsume(db, { limit: changeLimit, who: payment.code })))
    await db.inTenant(payment, async (tx) => await saveCustomerLocale(tx, payment.paymentId, locale));
  const { page } = visit.request.query as { page?: unknown };
  const path = page === 'receipt' || page === 'requested' ? linkPages[page] : '';
  return visit.reply.redirect(`${pathOf(visit)}${path}`, 303);
}
