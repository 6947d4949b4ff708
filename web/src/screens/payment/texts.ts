// The texts of one payment. Those of its events are in texts/events.ts.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const usePaymentTexts = defineTexts({
  ...screenTexts,
  title: [(amount: string) => `Payment of ${amount}`, (amount: string) => `Zahlung über ${amount}`],
  states: {
    open: [
      (expires: string) => `Waiting for the customer. The link expires ${expires}.`,
      (expires: string) => `Wartet auf den Kunden. Der Link läuft ab: ${expires}.`,
    ],
    processing: ['The customer is paying.', 'Der Kunde bezahlt gerade.'],
    unknown: [
      'The payment provider has not confirmed the payment yet. Paylink keeps checking. Until then, nobody can pay a second time.',
      'Der Zahlungsdienst hat die Zahlung noch nicht bestätigt. Paylink fragt weiter nach. Bis dahin kann niemand ein zweites Mal bezahlen.',
    ],
    paid: ['The payment was received.', 'Die Zahlung ist eingegangen.'],
    failed: [
      'The payment failed. You can create a new link for the order.',
      'Die Zahlung ist fehlgeschlagen. Sie können für die Bestellung einen neuen Link anlegen.',
    ],
    expired: [
      'The link expired unpaid. You can create a new link for the order.',
      'Der Link ist unbezahlt abgelaufen. Sie können für die Bestellung einen neuen Link anlegen.',
    ],
    cancelled: [
      'The link was cancelled and can no longer be paid.',
      'Der Link wurde storniert und lässt sich nicht mehr bezahlen.',
    ],
  },
  refundedOf: [
    (refunded: string, left: string) => `${refunded} refunded, ${left} left.`,
    (refunded: string, left: string) => `${refunded} erstattet, ${left} übrig.`,
  ],
  cancel: ['Cancel the link', 'Link stornieren'],
  cancelTitle: ['Cancel this link?', 'Diesen Link stornieren?'],
  cancelText: [
    'It can then no longer be paid. This cannot be undone. You can create a new link for the order.',
    'Er lässt sich dann nicht mehr bezahlen. Das lässt sich nicht rückgängig machen. Sie können für die Bestellung einen neuen Link anlegen.',
  ],
  cancelled: ['The link was cancelled.', 'Der Link wurde storniert.'],
  changeExpiry: ['Change expiry', 'Ablauf ändern'],
  expiryChanged: ['The expiry was changed.', 'Der Ablauf wurde geändert.'],
  email: ['Email', 'E-Mail'],
  code: ['Link code', 'Code des Links'],
  items: [(count: string) => `Items (${count})`, (count: string) => `Positionen (${count})`],
  includedTax: [(rate: string) => `Includes ${rate} tax`, (rate: string) => `Enthält ${rate} MwSt.`],
  metadata: [(count: string) => `Metadata (${count})`, (count: string) => `Metadaten (${count})`],
  refunds: ['Refunds', 'Erstattungen'],
  noRefunds: ['No refunds.', 'Keine Erstattungen.'],
  refund: ['Refund', 'Erstatten'],
  refundTitle: ['Refund this payment', 'Zahlung erstatten'],
  refundHint: [(left: string) => `Up to ${left}.`, (left: string) => `Höchstens ${left}.`],
  refundTooLarge: [
    (left: string) => `You can refund at most ${left}.`,
    (left: string) => `Sie können höchstens ${left} erstatten.`,
  ],
  refundAmount: [
    (currency: string) => `Amount in ${currency}`,
    (currency: string) => `Betrag in ${currency}`,
  ],
  refundReasonHint: ['Only your team sees it.', 'Nur Ihr Team sieht ihn.'],
  refundAction: [(amount: string) => `Refund ${amount}`, (amount: string) => `${amount} erstatten`],
  refundDone: {
    succeeded: [
      (amount: string) => `${amount} was refunded.`,
      (amount: string) => `${amount} wurden erstattet.`,
    ],
    processing: [
      (amount: string) => `The refund of ${amount} is in progress. You don’t need to do anything.`,
      (amount: string) => `Die Erstattung von ${amount} ist in Bearbeitung. Sie müssen nichts weiter tun.`,
    ],
    unknown: [
      (amount: string) =>
        `The payment provider has not confirmed the refund of ${amount} yet. Paylink keeps checking. Don’t refund it a second time.`,
      (amount: string) =>
        `Der Zahlungsdienst hat die Erstattung von ${amount} noch nicht bestätigt. Paylink fragt weiter nach. Bitte erstatten Sie nicht ein zweites Mal.`,
    ],
    failed: [
      (amount: string) => `The payment provider refused the refund of ${amount}. You can try again.`,
      (amount: string) =>
        `Der Zahlungsdienst hat die Erstattung von ${amount} abgelehnt. Sie können es erneut versuchen.`,
    ],
  },
  refundStates: {
    created: ['Created', 'Angelegt'],
    processing: ['In progress', 'In Bearbeitung'],
    unknown: ['Unknown', 'Unbekannt'],
    succeeded: ['Refunded', 'Erstattet'],
    failed: ['Failed', 'Fehlgeschlagen'],
  },
  overpayment: ['Overpayment, refunded automatically', 'Überzahlung, automatisch erstattet'],
  timeline: ['History', 'Verlauf'],
  attempt: [(number: string) => `Attempt ${number}`, (number: string) => `Versuch ${number}`],
  because: [(reason: string) => `Reason: ${reason}.`, (reason: string) => `Grund: ${reason}.`],
  newExpiry: [
    (expires: string) => `The link now expires ${expires}.`,
    (expires: string) => `Der Link läuft jetzt ab: ${expires}.`,
  ],
  newMetadata: [(names: string) => `Changed: ${names}.`, (names: string) => `Geändert: ${names}.`],
  partOf: [
    (part: string, left: string) => `${part} received, ${left} missing.`,
    (part: string, left: string) => `${part} eingegangen, ${left} fehlen.`,
  ],
  noDeliveries: [
    'No webhooks were sent for this payment.',
    'Für diese Zahlung wurden keine Webhooks gesendet.',
  ],
  attempts: counted(['attempt', 'attempts'], ['Versuch', 'Versuche']),
  noResponse: ['no response', 'keine Antwort'],
});
