// The choice of language at the foot of a page: a form that works without script. Opening a page stores no language, only
// this form and paying do.

import type { FastifyReply } from 'fastify';
import { isLocale, type Locale, languages, locales, memoizeByLocale } from '../base/locale.ts';
import type { Database } from '../db/database.ts';
import { type Html, html } from '../http/html.ts';
import { tryConsume } from '../http/rate-limit.ts';
import { saveCustomerLocale } from '../payments/store.ts';
import { pageTexts } from '../texts/texts.ts';
import { pathOf, type Visit } from './visit.ts';

/** Where the form is posted to, and its token. */
export type LanguageForm = { action: string; token: string };

const renderChoice = memoizeByLocale((chosen) => {
  const options = locales.map(
    (locale) =>
      html`<option value="${locale}" lang="${locale}"${locale === chosen && html` selected`}>${languages[locale]}</option>`,
  );
  const { label, change } = pageTexts(chosen).language;
  return html`<label for="language">${label}</label>
<select id="language" name="locale" autocomplete="off">${options}</select>
<button type="submit" class="change">${change}</button>`;
});

export function renderLanguageForm({ action, token }: LanguageForm, locale: Locale): Html {
  return html`
<form class="language" method="post" action="${action}">
<input type="hidden" name="form_token" value="${token}">
${renderChoice(locale)}
</form>`;
}

/** Each change is a write, so one link may have only some of them. */
const changeLimit = { name: 'language', quota: 20, windowSeconds: 60 };

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
  const page = (visit.request.query as { page?: unknown }).page === 'receipt' ? '/receipt' : '';
  return visit.reply.redirect(`${pathOf(visit)}${page}`, 303);
}
