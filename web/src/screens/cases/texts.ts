// The texts of the page of cases.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useCasesTexts = defineTexts({
  ...screenTexts,
  title: ['Cases', 'Ungeklärte Fälle'],
  intro: [
    'Payments and refunds without an outcome for 3 days, and overpayments that could not be refunded. Contact the support of the payment provider, and give its reference. Paylink keeps asking, and removes a case when it is resolved. Close a case about unmatched money yourself.',
    'Zahlungen und Erstattungen, die seit 3 Tagen keinen Ausgang haben, und Überzahlungen, die sich nicht erstatten ließen. Fragen Sie den Kundendienst des Zahlungsdienstes, und nennen Sie dessen Referenz. Paylink fragt weiter nach und entfernt einen Fall, sobald er geklärt ist. Einen Fall über nicht zugeordnetes Geld schließen Sie selbst ab.',
  ],
  none: ['No cases', 'Keine Fälle'],
  noneHint: [
    'Payments and refunds with an unknown outcome appear here after 3 days.',
    'Zahlungen und Erstattungen mit unbekanntem Ausgang erscheinen hier nach 3 Tagen.',
  ],
  charge: ['Payment attempt', 'Zahlungsversuch'],
  states: {
    created: ['Created', 'Angelegt'],
    requires_action: ['Waiting for the customer', 'Wartet auf den Kunden'],
    processing: ['In progress', 'In Bearbeitung'],
    unknown: ['Outcome unknown', 'Ausgang unbekannt'],
    failed: ['Failed', 'Fehlgeschlagen'],
    succeeded: ['Unmatched money', 'Nicht zugeordnetes Geld'],
    declined: ['Unmatched money', 'Nicht zugeordnetes Geld'],
    cancelled: ['Unmatched money', 'Nicht zugeordnetes Geld'],
  },
  processor: ['Payment provider', 'Zahlungsdienst'],
  reference: ['Copy the reference', 'Referenz kopieren'],
  close: ['Close the case', 'Fall abschließen'],
  closeTitle: ['Close this case?', 'Diesen Fall abschließen?'],
  closeText: [
    'Close it after you have settled the money at the payment provider. Paylink does not move any money.',
    'Schließen Sie ihn ab, nachdem Sie das Geld beim Zahlungsdienst geklärt haben. Paylink bewegt kein Geld.',
  ],
  closeNote: ['Note', 'Notiz'],
  closeNoteHint: ['Only your team sees it.', 'Nur Ihr Team sieht sie.'],
  closed: ['The case was closed.', 'Der Fall wurde abgeschlossen.'],
  noReference: ['no reference', 'ohne Referenz'],
});
