// The texts of the page of balances.

import { defineTexts } from '../../base/language.tsx';

export const useBalancesTexts = defineTexts({
  title: ['Balances', 'Salden'],
  none: ['No money has moved yet', 'Es ist noch kein Geld geflossen'],
  noneHint: [
    'As soon as a customer has paid, you see here what was taken, what was refunded, and what the processors owe you.',
    'Sobald ein Kunde bezahlt hat, sehen Sie hier, was eingezogen und was erstattet wurde und was die Zahlungsdienste Ihnen schulden.',
  ],
  newLink: ['New payment link', 'Neuer Zahlungslink'],
  merchant: ['Taken for you', 'Für Sie eingezogen'],
  merchantHint: ['what your customers have paid', 'was Ihre Kunden bezahlt haben'],
  refunds: ['Refunded', 'Erstattet'],
  refundsHint: ['refunds that have arrived', 'Erstattungen, die angekommen sind'],
  suspense: ['On its way back', 'Auf dem Rückweg'],
  suspenseHint: [
    'money that nobody owed; Paylink sends it back by itself',
    'Geld, das niemand geschuldet hat; Paylink sendet es von selbst zurück',
  ],
  fees: ['Fees', 'Gebühren'],
  feesHint: ['what the processors have kept', 'was die Zahlungsdienste einbehalten haben'],
  processor: ['What the processors owe you', 'Das schulden Ihnen die Zahlungsdienste'],
  processorHint: [
    'before their fees and payouts, which Paylink does not know of',
    'vor ihren Gebühren und Auszahlungen, von denen Paylink nichts weiß',
  ],
  ledger: ['Ledger', 'Buchungen'],
  ledgerHint: [
    'Every movement of money that the balances are made of. An entry is never changed.',
    'Jede Geldbewegung, aus der die Salden bestehen. Eine Buchung wird nie geändert.',
  ],
  noEntries: ['No money moved in these days', 'In diesen Tagen ist kein Geld geflossen'],
  noEntriesHint: ['Choose other days.', 'Wählen Sie andere Tage.'],
  from: ['From', 'Von'],
  to: ['To', 'Bis'],
  clear: ['All days', 'Alle Tage'],
  order: ['Sorted by', 'Reihenfolge'],
  orders: {
    '-CreatedOn': ['Newest first', 'Neueste zuerst'],
    CreatedOn: ['Oldest first', 'Älteste zuerst'],
  },
  when: ['When', 'Wann'],
  what: ['What', 'Was'],
  kinds: {
    capture: ['Payment taken', 'Zahlung eingezogen'],
    refund: ['Refund', 'Erstattung'],
    surplus: ['Money that nobody owed', 'Nicht geschuldetes Geld'],
    surplus_refund: ['Money that nobody owed, sent back', 'Nicht geschuldetes Geld, zurückgesandt'],
    refund_reversal: ['Refund that failed later', 'Erstattung, die später fehlgeschlagen ist'],
    surplus_refund_reversal: [
      'Money that nobody owed: its return failed later',
      'Nicht geschuldetes Geld: Rücksendung später fehlgeschlagen',
    ],
  },
  accounts: {
    processor: ['processors', 'Zahlungsdienste'],
    merchant: ['yours', 'eingezogen'],
    refunds: ['refunded', 'erstattet'],
    fees: ['fees', 'Gebühren'],
    suspense: ['on its way back', 'auf dem Rückweg'],
  },
  sides: [
    (debit: string, credit: string) => `Debit: ${debit} · Credit: ${credit}`,
    (debit: string, credit: string) => `Soll: ${debit} · Haben: ${credit}`,
  ],
  payment: ['Payment', 'Zahlung'],
  source: ['Attempt or refund', 'Versuch oder Erstattung'],
  amount: ['Amount', 'Betrag'],
});
