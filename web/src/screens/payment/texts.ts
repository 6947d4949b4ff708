// The texts of one payment. Those of its events are in texts/events.ts.

import { defineTexts } from '../../base/language.tsx';

export const usePaymentTexts = defineTexts({
  title: [(amount: string) => `Payment of ${amount}`, (amount: string) => `Zahlung über ${amount}`],
  back: ['Payments', 'Zahlungen'],
  states: {
    open: [
      (ends: string) => `Waits for the customer. The link ends ${ends}.`,
      (ends: string) => `Wartet auf den Kunden. Der Link endet ${ends}.`,
    ],
    processing: ['The customer is paying at this moment.', 'Der Kunde bezahlt gerade.'],
    unclear: [
      'The processor has not said yet whether it took the money. Paylink keeps asking; until it answers, nobody can pay a second time.',
      'Der Zahlungsdienst hat noch nicht gesagt, ob er das Geld eingezogen hat. Paylink fragt weiter nach; bis zur Antwort kann niemand ein zweites Mal bezahlen.',
    ],
    paid: ['The money was taken.', 'Das Geld wurde eingezogen.'],
    failed: [
      'The customer could not pay. The order can have a new link.',
      'Der Kunde konnte nicht bezahlen. Für die Bestellung kann es einen neuen Link geben.',
    ],
    expired: [
      'Nobody paid in time. The order can have a new link.',
      'Niemand hat rechtzeitig bezahlt. Für die Bestellung kann es einen neuen Link geben.',
    ],
    cancelled: [
      'The link was cancelled and takes no payment any more.',
      'Der Link wurde storniert und nimmt keine Zahlung mehr an.',
    ],
  },
  refundedOf: [
    (refunded: string, left: string) => `${refunded} of it was refunded; ${left} is left.`,
    (refunded: string, left: string) => `Davon wurden ${refunded} erstattet; ${left} sind übrig.`,
  ],
  cancel: ['Cancel the link', 'Link stornieren'],
  cancelTitle: ['Cancel this link?', 'Diesen Link stornieren?'],
  cancelText: [
    'Nobody will be able to pay it any more, and it can’t be opened again. The order can have a new link.',
    'Niemand kann ihn dann noch bezahlen, und er lässt sich nicht wieder öffnen. Für die Bestellung kann es einen neuen Link geben.',
  ],
  cancelled: ['The link was cancelled.', 'Der Link wurde storniert.'],
  changeExpiry: ['Change the end', 'Ende ändern'],
  changeExpiryTitle: ['When is the link to end?', 'Wann soll der Link enden?'],
  expiryChanged: ['The end of the link was changed.', 'Das Ende des Links wurde geändert.'],
  badMoment: ['Please choose a moment.', 'Bitte wählen Sie einen Zeitpunkt.'],
  details: ['Details', 'Einzelheiten'],
  order: ['Order', 'Bestellung'],
  customer: ['Customer', 'Kunde'],
  email: ['E-mail', 'E-Mail'],
  phone: ['Phone', 'Telefon'],
  country: ['Country', 'Land'],
  description: ['Description', 'Beschreibung'],
  created: ['Created', 'Angelegt'],
  ends: ['End of the link', 'Ende des Links'],
  language: ['Language of the page', 'Sprache der Seite'],
  languageOpen: ['That of the customer’s browser', 'Die des Browsers des Kunden'],
  successUrl: ['After paying, the customer goes to', 'Nach dem Bezahlen geht der Kunde zu'],
  failureUrl: ['Without paying, to', 'Ohne Bezahlung zu'],
  mode: ['Mode', 'Modus'],
  code: ['Code of the link', 'Code des Links'],
  metadata: [
    (count: string) => `Your own data (${count})`,
    (count: string) => `Ihre eigenen Angaben (${count})`,
  ],
  refunds: ['Refunds', 'Erstattungen'],
  noRefunds: ['Nothing was refunded.', 'Es wurde nichts erstattet.'],
  refund: ['Refund', 'Erstatten'],
  refundTitle: ['Refund this payment', 'Zahlung erstatten'],
  refundHint: [(left: string) => `Up to ${left}.`, (left: string) => `Höchstens ${left}.`],
  refundTooLarge: [
    (left: string) => `That is more than the ${left} that can still be refunded.`,
    (left: string) => `Das ist mehr als die ${left}, die noch erstattet werden können.`,
  ],
  refundAmount: [
    (currency: string) => `Amount in ${currency}`,
    (currency: string) => `Betrag in ${currency}`,
  ],
  refundReason: ['Reason', 'Grund'],
  refundReasonHint: [
    'For your own records; the customer does not see it.',
    'Für Ihre eigenen Unterlagen; der Kunde sieht ihn nicht.',
  ],
  refundAct: [(amount: string) => `Refund ${amount}`, (amount: string) => `${amount} erstatten`],
  badAmount: ['Please enter an amount such as 19.99.', 'Bitte geben Sie einen Betrag wie 19,99 ein.'],
  refundDone: {
    succeeded: [
      (amount: string) => `${amount} was refunded.`,
      (amount: string) => `${amount} wurden erstattet.`,
    ],
    processing: [
      (amount: string) =>
        `The processor is refunding ${amount}. This can take a while; there is nothing left for you to do.`,
      (amount: string) =>
        `Der Zahlungsdienst erstattet ${amount}. Das kann eine Weile dauern; Sie müssen nichts weiter tun.`,
    ],
    unknown: [
      (amount: string) =>
        `The processor has not answered yet about ${amount}. Paylink keeps asking until it knows; don’t refund it a second time.`,
      (amount: string) =>
        `Der Zahlungsdienst hat zu ${amount} noch nicht geantwortet. Paylink fragt nach, bis es feststeht; bitte erstatten Sie nicht ein zweites Mal.`,
    ],
    failed: [
      (amount: string) => `The processor refused to refund ${amount}. You can try again.`,
      (amount: string) =>
        `Der Zahlungsdienst hat die Erstattung von ${amount} abgelehnt. Sie können es noch einmal versuchen.`,
    ],
  },
  refundColumns: {
    amount: ['Amount', 'Betrag'],
    state: ['State', 'Zustand'],
    at: ['When', 'Wann'],
    reason: ['Reason', 'Grund'],
  },
  refundStates: {
    created: ['Begun', 'Begonnen'],
    processing: ['In progress', 'In Arbeit'],
    unknown: ['No answer yet', 'Noch ohne Antwort'],
    succeeded: ['Refunded', 'Erstattet'],
    failed: ['Refused', 'Abgelehnt'],
  },
  surplus: [
    'Money that nobody owed; sent back by Paylink itself',
    'Nicht geschuldetes Geld; von Paylink selbst zurückgesandt',
  ],
  timeline: ['History', 'Verlauf'],
  attempt: [(number: string) => `Attempt ${number}`, (number: string) => `Versuch ${number}`],
  because: [(reason: string) => `Reason: ${reason}.`, (reason: string) => `Grund: ${reason}.`],
  newEnd: [
    (moment: string) => `The link now ends ${moment}.`,
    (moment: string) => `Der Link endet jetzt ${moment}.`,
  ],
  newMetadata: [(names: string) => `Changed: ${names}.`, (names: string) => `Geändert: ${names}.`],
  partOf: [
    (part: string, left: string) => `${part} has come, ${left} is missing.`,
    (part: string, left: string) => `${part} sind eingegangen, ${left} fehlen noch.`,
  ],
  deliveries: ['Webhooks', 'Webhooks'],
  noDeliveries: [
    'No endpoint of yours was told of this payment.',
    'Keiner Ihrer Endpunkte hat von dieser Zahlung erfahren.',
  ],
  deliveryColumns: {
    event: ['Event', 'Ereignis'],
    to: ['Endpoint', 'Endpunkt'],
    state: ['State', 'Zustand'],
    answer: ['Last answer', 'Letzte Antwort'],
    at: ['When', 'Wann'],
    acts: ['Actions', 'Aktionen'],
  },
  deliveryStates: {
    pending: ['Waiting', 'Wartend'],
    delivered: ['Delivered', 'Zugestellt'],
    failed: ['Given up', 'Aufgegeben'],
  },
  tries: [(count: string) => `${count} tries`, (count: string) => `${count} Versuche`],
  oneTry: ['1 try', '1 Versuch'],
  noAnswer: ['no answer', 'keine Antwort'],
  resend: ['Send again', 'Noch einmal senden'],
  resent: ['It is being sent again.', 'Es wird noch einmal gesendet.'],
});
