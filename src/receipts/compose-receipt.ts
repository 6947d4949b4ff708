// The content of a receipt as plain text: one content for the page, the PDF and the attachment. Any text of a merchant
// or a customer becomes one line without changes of direction. Must not contain markup.

import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { chooseLocale, directionOfLocale, type Locale } from '../base/locale.ts';
import type { Company } from '../companies/store.ts';
import { plainText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { paymentLink } from '../payments/present-payment.ts';
import type { PaidAttempt, PaidRefund } from '../payments/receipt-store.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import { brandName } from '../processors/card.ts';
import type { ProcessorKind } from '../processors/processor.ts';
import { type ReceiptTexts, receiptTexts } from '../texts/texts.ts';
import { addressLines, contactLines } from './merchant-lines.ts';
import { type ReceiptRow, rowsOfItems, rowsOfRefunds, rowsOfTotal } from './receipt-rows.ts';

export type LabelledValue = { label: string; value: string };

/** The content of a receipt; plain data, so that another thread can draw it. */
export type Receipt = {
  locale: Locale;
  title: string;
  number: string;
  merchant: string;
  /** The lines of the merchant's address; none if it is unknown. */
  address: string[];
  amount: string;
  facts: LabelledValue[];
  items: ReceiptRow[];
  /** The total, taxes, refunds, and what is left of the payment. */
  sums: ReceiptRow[];
  foot: string;
  /** How to reach the merchant. */
  contact: string[];
  /** A PNG file. Only the PDF has it. */
  logo: Uint8Array | null;
  /** The warning of test mode; null if real money moved. */
  warning: string | null;
  paidAt: Date;
  fileName: string;
};

/** The processor at which the customer paid; null for a card entered here. */
export type OtherMethod = Pick<ProcessorKind, 'takes' | 'title'> | null;

export type ReceiptContext = {
  company: Company;
  payment: Payment;
  charged: PaidAttempt;
  otherMethod: OtherMethod;
  refunds: readonly PaidRefund[];
};

/** Characters of a receipt number. Of ten million payments of a company, two share one with a probability of 1 in 17,000. */
const numberLength = 10;

/**
 * The number of a payment's receipt: the end of its link code, which is random. It never changes and needs no counter.
 */
export function receiptNumber({ code }: Pick<Payment, 'code'>): string {
  return `R-${code.slice(-numberLength)}`;
}

/** The language of a payment: the customer's, else the one that the merchant requested, else that of the country. */
export function localeOfPayment(payment: Pick<Payment, 'customerLocale' | 'locale' | 'country'>): Locale {
  return chooseLocale({ wanted: [payment.customerLocale, payment.locale], country: payment.country });
}

/** The addresses of a payment's receipt. */
export function receiptLinks(baseUrl: string, code: string): { page: string; pdf: string } {
  const page = `${paymentLink(baseUrl, code)}/receipt`;
  return { page, pdf: `${page}.pdf` };
}

const rightToLeftMark = '\u200F';

/**
 * The card that was charged; null without one. From right to left it begins with a mark: it is shown in the direction of its
 * first letter, which may be that of a Latin brand.
 */
export function describeCard(
  charged: Pick<Attempt, 'cardBrand' | 'cardLast4'> | null,
  locale: Locale,
): string | null {
  if (!charged?.cardLast4) return null;
  const text = receiptTexts(locale);
  // Four characters and no more, in case a whole number ever gets here.
  const last4 = charged.cardLast4.slice(-4);
  const brand = brandName(charged.cardBrand ?? '');
  const mark = directionOfLocale(locale) === 'rtl' ? rightToLeftMark : '';
  const card = brand
    ? interpolateText(locale, text.cardEnding, { brand, last4 })
    : interpolateText(locale, text.cardEndingOnly, { last4 });
  return mark + card;
}

/** The method of a customer who entered no card here; null for a card. */
export function describeMethod(otherMethod: OtherMethod, locale: Locale): string | null {
  if (!otherMethod) return null;
  return otherMethod.takes === 'transfer' ? receiptTexts(locale).transfer : otherMethod.title;
}

/** The name of a payment's customer; null without one. */
export function customerName({
  firstName,
  lastName,
}: Pick<Payment, 'firstName' | 'lastName'>): string | null {
  return plainText([firstName, lastName].filter(Boolean).join(' ')) || null;
}

function factsOf(context: ReceiptContext, locale: Locale, text: ReceiptTexts): LabelledValue[] {
  const { company, payment, charged, otherMethod } = context;
  const values: [keyof ReceiptTexts['labels'], string | null][] = [
    ['number', receiptNumber(payment)],
    ['vatId', company.vatId && plainText(company.vatId)],
    ['paidAt', formatTimestamp(charged.paidAt, locale)],
    ['card', describeCard(charged, locale)],
    ['paidWith', describeMethod(otherMethod, locale)],
    ['description', payment.description && plainText(payment.description)],
    ['order', plainText(payment.customerOrderId)],
    ['customer', customerName(payment)],
    ['reference', payment.code],
  ];
  return values.flatMap(([name, value]) => (value ? [{ label: text.labels[name], value }] : []));
}

/** The content of the receipt of a paid payment. Pure. */
export function composeReceipt(context: ReceiptContext, locale: Locale): Receipt {
  const { company, payment, charged, refunds } = context;
  const text = receiptTexts(locale);
  const number = receiptNumber(payment);
  return {
    locale,
    title: text.title,
    number,
    merchant: plainText(company.name),
    address: addressLines(company),
    amount: formatAmount(payment.amountMinor, payment.currency, locale),
    facts: factsOf(context, locale, text),
    items: rowsOfItems(payment, locale),
    sums: [...rowsOfTotal(payment, locale), ...rowsOfRefunds(payment, refunds, locale)],
    foot: text.foot,
    contact: contactLines(company, locale),
    logo: null,
    warning: payment.mode === 'test' ? text.test : null,
    paidAt: charged.paidAt,
    fileName: `${text.file}-${number}.pdf`,
  };
}
