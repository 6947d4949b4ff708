// The texts of the overview.

import { defineTexts } from '../../base/language.tsx';

export const useOverviewTexts = defineTexts({
  title: ['Overview', 'Übersicht'],
  newLink: ['New payment link', 'Neuer Zahlungslink'],
  span: ['Which days', 'Welche Tage'],
  spans: {
    1: ['Today', 'Heute'],
    7: ['7 days', '7 Tage'],
    30: ['30 days', '30 Tage'],
  },
  figures: {
    paid: ['Paid', 'Bezahlt'],
    payments: [
      (count: number, text: string) => (count === 1 ? '1 payment' : `${text} payments`),
      (count: number, text: string) => (count === 1 ? '1 Zahlung' : `${text} Zahlungen`),
    ],
    refunded: ['Refunded', 'Erstattet'],
    refunds: [
      (count: number, text: string) => (count === 1 ? '1 refund' : `${text} refunds`),
      (count: number, text: string) => (count === 1 ? '1 Erstattung' : `${text} Erstattungen`),
    ],
    conversion: ['Conversion', 'Abschlussquote'],
    converted: [
      (paid: string, created: string) => `${paid} of ${created} ${created === '1' ? 'link' : 'links'} paid`,
      (paid: string, created: string) =>
        `${paid} von ${created} ${created === '1' ? 'Link' : 'Links'} bezahlt`,
    ],
    open: ['Open', 'Offen'],
    failed: ['Failed', 'Fehlgeschlagen'],
    links: [
      (count: number, text: string) => (count === 1 ? '1 link' : `${text} links`),
      (count: number, text: string) => (count === 1 ? '1 Link' : `${text} Links`),
    ],
    created: ['Links created', 'Angelegte Links'],
    createdIn: [
      (count: number, text: string) => (count === 1 ? '1 link created' : `${text} links created`),
      (count: number, text: string) => (count === 1 ? '1 Link angelegt' : `${text} Links angelegt`),
    ],
    hint: [
      'Paid and refunded count when the money moved. All else is about the links that were created in this time, as they stand now.',
      'Bezahltes und Erstattetes zählt, wenn das Geld geflossen ist. Alles andere betrifft die Links, die in dieser Zeit angelegt wurden, nach ihrem heutigen Stand.',
    ],
    summary: [
      (name: string, paid: string, links: string) =>
        `${name} over time: ${paid} paid, ${links}. The table below has each figure.`,
      (name: string, paid: string, links: string) =>
        `${name} im Zeitverlauf: ${paid} bezahlt, ${links}. Die Tabelle darunter nennt jede Zahl.`,
    ],
    hour: ['Hour', 'Stunde'],
    day: ['Day', 'Tag'],
    from: [(time: string) => `From ${time}`, (time: string) => `Ab ${time} Uhr`],
  },
  quiet: ['No payments in these days', 'Keine Zahlungen in diesen Tagen'],
  quietHint: [
    'Choose more days, or look at all payments.',
    'Wählen Sie mehr Tage, oder sehen Sie sich alle Zahlungen an.',
  ],
  allPayments: ['All payments', 'Alle Zahlungen'],
  attention: {
    title: ['Needs attention', 'Braucht Ihre Aufmerksamkeit'],
    none: [
      'All is well: nothing needs your attention.',
      'Alles in Ordnung: Es gibt nichts, worum Sie sich kümmern müssten.',
    ],
    cases: [
      (count: number) =>
        count === 1
          ? 'One case waits for a person to look at it.'
          : `${count} cases wait for a person to look at them.`,
      (count: number) =>
        count === 1
          ? 'Ein Fall wartet darauf, geklärt zu werden.'
          : `${count} Fälle warten darauf, geklärt zu werden.`,
    ],
    casesAct: ['See the cases', 'Fälle ansehen'],
    unknown: [
      (count: number) =>
        count === 1
          ? 'It is not known yet whether one payment went through. The processor is asked again and again.'
          : `It is not known yet whether ${count} payments went through. The processor is asked again and again.`,
      (count: number) =>
        count === 1
          ? 'Von einer Zahlung ist noch nicht bekannt, ob sie gelungen ist. Der Zahlungsdienst wird immer wieder gefragt.'
          : `Von ${count} Zahlungen ist noch nicht bekannt, ob sie gelungen sind. Der Zahlungsdienst wird immer wieder gefragt.`,
    ],
    unknownAct: ['Payments in progress', 'Zahlungen in Arbeit'],
    failing: [
      (count: number) =>
        count === 1
          ? 'One webhook endpoint does not take its messages.'
          : `${count} webhook endpoints do not take their messages.`,
      (count: number) =>
        count === 1
          ? 'Ein Webhook-Endpunkt nimmt seine Nachrichten nicht an.'
          : `${count} Webhook-Endpunkte nehmen ihre Nachrichten nicht an.`,
    ],
    disabled: [
      (count: number) =>
        count === 1
          ? 'One webhook endpoint was switched off because it failed.'
          : `${count} webhook endpoints were switched off because they failed.`,
      (count: number) =>
        count === 1
          ? 'Ein Webhook-Endpunkt wurde abgeschaltet, weil er nicht zu erreichen war.'
          : `${count} Webhook-Endpunkte wurden abgeschaltet, weil sie nicht zu erreichen waren.`,
    ],
    endpointsAct: ['See the webhooks', 'Webhooks ansehen'],
    expiring: [
      (count: number) =>
        count === 1 ? 'One open link ends within 24 hours:' : `${count} open links end within 24 hours:`,
      (count: number) =>
        count === 1
          ? 'Ein offener Link endet in den nächsten 24 Stunden:'
          : `${count} offene Links enden in den nächsten 24 Stunden:`,
    ],
    expiringMany: [
      'More than 1,000 open links end within 24 hours:',
      'Mehr als 1.000 offene Links enden in den nächsten 24 Stunden:',
    ],
    expiringAct: ['All open links', 'Alle offenen Links'],
    ends: ['ends', 'endet'],
  },
  latest: {
    title: ['Latest payments', 'Neueste Zahlungen'],
    order: ['Order', 'Bestellung'],
    customer: ['Customer', 'Kunde'],
    amount: ['Amount', 'Betrag'],
    state: ['State', 'Zustand'],
    created: ['Created', 'Angelegt'],
  },
  welcome: {
    title: ['Welcome to Paylink', 'Willkommen bei Paylink'],
    hint: [
      'This is where you will see what was paid, what is open, and what needs you. Make your first payment link here, or let your shop make it by the API.',
      'Hier sehen Sie bald, was bezahlt und was offen ist und worum Sie sich kümmern sollten. Legen Sie hier Ihren ersten Zahlungslink an, oder lassen Sie Ihren Shop das über die Schnittstelle tun.',
    ],
    hintReader: [
      'As soon as your company has made its first payment link, this is where you will see what becomes of it.',
      'Sobald Ihre Firma den ersten Zahlungslink angelegt hat, sehen Sie hier, was daraus wird.',
    ],
    start: ['Get started', 'Erste Schritte'],
  },
});
