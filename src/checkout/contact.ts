// The merchant's contact on the hosted pages: one line at the foot, and a sentence where the customer is stuck.

import type { Locale } from '../base/locale.ts';
import {
  type ContactItem,
  type ContactSource,
  contactItems,
  supportItems,
} from '../companies/contact-lines.ts';
import { type Html, html, plainText, userText } from '../http/html.ts';
import { interpolate } from '../http/interpolate.ts';
import { pageTexts } from '../texts/texts.ts';

const isOwnText: ReadonlySet<ContactItem['kind']> = new Set(['imprint', 'terms', 'privacy']);

// A web page opens beside the payment, so that nothing typed is lost.
function renderItem({ kind, text, href }: ContactItem): Html {
  const beside = /^https?:/i.test(href) && html` target="_blank" rel="noopener"`;
  // An address or a number is written from left to right in every language.
  const shown = isOwnText.has(kind) ? html`${text}` : html`<bdi dir="ltr">${plainText(text)}</bdi>`;
  return html`<a href="${href}"${beside}>${shown}</a>`;
}

/** The line at the foot of a page; null if the merchant has given nothing. */
export function renderContact(
  source: ContactSource,
  { locale, merchantName }: { locale: Locale; merchantName: string },
): Html | null {
  const items = contactItems(source, locale);
  if (items.length === 0) return null;
  const entries = items.map((item) => html`<li>${renderItem(item)}</li>`);
  return html`<ul class="contact" aria-label="${plainText(merchantName)}">${entries}</ul>\n`;
}

/** A sentence with the merchant's email address and phone number; null if neither is given. */
export function renderSupport(
  source: ContactSource | undefined,
  { locale, merchantName }: { locale: Locale; merchantName: string },
): Html | null {
  const items = source ? supportItems(source) : [];
  if (items.length === 0) return null;
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });
  // The parts of a list come in order, each item as one part.
  const rendered = items.map(renderItem).values();
  const parts = list
    .formatToParts(items.map(({ text }) => text))
    .map(({ type, value }) => (type === 'element' ? (rendered.next().value ?? value) : value));
  const merchant = userText(merchantName);
  return html`<p>${interpolate(locale, pageTexts(locale).states.support, { merchant, contact: html`${parts}` })}</p>`;
}
