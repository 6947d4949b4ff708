// The texts of events of payments and their actors: for every event of a payment, its attempts, its refunds and its
// emails. An unknown event is shown by its API name, and never omitted.

import { defineTexts } from '../base/language.tsx';

const useTypes = defineTexts({
  'payment.created': ['Link created', 'Link angelegt'],
  'payment.opened': ['Customer opened the link for the first time', 'Link zum ersten Mal geöffnet'],
  'payment.processing': ['Customer is paying', 'Kunde bezahlt gerade'],
  'payment.reopened': [
    'Not paid; the link can be used again',
    'Nicht bezahlt; der Link kann wieder verwendet werden',
  ],
  'payment.paid': ['Paid', 'Bezahlt'],
  'payment.failed': ['Payment failed', 'Zahlung fehlgeschlagen'],
  'payment.expired': ['Link expired', 'Link abgelaufen'],
  'payment.cancelled': ['Link cancelled', 'Link storniert'],
  'payment.updated': ['Link changed', 'Link geändert'],
  'payment.link_sent': ['Link sent by mail', 'Link per E-Mail verschickt'],
  'payment.reminded': ['Customer reminded by mail', 'Kunde per E-Mail erinnert'],
  'payment.partly_paid': ['A part of the bank transfer has come', 'Ein Teil der Überweisung ist eingegangen'],
  'payment.transfer_review': [
    'A bank transfer waits for a decision',
    'Eine Überweisung wartet auf eine Entscheidung',
  ],
  'payment.late': [
    'Money came that nobody owed; it is sent back',
    'Nicht geschuldetes Geld ist eingegangen; es wird zurückgesandt',
  ],
  'attempt.requires_action': ['Customer has to confirm the payment', 'Kunde muss die Zahlung bestätigen'],
  'attempt.processing': ['Processor is working on it', 'Der Zahlungsdienst bearbeitet die Zahlung'],
  'attempt.unknown': [
    'Processor gave no answer; it is asked again',
    'Keine Antwort vom Zahlungsdienst; es wird nachgefragt',
  ],
  'attempt.succeeded': ['Processor took the money', 'Der Zahlungsdienst hat das Geld eingezogen'],
  'attempt.declined': ['Attempt declined', 'Versuch abgelehnt'],
  'attempt.cancelled': ['Attempt ended without money', 'Versuch ohne Zahlung beendet'],
  'attempt.resolved': ['The outcome is known now', 'Der Ausgang steht jetzt fest'],
  'attempt.escalated': [
    'The outcome is still unknown; somebody has to look into it',
    'Der Ausgang ist noch immer unbekannt; bitte klären',
  ],
  'attempt.contradicted': [
    'Processor contradicts what it said before',
    'Der Zahlungsdienst widerspricht seiner früheren Auskunft',
  ],
  'refund.created': ['Refund begun', 'Erstattung begonnen'],
  'refund.processing': ['Processor is working on the refund', 'Der Zahlungsdienst bearbeitet die Erstattung'],
  'refund.unknown': [
    'Processor gave no answer about the refund; it is asked again',
    'Keine Antwort zur Erstattung; es wird nachgefragt',
  ],
  'refund.succeeded': ['Money was refunded', 'Geld wurde erstattet'],
  'refund.failed': ['Processor refused the refund', 'Der Zahlungsdienst hat die Erstattung abgelehnt'],
  'refund.escalated': [
    'The refund is still unclear; somebody has to look into it',
    'Die Erstattung ist noch immer unklar; bitte klären',
  ],
  'mail.failed': ['A mail could not be delivered', 'Eine E-Mail konnte nicht zugestellt werden'],
  'webhook_endpoint.disabled': [
    'A webhook endpoint was switched off',
    'Ein Webhook-Endpunkt wurde abgeschaltet',
  ],
  'webhook_endpoint.test': ['Test event', 'Testereignis'],
});

/** The text of an event, by its type. */
export function useEventTexts(): (type: string) => string {
  const types = useTypes() as Readonly<Record<string, string>>;
  return (type) => types[type] ?? type;
}

const useActorTexts = defineTexts({
  customer: ['Customer', 'Kunde'],
  system: ['Paylink', 'Paylink'],
  job: ['Paylink, by itself', 'Paylink, von selbst'],
  processor: ['Processor', 'Zahlungsdienst'],
  gone: ['Somebody who has left the team', 'Jemand, der nicht mehr im Team ist'],
});

/** The actor of an event, as in the API. */
export type EventActor = { actor: string; actorEmail?: string | null };

/** The display name of a processor. */
function nameOf(processor: string): string {
  const words = processor.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text for an actor: an email address for a member of the company. */
export function useActor(): (deed: EventActor) => string {
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

const useEndingTexts = defineTexts({
  generic_decline: ['the bank gave no reason', 'die Bank nennt keinen Grund'],
  insufficient_funds: ['not enough money in the account', 'das Konto ist nicht gedeckt'],
  source_declined: [
    'the processor declined the card or account that the customer chose there',
    'der Zahlungsdienst hat die dort gewählte Karte oder das Konto abgelehnt',
  ],
  lost_or_stolen: [
    'the card is reported as lost or stolen',
    'die Karte ist als verloren oder gestohlen gemeldet',
  ],
  suspected_fraud: ['the bank suspects fraud', 'die Bank vermutet Betrug'],
  incorrect_csc: ['the security code was wrong', 'die Prüfziffer war falsch'],
  expired_card: ['the card has expired', 'die Karte ist abgelaufen'],
  processing_error: ['the card could not be processed', 'die Karte konnte nicht verarbeitet werden'],
  authentication_failed: [
    'the bank could not confirm the customer',
    'die Bank konnte den Kunden nicht bestätigen',
  ],
  authentication_abandoned: [
    'the customer did not confirm at the bank',
    'der Kunde hat nicht bei der Bank bestätigt',
  ],
  not_completed: ['the customer did not finish paying', 'der Kunde hat die Zahlung nicht abgeschlossen'],
  never_started: [
    'the processor was never reached; nothing was charged',
    'der Zahlungsdienst wurde nicht erreicht; nichts wurde abgebucht',
  ],
  amount_mismatch: [
    'another amount was taken than asked for; it goes back',
    'es wurde ein anderer Betrag eingezogen als verlangt; er geht zurück',
  ],
});

/** Why an attempt took no money, by its end code. */
export function useDeclineReason(): (code: string) => string {
  const endings = useEndingTexts() as Readonly<Record<string, string>>;
  return (code) => endings[code] ?? code;
}
