// The texts of the first steps.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useStartTexts = defineTexts({
  ...screenTexts,
  intro: [
    'Make a test payment in a few minutes. No real money moves.',
    'Machen Sie in wenigen Minuten eine Testzahlung. Es fließt kein echtes Geld.',
  ],
  progress: [
    (done: number, all: number) => `${done} of ${all} steps are done.`,
    (done: number, all: number) => `${done} von ${all} Schritten sind erledigt.`,
  ],
  liveTitle: ['The first steps use test mode', 'Die ersten Schritte nutzen den Testmodus'],
  liveHint: [
    'In test mode, you can try everything without real money.',
    'Im Testmodus können Sie alles ohne echtes Geld ausprobieren.',
  ],
  toTest: ['Switch to test mode', 'Zum Testmodus wechseln'],
  keyTitle: ['Your key', 'Ihr Schlüssel'],
  keyHint: [
    'Your programs authenticate with a login, your company ID and an API key. A key is shown once, when you create it; this page does not store it.',
    'Ihre Programme weisen sich mit einer Anmeldung, Ihrer Firmen-ID und einem API-Schlüssel aus. Ein Schlüssel wird nur einmal angezeigt, wenn Sie ihn anlegen; diese Seite speichert ihn nicht.',
  ],
  keyAction: ['Create a key for these examples', 'Schlüssel für diese Beispiele anlegen'],
  keyShown: [
    'The examples below contain this key. It is shown only now.',
    'Die Beispiele unten enthalten diesen Schlüssel. Er wird nur jetzt angezeigt.',
  ],
  allKeys: ['All keys', 'Alle Schlüssel'],
  address: ['Service URL', 'Adresse des Dienstes'],
  company: ['Company ID', 'Firmen-ID'],
  keyMissing: ['the key of step 1', 'der Schlüssel aus Schritt 1'],
  keyOfCompany: ['a key of your company', 'ein Schlüssel Ihrer Firma'],
  codeTitle: ['A payment link from your program', 'Ein Zahlungslink aus Ihrem Programm'],
  codeHint: [
    'Copy the lines and insert your password. The response contains the link for your customer.',
    'Kopieren Sie die Zeilen, und setzen Sie Ihr Passwort ein. Die Antwort enthält den Link für Ihren Kunden.',
  ],
  codeHintNoKey: [
    'An owner, administrator or developer of your company can create a key for you.',
    'Jemand mit der Rolle Inhaber, Verwaltung oder Entwicklung kann Ihnen einen Schlüssel anlegen.',
  ],
  languages: ['Language of the examples', 'Sprache der Beispiele'],
  password: ['your password', 'Ihr Passwort'],
  otpHint: [
    'If your account has a second factor, add its code to the login: "otp": "123456".',
    'Wenn Ihr Konto einen zweiten Faktor hat, ergänzen Sie dessen Code in der Anmeldung: "otp": "123456".',
  ],
  sdkHint: [
    'The package paylink-sdk is part of the service: run npm pack in the folder sdk. It logs in and sends the key and the company ID for you. Set PAYLINK_PASSWORD to your password.',
    'Das Paket paylink-sdk gehört zum Dienst: Führen Sie npm pack im Ordner sdk aus. Es meldet sich an und sendet Schlüssel und Firmen-ID für Sie. Setzen Sie PAYLINK_PASSWORD auf Ihr Passwort.',
  ],
  shell: ['Shell', 'Shell'],
  codeReceived: ['Your link was created:', 'Ihr Link wurde angelegt:'],
  codeWaiting: ['Your link appears here.', 'Ihr Link erscheint hier.'],
  payTitle: ['A test payment', 'Eine Testzahlung'],
  payHint: [
    'Create a link for €12.34, open it, and pay with a test card. This page shows the payment.',
    'Legen Sie einen Link über 12,34 € an, öffnen Sie ihn, und bezahlen Sie mit einer Testkarte. Diese Seite zeigt die Zahlung.',
  ],
  payAction: ['Create a test payment', 'Testzahlung anlegen'],
  payAgain: ['Create another one', 'Noch eine anlegen'],
  payDescription: ['Test payment', 'Testzahlung'],
  payOpen: ['Open and pay', 'Öffnen und bezahlen'],
  waiting: [
    'Waiting for the payment. This page updates automatically.',
    'Wartet auf die Zahlung. Diese Seite aktualisiert sich automatisch.',
  ],
  paid: ['Payment received.', 'Zahlung eingegangen.'],
  ended: [
    'This payment failed. Create another one.',
    'Diese Zahlung ist fehlgeschlagen. Legen Sie noch eine an.',
  ],
  notifyTitle: ['Get notified', 'Benachrichtigungen'],
  notifyHint: [
    'A webhook sends signed events to your shop and retries until they are accepted. Or your program polls the event feed.',
    'Ein Webhook sendet signierte Ereignisse an Ihren Shop und wiederholt sie, bis sie angenommen sind. Oder Ihr Programm fragt den Ereignis-Feed ab.',
  ],
  notifyAction: ['Set up a webhook', 'Webhook einrichten'],
  notifyFeed: ['To poll the feed, after the lines above:', 'Um den Feed abzufragen, nach den Zeilen oben:'],
});
