// The texts of the page of balances.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useBalancesTexts = defineTexts({
  ...screenTexts,
  none: ['No payments yet', 'Noch keine Zahlungen'],
  noneHint: [
    'Payments, refunds and your balance appear here after the first payment.',
    'Zahlungen, Erstattungen und Ihr Saldo erscheinen hier nach der ersten Zahlung.',
  ],
  lines: {
    merchant: {
      name: ['Payments', 'Zahlungen'],
      hint: ['paid by your customers', 'von Ihren Kunden bezahlt'],
    },
    refunds: {
      name: ['Refunds', 'Erstattungen'],
      hint: ['refunded to your customers', 'an Ihre Kunden erstattet'],
    },
    suspense: {
      name: ['Overpayments', 'Überzahlungen'],
      hint: ['being refunded automatically', 'werden automatisch erstattet'],
    },
    fees: {
      name: ['Fees', 'Gebühren'],
      hint: ['kept by the payment providers', 'von den Zahlungsdiensten einbehalten'],
    },
    processor: {
      name: ['Balance', 'Saldo'],
      hint: [
        'at your payment providers, before fees and payouts',
        'bei Ihren Zahlungsdiensten, vor Gebühren und Auszahlungen',
      ],
    },
  },
  ledger: ['Ledger', 'Buchungen'],
  ledgerHint: [
    'Every movement of money behind the balances. Entries are never changed.',
    'Jede Geldbewegung hinter den Salden. Buchungen werden nie geändert.',
  ],
  noEntries: ['No entries in this period', 'Keine Buchungen in diesem Zeitraum'],
  noEntriesHint: ['Choose other days.', 'Wählen Sie andere Tage.'],
  clear: ['All days', 'Alle Tage'],
  what: ['Entry', 'Buchung'],
  kinds: {
    capture: ['Payment', 'Zahlung'],
    refund: ['Refund', 'Erstattung'],
    surplus: ['Overpayment', 'Überzahlung'],
    surplus_refund: ['Refund of an overpayment', 'Erstattung einer Überzahlung'],
    refund_reversal: ['Failed refund', 'Fehlgeschlagene Erstattung'],
    surplus_refund_reversal: [
      'Failed refund of an overpayment',
      'Fehlgeschlagene Erstattung einer Überzahlung',
    ],
  },
  accounts: {
    processor: ['providers', 'Zahlungsdienste'],
    merchant: ['payments', 'Zahlungen'],
    refunds: ['refunds', 'Erstattungen'],
    fees: ['fees', 'Gebühren'],
    suspense: ['overpayments', 'Überzahlungen'],
  },
  sides: [
    (debit: string, credit: string) => `Debit: ${debit} · Credit: ${credit}`,
    (debit: string, credit: string) => `Soll: ${debit} · Haben: ${credit}`,
  ],
  source: ['Attempt or refund', 'Versuch oder Erstattung'],
});
