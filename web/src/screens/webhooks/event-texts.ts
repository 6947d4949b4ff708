// What each type of event means, in words, in the groups in which they are chosen. The names are those of the API.

import { defineTexts } from '../../base/language.tsx';

/** The types that an endpoint may choose, in groups. */
export const eventGroups = {
  payments: [
    'payment.paid',
    'payment.failed',
    'payment.expired',
    'payment.cancelled',
    'payment.created',
    'payment.opened',
    'payment.processing',
    'payment.partly_paid',
    'payment.transfer_review',
    'payment.late',
  ],
  refunds: ['refund.created', 'refund.succeeded', 'refund.failed', 'refund.escalated'],
  attempts: ['attempt.unknown', 'attempt.resolved', 'attempt.escalated'],
  others: ['mail.failed', 'webhook_endpoint.disabled'],
} as const;

export const useEventTexts = defineTexts(
  {
    groups: {
      payments: 'Payments',
      refunds: 'Refunds',
      attempts: 'Outcomes that were unknown',
      others: 'Others',
    },
    types: {
      'payment.created': 'A payment link was created',
      'payment.opened': 'The customer opened the link for the first time',
      'payment.processing': 'The customer is paying',
      'payment.paid': 'A payment is paid',
      'payment.failed': 'A payment has failed',
      'payment.expired': 'A link has expired',
      'payment.cancelled': 'A link was cancelled',
      'payment.partly_paid': 'A part of a bank transfer has come',
      'payment.transfer_review': 'A line of a bank statement waits for a person',
      'payment.late': 'Money came that nobody owed; it is sent back',
      'refund.created': 'A refund has begun',
      'refund.succeeded': 'Money was given back',
      'refund.failed': 'A refund was refused',
      'refund.escalated': 'A refund waits for a person',
      'attempt.unknown': 'The processor gave no answer; it is asked again',
      'attempt.resolved': 'What became of an unknown attempt is known',
      'attempt.escalated': 'An attempt waits for a person',
      'mail.failed': 'A mail about a payment could not be delivered',
      'webhook_endpoint.disabled': 'Another endpoint was switched off',
      'webhook_endpoint.test': 'A test',
    },
  },
  {
    groups: {
      payments: 'Zahlungen',
      refunds: 'Erstattungen',
      attempts: 'Ergebnisse, die unbekannt waren',
      others: 'Weitere',
    },
    types: {
      'payment.created': 'Ein Zahlungslink wurde angelegt',
      'payment.opened': 'Der Kunde hat den Link zum ersten Mal geöffnet',
      'payment.processing': 'Der Kunde bezahlt gerade',
      'payment.paid': 'Eine Zahlung ist bezahlt',
      'payment.failed': 'Eine Zahlung ist fehlgeschlagen',
      'payment.expired': 'Ein Link ist abgelaufen',
      'payment.cancelled': 'Ein Link wurde storniert',
      'payment.partly_paid': 'Ein Teil einer Überweisung ist eingegangen',
      'payment.transfer_review': 'Eine Zeile eines Kontoauszugs wartet auf einen Menschen',
      'payment.late': 'Es kam Geld, das niemand schuldete; es geht zurück',
      'refund.created': 'Eine Erstattung hat begonnen',
      'refund.succeeded': 'Geld wurde zurückgegeben',
      'refund.failed': 'Eine Erstattung wurde abgelehnt',
      'refund.escalated': 'Eine Erstattung wartet auf einen Menschen',
      'attempt.unknown': 'Der Zahlungsdienst hat nicht geantwortet; er wird noch einmal gefragt',
      'attempt.resolved': 'Was aus einem unbekannten Versuch wurde, ist bekannt',
      'attempt.escalated': 'Ein Versuch wartet auf einen Menschen',
      'mail.failed': 'Eine E-Mail zu einer Zahlung konnte nicht zugestellt werden',
      'webhook_endpoint.disabled': 'Ein anderer Endpunkt wurde abgeschaltet',
      'webhook_endpoint.test': 'Ein Test',
    },
  },
);

/** Says what a type of event means; a type that is not known here yet says its name. */
export function useEventWords(): (type: string) => string {
  const types: Readonly<Record<string, string>> = useEventTexts().types;
  return (type) => types[type] ?? type;
}
