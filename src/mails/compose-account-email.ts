// The emails about an account: a change to how somebody signs in, a password reset, an invitation. The email about a
// change has no link: readers must not learn to press links in such emails.

import { formatTimestamp } from '../base/format-timestamp.ts';
import { localeOfCountry } from '../base/locale.ts';
import { plainText, titleText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { emailTexts } from '../texts/texts.ts';
import { brandOf } from './email-brand.ts';
import { type EmailContent, withoutPayment } from './email-content.ts';
import type {
  AccountEmailContext,
  InvitationEmailContext,
  PasswordEmailContext,
} from './read-email-context.ts';

type Context = AccountEmailContext | InvitationEmailContext | PasswordEmailContext;

/** The content of such an email, in the language of the company's country. */
export function composeAccountEmail(context: Context, at: Date, baseUrl: string): EmailContent {
  const { company } = context;
  const locale = localeOfCountry(company.country);
  const texts = emailTexts(locale);
  const contentOf = (
    sentences: { subject?: string; heading: string; lead: string; foot: string },
    button: EmailContent['button'],
    time: Date,
  ): EmailContent => {
    const { heading, lead, foot, subject = heading } = sentences;
    const moment = formatTimestamp(time, locale);
    const names = { merchant: plainText(company.name), at: moment, until: moment };
    const filled = interpolateText(locale, lead, names);
    return {
      locale,
      brand: brandOf(company, baseUrl),
      subject: interpolateText(locale, subject, { ...names, merchant: titleText(company.name) }),
      preheader: filled,
      heading: interpolateText(locale, heading, names),
      lead: filled,
      button,
      foot,
      ...withoutPayment,
    };
  };
  if ('change' in context) {
    const { changes, foot } = texts.account;
    return contentOf({ ...changes[context.change], foot }, null, at);
  }
  const { link } = context;
  if (!link) throw new Error('the link of this email is no longer valid');
  const sentences = 'invitation' in context ? texts.invitation : texts.password;
  return contentOf(sentences, { label: sentences.button, url: link.url }, link.expiresAt);
}
