// The texts of a person's own account.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useAccountTexts = defineTexts({
  ...screenTexts,
  profile: ['Profile', 'Profil'],
  company: ['Company', 'Firma'],
  currentPassword: ['Your current password', 'Ihr jetziges Passwort'],
  currentPasswordHint: ['To confirm that it’s you.', 'Zur Bestätigung, dass Sie es sind.'],

  password: ['Password', 'Passwort'],
  passwordHint: [
    'A new password ends all your other sessions.',
    'Ein neues Passwort beendet alle Ihre anderen Sitzungen.',
  ],
  changePassword: ['Change the password', 'Passwort ändern'],
  passwordChanged: [
    'Your new password is set. Other sessions have ended.',
    'Ihr neues Passwort ist festgelegt. Andere Sitzungen sind beendet.',
  ],

  factors: ['Second factors', 'Zweiter Faktor'],
  factorsHint: [
    'With a second factor, your password alone is not enough to sign in. Add an app or a passkey.',
    'Mit einem zweiten Faktor genügt Ihr Passwort allein nicht zur Anmeldung. Fügen Sie eine App oder einen Passkey hinzu.',
  ],

  app: ['Authenticator app', 'Authenticator-App'],
  appNone: [
    'An app on your phone shows a 6-digit code, which you enter after your password.',
    'Eine App auf Ihrem Telefon zeigt einen 6-stelligen Code, den Sie nach Ihrem Passwort eingeben.',
  ],
  appOn: ['On since', 'Aktiv seit'],
  addApp: ['Add an app', 'App hinzufügen'],
  removeApp: ['Remove the app', 'App entfernen'],
  removeAppHint: [
    'You will no longer be asked for its codes.',
    'Sie werden nicht mehr nach ihren Codes gefragt.',
  ],
  appAdded: [
    'The app is on. From now on, you will be asked for its codes.',
    'Die App ist aktiv. Von jetzt an werden Sie nach ihren Codes gefragt.',
  ],
  appRemoved: ['The app was removed.', 'Die App wurde entfernt.'],
  scanTitle: ['Connect the app', 'App verbinden'],
  scanLead: [
    'Scan this QR code with your authenticator app, or enter the secret in it.',
    'Lesen Sie diesen QR-Code mit Ihrer Authenticator-App ein, oder geben Sie dort den Geheimschlüssel ein.',
  ],
  qrLabel: ['QR code for your authenticator app', 'QR-Code für Ihre Authenticator-App'],
  secret: ['Secret', 'Geheimschlüssel'],
  code: ['Code from the app', 'Code aus der App'],
  codeHint: ['6 digits.', '6 Ziffern.'],
  switchOn: ['Switch on', 'Aktivieren'],

  codes: ['Recovery codes', 'Wiederherstellungscodes'],
  codesNone: [
    'With your first second factor you get 10 codes, to sign in if you lose your device.',
    'Mit dem ersten zweiten Faktor bekommen Sie 10 Codes, um sich anzumelden, wenn Sie Ihr Gerät verlieren.',
  ],
  codesLeft: [
    (count: number) => (count === 1 ? '1 code left.' : `${count} codes left.`),
    (count: number) => (count === 1 ? 'Noch 1 Code übrig.' : `Noch ${count} Codes übrig.`),
  ],
  codesFew: ['Create new codes soon.', 'Erzeugen Sie bald neue.'],
  renewCodes: ['Create new codes', 'Neue Codes erzeugen'],
  renewHint: ['Your old codes no longer work.', 'Ihre alten Codes gelten dann nicht mehr.'],
  codesTitle: ['Save these recovery codes', 'Speichern Sie diese Codes'],
  codesLead: [
    'They are shown only now. Each code signs you in once without your app or passkey. Store them in a safe place.',
    'Sie werden nur jetzt angezeigt. Mit jedem Code können Sie sich einmal ohne App oder Passkey anmelden. Bewahren Sie sie sicher auf.',
  ],
  saveCodes: ['Save as a file', 'Als Datei speichern'],
  codesKept: ['I have saved them', 'Ich habe sie gespeichert'],
  codesFile: ['paylink-recovery-codes.txt', 'paylink-wiederherstellungscodes.txt'],
  codesFileHead: [
    (email: string) => `Paylink recovery codes of ${email}. Each code works once.`,
    (email: string) => `Paylink-Wiederherstellungscodes von ${email}. Jeder gilt einmal.`,
  ],

  passkeys: ['Passkeys', 'Passkeys'],
  passkeysNone: [
    'With a passkey, you sign in with your fingerprint, your face or the code of your device instead of a password.',
    'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder dem Code Ihres Geräts an, ohne Passwort.',
  ],
  passkeysCannot: [
    'Passkeys cannot be added here: they need a host name with https, and a browser that supports them.',
    'Hier können keine Passkeys hinzugefügt werden: Sie brauchen einen Hostnamen mit https und einen Browser, der sie unterstützt.',
  ],
  addPasskey: ['Add a passkey', 'Passkey hinzufügen'],
  passkeyNameHint: ['Such as “Laptop” or “Phone”.', 'Zum Beispiel „Laptop“ oder „Telefon“.'],
  passkeyAdded: ['The passkey was added.', 'Der Passkey wurde hinzugefügt.'],
  passkeyRemoved: ['The passkey was removed.', 'Der Passkey wurde entfernt.'],
  passkeyRefused: [
    'The device created no passkey. Try again.',
    'Das Gerät hat keinen Passkey erzeugt. Versuchen Sie es noch einmal.',
  ],
  passkeyExists: [
    'This device already has a passkey for your account.',
    'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  ],
  removePasskey: ['Remove the passkey', 'Passkey entfernen'],
  removePasskeyHint: [
    'You can then no longer sign in with:',
    'Damit können Sie sich dann nicht mehr anmelden:',
  ],
  added: ['Added', 'Hinzugefügt'],
  lastUsed: ['Last used', 'Zuletzt verwendet'],
  continue: ['Continue', 'Weiter'],

  sessions: ['Sessions', 'Sitzungen'],
  sessionsHint: [
    'Browsers and programs that are signed in to your account.',
    'Browser und Programme, die an Ihrem Konto angemeldet sind.',
  ],
  noSessions: ['No sessions.', 'Keine Sitzungen.'],
  kinds: {
    browser: ['Browser', 'Browser'],
    token: ['Program', 'Programm'],
  },
  signedIn: ['Signed in', 'Angemeldet'],
  thisOne: ['This session', 'Diese Sitzung'],
  endSession: ['End', 'Beenden'],
  endSessionOf: [
    (moment: string) => `End the session of ${moment}`,
    (moment: string) => `Sitzung vom ${moment} beenden`,
  ],
  sessionEnded: ['The session has ended.', 'Die Sitzung ist beendet.'],
  endOthers: ['End all other sessions', 'Alle anderen Sitzungen beenden'],
  endOthersHint: [
    'Those browsers and programs must sign in again.',
    'Diese Browser und Programme müssen sich neu anmelden.',
  ],
  othersEnded: ['All other sessions have ended.', 'Alle anderen Sitzungen sind beendet.'],
});
