// The texts of API keys.

import { defineTexts } from '../../base/language.tsx';

export const useKeyTexts = defineTexts({
  title: ['API keys', 'API-Schlüssel'],
  intro: [
    'Your programs send a key with every call, beside the token of a login. A key belongs to test or to live, and decides whether real money moves.',
    'Ihre Programme senden bei jedem Aufruf einen Schlüssel, neben dem Token einer Anmeldung. Ein Schlüssel gehört zum Test- oder zum Live-Modus und entscheidet, ob echtes Geld fließt.',
  ],
  list: ['Keys', 'Schlüssel'],
  create: ['Create a key', 'Schlüssel anlegen'],
  empty: ['No key yet', 'Noch kein Schlüssel'],
  emptyHint: [
    'Create one to let your programs ask for payment links.',
    'Legen Sie einen an, damit Ihre Programme Zahlungslinks anfordern können.',
  ],
  name: ['Name', 'Name'],
  nameHint: [
    'Where it is used, such as “Shop, production”.',
    'Wo er verwendet wird, etwa „Shop, Produktion“.',
  ],
  usualName: ['API key', 'API-Schlüssel'],
  mode: ['Mode', 'Modus'],
  modes: {
    test: ['Test: no real money moves', 'Test: Es fließt kein echtes Geld'],
    live: ['Live: real money', 'Live: echtes Geld'],
  },
  state: ['State', 'Zustand'],
  states: {
    active: ['Active', 'Aktiv'],
    expiring: ['Ending', 'Endet'],
    expired: ['Ended', 'Beendet'],
    revoked: ['Revoked', 'Widerrufen'],
  },
  made: ['Created', 'Angelegt'],
  ends: ['Ends', 'Endet'],
  never: ['Never', 'Nie'],
  by: ['by', 'von'],
  you: ['you', 'Ihnen'],
  bySystem: ['with the company', 'mit der Firma'],
  actions: ['Actions', 'Aktionen'],
  createTitle: ['Create a key', 'Schlüssel anlegen'],
  newTitle: ['Your new key', 'Ihr neuer Schlüssel'],
  key: ['Key', 'Schlüssel'],
  keyHint: [
    'Send it in the header X-API-KEY. Whoever has it still needs a login of your company; keep it out of web pages and repositories all the same.',
    'Senden Sie ihn in der Kopfzeile X-API-KEY. Wer ihn hat, braucht noch eine Anmeldung Ihrer Firma; halten Sie ihn trotzdem aus Webseiten und Repositorys heraus.',
  ],
  roll: ['Replace', 'Ersetzen'],
  rollTitle: ['Replace the key', 'Schlüssel ersetzen'],
  rollHint: [
    'The new key is good at once. Change your programs over before the old one ends.',
    'Der neue Schlüssel gilt sofort. Stellen Sie Ihre Programme um, bevor der alte endet.',
  ],
  rollAct: ['Create the new key', 'Neuen Schlüssel anlegen'],
  revoke: ['Revoke', 'Widerrufen'],
  revokeTitle: ['Revoke the key?', 'Schlüssel widerrufen?'],
  revokeHint: [
    'Every call with it is refused from this moment. This cannot be undone. To change over without a pause, replace it instead.',
    'Jeder Aufruf mit ihm wird ab sofort abgelehnt. Das lässt sich nicht rückgängig machen. Um ohne Pause umzustellen, ersetzen Sie ihn stattdessen.',
  ],
  revokeAct: ['Revoke the key', 'Schlüssel widerrufen'],
  revoked: ['The key was revoked.', 'Der Schlüssel wurde widerrufen.'],
  ofKey: [(name: string) => `Key “${name}”`, (name: string) => `Schlüssel „${name}“`],
  liveReasons: {
    base_url_not_https: [
      'Customers would pay at an address without https. Whoever runs the service sets BASE_URL to one that begins with https://.',
      'Kunden würden an einer Adresse ohne https bezahlen. Wer den Dienst betreibt, setzt BASE_URL auf eine, die mit https:// beginnt.',
    ],
    embedded_database: [
      'The service runs on its embedded database. Whoever runs it sets DATABASE_URL to a PostgreSQL server.',
      'Der Dienst läuft auf seiner eingebauten Datenbank. Wer ihn betreibt, setzt DATABASE_URL auf einen PostgreSQL-Server.',
    ],
  },
});
