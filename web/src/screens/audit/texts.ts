// The texts of the audit log around its entries.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useAuditTexts = defineTexts({
  ...screenTexts,
  hint: [
    'All events of your company, newest first. Entries cannot be changed or removed.',
    'Alle Ereignisse Ihrer Firma, neueste zuerst. Einträge lassen sich nicht ändern oder entfernen.',
  ],
  about: ['Subject', 'Gegenstand'],
  kinds: {
    '': ['All events', 'Alle Ereignisse'],
    'payment.*': ['Payments', 'Zahlungen'],
    'attempt.*': ['Payment attempts', 'Zahlungsversuche'],
    'refund.*': ['Refunds', 'Erstattungen'],
    'session*': ['Sign-ins and sessions', 'Anmeldungen und Sitzungen'],
    'password.*': ['Passwords', 'Passwörter'],
    'second_factor.*': ['Second factors', 'Zweite Faktoren'],
    'member.*': ['Team', 'Team'],
    'key.*': ['API keys', 'API-Schlüssel'],
    'webhook_*': ['Webhooks', 'Webhooks'],
    'connection.*': ['Payment providers', 'Zahlungsdienste'],
    'company.*': ['Settings', 'Einstellungen'],
    'payments.exported': ['Exports', 'Exporte'],
    'bank.*': ['Bank statements', 'Kontoauszüge'],
  },
  people: {
    '': ['All actors', 'Alle Akteure'],
    'account:*': ['Team members', 'Teammitglieder'],
    customer: ['Customers', 'Kunden'],
    'processor:*': ['Payment providers', 'Zahlungsdienste'],
    'job:*': ['Paylink (automatic)', 'Paylink (automatisch)'],
  },
  companyOnly: ['Without payments', 'Ohne Zahlungen'],
  clear: ['Clear all filters', 'Alle Filter entfernen'],
  empty: ['No events yet', 'Noch keine Ereignisse'],
  emptyFiltered: ['No matching events', 'Keine passenden Ereignisse'],
  emptyHint: ['Choose other filters or other days.', 'Wählen Sie andere Filter oder andere Tage.'],
  noneYet: [
    'None of the newest events match these filters. Show more to search older ones.',
    'Keines der neuesten Ereignisse passt zu diesen Filtern. Zeigen Sie mehr an, um ältere zu durchsuchen.',
  ],
  exact: ['Exact time', 'Genaue Zeit'],
  actor: ['Actor', 'Akteur'],
  attempt: ['Attempt', 'Versuch'],
  endpoint: ['Webhook endpoint', 'Webhook-Endpunkt'],
});
