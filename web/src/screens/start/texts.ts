// The texts of the first steps.

import { defineTexts } from '../../base/language.tsx';

export const useStartTexts = defineTexts({
  title: ['Get started', 'Erste Schritte'],
  intro: [
    'From nothing to a paid test payment in a few minutes. No real money moves.',
    'In wenigen Minuten von nichts zur bezahlten Testzahlung. Es fließt kein echtes Geld.',
  ],
  progress: [
    (done: number, all: number) => `${done} of ${all} steps are done.`,
    (done: number, all: number) => `${done} von ${all} Schritten sind getan.`,
  ],
  liveTitle: ['The first steps are taken in test mode', 'Die ersten Schritte macht man im Testmodus'],
  liveHint: [
    'There you can try everything without real money.',
    'Dort können Sie alles ohne echtes Geld ausprobieren.',
  ],
  toTest: ['Switch to test mode', 'Zum Testmodus wechseln'],
  keyTitle: ['Your key', 'Ihr Schlüssel'],
  keyHint: [
    'Your programs prove who they are with a login, your company and an API key. A key is shown once, when it is created; this page forgets it when you leave it.',
    'Ihre Programme weisen sich durch eine Anmeldung, Ihre Firma und einen API-Schlüssel aus. Ein Schlüssel wird nur einmal angezeigt, wenn er angelegt wird; diese Seite vergisst ihn, wenn Sie sie verlassen.',
  ],
  keyAct: ['Create a key for these examples', 'Schlüssel für diese Beispiele anlegen'],
  keyName: ['Get started', 'Erste Schritte'],
  keyShown: [
    'This key stands in the lines below, too. It is shown now and never again.',
    'Dieser Schlüssel steht auch in den Zeilen unten. Er wird nur jetzt angezeigt und nie wieder.',
  ],
  keyOthers: ['All keys', 'Alle Schlüssel'],
  address: ['Address of the service', 'Adresse des Dienstes'],
  company: ['Company', 'Firma'],
  key: ['API key', 'API-Schlüssel'],
  keyMissing: ['the key of step 1', 'der Schlüssel aus Schritt 1'],
  keyOfOthers: ['a key of your company', 'ein Schlüssel Ihrer Firma'],
  codeTitle: ['A payment link from your program', 'Ein Zahlungslink per Programm'],
  codeHint: [
    'Copy the lines and put your password into its place. The answer holds the link to send your customer to.',
    'Kopieren Sie die Zeilen und setzen Sie Ihr Passwort ein. Die Antwort enthält den Link, zu dem Sie Ihren Kunden schicken.',
  ],
  codeHintNoKey: [
    'Somebody with the role owner, administrator or developer can create a key for you.',
    'Jemand mit der Rolle Inhaber, Verwaltung oder Entwicklung kann Ihnen einen Schlüssel anlegen.',
  ],
  languages: ['Language of the examples', 'Sprache der Beispiele'],
  password: ['your password', 'Ihr Passwort'],
  otpHint: [
    'If your account has a second factor, the login takes its code as well: "otp": "123456".',
    'Wenn Ihr Konto einen zweiten Faktor hat, nimmt die Anmeldung auch dessen Code: "otp": "123456".',
  ],
  sdkHint: [
    'The package paylink-sdk comes with the service: npm pack in its folder sdk makes it. It logs in by itself and brings key and company along; the password comes from the setting PAYLINK_PASSWORD.',
    'Das Paket paylink-sdk kommt mit dem Dienst: npm pack in dessen Ordner sdk erzeugt es. Es meldet sich selbst an und bringt Schlüssel und Firma mit; das Passwort kommt aus der Einstellung PAYLINK_PASSWORD.',
  ],
  shell: ['Shell', 'Shell'],
  codeSeen: ['Your link has arrived:', 'Ihr Link ist angekommen:'],
  codeWaiting: [
    'As soon as your link is asked for, it appears here.',
    'Sobald Ihr Link angefordert ist, erscheint er hier.',
  ],
  payTitle: ['A test payment', 'Eine Testzahlung'],
  payHint: [
    'One press creates a link for €12.34. Open it, pay with a test card, and watch this page.',
    'Ein Klick legt einen Link über 12,34 € an. Öffnen Sie ihn, bezahlen Sie mit einer Testkarte und sehen Sie dieser Seite zu.',
  ],
  payAct: ['Create a test payment', 'Testzahlung anlegen'],
  payAgain: ['Create another one', 'Noch eine anlegen'],
  payDescription: ['Test payment', 'Testzahlung'],
  link: ['Payment link', 'Zahlungslink'],
  payOpen: ['Open and pay', 'Öffnen und bezahlen'],
  waiting: [
    'The link waits to be paid. This changes by itself.',
    'Der Link wartet darauf, bezahlt zu werden. Das ändert sich hier von selbst.',
  ],
  paid: ['Paid. That is the whole way of a payment.', 'Bezahlt. Das ist der ganze Weg einer Zahlung.'],
  ended: [
    'This payment has ended without money. Try another one.',
    'Diese Zahlung ist ohne Geld zu Ende gegangen. Versuchen Sie es mit einer weiteren.',
  ],
  look: ['See the payment', 'Zahlung ansehen'],
  hearTitle: ['Be told of it', 'Davon erfahren'],
  hearHint: [
    'A webhook posts what happened to your shop: signed, and again until it is taken. Or your program asks the feed of events, which waits until there is something.',
    'Ein Webhook meldet Ihrem Shop, was geschehen ist: signiert und so oft, bis es angenommen ist. Oder Ihr Programm fragt den Ereignis-Feed ab, der wartet, bis es etwas gibt.',
  ],
  hearAct: ['Set up a webhook', 'Webhook einrichten'],
  hearFeed: [
    'Or ask the feed, after the lines above:',
    'Oder fragen Sie den Feed ab, nach den Zeilen von oben:',
  ],
});
