// What the mail about a change to how somebody signs in says. It must never hold a way to change anything: who reads
// such a mail with a fright shall not learn to press what is in it.

import { countryLocale } from '../base/locale.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fillPlain } from '../http/fill.ts';
import { plainText } from '../http/html.ts';
import type { Letter } from './letter.ts';
import type { AccountContents } from './read-contents.ts';
import { mailTexts } from './texts.ts';

/** The letter of such a mail, in the language of the company's country. Pure. */
export function composeAccountLetter({ company, change }: AccountContents, at: Date): Letter {
  const locale = countryLocale(company.country);
  const { account: sentences } = mailTexts(locale);
  const { heading, lead } = sentences.changes[change];
  const names = { merchant: plainText(company.name), at: formatMoment(at, locale) };
  return {
    locale,
    subject: heading,
    heading,
    lead: fillPlain(lead, names),
    facts: [],
    button: null,
    foot: sentences.foot,
    warning: null,
    receipt: null,
  };
}
