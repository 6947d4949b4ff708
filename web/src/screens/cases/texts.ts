// The texts of the page of cases.

import { defineTexts } from '../../base/language.tsx';

export const useCasesTexts = defineTexts({
  title: ['Cases', 'Ungeklärte Fälle'],
  overview: ['Overview', 'Übersicht'],
  intro: [
    'Here are payments and refunds that nobody could settle for three days, and money that could not be sent back. Ask the support of the processor, with its reference. Paylink goes on asking by itself, and an entry leaves this list when it is settled.',
    'Hier stehen Zahlungen und Erstattungen, die drei Tage lang niemand klären konnte, und Geld, das sich nicht zurücksenden ließ. Fragen Sie den Kundendienst des Zahlungsdienstes und nennen Sie seine Referenz. Paylink fragt von selbst weiter, und ein Eintrag verschwindet von hier, sobald er geklärt ist.',
  ],
  none: ['No case waits for you', 'Kein Fall wartet auf Sie'],
  noneHint: [
    'Payments and refunds whose outcome stays unknown for days would be listed here.',
    'Hier stünden Zahlungen und Erstattungen, deren Ausgang tagelang unbekannt bleibt.',
  ],
  what: ['What', 'Was'],
  charge: ['Attempt to pay', 'Zahlungsversuch'],
  refund: ['Refund', 'Erstattung'],
  state: ['State', 'Zustand'],
  states: {
    created: ['Begun', 'Begonnen'],
    requires_action: ['Waits for the customer', 'Wartet auf den Kunden'],
    processing: ['In progress', 'In Arbeit'],
    unknown: ['Outcome unknown', 'Ausgang unbekannt'],
    failed: ['Refused', 'Abgelehnt'],
    succeeded: ['money that can’t be accounted for', 'Geld, das nicht zugeordnet werden kann'],
    declined: ['money that can’t be accounted for', 'Geld, das nicht zugeordnet werden kann'],
    cancelled: ['money that can’t be accounted for', 'Geld, das nicht zugeordnet werden kann'],
  },
  amount: ['Amount', 'Betrag'],
  since: ['Since', 'Seit'],
  processor: ['Processor', 'Zahlungsdienst'],
  reference: ['Copy the reference', 'Referenz kopieren'],
  noReference: ['no reference', 'ohne Referenz'],
});
