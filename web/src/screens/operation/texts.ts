// The texts of the operator's page.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useOperationTexts = defineTexts({
  ...screenTexts,
  intro: [
    'The figures of all companies in both modes. The page refreshes every 10 seconds.',
    'Die Zahlen aller Firmen in beiden Modi. Die Seite aktualisiert sich alle 10 Sekunden.',
  ],
  readAt: ['As of', 'Stand'],
  verdict: ['Needs a person', 'Braucht einen Menschen'],
  allWell: ['Nothing needs a person.', 'Nichts braucht einen Menschen.'],
  oldestFor: [(time: string) => `the oldest for ${time}`, (time: string) => `das älteste seit ${time}`],
  problems: {
    dead_work: {
      found: ['Dead work', 'Endgültig gescheiterte Arbeit'],
      action: [
        'Run “paylink jobs dead”: it lists the reasons, and reruns what you have fixed.',
        'Führen Sie „paylink jobs dead“ aus: Der Befehl nennt die Gründe und wiederholt, was Sie behoben haben.',
      ],
    },
    late_work: {
      found: ['Due work that nobody does', 'Fällige Arbeit, die niemand erledigt'],
      action: [
        'Check that the service runs, and look for errors in its log.',
        'Prüfen Sie, ob der Dienst läuft, und suchen Sie im Log nach Fehlern.',
      ],
    },
    unknown_attempts: {
      found: ['Attempts with an unknown outcome', 'Versuche mit unbekanntem Ausgang'],
      action: [
        'Check that the payment providers respond. The service asks them until they say how the attempt ended.',
        'Prüfen Sie, ob die Zahlungsdienste antworten. Der Dienst fragt sie, bis der Ausgang bekannt ist.',
      ],
    },
    failing_connections: {
      found: ['Failing connections', 'Gestörte Verbindungen'],
      action: [
        'Check the status page of the payment provider, and whether the service reaches its API.',
        'Prüfen Sie die Statusseite des Zahlungsdienstes, und ob der Dienst dessen API erreicht.',
      ],
    },
    open_cases: {
      found: ['Open cases', 'Offene Fälle'],
      action: [
        'The companies see them in their overview, and settle them with the payment provider.',
        'Die Firmen sehen sie in ihrer Übersicht und klären sie mit dem Zahlungsdienst.',
      ],
    },
    late_jobs: {
      found: ['Recurring jobs that did not run', 'Wiederkehrende Aufgaben, die nicht liefen'],
      action: [
        'Check that the service runs, and look for the name of the job in its log.',
        'Prüfen Sie, ob der Dienst läuft, und suchen Sie den Namen der Aufgabe im Log.',
      ],
    },
    unsealed_events: {
      found: ['Events without a seal', 'Ereignisse ohne Siegel'],
      action: [
        'Look for seal-events in the log, and for a transaction on the database server that has been open for as long.',
        'Suchen Sie seal-events im Log und auf dem Datenbankserver eine Transaktion, die schon so lange offen ist.',
      ],
    },
  },
  figures: ['Figures', 'Zahlen'],
  unknown: [
    (mode: string) => `Unknown outcomes (${mode})`,
    (mode: string) => `Unbekannte Ausgänge (${mode})`,
  ],
  failingEndpoints: ['Failing webhook endpoints', 'Gestörte Webhook-Endpunkte'],
  cases: ['Open cases', 'Offene Fälle'],
  caseKinds: {
    attempt: counted(['payment attempt', 'payment attempts'], ['Zahlungsversuch', 'Zahlungsversuche']),
    refund: counted(['refund', 'refunds'], ['Erstattung', 'Erstattungen']),
    currency_mismatch: counted(
      ['amount in the wrong currency', 'amounts in the wrong currency'],
      ['Betrag in falscher Währung', 'Beträge in falscher Währung'],
    ),
    refund_exceeds_payment: counted(
      ['refund above the payment', 'refunds above the payment'],
      ['Erstattung über dem Zahlbetrag', 'Erstattungen über dem Zahlbetrag'],
    ),
  },
  unsealed: ['Oldest event without a seal', 'Ältestes Ereignis ohne Siegel'],
  work: ['Work', 'Arbeit'],
  workHint: [
    'What is due now, for how long the oldest of it has been, and what waits for a person.',
    'Was jetzt fällig ist, seit wann das Älteste, und was auf einen Menschen wartet.',
  ],
  kind: ['Work', 'Arbeit'],
  due: ['Due', 'Fällig'],
  oldest: ['Oldest', 'Ältestes'],
  dead: ['Dead', 'Gescheitert'],
  connections: ['Connections', 'Verbindungen'],
  noConnections: ['No connections', 'Keine Verbindungen'],
  noConnectionsHint: [
    'They appear here when a company connects a payment provider.',
    'Sie erscheinen hier, sobald eine Firma einen Zahlungsdienst verbindet.',
  ],
  processor: ['Payment provider', 'Zahlungsdienst'],
  health: ['Health', 'Zustand'],
  healths: {
    healthy: ['Healthy', 'In Ordnung'],
    failing: ['Failing', 'Gestört'],
    off: ['Off', 'Aus'],
  },
  count: ['Number', 'Anzahl'],
  jobs: ['Recurring jobs', 'Wiederkehrende Aufgaben'],
  job: ['Job', 'Aufgabe'],
  every: ['Every', 'Alle'],
  lastSuccess: ['Last success', 'Letzter Erfolg'],
  notRecorded: ['not recorded', 'nicht erfasst'],
  next: ['Next run', 'Nächster Lauf'],
  failures: ['Failed runs', 'Fehlläufe'],
});
