// The texts of a company's events other than those of payments: keys, members, sign-ins, settings, webhooks. Those of
// payments are in events.ts. An event without a text is shown by its API name.

import { defineTexts } from '../base/language.tsx';
import { useEventTexts } from './events.ts';

const useTypes = defineTexts({
  'company.created': ['Company created', 'Firma angelegt'],
  'company.changed': ['Settings of the company changed', 'Einstellungen der Firma geändert'],
  'session.opened': ['Signed in', 'Angemeldet'],
  'session.ended': ['Session ended', 'Sitzung beendet'],
  'sessions.ended': ['All other sessions ended', 'Alle anderen Sitzungen beendet'],
  'password.changed': ['Password changed', 'Passwort geändert'],
  'password.reset_asked': ['Link to a new password asked for', 'Link zu einem neuen Passwort angefordert'],
  'password.reset': [
    'New password set by a mailed link',
    'Neues Passwort über einen zugesandten Link gesetzt',
  ],
  'second_factor.added': ['Second factor added', 'Zweiter Faktor eingerichtet'],
  'second_factor.removed': ['Second factor removed', 'Zweiter Faktor entfernt'],
  'recovery_codes.made': ['Recovery codes created', 'Wiederherstellungscodes erzeugt'],
  'recovery_code.used': ['Recovery code used', 'Wiederherstellungscode verwendet'],
  'member.invited': ['Person invited', 'Person eingeladen'],
  'member.joined': ['Person joined the team', 'Person dem Team beigetreten'],
  'member.changed': ['Roles of a person changed', 'Rollen einer Person geändert'],
  'member.removed': ['Person removed from the team', 'Person aus dem Team entfernt'],
  'invitation.revoked': ['Invitation revoked', 'Einladung widerrufen'],
  'key.created': ['API key created', 'API-Schlüssel angelegt'],
  'key.rolled': ['API key replaced', 'API-Schlüssel ersetzt'],
  'key.revoked': ['API key revoked', 'API-Schlüssel widerrufen'],
  'webhook_endpoint.created': ['Webhook endpoint created', 'Webhook-Endpunkt angelegt'],
  'webhook_endpoint.changed': ['Webhook endpoint changed', 'Webhook-Endpunkt geändert'],
  'webhook_endpoint.deleted': ['Webhook endpoint deleted', 'Webhook-Endpunkt gelöscht'],
  'webhook_endpoint.secret_rolled': [
    'New secret of a webhook endpoint created',
    'Neues Signaturgeheimnis eines Webhook-Endpunkts angelegt',
  ],
  'webhook_delivery.resent': ['Webhook sent again', 'Webhook noch einmal gesendet'],
  'connection.created': ['Connection to a processor created', 'Verbindung zu einem Zahlungsdienst angelegt'],
  'connection.changed': ['Connection to a processor changed', 'Verbindung zu einem Zahlungsdienst geändert'],
  'connection.checked': ['Connection to a processor checked', 'Verbindung zu einem Zahlungsdienst geprüft'],
  'connection.deleted': ['Connection to a processor deleted', 'Verbindung zu einem Zahlungsdienst gelöscht'],
  'connection.ordered': ['Order of the connections changed', 'Reihenfolge der Verbindungen geändert'],
  'payments.exported': ['Payments exported', 'Zahlungen exportiert'],
  'bank.imported': ['Bank statement imported', 'Kontoauszug eingelesen'],
  'bank.line_resolved': ['Line of a bank statement decided', 'Zeile eines Kontoauszugs geklärt'],
  'bank.refund_resolved': ['Refund by bank transfer decided', 'Erstattung per Überweisung geklärt'],
});

/** The text of an event of any kind, by its type. */
export function useAuditEventTexts(): (type: string) => string {
  const types = useTypes() as Readonly<Record<string, string>>;
  const ofPayments = useEventTexts();
  return (type) => types[type] ?? ofPayments(type);
}
