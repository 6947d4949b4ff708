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
    processors: ['Payment providers', 'Zahlungsdienste'],
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
  theme: ['Appearance', 'Darstellung'],
  themes: {
    system: ['System', 'System'],
    light: ['Light', 'Hell'],
    dark: ['Dark', 'Dunkel'],
  },
  help: ['Keyboard shortcuts', 'Tastenkürzel'],
  helpTitle: ['Keyboard shortcuts', 'Tastenkürzel'],
  keys: {
    search: ['Search payments', 'Zahlungen suchen'],
    rows: ['Next and previous payment in the list', 'Nächste und vorige Zahlung in der Liste'],
    help: ['This help', 'Diese Hilfe'],
    newLink: ['New payment link', 'Neuer Zahlungslink'],
    overview: ['Go to the overview', 'Zur Übersicht'],
    payments: ['Go to the payments', 'Zu den Zahlungen'],
    webhooks: ['Go to the webhooks', 'Zu den Webhooks'],
    settings: ['Go to the settings', 'Zu den Einstellungen'],
    escape: ['Close the dialog or menu', 'Dialog oder Menü schließen'],
  },
  notAllowed: ['Your role does not include this page', 'Ihre Rolle umfasst diese Seite nicht'],
  notAllowedHint: [
    'Ask an owner or administrator of your company.',
    'Fragen Sie jemanden mit der Rolle Inhaber oder Verwaltung.',
  ],
  notFound: ['Page not found', 'Seite nicht gefunden'],
  notFoundHint: ['Choose a page from the menu.', 'Wählen Sie eine Seite aus dem Menü.'],
  endedTitle: ['Your session has ended', 'Ihre Sitzung ist beendet'],
  ended: [
    'Sign in to continue. Your unsaved input is kept.',
    'Melden Sie sich an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  ],
});
