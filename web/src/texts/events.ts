// The texts of events of payments and their actors: for every event of a payment, its attempts, its refunds and its
// emails. An unknown event is shown by its API name, and never omitted.

import { defineTexts } from '../base/language.tsx';

const useTypes = defineTexts(
  {
    'payment.created': 'Link created',
    'payment.opened': 'Customer opened the link for the first time',
    'payment.processing': 'Customer is paying',
    'payment.reopened': 'Not paid; the link can be used again',
    'payment.paid': 'Paid',
    'payment.failed': 'Payment failed',
    'payment.expired': 'Link expired',
    'payment.cancelled': 'Link cancelled',
    'payment.updated': 'Link changed',
    'payment.link_sent': 'Link sent by mail',
    'payment.reminded': 'Customer reminded by mail',
    'payment.partly_paid': 'A part of the bank transfer has come',
    'payment.transfer_review': 'A bank transfer waits for a decision',
    'payment.late': 'Money came that nobody owed; it is sent back',
    'attempt.requires_action': 'Customer has to confirm the payment',
    'attempt.processing': 'Processor is working on it',
    'attempt.unknown': 'Processor gave no answer; it is asked again',
    'attempt.succeeded': 'Processor took the money',
    'attempt.declined': 'Attempt declined',
    'attempt.cancelled': 'Attempt ended without money',
    'attempt.resolved': 'The outcome is known now',
    'attempt.escalated': 'The outcome is still unknown; somebody has to look into it',
    'attempt.contradicted': 'Processor contradicts what it said before',
    'refund.created': 'Refund begun',
    'refund.processing': 'Processor is working on the refund',
    'refund.unknown': 'Processor gave no answer about the refund; it is asked again',
    'refund.succeeded': 'Money was refunded',
    'refund.failed': 'Processor refused the refund',
    'refund.escalated': 'The refund is still unclear; somebody has to look into it',
    'mail.failed': 'A mail could not be delivered',
    'webhook_endpoint.disabled': 'A webhook endpoint was switched off',
    'webhook_endpoint.test': 'Test event',
  },
  {
    'payment.created': 'Link angelegt',
    'payment.opened': 'Link zum ersten Mal geöffnet',
    'payment.processing': 'Kunde bezahlt gerade',
    'payment.reopened': 'Nicht bezahlt; der Link kann wieder verwendet werden',
    'payment.paid': 'Bezahlt',
    'payment.failed': 'Zahlung fehlgeschlagen',
    'payment.expired': 'Link abgelaufen',
    'payment.cancelled': 'Link storniert',
    'payment.updated': 'Link geändert',
    'payment.link_sent': 'Link per E-Mail verschickt',
    'payment.reminded': 'Kunde per E-Mail erinnert',
    'payment.partly_paid': 'Ein Teil der Überweisung ist eingegangen',
    'payment.transfer_review': 'Eine Überweisung wartet auf eine Entscheidung',
    'payment.late': 'Nicht geschuldetes Geld ist eingegangen; es wird zurückgesandt',
    'attempt.requires_action': 'Kunde muss die Zahlung bestätigen',
    'attempt.processing': 'Der Zahlungsdienst bearbeitet die Zahlung',
    'attempt.unknown': 'Keine Antwort vom Zahlungsdienst; es wird nachgefragt',
    'attempt.succeeded': 'Der Zahlungsdienst hat das Geld eingezogen',
    'attempt.declined': 'Versuch abgelehnt',
    'attempt.cancelled': 'Versuch ohne Zahlung beendet',
    'attempt.resolved': 'Der Ausgang steht jetzt fest',
    'attempt.escalated': 'Der Ausgang ist noch immer unbekannt; bitte klären',
    'attempt.contradicted': 'Der Zahlungsdienst widerspricht seiner früheren Auskunft',
    'refund.created': 'Erstattung begonnen',
    'refund.processing': 'Der Zahlungsdienst bearbeitet die Erstattung',
    'refund.unknown': 'Keine Antwort zur Erstattung; es wird nachgefragt',
    'refund.succeeded': 'Geld wurde erstattet',
    'refund.failed': 'Der Zahlungsdienst hat die Erstattung abgelehnt',
    'refund.escalated': 'Die Erstattung ist noch immer unklar; bitte klären',
    'mail.failed': 'Eine E-Mail konnte nicht zugestellt werden',
    'webhook_endpoint.disabled': 'Ein Webhook-Endpunkt wurde abgeschaltet',
    'webhook_endpoint.test': 'Testereignis',
  },
);

/** The text of an event, by its type. */
export function useEventTexts(): (type: string) => string {
  const types = useTypes() as Readonly<Record<string, string>>;
  return (type) => types[type] ?? type;
}

const useActorTexts = defineTexts(
  {
    customer: 'Customer',
    system: 'Paylink',
    job: 'Paylink, by itself',
    processor: 'Processor',
    gone: 'Somebody who has left the team',
  },
  {
    customer: 'Kunde',
    system: 'Paylink',
    job: 'Paylink, von selbst',
    processor: 'Zahlungsdienst',
    gone: 'Jemand, der nicht mehr im Team ist',
  },
);

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

const useEndingTexts = defineTexts(
  {
    generic_decline: 'the bank gave no reason',
    insufficient_funds: 'not enough money in the account',
    source_declined: 'the processor declined the card or account that the customer chose there',
    lost_or_stolen: 'the card is reported as lost or stolen',
    suspected_fraud: 'the bank suspects fraud',
    incorrect_csc: 'the security code was wrong',
    expired_card: 'the card has expired',
    processing_error: 'the card could not be processed',
    authentication_failed: 'the bank could not confirm the customer',
    authentication_abandoned: 'the customer did not confirm at the bank',
    not_completed: 'the customer did not finish paying',
    never_started: 'the processor was never reached; nothing was charged',
    amount_mismatch: 'another amount was taken than asked for; it goes back',
  },
  {
    generic_decline: 'die Bank nennt keinen Grund',
    insufficient_funds: 'das Konto ist nicht gedeckt',
    source_declined: 'der Zahlungsdienst hat die dort gewählte Karte oder das Konto abgelehnt',
    lost_or_stolen: 'die Karte ist als verloren oder gestohlen gemeldet',
    suspected_fraud: 'die Bank vermutet Betrug',
    incorrect_csc: 'die Prüfziffer war falsch',
    expired_card: 'die Karte ist abgelaufen',
    processing_error: 'die Karte konnte nicht verarbeitet werden',
    authentication_failed: 'die Bank konnte den Kunden nicht bestätigen',
    authentication_abandoned: 'der Kunde hat nicht bei der Bank bestätigt',
    not_completed: 'der Kunde hat die Zahlung nicht abgeschlossen',
    never_started: 'der Zahlungsdienst wurde nicht erreicht; nichts wurde abgebucht',
    amount_mismatch: 'es wurde ein anderer Betrag eingezogen als verlangt; er geht zurück',
  },
);

/** Why an attempt took no money, by its end code. */
export function useDeclineReason(): (code: string) => string {
  const endings = useEndingTexts() as Readonly<Record<string, string>>;
  return (code) => endings[code] ?? code;
}
