// How customers reach a company, as items with a text and a link, for the footer of pages, emails and receipts. Pure.

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Locale } from '../base/locale.ts';
import { texts } from '../texts/texts.ts';
import { identityOf } from './check-identity.ts';
import type { Company, CompanyIdentity } from './store.ts';

/** What the items are made of. */
export type ContactSource = CompanyIdentity & Pick<Company, 'country'>;

export type ContactItem = {
  kind: 'email' | 'phone' | 'website' | 'imprint' | 'terms' | 'privacy';
  /** An address or a number as the merchant wrote it, or a word in the customer's language. */
  text: string;
  /** A `mailto:`, `tel:`, `https:` or, in test mode, `http:` URL. */
  href: string;
};

export function contactSourceOf(company: Company): ContactSource {
  return { ...identityOf(company), country: company.country };
}

/** `tel:` (RFC 3966), with the country code if the number can be read. */
function phoneAddress(phone: string, country: string): string {
  const parsed = parsePhoneNumberFromString(phone, country as 'DE');
  return parsed?.isPossible() ? `tel:${parsed.number}` : `tel:${phone.replace(/[^+\d]/g, '')}`;
}

/** The characters that end a `mailto:` address, encoded (RFC 6068). */
const emailLink = (email: string) => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** A web address without the scheme and the slash at the end. */
export const shownAddress = (url: string) => url.replace(/^https?:\/\//i, '').replace(/\/$/, '');

/** How to ask the merchant a question: email and phone, as far as they are given. */
export function supportItems({ supportEmail, supportPhone, country }: ContactSource): ContactItem[] {
  const items: ContactItem[] = [];
  if (supportEmail) items.push({ kind: 'email', text: supportEmail, href: emailLink(supportEmail) });
  if (supportPhone)
    items.push({ kind: 'phone', text: supportPhone, href: phoneAddress(supportPhone, country) });
  return items;
}

/** One line: email, phone, website, imprint, terms, privacy, as far as they are given. */
export function contactItems(company: ContactSource, locale: Locale): ContactItem[] {
  const { website, imprintUrl, termsUrl, privacyUrl } = company;
  const text = texts(locale).contact;
  const items = supportItems(company);
  if (website) items.push({ kind: 'website', text: shownAddress(website), href: website });
  if (imprintUrl) items.push({ kind: 'imprint', text: text.imprint, href: imprintUrl });
  if (termsUrl) items.push({ kind: 'terms', text: text.terms, href: termsUrl });
  if (privacyUrl) items.push({ kind: 'privacy', text: text.privacy, href: privacyUrl });
  return items;
}
