// The texts of the page of cases.

import { defineTexts } from '../../base/language.tsx';

export const useCasesTexts = defineTexts(
  {
    title: 'Cases',
    overview: 'Overview',
    intro:
      'Here are payments and refunds that nobody could settle for three days, and money that could not be sent back. Ask the support of the processor, with its reference. Paylink goes on asking by itself, and an entry leaves this list when it is settled.',
    none: 'No case waits for you',
    noneHint: 'Payments and refunds whose outcome stays unknown for days would be listed here.',
    what: 'What',
    charge: 'Attempt to pay',
    refund: 'Refund',
    state: 'State',
    states: {
      created: 'Begun',
      requires_action: 'Waits for the customer',
      processing: 'In progress',
      unknown: 'Outcome unknown',
      failed: 'Refused',
      succeeded: 'money that can’t be accounted for',
      declined: 'money that can’t be accounted for',
      cancelled: 'money that can’t be accounted for',
    },
    amount: 'Amount',
    since: 'Since',
    processor: 'Processor',
    reference: 'Copy the reference',
    noReference: 'no reference',
  },
  {
    title: 'Ungeklärte Fälle',
    overview: 'Übersicht',
    intro:
      'Hier stehen Zahlungen und Erstattungen, die drei Tage lang niemand klären konnte, und Geld, das sich nicht zurücksenden ließ. Fragen Sie den Kundendienst des Zahlungsdienstes und nennen Sie seine Referenz. Paylink fragt von selbst weiter, und ein Eintrag verschwindet von hier, sobald er geklärt ist.',
    none: 'Kein Fall wartet auf Sie',
    noneHint: 'Hier stünden Zahlungen und Erstattungen, deren Ausgang tagelang unbekannt bleibt.',
    what: 'Was',
    charge: 'Zahlungsversuch',
    refund: 'Erstattung',
    state: 'Zustand',
    states: {
      created: 'Begonnen',
      requires_action: 'Wartet auf den Kunden',
      processing: 'In Arbeit',
      unknown: 'Ausgang unbekannt',
      failed: 'Abgelehnt',
      succeeded: 'Geld, das nicht zugeordnet werden kann',
      declined: 'Geld, das nicht zugeordnet werden kann',
      cancelled: 'Geld, das nicht zugeordnet werden kann',
    },
    amount: 'Betrag',
    since: 'Seit',
    processor: 'Zahlungsdienst',
    reference: 'Referenz kopieren',
    noReference: 'ohne Referenz',
  },
);
