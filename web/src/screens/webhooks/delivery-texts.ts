// The texts of webhook deliveries.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useDeliveryTexts = defineTexts({
  ...screenTexts,
  title: ['Delivery', 'Zustellung'],
  list: ['Deliveries', 'Zustellungen'],
  hint: ['Deliveries are kept for 30 days.', 'Zustellungen werden 30 Tage lang aufbewahrt.'],
  all: ['All', 'Alle'],
  tabsLabel: ['Filter by status', 'Nach Status filtern'],
  empty: ['No deliveries', 'Keine Zustellungen'],
  emptyHint: [
    'The events of payments in this mode appear here when they are sent.',
    'Ereignisse von Zahlungen dieses Modus erscheinen hier, sobald sie gesendet werden.',
  ],
  attempts: ['Attempts', 'Versuche'],
  next: ['Next attempt', 'Nächster Versuch'],
  nextOff: ['when the endpoint is switched on', 'wenn der Endpunkt eingeschaltet ist'],
  ended: ['Ended', 'Beendet'],
  back: ['Back to the endpoint', 'Zurück zum Endpunkt'],
  resendSince: ['Send again since …', 'Erneut senden seit …'],
  resendTitle: ['Send deliveries again', 'Zustellungen erneut senden'],
  resendHint: [
    'Sends all delivered and failed events since this time again. Event IDs stay the same, so programs that remember them do nothing twice.',
    'Sendet alle zugestellten und fehlgeschlagenen Ereignisse seit diesem Zeitpunkt erneut. Die IDs bleiben gleich, sodass Programme, die sie speichern, nichts doppelt tun.',
  ],
  sinces: {
    hour: ['1 hour ago', 'Vor 1 Stunde'],
    day: ['24 hours ago', 'Vor 24 Stunden'],
    week: ['7 days ago', 'Vor 7 Tagen'],
    moment: ['Custom time', 'Eigener Zeitpunkt'],
  },
  momentHint: [
    (zone: string) => `In your time zone (${zone}).`,
    (zone: string) => `In Ihrer Zeitzone (${zone}).`,
  ],
  resentCount: counted(
    ['delivery is sent again.', 'deliveries are sent again.'],
    ['Zustellung wird erneut gesendet.', 'Zustellungen werden erneut gesendet.'],
  ),
  noAttempt: ['No attempts yet.', 'Noch keine Versuche.'],
  response: ['Response', 'Antwort'],
  responseHint: ['The first 4 kB of each response, as text.', 'Die ersten 4 kB jeder Antwort, als Text.'],
  noBody: ['The response had no body.', 'Die Antwort hatte keinen Inhalt.'],
  request: ['Request', 'Anfrage'],
  requestHint: [
    'The request as it would be sent now, with current data. Each attempt has its own webhook-timestamp and webhook-signature headers.',
    'Die Anfrage, wie sie jetzt gesendet würde, mit aktuellen Daten. Jeder Versuch hat eigene Kopfzeilen webhook-timestamp und webhook-signature.',
  ],
  headers: ['Headers', 'Kopfzeilen'],
  body: ['Body, indented for reading', 'Inhalt, zum Lesen eingerückt'],
  copyBody: ['Copy the body as sent', 'Inhalt kopieren, wie er gesendet wird'],
  faults: {
    refused_url: ['Sending to this address is no longer allowed', 'Diese Adresse ist nicht mehr erlaubt'],
    blocked_address: [
      'The host name resolves to an address that is not on the public internet',
      'Der Hostname führt zu einer Adresse außerhalb des öffentlichen Internets',
    ],
    dns_failed: ['The host name could not be resolved', 'Der Hostname ließ sich nicht auflösen'],
    connect_failed: ['The connection was refused', 'Die Verbindung wurde abgelehnt'],
    tls_failed: ['The certificate is invalid', 'Das Zertifikat ist ungültig'],
    timed_out: ['No complete response within 15 seconds', 'Keine vollständige Antwort binnen 15 Sekunden'],
    reset: ['The connection was closed', 'Die Verbindung brach ab'],
    answer_too_large: ['The response headers are too large', 'Die Kopfzeilen der Antwort sind zu groß'],
    invalid_answer: ['The response is not HTTP', 'Die Antwort ist kein HTTP'],
  },
});
