// Every sentence of a receipt, as a page and as a PDF, in both languages. `{names}` are placeholders for values.

import type { Locale } from '../base/locale.ts';

const en = {
  title: 'Receipt',
  file: 'receipt',
  view: 'View receipt',
  download: 'Download PDF',
  print: 'To print the receipt, use your browser’s print function.',
  foot: 'This receipt confirms the payment. It is not an invoice.',
  test: 'TEST – no real money moves',
  labels: {
    merchant: 'To',
    amount: 'Amount',
    paidAt: 'Paid on',
    card: 'Card',
    paidWith: 'Paid with',
    refunded: 'Refunded',
    description: 'For',
    order: 'Order',
    customer: 'Customer',
    reference: 'Payment ID',
  },
  cardEnding: '{brand} ending in {last4}',
  cardEndingOnly: 'ending in {last4}',
  transfer: 'Bank transfer',
};

export type ReceiptTexts = typeof en;

const de: ReceiptTexts = {
  title: 'Beleg',
  file: 'beleg',
  view: 'Beleg ansehen',
  download: 'PDF herunterladen',
  print: 'Zum Ausdrucken verwenden Sie die Druckfunktion Ihres Browsers.',
  foot: 'Dieser Beleg bestätigt die Zahlung. Er ist keine Rechnung.',
  test: 'TESTMODUS – es wird kein echtes Geld bewegt',
  labels: {
    merchant: 'An',
    amount: 'Betrag',
    paidAt: 'Bezahlt am',
    card: 'Karte',
    paidWith: 'Bezahlt mit',
    refunded: 'Erstattet',
    description: 'Für',
    order: 'Bestellung',
    customer: 'Kunde',
    reference: 'Zahlungs-ID',
  },
  cardEnding: '{brand} mit den Endziffern {last4}',
  cardEndingOnly: 'mit den Endziffern {last4}',
  transfer: 'Überweisung',
};

const byLocale: Record<Locale, ReceiptTexts> = { en, de };

/** The sentences of a receipt in one language. */
export function receiptTexts(locale: Locale): ReceiptTexts {
  return byLocale[locale];
}
