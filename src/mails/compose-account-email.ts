// The text of the email about a change to how somebody signs in. Must not contain a link that changes anything: a
// worried reader must not learn to press links in such emails.

import { formatTimestamp } from '../base/format-timestamp.ts';
import { localeOfCountry } from '../base/locale.ts';
import { plainText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import type { EmailContent } from './email-content.ts';
import type { AccountEmailContext } from './read-email-context.ts';
import { emailTexts } from './texts.ts';

/** The content of such an email, in the language of the company's country. Pure. */
export function composeAccountEmail({ company, change }: AccountEmailContext, at: Date): EmailContent {
  const locale = localeOfCountry(company.country);
  const { account: sentences } = emailTexts(locale);
  const { heading, lead } = sentences.changes[change];
  const names = { merchant: plainText(company.name), at: formatTimestamp(at, locale) };
  return {
    locale,
    subject: heading,
    heading,
    lead: interpolateText(lead, names),
    facts: [],
    button: null,
    foot: sentences.foot,
    warning: null,
    receipt: null,
  };
}
