// The texts of webhook endpoints.

import { defineTexts } from '../../base/language.tsx';

export const useWebhookTexts = defineTexts({
  title: ['Webhooks', 'Webhooks'],
  intro: [
    'Paylink tells your programs what happens by posting to addresses of yours, signed, and again until one has taken it.',
    'Paylink meldet Ihren Programmen, was geschieht: signiert, an Adressen von Ihnen, und so oft, bis die Nachricht angenommen ist.',
  ],
  create: ['Add an endpoint', 'Endpunkt hinzufügen'],
  list: ['Endpoints', 'Endpunkte'],
  empty: ['No endpoint yet', 'Noch kein Endpunkt'],
  emptyHint: [
    'An endpoint is an address of your shop that hears at once when a payment is paid, fails or is refunded.',
    'Ein Endpunkt ist eine Adresse Ihres Shops, die sofort erfährt, wenn eine Zahlung bezahlt wird, fehlschlägt oder erstattet wird.',
  ],
  otherMode: {
    test: ['There are more endpoints in test mode.', 'Im Testmodus gibt es weitere Endpunkte.'],
    live: ['There are more endpoints in live mode.', 'Im Live-Modus gibt es weitere Endpunkte.'],
  },
  url: ['Address', 'Adresse'],
  urlHint: [
    'Begins with https and is on the public internet; in test mode http will do. To try a program on your own machine, run “paylink listen” instead.',
    'Beginnt mit https und liegt im öffentlichen Internet; im Testmodus genügt http. Für ein Programm auf Ihrem eigenen Rechner nehmen Sie stattdessen „paylink listen“.',
  ],
  description: ['Description', 'Beschreibung'],
  descriptionHint: ['For your own records.', 'Nur für Sie.'],
  events: ['Events', 'Ereignisse'],
  allEvents: ['All events', 'Alle Ereignisse'],
  allEventsHint: [
    'Types that come with later versions are included.',
    'Auch Arten, die mit späteren Versionen dazukommen.',
  ],
  someEvents: ['Only these events', 'Nur diese Ereignisse'],
  groups: {
    payments: ['Payments', 'Zahlungen'],
    refunds: ['Refunds', 'Erstattungen'],
    attempts: ['Outcomes that were unknown', 'Ergebnisse, die unbekannt waren'],
    others: ['Others', 'Weitere'],
  },
  chosenCount: [
    (count: number) => (count === 1 ? '1 type' : `${count} types`),
    (count: number) => (count === 1 ? '1 Art' : `${count} Arten`),
  ],
  state: ['State', 'Zustand'],
  made: ['Added', 'Hinzugefügt'],
  on: ['On', 'Ein'],
  off: ['Off', 'Aus'],
  failing: ['Failing', 'Gestört'],
  reasons: {
    switched_off: [
      'Switched off by hand. What happens is kept, and sent when it is switched on again.',
      'Von Hand abgeschaltet. Was geschieht, wird aufbewahrt und gesendet, wenn der Endpunkt wieder eingeschaltet ist.',
    ],
    gone: [
      'Switched off because it answered 410: nobody wants messages there any more. What happens is kept, and sent when it is switched on again.',
      'Abgeschaltet, weil mit 410 geantwortet wurde: Dort will niemand mehr Nachrichten. Was geschieht, wird aufbewahrt und gesendet, wenn der Endpunkt wieder eingeschaltet ist.',
    ],
    failing: [
      'Switched off because nothing could be delivered for 5 days. What happens is kept, and sent when it is switched on again.',
      'Abgeschaltet, weil 5 Tage lang nichts zugestellt werden konnte. Was geschieht, wird aufbewahrt und gesendet, wenn der Endpunkt wieder eingeschaltet ist.',
    ],
  },
  failingSince: ['No try has succeeded since', 'Kein Versuch ist gelungen seit'],
  failingHint: [
    'After 5 days without one success it is switched off.',
    'Nach 5 Tagen ohne einen Erfolg wird der Endpunkt abgeschaltet.',
  ],
  secretTitle: ['The secret of this endpoint', 'Das Signaturgeheimnis dieses Endpunkts'],
  secret: ['Secret', 'Signaturgeheimnis'],
  secretHint: [
    'Every message is signed with it. Verify the signature over the bytes of the body before you trust a message; with the SDK:',
    'Damit ist jede Nachricht signiert. Prüfen Sie die Signatur über die Bytes des Inhalts, bevor Sie einer Nachricht trauen; mit dem SDK:',
  ],
  previousSecret: ['Old secret signs, too, until', 'Auch das alte Geheimnis signiert bis'],
  endpoint: ['Webhook endpoint', 'Webhook-Endpunkt'],
  back: ['All webhooks', 'Alle Webhooks'],
  mode: ['Mode', 'Modus'],
  edit: ['Edit', 'Bearbeiten'],
  editTitle: ['Edit the endpoint', 'Endpunkt bearbeiten'],
  added: ['The endpoint was added.', 'Der Endpunkt wurde hinzugefügt.'],
  switchOff: ['Switch off', 'Abschalten'],
  switchedOff: ['The endpoint is switched off.', 'Der Endpunkt ist abgeschaltet.'],
  switchOn: ['Switch on', 'Einschalten'],
  switchedOn: ['The endpoint is switched on.', 'Der Endpunkt ist eingeschaltet.'],
  switchOnTitle: ['Switch the endpoint on?', 'Endpunkt einschalten?'],
  switchOnHint: [
    'Everything that was kept for it is sent at once.',
    'Alles, was für ihn aufbewahrt wurde, wird sofort gesendet.',
  ],
  undo: ['Undo', 'Rückgängig machen'],
  roll: ['New secret', 'Neues Geheimnis'],
  rollTitle: ['Create a new secret', 'Ein neues Geheimnis anlegen'],
  rollHint: [
    'Messages are signed with the new secret at once. As long as the old one stays good they are signed with both, so that you can change over in your own time.',
    'Nachrichten werden sofort mit dem neuen Geheimnis signiert. Solange das alte noch gilt, mit beiden, sodass Sie in Ruhe umstellen können.',
  ],
  rollAgain: [
    'An old secret still signs from the last time. A new one ends it at once.',
    'Ein altes Geheimnis signiert noch vom letzten Mal. Ein weiteres neues beendet es sofort.',
  ],
  rollAct: ['Create a new secret', 'Neues Geheimnis anlegen'],
  remove: ['Delete', 'Löschen'],
  removeTitle: ['Delete the endpoint?', 'Endpunkt löschen?'],
  removeHint: [
    'Nothing is sent to it any more, and what waits for it is dropped. This cannot be undone; to pause it, switch it off.',
    'Es wird nichts mehr dorthin gesendet, und was noch wartet, verfällt. Das lässt sich nicht rückgängig machen; für eine Pause schalten Sie den Endpunkt ab.',
  ],
  removeAct: ['Delete the endpoint', 'Endpunkt löschen'],
  removed: ['The endpoint was deleted.', 'Der Endpunkt wurde gelöscht.'],
  test: ['Send a test', 'Test senden'],
  testHint: [
    'A test is sent to this endpoint alone. Your programs should answer it with 2xx and leave it be.',
    'Ein Test geht nur an diesen Endpunkt. Ihre Programme sollten mit 2xx antworten und sonst nichts tun.',
  ],
  testOff: [
    'Switch the endpoint on to send it a test.',
    'Schalten Sie den Endpunkt ein, um einen Test zu senden.',
  ],
  testTitle: ['Test', 'Test'],
  testSending: ['The test is on its way…', 'Der Test ist unterwegs …'],
  testDelivered: ['The endpoint has taken the test.', 'Der Endpunkt hat den Test angenommen.'],
  testWaiting: [
    'The endpoint has not taken the test. It is tried again by itself.',
    'Der Endpunkt hat den Test nicht angenommen. Es wird von selbst noch einmal versucht.',
  ],
  testFailed: ['The endpoint has not taken the test.', 'Der Endpunkt hat den Test nicht angenommen.'],
  look: ['See this delivery', 'Diese Zustellung ansehen'],
});
