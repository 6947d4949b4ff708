// The texts of webhook deliveries.

import { defineTexts } from '../../base/language.tsx';

export const useDeliveryTexts = defineTexts({
  title: ['Delivery', 'Zustellung'],
  list: ['Deliveries', 'Zustellungen'],
  hint: ['They are kept for 30 days.', 'Sie werden 30 Tage lang aufbewahrt.'],
  tabs: {
    all: ['All', 'Alle'],
    pending: ['Waiting', 'Wartend'],
    delivered: ['Delivered', 'Zugestellt'],
    failed: ['Given up', 'Aufgegeben'],
  },
  tabsLabel: ['Which deliveries', 'Welche Zustellungen'],
  states: {
    pending: ['Waiting', 'Wartend'],
    delivered: ['Delivered', 'Zugestellt'],
    failed: ['Given up', 'Aufgegeben'],
  },
  empty: ['No deliveries here', 'Hier gibt es keine Zustellungen'],
  emptyHint: [
    'What happens to payments of this mode appears here as soon as it is to be sent.',
    'Was mit Zahlungen dieses Modus geschieht, erscheint hier, sobald es zu senden ist.',
  ],
  event: ['Event', 'Ereignis'],
  eventId: ['Event id', 'Kennung des Ereignisses'],
  at: ['Happened', 'Geschehen'],
  state: ['State', 'Zustand'],
  tries: ['Tries', 'Versuche'],
  last: ['Last answer', 'Letzte Antwort'],
  next: ['Next try', 'Nächster Versuch'],
  nextOff: ['when the endpoint is switched on', 'wenn der Endpunkt eingeschaltet ist'],
  endpoint: ['Endpoint', 'Endpunkt'],
  ended: ['Ended', 'Beendet'],
  back: ['Back to the endpoint', 'Zurück zum Endpunkt'],
  resend: ['Send again', 'Noch einmal senden'],
  resent: ['It is being sent again.', 'Wird noch einmal gesendet.'],
  resendSince: ['Send again since …', 'Noch einmal senden seit …'],
  resendTitle: ['Send everything again', 'Alles noch einmal senden'],
  resendHint: [
    'Sends again what was delivered or given up, of events since a moment. It keeps its ids, so that programs that remember them do nothing twice.',
    'Sendet noch einmal, was zugestellt oder aufgegeben ist, von Ereignissen seit einem Zeitpunkt. Die Kennungen bleiben, sodass Programme, die sie sich merken, nichts doppelt tun.',
  ],
  since: ['Since', 'Seit'],
  sinces: {
    hour: ['An hour ago', 'Vor einer Stunde'],
    day: ['24 hours ago', 'Vor 24 Stunden'],
    week: ['7 days ago', 'Vor 7 Tagen'],
    moment: ['A moment of my choice', 'Eigener Zeitpunkt'],
  },
  moment: ['Moment', 'Zeitpunkt'],
  momentHint: [
    (zone: string) => `In your time zone (${zone}).`,
    (zone: string) => `In Ihrer Zeitzone (${zone}).`,
  ],
  momentMissing: ['Choose a day and a time.', 'Wählen Sie Tag und Uhrzeit.'],
  resendAct: ['Send again', 'Noch einmal senden'],
  resentCount: [
    (count: number) => (count === 1 ? 'One delivery is sent again.' : `${count} deliveries are sent again.`),
    (count: number) =>
      count === 1
        ? 'Eine Zustellung wird noch einmal gesendet.'
        : `${count} Zustellungen werden noch einmal gesendet.`,
  ],
  triesTitle: ['What was tried', 'Was versucht wurde'],
  noTry: ['Nothing was sent yet.', 'Es wurde noch nichts gesendet.'],
  duration: [(ms: string) => `${ms} ms`, (ms: string) => `${ms} ms`],
  answer: ['Answer', 'Antwort'],
  answerHint: ['The first 4 kB, as text.', 'Die ersten 4 kB, als Text.'],
  noBody: ['The answer had no content.', 'Die Antwort hatte keinen Inhalt.'],
  request: ['Request', 'Anfrage'],
  requestHint: [
    'What would be sent now: a message shows things as they stand when it is sent. The headers webhook-timestamp and webhook-signature are made anew for each try.',
    'Was jetzt gesendet würde: Eine Nachricht zeigt die Dinge so, wie sie beim Senden stehen. Die Kopfzeilen webhook-timestamp und webhook-signature entstehen bei jedem Versuch neu.',
  ],
  headers: ['Headers', 'Kopfzeilen'],
  body: ['Content, indented to be read', 'Inhalt, zum Lesen eingerückt'],
  copyBody: ['Copy the content as it is sent', 'Inhalt kopieren, wie er gesendet wird'],
  faults: {
    refused_url: [
      'The address may not be sent to any more',
      'An diese Adresse darf nicht mehr gesendet werden',
    ],
    blocked_address: [
      'The name leads to an address that is not on the public internet',
      'Der Name führt zu einer Adresse außerhalb des öffentlichen Internets',
    ],
    dns_failed: ['The name could not be looked up', 'Der Name ließ sich nicht auflösen'],
    connect_failed: ['Nobody took the connection', 'Niemand hat die Verbindung angenommen'],
    tls_failed: ['The certificate does not hold', 'Das Zertifikat ist nicht gültig'],
    timed_out: ['No whole answer within 15 seconds', 'Keine vollständige Antwort binnen 15 Sekunden'],
    reset: ['The connection broke', 'Die Verbindung brach ab'],
    answer_too_large: ['The headers of the answer are too large', 'Die Kopfzeilen der Antwort sind zu groß'],
    invalid_answer: ['The answer is not HTTP', 'Die Antwort ist kein HTTP'],
  },
});
