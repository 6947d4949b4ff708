// What a mail says, in the payment's language: subject, sentences and facts as plain text. Whatever a merchant
// or a customer wrote becomes one line without switches of direction here. It must never hold markup: how a
// letter looks is for render-letter.ts and draw-receipt.ts.

import { formatAmount } from '../base/amount-text.ts';
import { chooseLocale, countryLocale, type Locale } from '../base/locale.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fillPlain } from '../http/fill.ts';
import { plainText, titleText } from '../http/html.ts';
import { paymentLink } from '../payments/present-payment.ts';
import type { Payment } from '../payments/store.ts';
import { brandName } from '../processors/card.ts';
import { composeAccountLetter } from './compose-account-letter.ts';
import { composeEndpointLetter } from './compose-endpoint-letter.ts';
import { composeInvitationLetter } from './compose-invitation-letter.ts';
import { composePasswordLetter } from './compose-password-letter.ts';
import type { Fact, Letter, Receipt } from './letter.ts';
import type { Contents, PaymentContents } from './read-contents.ts';
import type { ClaimedMail, PaymentMailKind } from './store.ts';
import { type MailTexts, mailTexts } from './texts.ts';

/** The language of a payment's mails: what the merchant asked for, else that of the payment's country. */
function localeOf({ locale, country }: Pick<Payment, 'locale' | 'country'>): Locale {
  return chooseLocale({ requested: locale, acceptLanguage: countryLocale(country) });
}

function cardOf(contents: PaymentContents, text: MailTexts): string | null {
  const { cardBrand, cardLast4 } = contents.charged ?? {};
  if (!cardLast4) return null;
  // Four characters and no more: should a whole number ever come this way, it stops here.
  const last4 = cardLast4.slice(-4);
  const brand = brandName(cardBrand ?? '');
  return brand ? fillPlain(text.cardEnding, { brand, last4 }) : fillPlain(text.cardEndingOnly, { last4 });
}

/** With what the customer paid who entered no card here. */
function wayOf({ paidThere }: PaymentContents, text: MailTexts): string | null {
  if (!paidThere) return null;
  return paidThere.takes === 'transfer' ? text.transfer : paidThere.title;
}

type EndpointFactName = 'address' | 'endpoint' | 'reason' | 'failingSince' | 'switchedOffAt';
type FactName = Exclude<keyof MailTexts['labels'], EndpointFactName>;

/** Which facts a mail shows, in their order; one that a payment does not have is left out. */
const shown: Readonly<Record<PaymentMailKind, readonly FactName[]>> = {
  link: ['merchant', 'amount', 'description', 'order', 'until'],
  reminder: ['merchant', 'amount', 'description', 'order', 'until'],
  receipt: [
    'merchant',
    'amount',
    'paidAt',
    'card',
    'paidWith',
    'description',
    'order',
    'customer',
    'reference',
  ],
  refund: [
    'refundingMerchant',
    'refunded',
    'refundedAt',
    'card',
    'paidWith',
    'paid',
    'description',
    'order',
    'customer',
    'reference',
  ],
  surplus: ['refundingMerchant', 'refunded', 'refundedAt', 'card', 'paidWith', 'order', 'reference'],
  notice: ['amount', 'paidAt', 'order', 'description', 'customer', 'email', 'card', 'paidWith', 'reference'],
};

type Values = Record<FactName, string | null>;

function valuesOf(contents: PaymentContents, locale: Locale, at: Date): Values {
  const { company, payment, refund } = contents;
  const paid = formatAmount(payment.amountMinor, payment.currency, locale);
  const moment = formatMoment(at, locale);
  return {
    merchant: plainText(company.name),
    refundingMerchant: plainText(company.name),
    amount: paid,
    paid,
    refunded: refund && formatAmount(refund.amountMinor, refund.currency, locale),
    order: plainText(payment.customerOrderId),
    description: payment.description && plainText(payment.description),
    customer: plainText([payment.firstName, payment.lastName].filter(Boolean).join(' ')) || null,
    email: plainText(payment.email),
    card: cardOf(contents, mailTexts(locale)),
    paidWith: wayOf(contents, mailTexts(locale)),
    paidAt: moment,
    refundedAt: moment,
    until: formatMoment(payment.expiresAt, locale),
    reference: payment.code,
  };
}

function factsOf(kind: PaymentMailKind, values: Values, text: MailTexts): Fact[] {
  return shown[kind].flatMap((name) => {
    const value = values[name];
    return value ? [{ label: text.labels[name], value }] : [];
  });
}

/** The letter of a mail. Pure. */
export function composeLetter(
  mail: Pick<ClaimedMail, 'kind' | 'createdAt'>,
  contents: Contents,
  baseUrl: string,
): Letter {
  const { kind, createdAt } = mail;
  if ('endpoint' in contents) return composeEndpointLetter(contents, createdAt);
  if ('invitation' in contents) return composeInvitationLetter(contents);
  if ('link' in contents) return composePasswordLetter(contents);
  if ('change' in contents) return composeAccountLetter(contents, createdAt);
  if (kind === 'endpoint' || kind === 'password' || kind === 'account' || kind === 'invitation')
    throw new Error(`a mail of the kind ${kind} was given a payment`);
  return composePaymentLetter({ kind, at: createdAt }, contents, baseUrl);
}

function composePaymentLetter(
  mail: { kind: PaymentMailKind; at: Date },
  contents: PaymentContents,
  baseUrl: string,
): Letter {
  const { kind, at } = mail;
  const { payment, refund, paidThere } = contents;
  const locale = localeOf(payment);
  const text = mailTexts(locale);
  const values = valuesOf(contents, locale, at);
  const amount = (refund ? values.refunded : values.amount) ?? '';
  const names = {
    amount,
    merchant: values.merchant ?? '',
    order: values.order ?? '',
    until: values.until ?? '',
  };
  const short = { ...names, merchant: titleText(names.merchant), order: titleText(names.order) };
  const sentences = text[kind];
  const isTest = payment.mode === 'test';
  const warning = isTest ? text.testMode : null;
  const facts = factsOf(kind, values, text);
  const subject = fillPlain(sentences.subject, short);
  const letter = {
    locale,
    subject: isTest ? `[${text.test}] ${subject}` : subject,
    heading: fillPlain(sentences.heading, short),
    lead: fillPlain(paidThere && 'leadThere' in sentences ? sentences.leadThere : sentences.lead, names),
    facts,
    button:
      'button' in sentences
        ? { label: fillPlain(sentences.button, names), url: paymentLink(baseUrl, payment.code) }
        : null,
    foot: fillPlain(sentences.foot, names),
    warning,
  };
  if (kind !== 'receipt' && kind !== 'refund') return { ...letter, receipt: null };
  const data: Receipt = {
    locale,
    title: text.pdf[kind],
    merchant: names.merchant,
    amount,
    facts,
    foot: text.pdf.foot,
    warning: isTest ? text.pdf.test : null,
    at,
  };
  const fileName = `${kind === 'receipt' ? text.pdf.file : text.pdf.fileRefund}-${payment.code.slice(-8)}.pdf`;
  return { ...letter, receipt: { data, fileName } };
}
