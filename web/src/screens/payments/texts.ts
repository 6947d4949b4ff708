// The texts of the list of payments.

import { defineTexts } from '../../base/language.tsx';

export const usePaymentsTexts = defineTexts({
  title: ['Payments', 'Zahlungen'],
  newLink: ['New payment link', 'Neuer Zahlungslink'],
  search: ['Search payments', 'Zahlungen suchen'],
  searchHint: [
    'Begins with: order, e-mail address, full name or last name',
    'Anfang von Bestellung, E-Mail-Adresse, vollem Namen oder Nachnamen',
  ],
  searching: ['Searching…', 'Wird gesucht …'],
  state: ['State', 'Zustand'],
  anyState: ['All', 'Alle'],
  filters: ['Filters', 'Filter'],
  apply: ['Apply', 'Anwenden'],
  currency: ['Currency', 'Währung'],
  anyCurrency: ['Every currency', 'Jede Währung'],
  minAmount: ['Amount from', 'Betrag von'],
  maxAmount: ['Amount to', 'Betrag bis'],
  from: ['Created from', 'Angelegt ab'],
  to: ['Created to', 'Angelegt bis'],
  order: ['Order', 'Bestellung'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  starHint: ['With * at the end: all that begin so.', 'Mit * am Ende: alle, die so anfangen.'],
  sort: ['Sorted by', 'Reihenfolge'],
  sorts: {
    newest: ['Newest first', 'Neueste zuerst'],
    oldest: ['Oldest first', 'Älteste zuerst'],
  },
  sortGiven: ['A search has an order of its own.', 'Eine Suche hat ihre eigene Reihenfolge.'],
  badAmount: ['Please enter an amount such as 19.99.', 'Bitte geben Sie einen Betrag wie 19,99 ein.'],
  chips: {
    list: ['Filters that are on', 'Gesetzte Filter'],
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
    email: [(value: string) => `E-mail: ${value}`, (value: string) => `E-Mail: ${value}`],
    remove: [(chip: string) => `Remove filter – ${chip}`, (chip: string) => `Filter entfernen – ${chip}`],
  },
  clearAll: ['Clear all', 'Alle entfernen'],
  columns: ['Columns', 'Spalten'],
  columnNames: {
    order: ['Order', 'Bestellung'],
    amount: ['Amount', 'Betrag'],
    state: ['State', 'Zustand'],
    customer: ['Customer', 'Kunde'],
    email: ['E-mail', 'E-Mail'],
    created: ['Created', 'Angelegt'],
    expires: ['Link ends', 'Link endet'],
    description: ['Description', 'Beschreibung'],
    refunded: ['Refunded', 'Erstattet'],
    mode: ['Mode', 'Modus'],
  },
  shown: [(count: string) => `${count} payments`, (count: string) => `${count} Zahlungen`],
  shownMore: [
    (count: string) => `The first ${count} payments`,
    (count: string) => `Die ersten ${count} Zahlungen`,
  ],
  oneShown: ['1 payment', '1 Zahlung'],
  stillSearching: [
    (count: string) => `Still searching, ${count} found so far…`,
    (count: string) => `Suche läuft noch, bisher ${count} gefunden …`,
  ],
  emptyTitle: ['No payments yet', 'Noch keine Zahlungen'],
  empty: [
    'Each payment link that you make appears here, with everything that happens to it.',
    'Jeder Zahlungslink, den Sie anlegen, erscheint hier, mit allem, was damit geschieht.',
  ],
  noneTitle: ['No payment matches', 'Keine Zahlung passt dazu'],
  none: [
    'Try fewer filters, or only the beginning of a word.',
    'Versuchen Sie es mit weniger Filtern oder nur mit dem Anfang eines Wortes.',
  ],
  export: {
    act: ['Export CSV', 'CSV exportieren'],
    title: ['Export of payments', 'Export der Zahlungen'],
    running: [
      (payments: string, size: string) => `${payments} payments so far (${size})`,
      (payments: string, size: string) => `Bisher ${payments} Zahlungen (${size})`,
    ],
    done: [
      (count: number, text: string) =>
        count === 1 ? 'One payment was exported.' : `${text} payments were exported.`,
      (count: number, text: string) =>
        count === 1 ? 'Eine Zahlung wurde exportiert.' : `${text} Zahlungen wurden exportiert.`,
    ],
    broken: [
      'The export broke off. Nothing was saved.',
      'Der Export ist abgebrochen. Es wurde nichts gespeichert.',
    ],
    again: ['Export again', 'Noch einmal exportieren'],
  },
});
