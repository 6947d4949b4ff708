// The email about a disabled webhook endpoint. Must not contain anything about a payment, nor the query of the URL, in
// which some receivers put a password.

import { formatTimestamp } from '../base/format-timestamp.ts';
import { localeOfCountry } from '../base/locale.ts';
import { plainText, titleText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { type EmailTexts, emailTexts } from '../texts/texts.ts';
import { brandOf } from './email-brand.ts';
import { type EmailContent, withoutPayment } from './email-content.ts';
import type { EndpointEmailContext } from './read-email-context.ts';

type ReasonText = keyof EmailTexts['endpoint']['reasons'];

const isReasonText = (reason: string, texts: EmailTexts['endpoint']['reasons']): reason is ReasonText =>
  Object.hasOwn(texts, reason);

/** The URL as an email may show it. It shows whether there was a query. */
function shownAddress(url: URL): string {
  return plainText(`${url.origin}${url.pathname}${url.search && '?…'}`);
}

/** The content of such an email, in the language of the company's country. */
export function composeEndpointEmail(context: EndpointEmailContext, at: Date, baseUrl: string): EmailContent {
  const { company, endpoint } = context;
  const locale = localeOfCountry(company.country);
  const text = emailTexts(locale);
  const { labels, endpoint: sentences } = text;
  const url = new URL(endpoint.url);
  const names = {
    host: titleText(url.host),
    merchant: plainText(company.name),
    endpointId: plainText(endpoint.id),
  };
  const subject = interpolateText(locale, sentences.subject, names);
  const isTest = endpoint.mode === 'test';
  const reason = isReasonText(endpoint.reason, sentences.reasons) ? endpoint.reason : 'other';
  const lead = interpolateText(locale, sentences.lead, names);
  return {
    locale,
    ...withoutPayment,
    brand: brandOf(company, baseUrl),
    subject: isTest ? `[${text.test}] ${subject}` : subject,
    heading: interpolateText(locale, sentences.heading, names),
    preheader: lead,
    lead,
    facts: [
      { label: labels.address, value: shownAddress(url) },
      { label: labels.endpoint, value: names.endpointId },
      { label: labels.reason, value: sentences.reasons[reason] },
      ...(endpoint.failingSince
        ? [{ label: labels.failingSince, value: formatTimestamp(endpoint.failingSince, locale) }]
        : []),
      { label: labels.disabledAt, value: formatTimestamp(at, locale) },
    ],
    button: null,
    foot: sentences.foot,
    warning: isTest ? text.testMode : null,
  };
}
