// The texts of the frame of every screen.

import { defineTexts } from '../base/language.tsx';
import { screenTexts } from '../texts/screen-texts.ts';

export const useShellTexts = defineTexts({
  ...screenTexts,
  skip: ['Skip to the content', 'Zum Inhalt springen'],
  menu: ['Menu', 'Menü'],
  navigation: ['Main', 'Hauptmenü'],
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
  keys: {
    search: ['Search payments', 'Zahlungen suchen'],
    rows: ['Next and previous payment in the list', 'Nächste und vorige Zahlung in der Liste'],
    help: ['This help', 'Diese Hilfe'],
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
