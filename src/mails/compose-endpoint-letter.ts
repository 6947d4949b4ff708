// What the mail about a switched-off webhook endpoint says: which address, why, since when, and what to do. It must
// never hold anything about a payment, nor the query of the address, in which some receivers keep a password.

import { countryLocale } from '../base/locale.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fillPlain } from '../http/fill.ts';
import { plainText, titleText } from '../http/html.ts';
import type { Letter } from './letter.ts';
import type { EndpointContents } from './read-contents.ts';
import { type MailTexts, mailTexts } from './texts.ts';

type ReasonText = keyof MailTexts['endpoint']['reasons'];

const isReasonText = (reason: string, texts: MailTexts['endpoint']['reasons']): reason is ReasonText =>
  Object.hasOwn(texts, reason);

/** The address as it may be told in a mail; whether there was a query can still be seen. */
function shownAddress(url: URL): string {
  return plainText(`${url.origin}${url.pathname}${url.search && '?…'}`);
}

/** The letter of such a mail, in the language of the company's country. Pure. */
export function composeEndpointLetter(contents: EndpointContents, at: Date): Letter {
  const { company, endpoint } = contents;
  const locale = countryLocale(company.country);
  const text = mailTexts(locale);
  const { labels, endpoint: sentences } = text;
  const url = new URL(endpoint.url);
  const names = {
    host: titleText(url.host),
    merchant: plainText(company.name),
    endpointId: plainText(endpoint.id),
  };
  const subject = fillPlain(sentences.subject, names);
  const isTest = endpoint.mode === 'test';
  const reason = isReasonText(endpoint.reason, sentences.reasons) ? endpoint.reason : 'other';
  return {
    locale,
    subject: isTest ? `[${text.test}] ${subject}` : subject,
    heading: fillPlain(sentences.heading, names),
    lead: fillPlain(sentences.lead, names),
    facts: [
      { label: labels.address, value: shownAddress(url) },
      { label: labels.endpoint, value: names.endpointId },
      { label: labels.reason, value: sentences.reasons[reason] },
      ...(endpoint.failingSince
        ? [{ label: labels.failingSince, value: formatMoment(endpoint.failingSince, locale) }]
        : []),
      { label: labels.switchedOffAt, value: formatMoment(at, locale) },
    ],
    button: null,
    foot: sentences.foot,
    warning: isTest ? text.testMode : null,
    receipt: null,
  };
}
