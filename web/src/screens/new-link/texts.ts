// The texts of a new payment link.

import { defineTexts } from '../../base/language.tsx';

export const useNewLinkTexts = defineTexts({
  title: ['New payment link', 'Neuer Zahlungslink'],
  what: ['What is to be paid', 'Was bezahlt werden soll'],
  amount: ['Amount', 'Betrag'],
  currency: ['Currency', 'Währung'],
  order: ['Order number', 'Bestellnummer'],
  orderHint: [
    'Your reference. An order can be paid once only.',
    'Ihre eigene Nummer. Eine Bestellung kann nur einmal bezahlt werden.',
  ],
  description: ['Description', 'Beschreibung'],
  descriptionHint: [
    'The customer sees it on the payment page.',
    'Der Kunde sieht sie auf der Zahlungsseite.',
  ],
  who: ['Who is to pay', 'Wer bezahlen soll'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  emailHint: [
    'Receipts go there, and the link if you send it by mail.',
    'Dorthin gehen Belege und, wenn Sie ihn verschicken, der Link.',
  ],
  firstName: ['First name', 'Vorname'],
  lastName: ['Last name', 'Nachname'],
  phone: ['Phone', 'Telefon'],
  link: ['The link', 'Der Link'],
  locale: ['Language of the page', 'Sprache der Seite'],
  localeOpen: ['That of the customer’s browser', 'Die des Browsers des Kunden'],
  returns: ['After paying', 'Nach dem Bezahlen'],
  returnsHint: [
    'The addresses on your website to which the customer is sent. They are remembered for next time.',
    'Die Adressen auf Ihrer Website, zu denen der Kunde geleitet wird. Sie werden für das nächste Mal gemerkt.',
  ],
  success: ['After paying, the customer goes to', 'Nach dem Bezahlen geht der Kunde zu'],
  failure: ['Without paying, the customer goes to', 'Ohne Bezahlung geht der Kunde zu'],
  more: ['More', 'Mehr'],
  pairs: ['Your own data', 'Ihre eigenen Angaben'],
  pairsHint: [
    'Up to 20 pairs that you get back with the payment. The customer does not see them.',
    'Bis zu 20 Paare, die Sie mit der Zahlung zurückbekommen. Der Kunde sieht sie nicht.',
  ],
  pairName: [(number: string) => `Name ${number}`, (number: string) => `Name ${number}`],
  pairValue: [(number: string) => `Value ${number}`, (number: string) => `Wert ${number}`],
  addPair: ['Add a pair', 'Paar hinzufügen'],
  removePair: [(number: string) => `Remove pair ${number}`, (number: string) => `Paar ${number} entfernen`],
  make: ['Create the link', 'Link anlegen'],
  clear: ['Clear the form', 'Formular leeren'],
  wrong: {
    missing: ['Please fill this in.', 'Bitte ausfüllen.'],
    amount: ['Please enter an amount such as 19.99.', 'Bitte geben Sie einen Betrag wie 19,99 ein.'],
    moment: ['Please choose a moment.', 'Bitte wählen Sie einen Zeitpunkt.'],
    repeated: ['Each name can stand only once.', 'Jeder Name kann nur einmal vorkommen.'],
  },
  differs: [
    'This is different from the link that stands.',
    'Das ist anders als bei dem Link, den es schon gibt.',
  ],
  seeStanding: ['See the link that stands', 'Vorhandenen Link ansehen'],
  otherOrder: ['Use another order number', 'Andere Bestellnummer verwenden'],
  made: ['The link is ready', 'Der Link ist fertig'],
  madePaid: ['The link was paid', 'Der Link wurde bezahlt'],
  replayed: [
    'There was a link for this order already, with exactly these details. This is it.',
    'Für diese Bestellung gab es schon einen Link mit genau diesen Angaben. Das ist er.',
  ],
  paid: [(amount: string) => `${amount} was paid.`, (amount: string) => `${amount} wurden bezahlt.`],
  amountOf: [
    (amount: string, order: string) => `${amount} · Order ${order}`,
    (amount: string, order: string) => `${amount} · Bestellung ${order}`,
  ],
  waiting: [
    'As soon as the customer has paid, you see it here.',
    'Sobald der Kunde bezahlt hat, sehen Sie es hier.',
  ],
  see: ['See the payment', 'Zahlung ansehen'],
  another: ['Create another link', 'Weiteren Link anlegen'],
});
