// The texts of payment providers.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useProcessorTexts = defineTexts({
  ...screenTexts,
  intro: [
    'Customers are offered your payment providers in this order, where amount and currency fit.',
    'Kunden bekommen Ihre Zahlungsdienste in dieser Reihenfolge angeboten, wo Betrag und Währung passen.',
  ],
  sandbox: ['Test mode always includes the sandbox', 'Der Testmodus enthält immer die Sandbox'],
  sandboxHint: [
    'It accepts test cards on the payment page and moves no money. It is offered after the connections below. Connect it to change its position or to switch it off.',
    'Sie nimmt Testkarten auf der Zahlungsseite an und bewegt kein Geld. Sie wird nach den Verbindungen hier angeboten. Verbinden Sie sie, um ihre Position zu ändern oder sie abzuschalten.',
  ],
  emptyTest: ['No connections yet', 'Noch keine Verbindungen'],
  emptyTestHint: [
    'Until you connect a provider, customers pay test links with the sandbox.',
    'Bis Sie einen Zahlungsdienst verbinden, bezahlen Kunden Testlinks über die Sandbox.',
  ],
  emptyLive: ['You can’t accept live payments yet', 'Sie können noch keine echten Zahlungen annehmen'],
  emptyLiveHint: [
    'Connect a payment provider or your bank account. Until then, live links can’t be paid.',
    'Verbinden Sie einen Zahlungsdienst oder Ihr Bankkonto. Bis dahin lassen sich Live-Links nicht bezahlen.',
  ],
  connect: ['Connect a provider', 'Zahlungsdienst verbinden'],
  connectAction: ['Connect', 'Verbinden'],
  connected: [(title: string) => `${title} is connected.`, (title: string) => `${title} ist verbunden.`],
  up: ['Available', 'Erreichbar'],
  down: ['Not available', 'Nicht erreichbar'],
  downHint: [
    'The last requests failed. Until it is available again, it is offered last.',
    'Die letzten Anfragen sind fehlgeschlagen. Bis er wieder erreichbar ist, wird er zuletzt angeboten.',
  ],
  holder: ['Account holder', 'Kontoinhaber'],
  offeredIn: ['Currencies', 'Währungen'],
  secretSet: ['Set (hidden)', 'Eingetragen (verborgen)'],
  notSet: ['Not set', 'Nicht eingetragen'],
  webhookAddress: ['Webhook address', 'Webhook-Adresse'],
  webhookEnter: [
    'Enter this address at the provider, so that it can notify Paylink of payments.',
    'Tragen Sie diese Adresse beim Zahlungsdienst ein, damit er Zahlungen melden kann.',
  ],
  webhookAutomatic: [
    'Nothing to set up: the provider receives this address with each payment.',
    'Es ist nichts einzutragen: Der Zahlungsdienst erhält diese Adresse mit jeder Zahlung.',
  ],
  webhooksReceived: ['Webhooks received', 'Empfangene Webhooks'],
  counts: {
    accepted: ['Accepted', 'Angenommen'],
    irrelevant: ['Not about a payment link', 'Ohne Bezug zu einem Zahlungslink'],
    replayed: ['Repeated', 'Wiederholt'],
    mismatched: ['Did not match', 'Passten nicht'],
    forged: ['Invalid signature', 'Ungültige Signatur'],
  },
  noneReceived: ['None yet', 'Noch keine'],
  lastReceived: ['Last:', 'Zuletzt:'],
  forgedHint: [
    'Compare the signing secret with that of the provider.',
    'Vergleichen Sie das Signaturgeheimnis mit dem des Zahlungsdienstes.',
  ],
  mismatchedHint: [
    'Webhooks that did not match a payment changed nothing. The service log has the details.',
    'Webhooks, die zu keiner Zahlung passten, haben nichts geändert. Einzelheiten stehen im Protokoll des Dienstes.',
  ],
  toComplete: [(fields: string) => `Missing: ${fields}.`, (fields: string) => `Es fehlt: ${fields}.`],
  toCompleteHint: [
    'Enter the webhook address below at the provider, which then shows you this value. Until then, its webhooks are rejected and payments are noticed later.',
    'Tragen Sie die Webhook-Adresse unten beim Zahlungsdienst ein; er zeigt Ihnen dann diese Angabe. Bis dahin werden seine Webhooks abgelehnt und Zahlungen später bemerkt.',
  ],
  complete: ['Complete', 'Ergänzen'],
  moveUp: [(title: string) => `Move ${title} up`, (title: string) => `${title} nach oben`],
  moveDown: [(title: string) => `Move ${title} down`, (title: string) => `${title} nach unten`],
  moved: [
    (title: string, position: number) => `${title} is now number ${position}.`,
    (title: string, position: number) => `${title} ist jetzt an Position ${position}.`,
  ],
  check: ['Check', 'Prüfen'],
  checked: [
    (holder: string) => `The credentials are valid for the account of ${holder}.`,
    (holder: string) => `Die Zugangsdaten gelten für das Konto von ${holder}.`,
  ],
  checkedPlain: ['The credentials are valid.', 'Die Zugangsdaten sind gültig.'],
  checkFailed: ['The check failed', 'Die Prüfung ist fehlgeschlagen'],
  switchedOff: [
    (title: string) => `${title} is switched off.`,
    (title: string) => `${title} ist abgeschaltet.`,
  ],
  switchedOn: [
    (title: string) => `${title} is switched on.`,
    (title: string) => `${title} ist eingeschaltet.`,
  ],
  deleteTitle: [
    (title: string) => `Delete the connection to ${title}?`,
    (title: string) => `Verbindung zu ${title} löschen?`,
  ],
  deleteText: [
    'Its credentials are deleted. Payments that were made through it can then only be refunded at the provider. This cannot be undone.',
    'Ihre Zugangsdaten werden gelöscht. Zahlungen über diese Verbindung lassen sich dann nur noch beim Zahlungsdienst erstatten. Das lässt sich nicht rückgängig machen.',
  ],
  deleteInstead: [
    'To stop offering it, switch it off instead: refunds then still work.',
    'Damit er nicht mehr angeboten wird, schalten Sie ihn stattdessen ab: Erstattungen bleiben dann möglich.',
  ],
  deleteAction: ['Delete the connection', 'Verbindung löschen'],
  deleted: ['The connection was deleted.', 'Die Verbindung wurde gelöscht.'],
  changeTitle: [
    (title: string) => `Edit the connection to ${title}`,
    (title: string) => `Verbindung zu ${title} bearbeiten`,
  ],
  processor: ['Provider', 'Zahlungsdienst'],
  takes: {
    card: [
      'Customers enter their card on your payment page.',
      'Kunden tragen ihre Karte auf Ihrer Zahlungsseite ein.',
    ],
    page: [
      'Customers pay on the page of the provider, and return to yours.',
      'Kunden bezahlen auf der Seite des Zahlungsdienstes und kehren zurück.',
    ],
    transfer: [
      'Customers transfer the money from their bank to your account.',
      'Kunden überweisen das Geld von ihrer Bank auf Ihr Konto.',
    ],
  },
  nameHint: ['Only your team sees it.', 'Nur Ihr Team sieht ihn.'],
  keepSecret: ['Leave it empty to keep the current value.', 'Leer lassen, um die Angabe zu behalten.'],
  checking: [
    'Checking the credentials with the provider. This can take 10 seconds.',
    'Die Zugangsdaten werden beim Zahlungsdienst geprüft. Das kann 10 Sekunden dauern.',
  ],
  noneToConnect: [
    'No payment provider is available in this mode.',
    'Für diesen Modus gibt es keinen Zahlungsdienst.',
  ],
});
