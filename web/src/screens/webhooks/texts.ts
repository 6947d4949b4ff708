// The texts of webhook endpoints.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useWebhookTexts = defineTexts({
  ...screenTexts,
  intro: [
    'Paylink sends signed events to your endpoints, and retries until they are accepted.',
    'Paylink sendet signierte Ereignisse an Ihre Endpunkte und wiederholt sie, bis sie angenommen sind.',
  ],
  create: ['Add an endpoint', 'Endpunkt hinzufügen'],
  list: ['Endpoints', 'Endpunkte'],
  empty: ['No endpoints yet', 'Noch keine Endpunkte'],
  emptyHint: [
    'Add an address of your shop to get notified when a payment is paid, fails or is refunded.',
    'Fügen Sie eine Adresse Ihres Shops hinzu, um zu erfahren, wenn eine Zahlung bezahlt wird, fehlschlägt oder erstattet wird.',
  ],
  otherMode: {
    test: ['There are more endpoints in test mode.', 'Im Testmodus gibt es weitere Endpunkte.'],
    live: ['There are more endpoints in live mode.', 'Im Live-Modus gibt es weitere Endpunkte.'],
  },
  url: ['URL', 'URL'],
  urlHint: [
    'A public https address; test mode also accepts http. To try a program on your own machine, run “paylink listen” instead.',
    'Eine öffentliche https-Adresse; im Testmodus genügt http. Für ein Programm auf Ihrem eigenen Rechner nehmen Sie stattdessen „paylink listen“.',
  ],
  descriptionHint: ['Only your team sees it.', 'Nur Ihr Team sieht sie.'],
  events: ['Events', 'Ereignisse'],
  allEvents: ['All events', 'Alle Ereignisse'],
  allEventsHint: ['Includes event types of later versions.', 'Auch die Ereignisse späterer Versionen.'],
  someEvents: ['Only these events', 'Nur diese Ereignisse'],
  groups: {
    payments: ['Payments', 'Zahlungen'],
    refunds: ['Refunds', 'Erstattungen'],
    attempts: ['Attempts with unknown outcome', 'Versuche mit unbekanntem Ausgang'],
    others: ['Others', 'Weitere'],
  },
  chosenCount: counted(['event', 'events'], ['Ereignis', 'Ereignisse']),
  created: ['Added', 'Hinzugefügt'],
  failing: ['Failing', 'Gestört'],
  reasons: {
    switched_off: ['Switched off by a person.', 'Von einer Person abgeschaltet.'],
    gone: [
      'Switched off because it responded with 410 (Gone).',
      'Abgeschaltet, weil der Endpunkt mit 410 (Gone) geantwortet hat.',
    ],
    failing: [
      'Switched off because all deliveries failed for 5 days.',
      'Abgeschaltet, weil 5 Tage lang alle Zustellungen fehlgeschlagen sind.',
    ],
  },
  kept: [
    'Events are kept, and sent when you switch it on again.',
    'Ereignisse werden aufbewahrt und gesendet, sobald Sie den Endpunkt wieder einschalten.',
  ],
  failingSince: ['All deliveries have failed since', 'Alle Zustellungen schlagen fehl seit'],
  failingHint: [
    'After 5 days of failures, the endpoint is switched off.',
    'Nach 5 Tagen ohne Erfolg wird der Endpunkt abgeschaltet.',
  ],
  secretTitle: ['Signing secret of this endpoint', 'Signaturgeheimnis dieses Endpunkts'],
  secret: ['Signing secret', 'Signaturgeheimnis'],
  secretHint: [
    'Paylink signs every message with it. Verify the signature over the raw body before you trust a message. With the SDK:',
    'Paylink signiert jede Nachricht damit. Prüfen Sie die Signatur über den unveränderten Inhalt, bevor Sie einer Nachricht trauen. Mit dem SDK:',
  ],
  previousSecret: ['Previous secret valid until', 'Vorheriges Geheimnis gültig bis'],
  endpoint: ['Webhook endpoint', 'Webhook-Endpunkt'],
  back: ['All webhooks', 'Alle Webhooks'],
  editTitle: ['Edit endpoint', 'Endpunkt bearbeiten'],
  switchedOff: ['The endpoint is switched off.', 'Der Endpunkt ist abgeschaltet.'],
  switchedOn: ['The endpoint is switched on.', 'Der Endpunkt ist eingeschaltet.'],
  switchOnTitle: ['Switch on the endpoint?', 'Endpunkt einschalten?'],
  switchOnHint: ['All kept events are sent now.', 'Alle aufbewahrten Ereignisse werden jetzt gesendet.'],
  roll: ['New secret', 'Neues Geheimnis'],
  rollAction: ['Create a new secret', 'Neues Geheimnis anlegen'],
  rollHint: [
    'While the old secret is valid, messages are signed with both, so you can switch without a gap.',
    'Solange das alte Geheimnis gilt, werden Nachrichten mit beiden signiert, sodass Sie ohne Lücke umstellen können.',
  ],
  rollAgain: [
    'The previous secret is still valid. It ends now if you create a new one.',
    'Das vorherige Geheimnis gilt noch. Es endet sofort, wenn Sie ein neues anlegen.',
  ],
  deleteHint: [
    'Its pending deliveries are dropped. This cannot be undone. To pause the endpoint, switch it off.',
    'Ausstehende Zustellungen verfallen. Das lässt sich nicht rückgängig machen. Für eine Pause schalten Sie den Endpunkt ab.',
  ],
  deleteAction: ['Delete the endpoint', 'Endpunkt löschen'],
  deleted: ['The endpoint was deleted.', 'Der Endpunkt wurde gelöscht.'],
  test: ['Send a test', 'Test senden'],
  testHint: [
    'Sends a test event to this endpoint only. Your program should respond with 2xx and do nothing else.',
    'Sendet ein Testereignis nur an diesen Endpunkt. Ihr Programm sollte mit 2xx antworten und sonst nichts tun.',
  ],
  testOff: [
    'To send a test, switch on the endpoint.',
    'Um einen Test zu senden, schalten Sie den Endpunkt ein.',
  ],
  testTitle: ['Test', 'Test'],
  testSending: ['Sending the test…', 'Test wird gesendet …'],
  testDelivered: ['The endpoint accepted the test.', 'Der Endpunkt hat den Test angenommen.'],
  testWaiting: [
    'The endpoint did not accept the test. Paylink tries again.',
    'Der Endpunkt hat den Test nicht angenommen. Paylink versucht es erneut.',
  ],
  testFailed: ['The endpoint did not accept the test.', 'Der Endpunkt hat den Test nicht angenommen.'],
  viewDelivery: ['View the delivery', 'Zustellung ansehen'],
});
