// The texts of events of payments and their actors: for every event of a payment, its attempts, its refunds and its
// emails. An unknown event is shown by its API name, and never omitted.

import { defineTexts } from '../base/language.tsx';

const useTypes = defineTexts({
  'payment.created': ['Link created', 'Link angelegt'],
  'payment.opened': ['Link opened for the first time', 'Link zum ersten Mal geöffnet'],
  'payment.processing': ['Customer is paying', 'Kunde bezahlt gerade'],
  'payment.reopened': [
    'Not paid; the link can be paid again',
    'Nicht bezahlt; der Link kann wieder verwendet werden',
  ],
  'payment.paid': ['Paid', 'Bezahlt'],
  'payment.failed': ['Payment failed', 'Zahlung fehlgeschlagen'],
  'payment.expired': ['Link expired', 'Link abgelaufen'],
  'payment.cancelled': ['Link cancelled', 'Link storniert'],
  'payment.updated': ['Link changed', 'Link geändert'],
  'payment.link_sent': ['Link sent by email', 'Link per E-Mail verschickt'],
  'payment.reminded': ['Customer reminded by email', 'Kunde per E-Mail erinnert'],
  'payment.link_requested': ['Customer asked for a new link', 'Kunde hat um einen neuen Link gebeten'],
  'payment.partly_paid': ['Bank transfer partially received', 'Ein Teil der Überweisung ist eingegangen'],
  'payment.transfer_review': [
    'Bank transfer needs a decision',
    'Über eine Überweisung muss entschieden werden',
  ],
  'payment.late': [
    'Overpayment received; it is being refunded',
    'Überzahlung eingegangen; sie wird erstattet',
  ],
  'attempt.requires_action': ['Customer must confirm the payment', 'Kunde muss die Zahlung bestätigen'],
  'attempt.processing': [
    'Payment provider is processing the payment',
    'Der Zahlungsdienst bearbeitet die Zahlung',
  ],
  'attempt.unknown': [
    'No response from the payment provider; Paylink keeps asking',
    'Keine Antwort vom Zahlungsdienst; Paylink fragt nach',
  ],
  'attempt.succeeded': ['Payment captured', 'Zahlung eingezogen'],
  'attempt.declined': ['Attempt declined', 'Versuch abgelehnt'],
  'attempt.cancelled': ['Attempt ended without payment', 'Versuch ohne Zahlung beendet'],
  'attempt.resolved': ['Outcome determined', 'Ausgang geklärt'],
  'attempt.escalated': [
    'The outcome is still unknown; please investigate',
    'Der Ausgang ist noch immer unbekannt; bitte klären',
  ],
  'attempt.contradicted': [
    'Payment provider reported a contradictory result',
    'Der Zahlungsdienst meldet ein widersprüchliches Ergebnis',
  ],
  'case.closed': ['Case closed', 'Fall abgeschlossen'],
  'refund.created': ['Refund created', 'Erstattung angelegt'],
  'refund.processing': [
    'Payment provider is processing the refund',
    'Der Zahlungsdienst bearbeitet die Erstattung',
  ],
  'refund.unknown': [
    'No response about the refund; Paylink keeps asking',
    'Keine Antwort zur Erstattung; Paylink fragt nach',
  ],
  'refund.succeeded': ['Refund succeeded', 'Erstattung gelungen'],
  'refund.failed': ['Refund failed', 'Erstattung fehlgeschlagen'],
  'refund.escalated': [
    'The refund is still unknown; please investigate',
    'Die Erstattung ist noch immer unbekannt; bitte klären',
  ],
  'mail.failed': ['An email could not be delivered', 'Eine E-Mail konnte nicht zugestellt werden'],
  'webhook_endpoint.disabled': [
    'A webhook endpoint was switched off',
    'Ein Webhook-Endpunkt wurde abgeschaltet',
  ],
  'webhook_endpoint.test': ['Test event', 'Testereignis'],
});

export function useEventTexts(): (type: string) => string {
  const types = useTypes() as Readonly<Record<string, string>>;
  return (type) => types[type] ?? type;
}

const useActorTexts = defineTexts({
  customer: ['Customer', 'Kunde'],
  system: ['Paylink', 'Paylink'],
  job: ['Paylink (automatic)', 'Paylink (automatisch)'],
  processor: ['Payment provider', 'Zahlungsdienst'],
  gone: ['Former member', 'Ehemaliges Mitglied'],
});

function nameOf(processor: string): string {
  const words = processor.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text for an actor: an email address for a member of the company. */
export function useActor(): (event: { actor: string; actorEmail?: string | null }) => string {
  const texts = useActorTexts();
  return ({ actor, actorEmail }) => {
    const [kind = '', name = ''] = actor.split(':');
    if (kind === 'account') return actorEmail ?? texts.gone;
    if (kind === 'processor') return name === '' ? texts.processor : nameOf(name);
    if (kind === 'job') return texts.job;
    if (kind === 'customer') return texts.customer;
    return kind === 'system' ? texts.system : actor;
  };
}

const useReasonTexts = defineTexts({
  generic_decline: ['the bank gave no reason', 'die Bank nennt keinen Grund'],
  insufficient_funds: ['insufficient funds', 'das Konto ist nicht gedeckt'],
  source_declined: [
    'the payment provider declined the card or account',
    'der Zahlungsdienst hat die Karte oder das Konto abgelehnt',
  ],
  lost_or_stolen: [
    'the card is reported as lost or stolen',
    'die Karte ist als verloren oder gestohlen gemeldet',
  ],
  suspected_fraud: ['the bank suspects fraud', 'die Bank vermutet Betrug'],
  incorrect_csc: ['the security code was wrong', 'die Prüfnummer war falsch'],
  expired_card: ['the card has expired', 'die Karte ist abgelaufen'],
  processing_error: ['the card could not be processed', 'die Karte konnte nicht verarbeitet werden'],
  authentication_failed: [
    'the bank could not authenticate the customer',
    'die Bank konnte den Kunden nicht bestätigen',
  ],
  authentication_abandoned: [
    'the customer did not complete the authentication',
    'der Kunde hat die Bestätigung bei der Bank nicht abgeschlossen',
  ],
  not_completed: [
    'the customer did not complete the payment',
    'der Kunde hat die Zahlung nicht abgeschlossen',
  ],
  never_started: [
    'the payment provider was not reached; nothing was charged',
    'der Zahlungsdienst wurde nicht erreicht; nichts wurde abgebucht',
  ],
  amount_mismatch: [
    'a wrong amount was charged; it is being refunded',
    'es wurde ein falscher Betrag eingezogen; er wird erstattet',
  ],
});

/** Why an attempt took no money, by its decline code. */
export function useDeclineReason(): (code: string) => string {
  const reasons = useReasonTexts() as Readonly<Record<string, string>>;
  return (code) => reasons[code] ?? code;
}
