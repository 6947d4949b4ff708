// The text of the email with the link to a new password. Must not say anything about the account except that it
// exists, which its owner knows.

import { formatTimestamp } from '../base/format-timestamp.ts';
import { localeOfCountry } from '../base/locale.ts';
import { plainText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import type { EmailContent } from './email-content.ts';
import type { PasswordEmailContext } from './read-email-context.ts';
import { emailTexts } from './texts.ts';

/** The content of such an email, in the language of the company's country. Pure. */
export function composePasswordEmail({ company, link }: PasswordEmailContext): EmailContent {
  if (!link) throw new Error('a link that is not good any more has no letter');
  const locale = localeOfCountry(company.country);
  const { password: sentences } = emailTexts(locale);
  const names = { merchant: plainText(company.name), until: formatTimestamp(link.expiresAt, locale) };
  return {
    locale,
    subject: sentences.subject,
    heading: sentences.heading,
    lead: interpolateText(sentences.lead, names),
    facts: [],
    button: { label: sentences.button, url: link.url },
    foot: sentences.foot,
    warning: null,
    receipt: null,
  };
}
