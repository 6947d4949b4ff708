// The text of the email that invites a person into a company. The recipient may not know the service and did not ask
// for the email: it names the company, and says that nothing needs to be done.

import { formatTimestamp } from '../base/format-timestamp.ts';
import { localeOfCountry } from '../base/locale.ts';
import { plainText, titleText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import type { EmailContent } from './email-content.ts';
import type { InvitationEmailContext } from './read-email-context.ts';
import { emailTexts } from './texts.ts';

/** The content of such an email, in the language of the company's country. Pure. */
export function composeInvitationEmail({ company, link }: InvitationEmailContext): EmailContent {
  if (!link) throw new Error('an invitation that is not good any more has no letter');
  const locale = localeOfCountry(company.country);
  const { invitation: sentences } = emailTexts(locale);
  const names = { merchant: plainText(company.name), until: formatTimestamp(link.expiresAt, locale) };
  return {
    locale,
    subject: interpolateText(sentences.subject, { merchant: titleText(company.name) }),
    heading: interpolateText(sentences.heading, names),
    lead: interpolateText(sentences.lead, names),
    facts: [],
    button: { label: sentences.button, url: link.url },
    foot: sentences.foot,
    warning: null,
    receipt: null,
  };
}
