// Every page and every email in one language, rendered without a service.

import { chooseLocale, type Locale } from '../../src/base/locale.ts';
import { assetPaths, checkoutAssets } from '../../src/checkout/assets.ts';
import { pageAssets } from '../../src/checkout/branding.ts';
import { renderReceiptPage } from '../../src/checkout/receipt-page.ts';
import type { Company } from '../../src/companies/store.ts';
import { composeEmail } from '../../src/mails/compose-email.ts';
import type { EmailContext, PaymentEmailContext } from '../../src/mails/read-email-context.ts';
import { renderHtml } from '../../src/mails/render-email.ts';
import { renderText } from '../../src/mails/render-email-text.ts';
import type { ClaimedEmail } from '../../src/mails/store.ts';
import type { Refund } from '../../src/payments/refund-store.ts';
import type { Attempt, Payment } from '../../src/payments/store.ts';
import { renderChallengePage } from '../../src/processors/sandbox/challenge-page.ts';
import { composeReceipt, type Receipt } from '../../src/receipts/compose-receipt.ts';
import { everyWord, pagesIn } from '../harness/hosted-pages.ts';

const at = new Date('2026-11-29T13:05:00Z');
const amount = { amountMinor: 123_456, currency: 'EUR' } as const;
const merchant = 'Blumenhandlung Rosenrot & Söhne';

const companyIn = (locale: Locale) =>
  ({
    ...{ companyId: 'co_00000000', name: merchant, country: new Intl.Locale(locale).maximize().region },
    ...{
      postalAddress: 'Hauptstraße 1\n10115 Berlin',
      vatId: 'DE123456789',
      website: 'https://shop.example',
    },
    ...{
      supportEmail: 'help@shop.example',
      supportPhone: '+49 30 901820',
      imprintUrl: 'https://shop.example/i',
    },
    ...{ termsUrl: 'https://shop.example/t', privacyUrl: 'https://shop.example/p' },
    ...{ brandColor: '#7a1f5c', logoHash: 'a1b2c3d4', logoFile: null, darkLogoFile: null },
  }) as Company;

/** Emails that ask the merchant to do something are in the language of the company's country: that of Ireland is English. */
export const localeOfDocument = (name: string, locale: Locale): Locale =>
  /^email: (link_request|endpoint|password|invitation|account)/.test(name)
    ? chooseLocale({ wanted: [], country: companyIn(locale).country })
    : locale;

/** More than an email lists. */
const items = Array.from({ length: 24 }, (_, index) => ({
  ...{ name: `Rosenstrauß „Königin von Dänemark“ ${index + 1}`, quantity: index === 0 ? 2 : 1 },
  ...{ unitAmountMinor: index === 1 ? -504 : 5_165, taxRate: index === 2 ? null : index % 2 ? 700 : 1_900 },
}));

function paymentIn(locale: Locale): Payment {
  return {
    ...amount,
    ...{ locale, customerLocale: null, country: 'DE', code: 'codeofapayment', mode: 'test', state: 'paid' },
    ...{
      customerOrderId: 'order-1042',
      email: 'ada@example.com',
      description: 'Roses',
      refundedMinor: 500,
      items,
    },
    ...{ firstName: 'Ada', lastName: 'Lovelace', expiresAt: at },
  } as Payment;
}

const charged = { cardBrand: 'visa', cardLast4: '4242' } as Attempt;

/** The receipt of a payment with a refund. */
export function receiptIn(locale: Locale): Receipt {
  const refunds = [{ ...amount, amountMinor: 500, refundedAt: at }];
  const context = { company: companyIn(locale), payment: paymentIn(locale), otherMethod: null, refunds };
  return composeReceipt({ ...context, charged: { ...charged, paidAt: at } }, locale);
}

type Kind = ClaimedEmail['kind'];

function emailContextsIn(locale: Locale): [name: string, kind: Kind, context: EmailContext][] {
  const company = companyIn(locale);
  const payment = paymentIn(locale);
  const link = { url: 'https://pay.example/reset?token=abc', expiresAt: at };
  const of = (kind: Kind, more: Partial<PaymentEmailContext> = {}): PaymentEmailContext => ({
    ...{ company, payment, charged, otherMethod: null },
    refund: kind === 'refund' || kind === 'surplus' ? (amount as Refund) : null,
    ...more,
  });
  const otherMethod = { takes: 'page', title: 'Paypond' } as const;
  const payments = ['link', 'reminder', 'receipt', 'refund', 'surplus', 'notice'] as const;
  const changes = [
    'password',
    'reset',
    'totpAdded',
    'totpRemoved',
    'passkeyAdded',
    'passkeyRemoved',
    'codes',
  ];
  const endpoint = { id: 'we_1', url: 'https://shop.example/hooks', mode: 'test', failingSince: at };
  return [
    ...payments.map((kind): [string, Kind, EmailContext] => [kind, kind, of(kind)]),
    ...(['expired', 'failed'] as const).map((state): [string, Kind, EmailContext] => [
      `link_request ${state}`,
      'link_request',
      of('link_request', { payment: { ...payment, state, updatedAt: at }, charged: null }),
    ]),
    ['refund elsewhere', 'refund', of('refund', { charged: null, otherMethod })],
    ['surplus elsewhere', 'surplus', of('surplus', { charged: null, otherMethod })],
    ...['gone', 'failing', 'other'].map((reason): [string, Kind, EmailContext] => [
      `endpoint ${reason}`,
      'endpoint',
      { company, endpoint: { ...endpoint, reason } },
    ]),
    ['password', 'password', { company, link }],
    ['invitation', 'invitation', { company, link, invitation: true }],
    ...changes.map((change): [string, Kind, EmailContext] => [
      `account ${change}`,
      'account',
      { company, change } as EmailContext,
    ]),
  ];
}

export type EmailDocument = { subject: string; html: string; text: string };

/** Every email by name. */
export function emailsIn(locale: Locale): Map<string, EmailDocument> {
  return new Map(
    emailContextsIn(locale).map(([name, kind, context]) => {
      const content = composeEmail({ kind, createdAt: at }, context, 'https://pay.example');
      return [name, { subject: content.subject, html: renderHtml(content), text: renderText(content) }];
    }),
  );
}

/** Every page and the HTML of every email, by name. */
export function documentsIn(locale: Locale): Map<string, string> {
  const frame = { locale, merchantName: merchant, assets: pageAssets(null), isTestMode: true };
  const languageForm = { action: '/pay/code/language', token: 'token' };
  const receipt = renderReceiptPage({
    frame: { ...frame, languageForm },
    receipt: receiptIn(locale),
    pdfPath: '/pay/code/receipt.pdf',
  });
  const challenge = renderChallengePage({
    ...{ locale, merchantName: merchant, amount: '€1,234.56', approveAction: '/sandbox/1', token: 'token' },
    ...{ stylesheet: assetPaths().css, leaveUrl: '/pay/code/return' },
  });
  return new Map([
    ...pagesIn(locale, { ...everyWord(merchant), order: 'order-1042' }),
    ['receipt', receipt.html],
    ['challenge', challenge],
    ...[...emailsIn(locale)].map(([name, { html }]): [string, string] => [`email: ${name}`, html]),
  ]);
}

/** The files that the pages load, by path. */
export const pageFiles = new Map(checkoutAssets().map((asset) => [asset.path, asset]));
