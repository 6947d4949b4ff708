// The texts of the overview.

import { defineTexts } from '../../base/language.tsx';

export const useOverviewTexts = defineTexts(
  {
    title: 'Overview',
    newLink: 'New payment link',
    span: 'Which days',
    spans: { 1: 'Today', 7: '7 days', 30: '30 days' },
    figures: {
      paid: 'Paid',
      payments: (count: number, text: string) => (count === 1 ? '1 payment' : `${text} payments`),
      refunded: 'Refunded',
      refunds: (count: number, text: string) => (count === 1 ? '1 refund' : `${text} refunds`),
      conversion: 'Conversion',
      converted: (paid: string, created: string) =>
        `${paid} of ${created} ${created === '1' ? 'link' : 'links'} paid`,
      open: 'Open',
      failed: 'Failed',
      links: (count: number, text: string) => (count === 1 ? '1 link' : `${text} links`),
      created: 'Links created',
      createdIn: (count: number, text: string) => (count === 1 ? '1 link created' : `${text} links created`),
      hint: 'Paid and refunded count when the money moved. All else is about the links that were created in this time, as they stand now.',
      summary: (name: string, paid: string, links: string) =>
        `${name} over time: ${paid} paid, ${links}. The table below has each figure.`,
      hour: 'Hour',
      day: 'Day',
      from: (time: string) => `From ${time}`,
    },
    quiet: 'No payments in these days',
    quietHint: 'Choose more days, or look at all payments.',
    allPayments: 'All payments',
    attention: {
      title: 'Needs attention',
      none: 'All is well: nothing needs your attention.',
      cases: (count: number) =>
        count === 1
          ? 'One case waits for a person to look at it.'
          : `${count} cases wait for a person to look at them.`,
      casesAct: 'See the cases',
      unknown: (count: number) =>
        count === 1
          ? 'It is not known yet whether one payment went through. The processor is asked again and again.'
          : `It is not known yet whether ${count} payments went through. The processor is asked again and again.`,
      unknownAct: 'Payments in progress',
      failing: (count: number) =>
        count === 1
          ? 'One webhook endpoint does not take its messages.'
          : `${count} webhook endpoints do not take their messages.`,
      disabled: (count: number) =>
        count === 1
          ? 'One webhook endpoint was switched off because it failed.'
          : `${count} webhook endpoints were switched off because they failed.`,
      endpointsAct: 'See the webhooks',
      expiring: (count: number) =>
        count === 1 ? 'One open link ends within 24 hours:' : `${count} open links end within 24 hours:`,
      expiringMany: 'More than 1,000 open links end within 24 hours:',
      expiringAct: 'All open links',
      ends: 'ends',
    },
    latest: {
      title: 'Latest payments',
      order: 'Order',
      customer: 'Customer',
      amount: 'Amount',
      state: 'State',
      created: 'Created',
    },
    welcome: {
      title: 'Welcome to Paylink',
      hint: 'This is where you will see what was paid, what is open, and what needs you. Make your first payment link here, or let your shop make it by the API.',
      hintReader:
        'As soon as your company has made its first payment link, this is where you will see what becomes of it.',
      start: 'Get started',
    },
  },
  {
    title: 'Übersicht',
    newLink: 'Neuer Zahlungslink',
    span: 'Welche Tage',
    spans: { 1: 'Heute', 7: '7 Tage', 30: '30 Tage' },
    figures: {
      paid: 'Bezahlt',
      payments: (count, text) => (count === 1 ? '1 Zahlung' : `${text} Zahlungen`),
      refunded: 'Erstattet',
      refunds: (count, text) => (count === 1 ? '1 Erstattung' : `${text} Erstattungen`),
      conversion: 'Abschlussquote',
      converted: (paid, created) => `${paid} von ${created} ${created === '1' ? 'Link' : 'Links'} bezahlt`,
      open: 'Offen',
      failed: 'Fehlgeschlagen',
      links: (count, text) => (count === 1 ? '1 Link' : `${text} Links`),
      created: 'Angelegte Links',
      createdIn: (count, text) => (count === 1 ? '1 Link angelegt' : `${text} Links angelegt`),
      hint: 'Bezahltes und Erstattetes zählt, wenn das Geld geflossen ist. Alles andere betrifft die Links, die in dieser Zeit angelegt wurden, nach ihrem heutigen Stand.',
      summary: (name, paid, links) =>
        `${name} im Zeitverlauf: ${paid} bezahlt, ${links}. Die Tabelle darunter nennt jede Zahl.`,
      hour: 'Stunde',
      day: 'Tag',
      from: (time) => `Ab ${time} Uhr`,
    },
    quiet: 'Keine Zahlungen in diesen Tagen',
    quietHint: 'Wählen Sie mehr Tage, oder sehen Sie sich alle Zahlungen an.',
    allPayments: 'Alle Zahlungen',
    attention: {
      title: 'Braucht Ihre Aufmerksamkeit',
      none: 'Alles in Ordnung: Es gibt nichts, worum Sie sich kümmern müssten.',
      cases: (count) =>
        count === 1
          ? 'Ein Fall wartet darauf, geklärt zu werden.'
          : `${count} Fälle warten darauf, geklärt zu werden.`,
      casesAct: 'Fälle ansehen',
      unknown: (count) =>
        count === 1
          ? 'Von einer Zahlung ist noch nicht bekannt, ob sie gelungen ist. Der Zahlungsdienst wird immer wieder gefragt.'
          : `Von ${count} Zahlungen ist noch nicht bekannt, ob sie gelungen sind. Der Zahlungsdienst wird immer wieder gefragt.`,
      unknownAct: 'Zahlungen in Arbeit',
      failing: (count) =>
        count === 1
          ? 'Ein Webhook-Endpunkt nimmt seine Nachrichten nicht an.'
          : `${count} Webhook-Endpunkte nehmen ihre Nachrichten nicht an.`,
      disabled: (count) =>
        count === 1
          ? 'Ein Webhook-Endpunkt wurde abgeschaltet, weil er nicht zu erreichen war.'
          : `${count} Webhook-Endpunkte wurden abgeschaltet, weil sie nicht zu erreichen waren.`,
      endpointsAct: 'Webhooks ansehen',
      expiring: (count) =>
        count === 1
          ? 'Ein offener Link endet in den nächsten 24 Stunden:'
          : `${count} offene Links enden in den nächsten 24 Stunden:`,
      expiringMany: 'Mehr als 1.000 offene Links enden in den nächsten 24 Stunden:',
      expiringAct: 'Alle offenen Links',
      ends: 'endet',
    },
    latest: {
      title: 'Neueste Zahlungen',
      order: 'Bestellung',
      customer: 'Kunde',
      amount: 'Betrag',
      state: 'Zustand',
      created: 'Angelegt',
    },
    welcome: {
      title: 'Willkommen bei Paylink',
      hint: 'Hier sehen Sie bald, was bezahlt und was offen ist und worum Sie sich kümmern sollten. Legen Sie hier Ihren ersten Zahlungslink an, oder lassen Sie Ihren Shop das über die Schnittstelle tun.',
      hintReader: 'Sobald Ihre Firma den ersten Zahlungslink angelegt hat, sehen Sie hier, was daraus wird.',
      start: 'Erste Schritte',
    },
  },
);
