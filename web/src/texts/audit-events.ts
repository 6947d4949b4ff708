// The texts of a company's events other than those of payments: keys, members, sign-ins, settings, webhooks. Those of
// payments are in events.ts. An event without a text is shown by its API name.

import { defineTexts } from '../base/language.tsx';
import { useEventTexts } from './events.ts';

const useTypes = defineTexts({
  'company.created': ['Company created', 'Firma angelegt'],
  'company.imported': [
    'Company imported from another installation',
    'Firma aus einer anderen Installation importiert',
  ],
  'company.changed': ['Company settings changed', 'Einstellungen der Firma geändert'],
  'session.opened': ['Signed in', 'Angemeldet'],
  'session.ended': ['Session ended', 'Sitzung beendet'],
  'sessions.ended': ['All other sessions ended', 'Alle anderen Sitzungen beendet'],
  'password.changed': ['Password changed', 'Passwort geändert'],
  'password.reset_asked': ['Password reset requested', 'Zurücksetzen des Passworts angefordert'],
  'password.reset': ['Password reset', 'Passwort zurückgesetzt'],
  'second_factor.added': ['Second factor added', 'Zweiter Faktor eingerichtet'],
  'second_factor.removed': ['Second factor removed', 'Zweiter Faktor entfernt'],
  'recovery_codes.made': ['Recovery codes created', 'Wiederherstellungscodes erzeugt'],
  'recovery_code.used': ['Recovery code used', 'Wiederherstellungscode verwendet'],
  'member.invited': ['Member invited', 'Mitglied eingeladen'],
  'member.joined': ['Member joined', 'Mitglied beigetreten'],
  'member.changed': ['Roles of a member changed', 'Rollen eines Mitglieds geändert'],
  'member.removed': ['Member removed', 'Mitglied entfernt'],
  'invitation.revoked': ['Invitation revoked', 'Einladung widerrufen'],
  'key.created': ['API key created', 'API-Schlüssel angelegt'],
  'key.rolled': ['API key replaced', 'API-Schlüssel ersetzt'],
  'key.revoked': ['API key revoked', 'API-Schlüssel widerrufen'],
  'webhook_endpoint.created': ['Webhook endpoint created', 'Webhook-Endpunkt angelegt'],
  'webhook_endpoint.changed': ['Webhook endpoint changed', 'Webhook-Endpunkt geändert'],
  'webhook_endpoint.deleted': ['Webhook endpoint deleted', 'Webhook-Endpunkt gelöscht'],
  'webhook_endpoint.secret_rolled': ['Webhook secret replaced', 'Webhook-Geheimnis ersetzt'],
  'webhook_delivery.resent': ['Webhook sent again', 'Webhook erneut gesendet'],
  'connection.created': ['Payment provider connected', 'Zahlungsdienst verbunden'],
  'connection.changed': ['Payment provider changed', 'Zahlungsdienst geändert'],
  'connection.checked': ['Payment provider checked', 'Zahlungsdienst geprüft'],
  'connection.deleted': ['Payment provider deleted', 'Zahlungsdienst gelöscht'],
  'connection.ordered': ['Order of payment providers changed', 'Reihenfolge der Zahlungsdienste geändert'],
  'payments.exported': ['Payments exported', 'Zahlungen exportiert'],
  'bank.imported': ['Bank statement imported', 'Kontoauszug importiert'],
  'bank.line_resolved': ['Booking resolved', 'Buchung geklärt'],
  'bank.refund_resolved': ['Bank transfer refund resolved', 'Erstattung per Überweisung geklärt'],
});

export function useAuditEventTexts(): (type: string) => string {
  const types = useTypes() as Readonly<Record<string, string>>;
  const ofPayments = useEventTexts();
  return (type) => types[type] ?? ofPayments(type);
}
