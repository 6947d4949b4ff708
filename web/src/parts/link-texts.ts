// The texts of a payment link: sending it, its QR code, and its expiry.

import { defineTexts } from '../base/language.tsx';

export const useLinkTexts = defineTexts(
  {
    title: 'Payment link',
    hint: 'Give this link to your customer. Whoever has it can pay.',
    link: 'Payment link',
    open: 'Open the link',
    send: 'Send by mail',
    sent: (email: string) => `A mail with the link is on its way to ${email}.`,
    sentTooOften: 'The link of a payment can be sent three times an hour. Try again later.',
    qr: 'QR code of the payment link',
    qrSave: 'Save QR code',
    expiry: 'The link ends',
    expiryChoices: {
      hour: 'in 1 hour',
      day: 'in 1 day',
      week: 'in 7 days',
      month: 'in 30 days',
      own: 'at a moment of your choice',
    },
    expiryMoment: 'Moment',
    expiryHint: '5 minutes to 180 days ahead.',
    cards: {
      title: 'Pay it with a test card',
      hint: 'No money moves. Use any date in the future and any three digits as security code.',
      paid: 'is paid',
      declined: 'is declined',
      confirm: 'asks for a confirmation (3-D Secure)',
    },
  },
  {
    title: 'Zahlungslink',
    hint: 'Geben Sie diesen Link Ihrem Kunden. Wer ihn hat, kann bezahlen.',
    link: 'Zahlungslink',
    open: 'Link öffnen',
    send: 'Per E-Mail senden',
    sent: (email) => `Eine E-Mail mit dem Link ist unterwegs an ${email}.`,
    sentTooOften:
      'Der Link einer Zahlung kann dreimal in der Stunde verschickt werden. Versuchen Sie es später noch einmal.',
    qr: 'QR-Code des Zahlungslinks',
    qrSave: 'QR-Code speichern',
    expiry: 'Der Link endet',
    expiryChoices: {
      hour: 'in 1 Stunde',
      day: 'in 1 Tag',
      week: 'in 7 Tagen',
      month: 'in 30 Tagen',
      own: 'zu einem eigenen Zeitpunkt',
    },
    expiryMoment: 'Zeitpunkt',
    expiryHint: 'In 5 Minuten bis 180 Tagen.',
    cards: {
      title: 'Mit einer Testkarte bezahlen',
      hint: 'Es fließt kein Geld. Nehmen Sie ein beliebiges Datum in der Zukunft und drei beliebige Ziffern als Prüfziffer.',
      paid: 'wird bezahlt',
      declined: 'wird abgelehnt',
      confirm: 'verlangt eine Bestätigung (3-D Secure)',
    },
  },
);
