// The texts of a new payment link.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useNewLinkTexts = defineTexts({
  ...screenTexts,
  orderNumber: ['Order number', 'Bestellnummer'],
  orderHint: [
    'Your reference. Each order can be paid once.',
    'Ihre eigene Nummer. Jede Bestellung kann einmal bezahlt werden.',
  ],
  descriptionHint: ['Shown on the payment page.', 'Wird auf der Zahlungsseite angezeigt.'],
  emailHint: [
    'For receipts, and for the link if you send it.',
    'Für Belege und für den Link, wenn Sie ihn senden.',
  ],
  firstName: ['First name', 'Vorname'],
  lastName: ['Last name', 'Nachname'],
  returns: ['After payment', 'Nach dem Bezahlen'],
  returnsHint: [
    'Pages of your website to which customers return. They are remembered for your next link.',
    'Seiten Ihrer Website, zu denen Kunden zurückkehren. Sie werden für den nächsten Link gemerkt.',
  ],
  metadata: ['Metadata', 'Metadaten'],
  metadataHint: [
    'Up to 20 pairs of name and value that are stored with the payment. The customer does not see them.',
    'Bis zu 20 Paare aus Name und Wert, die mit der Zahlung gespeichert werden. Der Kunde sieht sie nicht.',
  ],
  pairName: [(number: string) => `Name ${number}`, (number: string) => `Name ${number}`],
  pairValue: [(number: string) => `Value ${number}`, (number: string) => `Wert ${number}`],
  addPair: ['Add a pair', 'Paar hinzufügen'],
  removePair: [(number: string) => `Remove pair ${number}`, (number: string) => `Paar ${number} entfernen`],
  create: ['Create the link', 'Link anlegen'],
  clear: ['Clear the form', 'Formular leeren'],
  errors: {
    missing: ['This field is required.', 'Diese Angabe fehlt.'],
    amount: screenTexts.invalidAmount,
    time: screenTexts.invalidTime,
    repeated: ['Each name can be used once.', 'Jeder Name kann nur einmal vorkommen.'],
  },
  differs: ['Differs from the existing link.', 'Weicht vom vorhandenen Link ab.'],
  viewExisting: ['View the existing link', 'Vorhandenen Link ansehen'],
  otherOrder: ['Use another order number', 'Andere Bestellnummer verwenden'],
  created: ['The link is ready', 'Der Link ist fertig'],
  createdPaid: ['The link was paid', 'Der Link wurde bezahlt'],
  replayed: [
    'A link with the same details already exists for this order. It is shown here.',
    'Für diese Bestellung gibt es schon einen Link mit denselben Angaben. Das ist er.',
  ],
  paid: [(amount: string) => `${amount} was paid.`, (amount: string) => `${amount} wurden bezahlt.`],
  amountOf: [
    (amount: string, order: string) => `${amount} · Order ${order}`,
    (amount: string, order: string) => `${amount} · Bestellung ${order}`,
  ],
  waiting: [
    'This page updates when the customer has paid.',
    'Diese Seite aktualisiert sich, sobald der Kunde bezahlt hat.',
  ],
  another: ['Create another link', 'Weiteren Link anlegen'],
});
