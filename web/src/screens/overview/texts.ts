// The texts of the overview.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useOverviewTexts = defineTexts({
  ...screenTexts,
  days: ['Period', 'Zeitraum'],
  dayChoices: {
    1: ['Today', 'Heute'],
    7: ['7 days', '7 Tage'],
    30: ['30 days', '30 Tage'],
  },
  figures: {
    payments: counted(['payment', 'payments'], ['Zahlung', 'Zahlungen']),
    refunds: counted(['refund', 'refunds'], ['Erstattung', 'Erstattungen']),
    conversion: ['Conversion', 'Abschlussquote'],
    converted: [
      (paid: string, created: string) => `${paid} of ${created} ${created === '1' ? 'link' : 'links'} paid`,
      (paid: string, created: string) =>
        `${paid} von ${created} ${created === '1' ? 'Link' : 'Links'} bezahlt`,
    ],
    links: counted(['link', 'links'], ['Link', 'Links']),
    created: ['Links created', 'Angelegte Links'],
    createdIn: counted(['link created', 'links created'], ['Link angelegt', 'Links angelegt']),
    hint: [
      'Paid and Refunded count payments and refunds by their date. The other figures count the links created in this period, by their current status.',
      'Bezahlt und Erstattet zählen Zahlungen und Erstattungen nach ihrem Datum. Die übrigen Zahlen zählen die in diesem Zeitraum angelegten Links nach ihrem aktuellen Status.',
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
  noPayments: ['No payments in this period', 'Keine Zahlungen in diesem Zeitraum'],
  noPaymentsHint: [
    'Choose a longer period, or view all payments.',
    'Wählen Sie einen längeren Zeitraum, oder sehen Sie sich alle Zahlungen an.',
  ],
  latest: ['Latest payments', 'Neueste Zahlungen'],
  allPayments: ['All payments', 'Alle Zahlungen'],
  attention: {
    title: ['Needs attention', 'Braucht Ihre Aufmerksamkeit'],
    none: ['Nothing needs your attention.', 'Alles in Ordnung.'],
    cases: counted(
      ['case needs a decision.', 'cases need a decision.'],
      ['Fall muss geklärt werden.', 'Fälle müssen geklärt werden.'],
    ),
    viewCases: ['View the cases', 'Fälle ansehen'],
    unknown: [
      (count: number) =>
        `${count === 1 ? '1 payment has' : `${count} payments have`} an unknown outcome. Paylink keeps asking the payment provider.`,
      (count: number) =>
        `${count === 1 ? '1 Zahlung hat' : `${count} Zahlungen haben`} einen unbekannten Ausgang. Paylink fragt beim Zahlungsdienst nach.`,
    ],
    viewUnknown: ['Payments in progress', 'Zahlungen in Bearbeitung'],
    failing: counted(
      ['webhook endpoint is failing.', 'webhook endpoints are failing.'],
      ['Webhook-Endpunkt ist gestört.', 'Webhook-Endpunkte sind gestört.'],
    ),
    disabled: [
      (count: number) =>
        `${count === 1 ? '1 webhook endpoint was' : `${count} webhook endpoints were`} switched off after failures.`,
      (count: number) =>
        `${count === 1 ? '1 Webhook-Endpunkt wurde' : `${count} Webhook-Endpunkte wurden`} nach Fehlern abgeschaltet.`,
    ],
    viewEndpoints: ['View the webhooks', 'Webhooks ansehen'],
    expiring: counted(
      ['open link expires within 24 hours:', 'open links expire within 24 hours:'],
      [
        'offener Link läuft in den nächsten 24 Stunden ab:',
        'offene Links laufen in den nächsten 24 Stunden ab:',
      ],
    ),
    expiringMany: [
      'More than 1,000 open links expire within 24 hours:',
      'Mehr als 1.000 offene Links laufen in den nächsten 24 Stunden ab:',
    ],
    viewOpen: ['All open links', 'Alle offenen Links'],
    expires: ['expires', 'läuft ab'],
  },
  welcome: {
    title: ['Welcome to Paylink', 'Willkommen bei Paylink'],
    hint: [
      'Your payments appear here. Create your first payment link here, or let your shop create it through the API.',
      'Hier erscheinen Ihre Zahlungen. Legen Sie Ihren ersten Zahlungslink hier an, oder lassen Sie Ihren Shop das über die API tun.',
    ],
    hintReader: ['The payments of your company appear here.', 'Hier erscheinen die Zahlungen Ihrer Firma.'],
  },
});
