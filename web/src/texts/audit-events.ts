// The texts of a company's events other than those of payments: keys, members, sign-ins, settings, webhooks. Those of
// payments are in events.ts. An event without a text is shown by its API name.

import { defineTexts } from '../base/language.tsx';
import { useEventTexts } from './events.ts';

const useTypes = defineTexts(
  {
    'company.created': 'Company created',
    'company.changed': 'Settings of the company changed',
    'session.opened': 'Signed in',
    'session.ended': 'Session ended',
    'sessions.ended': 'All other sessions ended',
    'password.changed': 'Password changed',
    'password.reset_asked': 'Link to a new password asked for',
    'password.reset': 'New password set by a mailed link',
    'second_factor.added': 'Second factor added',
    'second_factor.removed': 'Second factor removed',
    'recovery_codes.made': 'Recovery codes created',
    'recovery_code.used': 'Recovery code used',
    'member.invited': 'Person invited',
    'member.joined': 'Person joined the team',
    'member.changed': 'Roles of a person changed',
    'member.removed': 'Person removed from the team',
    'invitation.revoked': 'Invitation revoked',
    'key.created': 'API key created',
    'key.rolled': 'API key replaced',
    'key.revoked': 'API key revoked',
    'webhook_endpoint.created': 'Webhook endpoint created',
    'webhook_endpoint.changed': 'Webhook endpoint changed',
    'webhook_endpoint.deleted': 'Webhook endpoint deleted',
    'webhook_endpoint.secret_rolled': 'New secret of a webhook endpoint created',
    'webhook_delivery.resent': 'Webhook sent again',
    'connection.created': 'Connection to a processor created',
    'connection.changed': 'Connection to a processor changed',
    'connection.checked': 'Connection to a processor checked',
    'connection.deleted': 'Connection to a processor deleted',
    'connection.ordered': 'Order of the connections changed',
    'payments.exported': 'Payments exported',
    'bank.imported': 'Bank statement imported',
    'bank.line_resolved': 'Line of a bank statement decided',
    'bank.refund_resolved': 'Refund by bank transfer decided',
  },
  {
    'company.created': 'Firma angelegt',
    'company.changed': 'Einstellungen der Firma geändert',
    'session.opened': 'Angemeldet',
    'session.ended': 'Sitzung beendet',
    'sessions.ended': 'Alle anderen Sitzungen beendet',
    'password.changed': 'Passwort geändert',
    'password.reset_asked': 'Link zu einem neuen Passwort angefordert',
    'password.reset': 'Neues Passwort über einen zugesandten Link gesetzt',
    'second_factor.added': 'Zweiter Faktor eingerichtet',
    'second_factor.removed': 'Zweiter Faktor entfernt',
    'recovery_codes.made': 'Wiederherstellungscodes erzeugt',
    'recovery_code.used': 'Wiederherstellungscode verwendet',
    'member.invited': 'Person eingeladen',
    'member.joined': 'Person dem Team beigetreten',
    'member.changed': 'Rollen einer Person geändert',
    'member.removed': 'Person aus dem Team entfernt',
    'invitation.revoked': 'Einladung widerrufen',
    'key.created': 'API-Schlüssel angelegt',
    'key.rolled': 'API-Schlüssel ersetzt',
    'key.revoked': 'API-Schlüssel widerrufen',
    'webhook_endpoint.created': 'Webhook-Endpunkt angelegt',
    'webhook_endpoint.changed': 'Webhook-Endpunkt geändert',
    'webhook_endpoint.deleted': 'Webhook-Endpunkt gelöscht',
    'webhook_endpoint.secret_rolled': 'Neues Signaturgeheimnis eines Webhook-Endpunkts angelegt',
    'webhook_delivery.resent': 'Webhook noch einmal gesendet',
    'connection.created': 'Verbindung zu einem Zahlungsdienst angelegt',
    'connection.changed': 'Verbindung zu einem Zahlungsdienst geändert',
    'connection.checked': 'Verbindung zu einem Zahlungsdienst geprüft',
    'connection.deleted': 'Verbindung zu einem Zahlungsdienst gelöscht',
    'connection.ordered': 'Reihenfolge der Verbindungen geändert',
    'payments.exported': 'Zahlungen exportiert',
    'bank.imported': 'Kontoauszug eingelesen',
    'bank.line_resolved': 'Zeile eines Kontoauszugs geklärt',
    'bank.refund_resolved': 'Erstattung per Überweisung geklärt',
  },
);

/** The text of an event of any kind, by its type. */
export function useAuditEventTexts(): (type: string) => string {
  const types = useTypes() as Readonly<Record<string, string>>;
  const ofPayments = useEventTexts();
  return (type) => types[type] ?? ofPayments(type);
}
