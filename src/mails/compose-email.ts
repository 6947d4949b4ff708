// The content of an email in the payment's language, as plain text. Any text of a merchant or a customer becomes one
// line without changes of direction. Must not contain markup: render-email.ts and draw-receipt.ts add it.

import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { chooseLocale, type Locale, localeOfCountry } from '../base/locale.ts';
import { plainText, titleText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { paymentLink } from '../payments/present-payment.ts';
import type { Payment } from '../payments/store.ts';
import { brandName } from '../processors/card.ts';
import { composeAccountEmail } from './compose-account-email.ts';
import { composeEndpointEmail } from './compose-endpoint-email.ts';
import type { EmailContent, LabelledValue, Receipt } from './email-content.ts';
import type { EmailContext, PaymentEmailContext } from './read-email-context.ts';
import type { ClaimedEmail, PaymentEmailKind } from './store.ts';
import { type EmailTexts, emailTexts } from './texts.ts';

/**
 * The language of a payment's emails: the one that the merchant requested, else that of the payment's country.
 */
function localeOf({ locale, country }: Pick<Payment, 'locale' | 'country'>): Locale {
  return chooseLocale({ requested: locale, acceptLanguage: localeOfCountry(country) });
}

function cardOf(context: PaymentEmailContext, text: EmailTexts): string | null {
  const { cardBrand, cardLast4 } = context.charged ?? {};
  if (!cardLast4) return null;
  // Four characters and no more, in case a whole number ever gets here.
  const last4 = cardLast4.slice(-4);
  const brand = brandName(cardBrand ?? '');
  return brand
    ? interpolateText(text.cardEnding, { brand, last4 })
    : interpolateText(text.cardEndingOnly, { last4 });
}

/** The method of a customer who entered no card here. */
function methodOf({ otherMethod }: PaymentEmailContext, text: EmailTexts): string | null {
  if (!otherMethod) return null;
  return otherMethod.takes === 'transfer' ? text.transfer : otherMethod.title;
}

type EndpointFactName = 'address' | 'endpoint' | 'reason' | 'failingSince' | 'disabledAt';
type FactName = Exclude<keyof EmailTexts['labels'], EndpointFactName>;

/** The facts of an email, in their order. Facts that a payment lacks are omitted. */
const factNames: Readonly<Record<PaymentEmailKind, readonly FactName[]>> = {
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

function valuesOf(context: PaymentEmailContext, locale: Locale, at: Date): Values {
  const { company, payment, refund } = context;
  const paid = formatAmount(payment.amountMinor, payment.currency, locale);
  const moment = formatTimestamp(at, locale);
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
    card: cardOf(context, emailTexts(locale)),
    paidWith: methodOf(context, emailTexts(locale)),
    paidAt: moment,
    refundedAt: moment,
    until: formatTimestamp(payment.expiresAt, locale),
    reference: payment.code,
  };
}

function factsOf(kind: PaymentEmailKind, values: Values, text: EmailTexts): LabelledValue[] {
  return factNames[kind].flatMap((name) => {
    const value = values[name];
    return value ? [{ label: text.labels[name], value }] : [];
  });
}

/** The content of an email. Pure. */
export function composeEmail(
  mail: Pick<ClaimedEmail, 'kind' | 'createdAt'>,
  context: EmailContext,
  baseUrl: string,
): EmailContent {
  const { kind, createdAt } = mail;
  if ('endpoint' in context) return composeEndpointEmail(context, createdAt);
  if ('link' in context || 'change' in context) return composeAccountEmail(context, createdAt);
  if (kind === 'endpoint' || kind === 'password' || kind === 'account' || kind === 'invitation')
    throw new Error(`an email of kind ${kind} must not have a payment`);
  return composePaymentEmail({ kind, at: createdAt }, context, baseUrl);
}

function composePaymentEmail(
  mail: { kind: PaymentEmailKind; at: Date },
  context: PaymentEmailContext,
  baseUrl: string,
): EmailContent {
  const { kind, at } = mail;
  const { payment, refund, otherMethod } = context;
  const locale = localeOf(payment);
  const text = emailTexts(locale);
  const values = valuesOf(context, locale, at);
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
  const subject = interpolateText(sentences.subject, short);
  const content = {
    locale,
    subject: isTest ? `[${text.test}] ${subject}` : subject,
    heading: interpolateText(sentences.heading, short),
    lead: interpolateText(
      otherMethod && 'leadOther' in sentences ? sentences.leadOther : sentences.lead,
      names,
    ),
    facts,
    button:
      'button' in sentences
        ? { label: interpolateText(sentences.button, names), url: paymentLink(baseUrl, payment.code) }
        : null,
    foot: interpolateText(sentences.foot, names),
    warning,
  };
  if (kind !== 'receipt' && kind !== 'refund') return { ...content, receipt: null };
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
  return { ...content, receipt: { data, fileName } };
}
