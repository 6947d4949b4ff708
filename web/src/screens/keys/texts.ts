// The texts of API keys.

import { defineTexts } from '../../base/language.tsx';

export const useKeyTexts = defineTexts(
  {
    title: 'API keys',
    intro:
      'Your programs send a key with every call, beside the token of a login. A key belongs to test or to live, and decides whether real money moves.',
    list: 'Keys',
    create: 'Create a key',
    empty: 'No key yet',
    emptyHint: 'Create one to let your programs ask for payment links.',
    name: 'Name',
    nameHint: 'Where it is used, such as “Shop, production”.',
    usualName: 'API key',
    mode: 'Mode',
    modes: { test: 'Test: no real money moves', live: 'Live: real money' },
    state: 'State',
    states: { active: 'Active', expiring: 'Ending', expired: 'Ended', revoked: 'Revoked' },
    made: 'Created',
    ends: 'Ends',
    never: 'Never',
    by: 'by',
    you: 'you',
    bySystem: 'with the company',
    actions: 'Actions',
    createTitle: 'Create a key',
    newTitle: 'Your new key',
    key: 'Key',
    keyHint:
      'Send it in the header X-API-KEY. Whoever has it still needs a login of your company; keep it out of web pages and repositories all the same.',
    roll: 'Replace',
    rollTitle: 'Replace the key',
    rollHint: 'The new key is good at once. Change your programs over before the old one ends.',
    rollAct: 'Create the new key',
    revoke: 'Revoke',
    revokeTitle: 'Revoke the key?',
    revokeHint:
      'Every call with it is refused from this moment. This cannot be undone. To change over without a pause, replace it instead.',
    revokeAct: 'Revoke the key',
    revoked: 'The key was revoked.',
    ofKey: (name: string) => `Key “${name}”`,
    liveReasons: {
      base_url_not_https:
        'Customers would pay at an address without https. Whoever runs the service sets BASE_URL to one that begins with https://.',
      embedded_database:
        'The service runs on its embedded database. Whoever runs it sets DATABASE_URL to a PostgreSQL server.',
    },
  },
  {
    title: 'API-Schlüssel',
    intro:
      'Ihre Programme senden bei jedem Aufruf einen Schlüssel, neben dem Token einer Anmeldung. Ein Schlüssel gehört zum Test- oder zum Live-Modus und entscheidet, ob echtes Geld fließt.',
    list: 'Schlüssel',
    create: 'Schlüssel anlegen',
    empty: 'Noch kein Schlüssel',
    emptyHint: 'Legen Sie einen an, damit Ihre Programme Zahlungslinks anfordern können.',
    name: 'Name',
    nameHint: 'Wo er verwendet wird, etwa „Shop, Produktion“.',
    usualName: 'API-Schlüssel',
    mode: 'Modus',
    modes: { test: 'Test: Es fließt kein echtes Geld', live: 'Live: echtes Geld' },
    state: 'Zustand',
    states: { active: 'Aktiv', expiring: 'Endet', expired: 'Beendet', revoked: 'Widerrufen' },
    made: 'Angelegt',
    ends: 'Endet',
    never: 'Nie',
    by: 'von',
    you: 'Ihnen',
    bySystem: 'mit der Firma',
    actions: 'Aktionen',
    createTitle: 'Schlüssel anlegen',
    newTitle: 'Ihr neuer Schlüssel',
    key: 'Schlüssel',
    keyHint:
      'Senden Sie ihn in der Kopfzeile X-API-KEY. Wer ihn hat, braucht noch eine Anmeldung Ihrer Firma; halten Sie ihn trotzdem aus Webseiten und Repositorys heraus.',
    roll: 'Ersetzen',
    rollTitle: 'Schlüssel ersetzen',
    rollHint: 'Der neue Schlüssel gilt sofort. Stellen Sie Ihre Programme um, bevor der alte endet.',
    rollAct: 'Neuen Schlüssel anlegen',
    revoke: 'Widerrufen',
    revokeTitle: 'Schlüssel widerrufen?',
    revokeHint:
      'Jeder Aufruf mit ihm wird ab sofort abgelehnt. Das lässt sich nicht rückgängig machen. Um ohne Pause umzustellen, ersetzen Sie ihn stattdessen.',
    revokeAct: 'Schlüssel widerrufen',
    revoked: 'Der Schlüssel wurde widerrufen.',
    ofKey: (name: string) => `Schlüssel „${name}“`,
    liveReasons: {
      base_url_not_https:
        'Kunden würden an einer Adresse ohne https bezahlen. Wer den Dienst betreibt, setzt BASE_URL auf eine, die mit https:// beginnt.',
      embedded_database:
        'Der Dienst läuft auf seiner eingebauten Datenbank. Wer ihn betreibt, setzt DATABASE_URL auf einen PostgreSQL-Server.',
    },
  },
);
