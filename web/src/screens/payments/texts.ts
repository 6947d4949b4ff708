// The texts of the list of payments.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const usePaymentsTexts = defineTexts({
  ...screenTexts,
  search: ['Search payments', 'Zahlungen suchen'],
  searchHint: [
    'Beginnings of words: name, email address, order, description, amount, last digits of the card',
    'Wortanfänge: Name, E-Mail-Adresse, Bestellung, Beschreibung, Betrag, letzte Ziffern der Karte',
  ],
  anyStatus: ['All', 'Alle'],
  filters: ['Filters', 'Filter'],
  apply: ['Apply', 'Anwenden'],
  anyCurrency: ['All currencies', 'Alle Währungen'],
  minAmount: ['Amount from', 'Betrag von'],
  maxAmount: ['Amount to', 'Betrag bis'],
  from: ['Created from', 'Angelegt ab'],
  to: ['Created to', 'Angelegt bis'],
  starHint: ['Add * at the end to match the beginning.', 'Mit * am Ende werden Anfänge gesucht.'],
  sortGiven: ['A search determines the order.', 'Eine Suche bestimmt die Reihenfolge.'],
  chips: {
    list: ['Active filters', 'Aktive Filter'],
    currency: [(value: string) => `Currency: ${value}`, (value: string) => `Währung: ${value}`],
    amountFrom: [(from: string) => `Amount: from ${from}`, (from: string) => `Betrag: ab ${from}`],
    amountTo: [(to: string) => `Amount: up to ${to}`, (to: string) => `Betrag: bis ${to}`],
    amount: [
      (from: string, to: string) => `Amount: ${from} to ${to}`,
      (from: string, to: string) => `Betrag: ${from} bis ${to}`,
    ],
    createdFrom: [(from: string) => `Created: since ${from}`, (from: string) => `Angelegt: ab ${from}`],
    createdTo: [(to: string) => `Created: until ${to}`, (to: string) => `Angelegt: bis ${to}`],
    created: [
      (from: string, to: string) => `Created: ${from} to ${to}`,
      (from: string, to: string) => `Angelegt: ${from} bis ${to}`,
    ],
    customerOrderId: [(value: string) => `Order: ${value}`, (value: string) => `Bestellung: ${value}`],
    email: [(value: string) => `Email: ${value}`, (value: string) => `E-Mail: ${value}`],
    remove: [(chip: string) => `Remove filter – ${chip}`, (chip: string) => `Filter entfernen – ${chip}`],
  },
  clearAll: ['Clear all', 'Alle entfernen'],
  columns: ['Columns', 'Spalten'],
  columnNames: {
    ...screenTexts,
    state: ['Status', 'Status'],
    email: ['Email', 'E-Mail'],
    refunded: ['Refunded', 'Erstattet'],
  },
  shown: counted(['payment', 'payments'], ['Zahlung', 'Zahlungen']),
  shownMore: [
    (count: string) => `The first ${count} payments`,
    (count: string) => `Die ersten ${count} Zahlungen`,
  ],
  stillSearching: [
    (count: string) => `Searching, ${count} found so far…`,
    (count: string) => `Suche läuft, bisher ${count} gefunden …`,
  ],
  emptyTitle: ['No payments yet', 'Noch keine Zahlungen'],
  empty: [
    'Your payment links appear here, with their status and history.',
    'Ihre Zahlungslinks erscheinen hier, mit Status und Verlauf.',
  ],
  noneTitle: ['No matching payments', 'Keine passenden Zahlungen'],
  none: [
    'Remove filters, or search for the beginning of a word.',
    'Entfernen Sie Filter, oder suchen Sie nach dem Anfang eines Wortes.',
  ],
  export: {
    action: ['Export CSV', 'CSV exportieren'],
    title: ['Export of payments', 'Export der Zahlungen'],
    running: [
      (payments: string, size: string) => `${payments} payments so far (${size})`,
      (payments: string, size: string) => `Bisher ${payments} Zahlungen (${size})`,
    ],
    done: counted(
      ['payment was exported.', 'payments were exported.'],
      ['Zahlung wurde exportiert.', 'Zahlungen wurden exportiert.'],
    ),
    broken: [
      'The export was interrupted. No file was saved.',
      'Der Export wurde unterbrochen. Es wurde keine Datei gespeichert.',
    ],
    again: ['Export again', 'Erneut exportieren'],
  },
});
