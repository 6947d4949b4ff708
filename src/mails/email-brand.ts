// How a company appears in its emails: logo, colour, and at the end of those to customers address, VAT ID and contact.
// Must not make the logo's URL depend on the recipient: a request for it must not tell who reads which email.

import type { Locale } from '../base/locale.ts';
import { contactItems, contactSourceOf } from '../companies/contact-lines.ts';
import { logoPath } from '../companies/logo-paths.ts';
import type { Company } from '../companies/store.ts';
import { plainText } from '../http/html.ts';
import { addressLines } from '../receipts/merchant-lines.ts';
import { receiptTexts } from '../texts/texts.ts';
import type { EmailBrand, EmailImprint } from './email-content.ts';
import { defaultBrandColour } from './email-styles.ts';

export function brandOf(company: Company, baseUrl: string): EmailBrand {
  const { name, brandColor } = company;
  return {
    name: plainText(name),
    logoUrl: logoUrl(company, baseUrl),
    color: brandColor ?? defaultBrandColour,
  };
}

/** The address of the logo as a PNG, because mail programs do not show SVG; null without one. */
function logoUrl(company: Company, baseUrl: string): string | null {
  const isSvg = company.logoFile?.endsWith('.svg') ?? false;
  const path = logoPath(isSvg ? { ...company, logoFile: null } : company);
  return path && `${baseUrl}${path}`;
}

/** For emails to customers. */
export function imprintOf(company: Company, locale: Locale): EmailImprint {
  const { vatId } = company;
  return {
    address: [plainText(company.name), ...addressLines(company)],
    vatId: vatId ? { label: receiptTexts(locale).labels.vatId, value: plainText(vatId) } : null,
    links: contactItems(contactSourceOf(company), locale).map(({ text, href }) => ({
      label: plainText(text),
      url: href,
    })),
  };
}
