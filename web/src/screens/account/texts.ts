// The texts of a person's own account.

import { defineTexts } from '../../base/language.tsx';

export const useAccountTexts = defineTexts({
  title: ['Your account', 'Ihr Konto'],
  you: ['You', 'Sie'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  roles: ['Roles', 'Rollen'],
  company: ['Company', 'Firma'],
  currentPassword: ['Your current password', 'Ihr jetziges Passwort'],
  currentPasswordHint: [
    'So that nobody else does this at your open window.',
    'Damit das niemand anderes an Ihrem offenen Fenster tut.',
  ],

  password: ['Password', 'Passwort'],
  passwordHint: [
    'A new password signs you out everywhere but here.',
    'Ein neues Passwort meldet Sie überall außer hier ab.',
  ],
  changePassword: ['Change the password', 'Passwort ändern'],
  passwordChanged: [
    'Your new password is set. Other sessions have ended.',
    'Ihr neues Passwort ist festgelegt. Andere Sitzungen sind beendet.',
  ],

  factors: ['Second factors', 'Zweiter Faktor'],
  factorsHint: [
    'With a second factor, your password alone gets nobody in. Add an app or a passkey; either is enough.',
    'Mit einem zweiten Faktor genügt Ihr Passwort allein niemandem. Eine App oder ein Passkey reicht.',
  ],

  app: ['Authenticator app', 'Authenticator-App'],
  appNone: [
    'An app on your phone shows a code of six digits, which you enter after your password.',
    'Eine App auf Ihrem Telefon zeigt einen Code aus sechs Ziffern, den Sie nach Ihrem Passwort eingeben.',
  ],
  appOn: ['On since', 'Aktiv seit'],
  addApp: ['Add an app', 'App hinzufügen'],
  removeApp: ['Remove the app', 'App entfernen'],
  removeAppHint: [
    'You will not be asked for its codes any more.',
    'Sie werden nicht mehr nach ihren Codes gefragt.',
  ],
  appAdded: [
    'The app is on. You will be asked for its codes from now on.',
    'Die App ist aktiv. Von jetzt an werden Sie nach ihren Codes gefragt.',
  ],
  appRemoved: ['The app has been removed.', 'Die App wurde entfernt.'],
  scanTitle: ['Connect the app', 'App verbinden'],
  scanLead: [
    'Scan this picture with your authenticator app, or type the secret into it.',
    'Lesen Sie dieses Bild mit Ihrer Authenticator-App ein oder geben Sie dort den Geheimschlüssel ein.',
  ],
  qrLabel: ['QR code for your authenticator app', 'QR-Code für Ihre Authenticator-App'],
  secret: ['Secret', 'Geheimschlüssel'],
  code: ['Code that the app shows', 'Code, den die App zeigt'],
  codeHint: [
    'Six digits. The app is on once the code is right.',
    'Sechs Ziffern. Sobald der Code stimmt, ist die App aktiv.',
  ],
  switchOn: ['Switch it on', 'Aktivieren'],

  codes: ['Recovery codes', 'Wiederherstellungscodes'],
  codesNone: [
    'You get ten of them with your first second factor. They let you in when the device is lost.',
    'Mit dem ersten zweiten Faktor bekommen Sie zehn davon. Mit ihnen kommen Sie hinein, wenn das Gerät verloren ist.',
  ],
  codesLeft: [
    (count: number) => (count === 1 ? 'One code is left.' : `${count} codes are left.`),
    (count: number) => (count === 1 ? 'Ein Code ist noch übrig.' : `${count} Codes sind noch übrig.`),
  ],
  codesFew: ['Create new ones before they run out.', 'Erzeugen Sie neue, bevor sie ausgehen.'],
  renewCodes: ['Create new codes', 'Neue Codes erzeugen'],
  renewHint: [
    'The codes that you have now end at once.',
    'Die Codes, die Sie jetzt haben, gelten dann sofort nicht mehr.',
  ],
  codesTitle: ['Keep these recovery codes', 'Bewahren Sie diese Codes auf'],
  codesLead: [
    'They are shown this once. Each lets you in once when your app or passkey is not at hand. Keep them where nobody else reads.',
    'Sie werden nur jetzt gezeigt. Mit jedem kommen Sie einmal hinein, wenn App oder Passkey nicht zur Hand sind. Bewahren Sie sie auf, wo sonst niemand liest.',
  ],
  copyCodes: ['Copy', 'Kopieren'],
  saveCodes: ['Save as a file', 'Als Datei speichern'],
  codesKept: ['I have kept them', 'Ich habe sie aufbewahrt'],
  codesFile: ['paylink-recovery-codes.txt', 'paylink-wiederherstellungscodes.txt'],
  codesFileHead: [
    (email: string) => `Paylink recovery codes of ${email}. Each is good once.`,
    (email: string) => `Paylink-Wiederherstellungscodes von ${email}. Jeder gilt einmal.`,
  ],

  passkeys: ['Passkeys', 'Passkeys'],
  passkeysNone: [
    'A passkey signs you in by your finger, your face or the code of your device, without a password.',
    'Ein Passkey meldet Sie mit Finger, Gesicht oder dem Code Ihres Geräts an, ganz ohne Passwort.',
  ],
  passkeysCannot: [
    'Passkeys cannot be added here: browsers make them for a host name with https, and not every browser does.',
    'Hier können keine Passkeys hinzugefügt werden: Browser erzeugen sie nur für einen Hostnamen mit https, und nicht jeder Browser kann es.',
  ],
  addPasskey: ['Add a passkey', 'Passkey hinzufügen'],
  passkeyName: ['Name', 'Name'],
  passkeyNameHint: [
    'Such as “Laptop” or “Phone”: how you will know it again.',
    'Zum Beispiel „Laptop“ oder „Telefon“: woran Sie ihn wiedererkennen.',
  ],
  passkeyAdded: ['The passkey has been added.', 'Der Passkey wurde hinzugefügt.'],
  passkeyRemoved: ['The passkey has been removed.', 'Der Passkey wurde entfernt.'],
  passkeyRefused: [
    'The device has made no passkey. Try again.',
    'Das Gerät hat keinen Passkey erzeugt. Versuchen Sie es noch einmal.',
  ],
  passkeyThere: [
    'This device has a passkey for your account already.',
    'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  ],
  removePasskey: ['Remove the passkey', 'Passkey entfernen'],
  removePasskeyHint: ['It will sign nobody in any more:', 'Er meldet dann niemanden mehr an:'],
  added: ['Added', 'Hinzugefügt'],
  lastUsed: ['Last used', 'Zuletzt verwendet'],
  never: ['Never', 'Nie'],
  goOn: ['Go on', 'Weiter'],

  sessions: ['Sessions', 'Sitzungen'],
  sessionsHint: [
    'Where you are signed in: browsers, and programs that log in as you.',
    'Wo Sie angemeldet sind: in Browsern und mit Programmen, die sich als Sie anmelden.',
  ],
  noSessions: ['There are none.', 'Es gibt keine.'],
  kind: ['By', 'Mit'],
  kinds: {
    browser: ['Browser', 'Browser'],
    token: ['Program', 'Programm'],
  },
  signedIn: ['Signed in', 'Angemeldet'],
  endsAt: ['Ends at the latest', 'Endet spätestens'],
  actions: ['Actions', 'Aktionen'],
  thisOne: ['This one', 'Diese hier'],
  endSession: ['End', 'Beenden'],
  endSessionOf: [
    (moment: string) => `End the session of ${moment}`,
    (moment: string) => `Sitzung vom ${moment} beenden`,
  ],
  sessionEnded: ['The session has ended.', 'Die Sitzung ist beendet.'],
  endOthers: ['End all others', 'Alle anderen beenden'],
  endOthersTitle: ['End all other sessions?', 'Alle anderen Sitzungen beenden?'],
  endOthersHint: [
    'Whoever is signed in there, or runs a program as you, has to sign in again.',
    'Wer dort angemeldet ist oder ein Programm als Sie betreibt, muss sich neu anmelden.',
  ],
  othersEnded: ['All other sessions have ended.', 'Alle anderen Sitzungen sind beendet.'],
});
