// What the mail says that invites a person into a company. Its reader may not know the service, and nobody has asked them
// before: it names the company, and says that they need not do anything.

import { countryLocale } from '../base/locale.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fillPlain } from '../http/fill.ts';
import { plainText, titleText } from '../http/html.ts';
import type { Letter } from './letter.ts';
import type { InvitationContents } from './read-contents.ts';
import { mailTexts } from './texts.ts';

/** The letter of such a mail, in the language of the company's country. Pure. */
export function composeInvitationLetter({ company, link }: InvitationContents): Letter {
  if (!link) throw new Error('an invitation that is not good any more has no letter');
  const locale = countryLocale(company.country);
  const { invitation: sentences } = mailTexts(locale);
  const names = { merchant: plainText(company.name), until: formatMoment(link.expiresAt, locale) };
  return {
    locale,
    subject: fillPlain(sentences.subject, { merchant: titleText(company.name) }),
    heading: fillPlain(sentences.heading, names),
    lead: fillPlain(sentences.lead, names),
    facts: [],
    button: { label: sentences.button, url: link.url },
    foot: sentences.foot,
    warning: null,
    receipt: null,
  };
}
