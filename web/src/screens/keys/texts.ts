// The texts of API keys.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useKeyTexts = defineTexts({
  ...screenTexts,
  intro: [
    'Your programs send an API key and a login token with every request. The mode of the key decides whether real money moves.',
    'Ihre Programme senden mit jeder Anfrage einen API-Schlüssel und ein Anmeldetoken. Der Modus des Schlüssels entscheidet, ob echtes Geld fließt.',
  ],
  list: ['Keys', 'Schlüssel'],
  create: ['Create a key', 'Schlüssel anlegen'],
  empty: ['No keys yet', 'Noch keine Schlüssel'],
  emptyHint: [
    'Create a key to let your programs create payment links.',
    'Legen Sie einen Schlüssel an, damit Ihre Programme Zahlungslinks anlegen können.',
  ],
  nameHint: [
    'Where the key is used, such as “Shop, production”.',
    'Wo der Schlüssel verwendet wird, etwa „Shop, Produktion“.',
  ],
  modes: {
    test: ['Test: no real money moves', 'Test: Es fließt kein echtes Geld'],
    live: ['Live: real money', 'Live: echtes Geld'],
  },
  statuses: {
    active: ['Active', 'Aktiv'],
    expiring: ['Expiring', 'Läuft ab'],
    expired: ['Expired', 'Abgelaufen'],
    revoked: ['Revoked', 'Widerrufen'],
  },
  by: ['by', 'von'],
  you: ['you', 'Ihnen'],
  bySystem: ['with the company', 'mit der Firma'],
  newTitle: ['Your new key', 'Ihr neuer Schlüssel'],
  key: ['Key', 'Schlüssel'],
  keyHint: [
    'Send it in the X-API-KEY header. Keep it out of web pages and repositories.',
    'Senden Sie ihn in der Kopfzeile X-API-KEY. Halten Sie ihn aus Webseiten und Repositorys heraus.',
  ],
  roll: ['Replace', 'Ersetzen'],
  rollTitle: ['Replace the key', 'Schlüssel ersetzen'],
  rollHint: [
    'The new key works immediately. Update your programs before the old key expires.',
    'Der neue Schlüssel gilt sofort. Stellen Sie Ihre Programme um, bevor der alte abläuft.',
  ],
  rollAction: ['Create the new key', 'Neuen Schlüssel anlegen'],
  revokeHint: [
    'All requests with this key are refused immediately. This cannot be undone. To switch to a new key without a gap, replace it instead.',
    'Alle Anfragen mit diesem Schlüssel werden sofort abgelehnt. Das lässt sich nicht rückgängig machen. Um ohne Lücke umzustellen, ersetzen Sie ihn stattdessen.',
  ],
  revokeAction: ['Revoke the key', 'Schlüssel widerrufen'],
  revoked: ['The key was revoked.', 'Der Schlüssel wurde widerrufen.'],
  ofKey: [(name: string) => `Key “${name}”`, (name: string) => `Schlüssel „${name}“`],
  liveReasons: {
    base_url_not_https: [
      'The payment pages have no https address. The operator of the service must set BASE_URL to an address that starts with https://.',
      'Die Zahlungsseiten haben keine https-Adresse. Der Betreiber des Dienstes muss BASE_URL auf eine Adresse setzen, die mit https:// beginnt.',
    ],
    embedded_database: [
      'The service uses its embedded database. The operator must set DATABASE_URL to a PostgreSQL server.',
      'Der Dienst nutzt seine eingebaute Datenbank. Der Betreiber muss DATABASE_URL auf einen PostgreSQL-Server setzen.',
    ],
  },
});
