// The texts of a payment link: sending it, its QR code, and its expiry.

import { defineTexts } from '../base/language.tsx';

export const useLinkTexts = defineTexts({
  title: ['Payment link', 'Zahlungslink'],
  hint: [
    'Give this link to your customer. Whoever has it can pay.',
    'Geben Sie diesen Link Ihrem Kunden. Wer ihn hat, kann bezahlen.',
  ],
  link: ['Payment link', 'Zahlungslink'],
  open: ['Open the link', 'Link öffnen'],
  send: ['Send by mail', 'Per E-Mail senden'],
  sent: [
    (email: string) => `A mail with the link is on its way to ${email}.`,
    (email: string) => `Eine E-Mail mit dem Link ist unterwegs an ${email}.`,
  ],
  sentTooOften: [
    'The link of a payment can be sent three times an hour. Try again later.',
    'Der Link einer Zahlung kann dreimal in der Stunde verschickt werden. Versuchen Sie es später noch einmal.',
  ],
  qr: ['QR code of the payment link', 'QR-Code des Zahlungslinks'],
  qrSave: ['Save QR code', 'QR-Code speichern'],
  expiry: ['The link ends', 'Der Link endet'],
  expiryChoices: {
    hour: ['in 1 hour', 'in 1 Stunde'],
    day: ['in 1 day', 'in 1 Tag'],
    week: ['in 7 days', 'in 7 Tagen'],
    month: ['in 30 days', 'in 30 Tagen'],
    own: ['at a moment of your choice', 'zu einem eigenen Zeitpunkt'],
  },
  expiryMoment: ['Moment', 'Zeitpunkt'],
  expiryHint: ['5 minutes to 180 days ahead.', 'In 5 Minuten bis 180 Tagen.'],
  cards: {
    title: ['Pay it with a test card', 'Mit einer Testkarte bezahlen'],
    hint: [
      'No money moves. Use any date in the future and any three digits as security code.',
      'Es fließt kein Geld. Nehmen Sie ein beliebiges Datum in der Zukunft und drei beliebige Ziffern als Prüfziffer.',
    ],
    paid: ['is paid', 'wird bezahlt'],
    declined: ['is declined', 'wird abgelehnt'],
    confirm: ['asks for a confirmation (3-D Secure)', 'verlangt eine Bestätigung (3-D Secure)'],
  },
});
