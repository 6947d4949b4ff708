// The texts of a payment link: sending it, its QR code, and its expiry.

import { defineTexts } from '../base/language.tsx';

export const useLinkTexts = defineTexts({
  title: ['Payment link', 'Zahlungslink'],
  hint: [
    'Send this link to your customer. Anyone with the link can pay.',
    'Senden Sie diesen Link an Ihren Kunden. Wer ihn hat, kann bezahlen.',
  ],
  open: ['Open the link', 'Link öffnen'],
  send: ['Send by email', 'Per E-Mail senden'],
  sent: [
    (email: string) => `The link was emailed to ${email}.`,
    (email: string) => `Der Link wurde per E-Mail an ${email} gesendet.`,
  ],
  sentTooOften: [
    'You can send a link 3 times per hour. Try again later.',
    'Sie können einen Link dreimal pro Stunde senden. Versuchen Sie es später erneut.',
  ],
  qr: ['QR code of the payment link', 'QR-Code des Zahlungslinks'],
  qrSave: ['Save QR code', 'QR-Code speichern'],
  expiry: ['Expires', 'Läuft ab'],
  expiryChoices: {
    hour: ['in 1 hour', 'in 1 Stunde'],
    day: ['in 1 day', 'in 1 Tag'],
    week: ['in 7 days', 'in 7 Tagen'],
    month: ['in 30 days', 'in 30 Tagen'],
    own: ['at a custom time', 'zu einem eigenen Zeitpunkt'],
  },
  expiryTime: ['Time', 'Zeitpunkt'],
  expiryHint: ['5 minutes to 180 days from now.', 'In 5 Minuten bis 180 Tagen.'],
  cards: {
    title: ['Pay with a test card', 'Mit einer Testkarte bezahlen'],
    hint: [
      'No money moves. Use any future date and any 3 digits as security code.',
      'Es fließt kein Geld. Verwenden Sie ein beliebiges Datum in der Zukunft und 3 beliebige Ziffern als Prüfnummer.',
    ],
    paid: ['succeeds', 'gelingt'],
    declined: ['is declined', 'wird abgelehnt'],
    confirm: ['requires authentication (3-D Secure)', 'verlangt eine Bestätigung (3-D Secure)'],
  },
});
