// The content of an email as plain text, in the payment's language or, if the merchant has to act, the company's. Any text
// of a merchant or a customer becomes one line without changes of direction. Must not contain markup: render-email.ts
// adds it.

import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { type Locale, localeOfCountry } from '../base/locale.ts';
import { plainText, titleText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { paymentLink } from '../payments/present-payment.ts';
import type { Payment } from '../payments/store.ts';
import {
  customerName,
  describeCard,
  describeMethod,
  type LabelledValue,
  localeOfPayment,
  receiptLinks,
  receiptNumber,
} from '../receipts/compose-receipt.ts';
import { rowsOfItems, rowsOfTotal } from '../receipts/receipt-rows.ts';
import { type EmailTexts, emailTexts, type ReceiptTexts, receiptTexts } from '../texts/texts.ts';
import { composeAccountEmail } from './compose-account-email.ts';
import { composeEndpointEmail } from './compose-endpoint-email.ts';
import { brandOf, imprintOf } from './email-brand.ts';
import type { EmailContent, LabelledLink } from './email-content.ts';
import type { EmailContext, PaymentEmailContext } from './read-email-context.ts';
import type { ClaimedEmail, PaymentEmailKind } from './store.ts';

type EndpointFactName = 'address' | 'endpoint' | 'reason' | 'failingSince' | 'disabledAt';
type OtherFactName = EndpointFactName | 'amount' | 'refunded' | 'total' | 'vatId';
type FactName = Exclude<keyof EmailTexts['labels'] | keyof ReceiptTexts['labels'], OtherFactName>;

/** The items that an email lists. The receipt has the rest. */
export const maxEmailItems = 20;

/** The facts of an email, in their order. Facts that a payment lacks are omitted. The large amount is not repeated. */
const factNames: Readonly<Record<PaymentEmailKind, readonly FactName[]>> = {
  link: ['merchant', 'description', 'order', 'until'],
  reminder: ['merchant', 'description', 'order', 'until'],
  receipt: [
    'number',
    'merchant',
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
    'refundedAt',
    'card',
    'paidWith',
    'paid',
    'remaining',
    'number',
    'description',
    'order',
    'customer',
    'reference',
  ],
  surplus: ['refundingMerchant', 'refundedAt', 'card', 'paidWith', 'order', 'reference'],
  notice: ['paidAt', 'order', 'description', 'customer', 'email', 'card', 'paidWith', 'reference'],
  link_request: ['order', 'description', 'customer', 'email', 'expiredAt', 'failedAt', 'reference'],
};

type Values = Record<FactName, string | null>;

function valuesOf(context: PaymentEmailContext, locale: Locale, at: Date): Values {
  const { company, payment } = context;
  const { amountMinor, refundedMinor, currency } = payment;
  const moment = formatTimestamp(at, locale);
  return {
    merchant: plainText(company.name),
    refundingMerchant: plainText(company.name),
    number: receiptNumber(payment),
    paid: formatAmount(amountMinor, currency, locale),
    remaining: refundedMinor > 0 ? formatAmount(amountMinor - refundedMinor, currency, locale) : null,
    order: plainText(payment.customerOrderId),
    description: payment.description && plainText(payment.description),
    customer: customerName(payment),
    email: plainText(payment.email),
    card: describeCard(context.charged, locale),
    paidWith: describeMethod(context.otherMethod, locale),
    paidAt: moment,
    refundedAt: moment,
    until: formatTimestamp(payment.expiresAt, locale),
    expiredAt: payment.state === 'expired' ? formatTimestamp(payment.expiresAt, locale) : null,
    failedAt: payment.state === 'failed' ? formatTimestamp(payment.updatedAt, locale) : null,
    reference: payment.code,
  };
}

function factsOf(kind: PaymentEmailKind, values: Values, locale: Locale): LabelledValue[] {
  const labels = { ...receiptTexts(locale).labels, ...emailTexts(locale).labels };
  return factNames[kind].flatMap((name) => {
    const value = values[name];
    return value ? [{ label: labels[name], value }] : [];
  });
}

/** The content of an email. Pure. */
export function composeEmail(
  mail: Pick<ClaimedEmail, 'kind' | 'createdAt'>,
  context: EmailContext,
  baseUrl: string,
): EmailContent {
  const { kind, createdAt } = mail;
  if ('endpoint' in context) return composeEndpointEmail(context, createdAt, baseUrl);
  if ('link' in context || 'change' in context) return composeAccountEmail(context, createdAt, baseUrl);
  if (kind === 'endpoint' || kind === 'password' || kind === 'account' || kind === 'invitation')
    throw new Error(`an email of kind ${kind} must not have a payment`);
  return composePaymentEmail({ kind, at: createdAt }, context, baseUrl);
}

/**
 * A payment request links to the payment, a receipt to its page and its PDF, a request for a new link to the payment in the
 * dashboard. Other emails have no link.
 */
function linksOf(
  { kind, locale, amount }: { kind: PaymentEmailKind; locale: Locale; amount: string },
  baseUrl: string,
  { code, mode }: Pick<Payment, 'code' | 'mode'>,
): { button: LabelledLink | null; download: LabelledLink | null } {
  if (kind === 'link' || kind === 'reminder') {
    const label = interpolateText(locale, emailTexts(locale)[kind].button, { amount });
    return { button: { label, url: paymentLink(baseUrl, code) }, download: null };
  }
  if (kind === 'link_request') {
    // Else the dashboard would look for the payment in the mode that was used last.
    const url = `${baseUrl}/dashboard/payments/${code}?mode=${mode}`;
    return { button: { label: emailTexts(locale).link_request.button, url }, download: null };
  }
  if (kind !== 'receipt' && kind !== 'refund') return { button: null, download: null };
  const { view, download } = receiptTexts(locale);
  const { page, pdf } = receiptLinks(baseUrl, code);
  return { button: { label: view, url: page }, download: { label: download, url: pdf } };
}

/** The emails to the merchant. */
const merchantKinds: ReadonlySet<PaymentEmailKind> = new Set(['notice', 'link_request']);

/** Each customer may use another language, but the merchant has to act on a request for a new link. */
const localeOf = (kind: PaymentEmailKind, { company, payment }: PaymentEmailContext): Locale =>
  kind === 'link_request' ? localeOfCountry(company.country) : localeOfPayment(payment);

type Rows = Pick<EmailContent, 'items' | 'moreItems' | 'sums'>;

/** The items with their taxes: in the receipt, and in the request to pay. */
function rowsOf(kind: PaymentEmailKind, payment: Payment, locale: Locale, url: string | null): Rows {
  const rows = rowsOfItems(payment, locale);
  const hasRows = rows.length > 0 && (kind === 'receipt' || kind === 'link' || kind === 'reminder');
  if (!hasRows || !url) return { items: [], moreItems: null, sums: [] };
  const count = rows.length - maxEmailItems;
  const label = interpolateText(locale, receiptTexts(locale).more, { count });
  return {
    items: rows.slice(0, maxEmailItems),
    moreItems: count > 0 ? { label, url } : null,
    sums: rowsOfTotal(payment, locale),
  };
}

function composePaymentEmail(
  mail: { kind: PaymentEmailKind; at: Date },
  context: PaymentEmailContext,
  baseUrl: string,
): EmailContent {
  const { kind, at } = mail;
  const { company, payment, refund, otherMethod } = context;
  const locale = localeOf(kind, context);
  const text = emailTexts(locale);
  const values = valuesOf(context, locale, at);
  const { amountMinor, currency } = refund ?? payment;
  const amount = formatAmount(amountMinor, currency, locale);
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
  const subject = interpolateText(locale, sentences.subject, short);
  const isOther = otherMethod !== null && 'leadOther' in sentences;
  const lead = interpolateText(locale, isOther ? sentences.leadOther : sentences.lead, names);
  const links = linksOf({ kind, locale, amount }, baseUrl, payment);
  return {
    locale,
    brand: brandOf(company, baseUrl),
    subject: isTest ? `[${text.test}] ${subject}` : subject,
    preheader: lead,
    heading: interpolateText(locale, sentences.heading, short),
    amount,
    lead,
    ...rowsOf(kind, payment, locale, links.button?.url ?? null),
    facts: factsOf(kind, values, locale),
    ...links,
    imprint: merchantKinds.has(kind) ? null : imprintOf(company, locale),
    foot: interpolateText(locale, sentences.foot, names),
    warning,
  };
}
