// What a receipt says about the merchant: address and contact, as lines of plain text. Pure.

import type { Locale } from '../base/locale.ts';
import { contactItems, contactSourceOf } from '../companies/contact-lines.ts';
import type { Company } from '../companies/store.ts';
import { plainText } from '../http/html.ts';

/** The lines of a company's address; none if it is unknown. */
export function addressLines({ postalAddress }: Pick<Company, 'postalAddress'>): string[] {
  return (postalAddress ?? '')
    .split('\n')
    .map((line) => plainText(line).trim())
    .filter(Boolean);
}

/** How to reach the merchant: one line, and one for each legal page, with its address. Paper has no links. */
export function contactLines(company: Company, locale: Locale): string[] {
  const items = contactItems(contactSourceOf(company), locale).map((item) => ({
    ...item,
    text: plainText(item.text),
  }));
  const isPage = (kind: string) => ['imprint', 'terms', 'privacy'].includes(kind);
  const direct = items.filter(({ kind }) => !isPage(kind)).map(({ text }) => text);
  const pages = items.filter(({ kind }) => isPage(kind)).map(({ text, href }) => `${text}: ${href}`);
  return [direct.join(' · '), ...pages].filter(Boolean);
}
