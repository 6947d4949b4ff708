// What the mail with the link to a new password says. It must never say anything of the account but that it exists,
// which who reads it knows.

import { countryLocale } from '../base/locale.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fillPlain } from '../http/fill.ts';
import { plainText } from '../http/html.ts';
import type { Letter } from './letter.ts';
import type { PasswordContents } from './read-contents.ts';
import { mailTexts } from './texts.ts';

/** The letter of such a mail, in the language of the company's country. Pure. */
export function composePasswordLetter({ company, link }: PasswordContents): Letter {
  if (!link) throw new Error('a link that is not good any more has no letter');
  const locale = countryLocale(company.country);
  const { password: sentences } = mailTexts(locale);
  const names = { merchant: plainText(company.name), until: formatMoment(link.expiresAt, locale) };
  return {
    locale,
    subject: sentences.subject,
    heading: sentences.heading,
    lead: fillPlain(sentences.lead, names),
    facts: [],
    button: { label: sentences.button, url: link.url },
    foot: sentences.foot,
    warning: null,
    receipt: null,
  };
}
