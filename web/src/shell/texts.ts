// The texts of the frame of every screen.

import { defineTexts } from '../base/language.tsx';

export const useShellTexts = defineTexts({
  skip: ['Skip to the content', 'Zum Inhalt springen'],
  menu: ['Menu', 'Menü'],
  navigation: ['Main', 'Hauptmenü'],
  screens: {
    overview: ['Overview', 'Übersicht'],
    payments: ['Payments', 'Zahlungen'],
    newLink: ['New payment link', 'Neuer Zahlungslink'],
    balances: ['Balances', 'Salden'],
    webhooks: ['Webhooks', 'Webhooks'],
    processors: ['Processors', 'Zahlungsdienste'],
    keys: ['API keys', 'API-Schlüssel'],
    team: ['Team', 'Team'],
    settings: ['Settings', 'Einstellungen'],
    audit: ['Audit log', 'Protokoll'],
    start: ['Get started', 'Erste Schritte'],
    account: ['Your account', 'Ihr Konto'],
  },
  mode: ['Mode', 'Modus'],
  testRibbon: ['Test mode: no real money moves.', 'Testmodus: Es fließt kein echtes Geld.'],
  signOut: ['Sign out', 'Abmelden'],
  language: ['Language', 'Sprache'],
  look: ['Appearance', 'Darstellung'],
  looks: {
    system: ['As the device', 'Wie das Gerät'],
    light: ['Light', 'Hell'],
    dark: ['Dark', 'Dunkel'],
  },
  help: ['Keyboard', 'Tastatur'],
  helpTitle: ['Keys', 'Tasten'],
  keys: {
    search: ['Search payments', 'Zahlungen suchen'],
    rows: ['Next and previous payment in the list', 'Nächste und vorige Zahlung in der Liste'],
    help: ['This help', 'Diese Hilfe'],
    newLink: ['New payment link', 'Neuer Zahlungslink'],
    overview: ['Go to the overview', 'Zur Übersicht'],
    payments: ['Go to the payments', 'Zu den Zahlungen'],
    webhooks: ['Go to the webhooks', 'Zu den Webhooks'],
    settings: ['Go to the settings', 'Zu den Einstellungen'],
    escape: ['Close what is open', 'Offenes schließen'],
  },
  notYours: ['Your role does not include this page', 'Ihre Rolle umfasst diese Seite nicht'],
  notYoursHint: [
    'Ask an owner or administrator of your company.',
    'Fragen Sie jemanden mit der Rolle Inhaber oder Verwaltung.',
  ],
  nowhere: ['There is no such page', 'Diese Seite gibt es nicht'],
  nowhereHint: ['Choose one from the menu.', 'Wählen Sie eine aus dem Menü.'],
  endedTitle: ['Your session has ended', 'Ihre Sitzung ist beendet'],
  ended: [
    'Sign in to go on. What you were writing is still here.',
    'Melden Sie sich an, um weiterzumachen. Was Sie geschrieben haben, ist noch da.',
  ],
});
