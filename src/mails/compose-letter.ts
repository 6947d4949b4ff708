// What a mail says, in the payment's language: subject, sentences and facts as plain text. Whatever a merchant
// or a customer wrote becomes one line without switches of direction here. It must never hold markup: how a
// letter looks is for render-letter.ts and draw-receipt.ts.

import { formatAmount } from '../base/amount-text.ts';
import { chooseLocale, type Locale } from '../base/locale.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fillPlain } from '../http/fill.ts';
import { plainText, titleText } from '../http/html.ts';
import { paymentLink } from '../payments/present-payment.ts';
import type { Payment } from '../payments/store.ts';
import { brandName } from '../processors/card.ts';
import type { Contents } from './read-contents.ts';
import type { ClaimedMail, MailKind } from './store.ts';
import { type MailTexts, mailTexts } from './texts.ts';

export type Fact = { label: string; value: string };

/** What a receipt shows; plain data, so that it can be drawn in another thread. */
export type Receipt = {
  locale: Locale;
  title: string;
  merchant: string;
  amount: string;
  facts: Fact[];
  foot: string;
  /** The warning of test mode; null when real money moved. */
  warning: string | null;
  at: Date;
};

export type Letter = {
  locale: Locale;
  subject: string;
  heading: string;
  lead: string;
  facts: Fact[];
  button: { label: string; url: string } | null;
  foot: string;
  warning: string | null;
  receipt: { data: Receipt; fileName: string } | null;
};

const germanSpeaking: ReadonlySet<string> = new Set(['DE', 'AT', 'CH', 'LI']);

/** The language of a payment's mails: what the merchant asked for, else that of the payment's country. */
export function localeOf(payment: Pick<Payment, 'locale' | 'country'>): Locale {
  const acceptLanguage = germanSpeaking.has(payment.country) ? 'de' : 'en';
  return chooseLocale({ requested: payment.locale, acceptLanguage });
}

function cardOf(contents: Contents, text: MailTexts): string | null {
  const { cardBrand, cardLast4 } = contents.charged ?? {};
  if (!cardLast4) return null;
  // Four characters and no more: should a whole number ever come this way, it stops here.
  const last4 = cardLast4.slice(-4);
  const brand = brandName(cardBrand ?? '');
  return brand ? fillPlain(text.cardEnding, { brand, last4 }) : fillPlain(text.cardEndingOnly, { last4 });
}

type FactName = keyof MailTexts['labels'];

/** Which facts a mail shows, in their order; one that a payment does not have is left out. */
const shown: Readonly<Record<MailKind, readonly FactName[]>> = {
  link: ['merchant', 'amount', 'description', 'order', 'until'],
  reminder: ['merchant', 'amount', 'description', 'order', 'until'],
  receipt: ['merchant', 'amount', 'paidAt', 'card', 'description', 'order', 'customer', 'reference'],
  refund: [
    'refundingMerchant',
    'refunded',
    'refundedAt',
    'card',
    'paid',
    'description',
    'order',
    'customer',
    'reference',
  ],
  surplus: ['refundingMerchant', 'refunded', 'refundedAt', 'card', 'order', 'reference'],
  notice: ['amount', 'paidAt', 'order', 'description', 'customer', 'email', 'card', 'reference'],
};

type Values = Record<FactName, string | null>;

function valuesOf(contents: Contents, locale: Locale, at: Date): Values {
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
    paidAt: moment,
    refundedAt: moment,
    until: formatMoment(payment.expiresAt, locale),
    reference: payment.code,
  };
}

function factsOf(kind: MailKind, values: Values, text: MailTexts): Fact[] {
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
  const { kind, createdAt: at } = mail;
  const { payment, refund } = contents;
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
    lead: fillPlain(sentences.lead, names),
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
