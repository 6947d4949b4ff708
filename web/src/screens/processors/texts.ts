// The texts of processors.

import { defineTexts } from '../../base/language.tsx';

export const useProcessorTexts = defineTexts({
  title: ['Processors', 'Zahlungsdienste'],
  intro: [
    'Your accounts with those who take the money. Customers are offered them in this order, where amount and currency fit.',
    'Ihre Konten bei denen, die das Geld einnehmen. Kunden bekommen sie in dieser Reihenfolge angeboten, wo Betrag und Währung passen.',
  ],
  sandbox: ['In test mode the sandbox is always there', 'Im Testmodus ist die Sandbox immer da'],
  sandboxHint: [
    'It takes test cards on the payment page and moves no money. It stands behind the connections below; connect it yourself to give it a place or to switch it off.',
    'Sie nimmt Testkarten auf der Zahlungsseite und bewegt kein Geld. Sie steht hinter den Verbindungen hier; verbinden Sie sie selbst, um ihr einen Platz zu geben oder sie abzuschalten.',
  ],
  emptyTest: ['No connections yet', 'Noch keine Verbindungen'],
  emptyTestHint: [
    'Until you connect one, customers of test links pay by the sandbox.',
    'Solange Sie keine anlegen, bezahlen Kunden von Testlinks über die Sandbox.',
  ],
  emptyLive: ['Nobody takes real money for you yet', 'Noch nimmt niemand echtes Geld für Sie ein'],
  emptyLiveHint: [
    'Connect a processor or your bank account. Until then live links can’t be paid.',
    'Verbinden Sie einen Zahlungsdienst oder Ihr Bankkonto. Bis dahin kann niemand Live-Links bezahlen.',
  ],
  connect: ['Connect a processor', 'Zahlungsdienst verbinden'],
  connectAct: ['Connect', 'Verbinden'],
  connected: [(title: string) => `${title} is connected.`, (title: string) => `${title} ist verbunden.`],
  on: ['Offered', 'Wird angeboten'],
  off: ['Switched off', 'Abgeschaltet'],
  up: ['Answers', 'Antwortet'],
  down: ['Does not answer', 'Antwortet nicht'],
  downHint: [
    'Its last tries failed. It is offered last until it answers again.',
    'Die letzten Versuche sind gescheitert. Bis er wieder antwortet, wird er zuletzt angeboten.',
  ],
  holder: ['Account of', 'Konto von'],
  offeredIn: ['Offered in', 'Angeboten in'],
  secretSet: ['Set, and never shown again', 'Eingetragen und nie wieder angezeigt'],
  notSet: ['Not set', 'Nicht eingetragen'],
  webhookAddress: ['Webhook address', 'Webhook-Adresse'],
  webhookEnter: [
    'Enter this address at the processor, so that it can tell of payments.',
    'Tragen Sie diese Adresse beim Zahlungsdienst ein, damit er Zahlungen melden kann.',
  ],
  webhookTold: [
    'There is nothing to enter: the processor is told this address with each payment.',
    'Es ist nichts einzutragen: Der Zahlungsdienst erfährt diese Adresse mit jeder Zahlung.',
  ],
  webhooksCame: ['Webhooks received', 'Empfangene Webhooks'],
  counts: {
    accepted: ['Accepted', 'Angenommen'],
    irrelevant: ['About other business', 'Über andere Geschäfte'],
    replayed: ['Sent again', 'Noch einmal gesendet'],
    mismatched: ['Did not fit', 'Passten nicht'],
    forged: ['Not signed rightly', 'Nicht richtig signiert'],
  },
  noneCame: ['None yet', 'Noch keine'],
  lastCame: ['The last one:', 'Der letzte:'],
  forgedHint: [
    'Compare the signing secret with that of the processor.',
    'Vergleichen Sie das Signaturgeheimnis mit dem des Zahlungsdienstes.',
  ],
  mismatchedHint: [
    'Webhooks that did not fit a payment changed nothing. The log of the service says in what.',
    'Webhooks, die zu keiner Zahlung passten, haben nichts geändert. Im Protokoll des Dienstes steht, worin sie abwichen.',
  ],
  toComplete: [
    (fields: string) => `Still missing: ${fields}.`,
    (fields: string) => `Es fehlt noch: ${fields}.`,
  ],
  toCompleteHint: [
    'Enter the webhook address below at the processor; it shows you this in return. Until then its webhooks count as forged, and payments are noticed later.',
    'Tragen Sie die Webhook-Adresse unten beim Zahlungsdienst ein; dafür zeigt er Ihnen diese Angabe. Bis dahin gelten seine Webhooks als gefälscht, und Zahlungen werden später bemerkt.',
  ],
  complete: ['Complete it', 'Ergänzen'],
  moveUp: [(title: string) => `Move ${title} up`, (title: string) => `${title} nach oben`],
  moveDown: [(title: string) => `Move ${title} down`, (title: string) => `${title} nach unten`],
  moved: [
    (title: string, place: number) => `${title} is now number ${place}.`,
    (title: string, place: number) => `${title} steht jetzt an Stelle ${place}.`,
  ],
  check: ['Check', 'Prüfen'],
  checked: [
    (holder: string) => `The credentials are good. They open the account of ${holder}.`,
    (holder: string) => `Die Zugangsdaten gelten. Sie öffnen das Konto von ${holder}.`,
  ],
  checkedPlain: ['The credentials are good.', 'Die Zugangsdaten gelten.'],
  checkFailed: ['The check failed', 'Die Prüfung ist gescheitert'],
  change: ['Change', 'Ändern'],
  changed: ['The connection is changed.', 'Die Verbindung ist geändert.'],
  switchOff: ['Switch off', 'Abschalten'],
  switchOn: ['Switch on', 'Einschalten'],
  switchedOff: [
    (title: string) => `${title} is offered to nobody any more.`,
    (title: string) => `${title} wird niemandem mehr angeboten.`,
  ],
  switchedOn: [
    (title: string) => `${title} is offered to customers.`,
    (title: string) => `${title} wird Kunden angeboten.`,
  ],
  undo: ['Undo', 'Rückgängig machen'],
  delete: ['Delete', 'Löschen'],
  deleteTitle: [
    (title: string) => `Delete the connection to ${title}?`,
    (title: string) => `Verbindung zu ${title} löschen?`,
  ],
  deleteText: [
    'Its credentials are forgotten. Payments that were made through it can’t be refunded from here any more; you would do that at the processor itself. This can’t be undone.',
    'Ihre Zugangsdaten werden vergessen. Zahlungen, die über sie liefen, lassen sich von hier aus nicht mehr erstatten; das ginge nur noch beim Zahlungsdienst selbst. Das lässt sich nicht rückgängig machen.',
  ],
  deleteInstead: [
    'To stop offering it, switching it off is enough: then refunds go on as before.',
    'Damit er nicht mehr angeboten wird, genügt es, ihn abzuschalten: Dann bleiben Erstattungen möglich.',
  ],
  deleteAct: ['Delete the connection', 'Verbindung löschen'],
  deleted: ['The connection is deleted.', 'Die Verbindung ist gelöscht.'],
  changeTitle: [
    (title: string) => `Change the connection to ${title}`,
    (title: string) => `Verbindung zu ${title} ändern`,
  ],
  processor: ['Processor', 'Zahlungsdienst'],
  takes: {
    card: [
      'Customers enter their card on your payment page.',
      'Kunden tragen ihre Karte auf Ihrer Zahlungsseite ein.',
    ],
    page: [
      'Customers go on to its own page to pay, and come back.',
      'Kunden gehen zum Bezahlen auf dessen eigene Seite und kommen zurück.',
    ],
    transfer: [
      'Customers transfer the money from their bank to your account.',
      'Kunden überweisen das Geld von ihrer Bank auf Ihr Konto.',
    ],
  },
  name: ['Name', 'Name'],
  nameHint: [
    'What your own people call it; customers don’t see it.',
    'Wie Ihre eigenen Leute sie nennen; Kunden sehen ihn nicht.',
  ],
  keepSecret: [
    'Leave it empty to keep the one that is set.',
    'Leer lassen, um das eingetragene zu behalten.',
  ],
  asking: [
    'The processor is asked whether the credentials are good. That can take 10 seconds.',
    'Der Zahlungsdienst wird gefragt, ob die Zugangsdaten gelten. Das kann 10 Sekunden dauern.',
  ],
  noneToConnect: ['There is no processor for this mode.', 'Für diesen Modus gibt es keinen Zahlungsdienst.'],
});
