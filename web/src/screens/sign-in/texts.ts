// The texts of the sign-in.

import { defineTexts } from '../../base/language.tsx';

export const useSignInTexts = defineTexts({
  title: ['Sign in', 'Anmelden'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  password: ['Password', 'Passwort'],
  signIn: ['Sign in', 'Anmelden'],
  forgotten: ['Forgotten your password?', 'Passwort vergessen?'],
  or: ['or', 'oder'],
  passkey: ['Sign in with a passkey', 'Mit einem Passkey anmelden'],
  passkeyRefused: [
    'No passkey was used. Try again, or sign in with your password.',
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder melden Sie sich mit Ihrem Passwort an.',
  ],
  passkeyUnknown: [
    'This passkey is not known here. Sign in with your password.',
    'Dieser Passkey ist hier nicht bekannt. Melden Sie sich mit Ihrem Passwort an.',
  ],
  secondTitle: ['Second factor', 'Zweiter Faktor'],
  secondLead: ['Your account asks for more than the password.', 'Ihr Konto verlangt mehr als das Passwort.'],
  otp: ['Code from your authenticator app', 'Code aus Ihrer Authenticator-App'],
  otpHint: ['Six digits.', 'Sechs Ziffern.'],
  recoveryCode: ['Recovery code', 'Wiederherstellungscode'],
  recoveryHint: [
    'One of the ten codes that you kept. Each is good once.',
    'Einer der zehn Codes, die Sie aufbewahrt haben. Jeder gilt einmal.',
  ],
  useRecovery: ['Use a recovery code', 'Wiederherstellungscode verwenden'],
  useApp: ['Use the authenticator app', 'Authenticator-App verwenden'],
  backToPassword: ['Back to the password', 'Zurück zum Passwort'],

  paused: [
    'Too many wrong passwords for this account. Wait up to 30 minutes, or set a new password by a mailed link: then you can sign in from here at once.',
    'Zu viele falsche Passwörter für dieses Konto. Warten Sie bis zu 30 Minuten, oder setzen Sie über einen Link per Mail ein neues Passwort: Dann können Sie sich von hier aus sofort anmelden.',
  ],
  pausedLink: ['Mail me a link', 'Link per Mail anfordern'],

  newPassword: ['New password', 'Neues Passwort'],
  passwordRules: [
    'At least 12 characters, 5 of them different; a few words in a row are easy to remember. Not your e-mail address, and none of the most common passwords.',
    'Mindestens 12 Zeichen, davon 5 verschiedene; ein paar Wörter hintereinander merken sich leicht. Nicht Ihre E-Mail-Adresse und keines der häufigsten Passwörter.',
  ],
  showPassword: ['Show the password', 'Passwort anzeigen'],
  toSignIn: ['Go to sign-in', 'Zur Anmeldung'],

  forgottenTitle: ['Forgotten password', 'Passwort vergessen'],
  forgottenLead: [
    'Enter the address of your account. We will mail you a link to set a new password.',
    'Geben Sie die Adresse Ihres Kontos ein. Sie bekommen eine E-Mail mit einem Link zu einem neuen Passwort.',
  ],
  sendLink: ['Send the link', 'Link senden'],
  sentTitle: ['Look at your mail', 'Sehen Sie in Ihr Postfach'],
  sentBefore: ['If there is an account for', 'Falls es ein Konto für'],
  sentAfter: [', a mail with a link is on its way.', ' gibt, ist eine E-Mail mit einem Link unterwegs.'],
  sentHint: [
    'The link is good for 30 minutes. If nothing arrives, look among the unwanted mail, or ask whoever runs this service.',
    'Der Link gilt 30 Minuten. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach oder fragen Sie, wer diesen Dienst betreibt.',
  ],
  otherAddress: ['Use another address', 'Andere Adresse verwenden'],

  resetTitle: ['New password', 'Neues Passwort'],
  resetLead: ['Choose a new password for your account.', 'Wählen Sie ein neues Passwort für Ihr Konto.'],
  setPassword: ['Set the password', 'Passwort festlegen'],
  resetDoneTitle: ['Your new password is set', 'Ihr neues Passwort ist festgelegt'],
  resetDone: [
    'Everybody who was signed in with the old one has been signed out. A second factor stays.',
    'Wer mit dem alten angemeldet war, wurde überall abgemeldet. Ein zweiter Faktor bleibt bestehen.',
  ],
  resetBadTitle: ['This link is not good any more', 'Dieser Link gilt nicht mehr'],
  resetBad: [
    'A link is good for 30 minutes and for one use, and a newer one ends it. Ask for a new one.',
    'Ein Link gilt 30 Minuten und nur einmal, und ein neuerer beendet ihn. Fordern Sie einen neuen an.',
  ],
  resetMissingTitle: ['Open the link from your mail', 'Öffnen Sie den Link aus Ihrer E-Mail'],
  resetMissing: [
    'What the link says is missing here. Open it from your mail once more, or ask for a new one.',
    'Was im Link steht, fehlt hier. Öffnen Sie ihn noch einmal aus Ihrer E-Mail oder fordern Sie einen neuen an.',
  ],
  askNewLink: ['Ask for a new link', 'Neuen Link anfordern'],

  inviteTitle: ['Join your team', 'Willkommen im Team'],
  inviteLead: [
    'You have been invited. Choose a password to create your account.',
    'Sie wurden eingeladen. Wählen Sie ein Passwort, dann wird Ihr Konto angelegt.',
  ],
  join: ['Create the account', 'Konto anlegen'],
  haveAccount: ['Have you joined already?', 'Sind Sie schon dabei?'],
  inviteBadTitle: ['This invitation is not good any more', 'Diese Einladung gilt nicht mehr'],
  inviteBad: [
    'An invitation is good for 7 days and for one use. Ask whoever invited you for a new one. If you have used it already, sign in.',
    'Eine Einladung gilt 7 Tage und nur einmal. Bitten Sie um eine neue. Wenn Sie sie schon verwendet haben, melden Sie sich an.',
  ],
  inviteMissingTitle: ['Open the link of your invitation', 'Öffnen Sie den Link Ihrer Einladung'],
  inviteMissing: [
    'What the link says is missing here. Open the link that you were given once more.',
    'Was im Link steht, fehlt hier. Öffnen Sie den Link, den Sie bekommen haben, noch einmal.',
  ],
  inviteTakenTitle: ['This address has an account already', 'Zu dieser Adresse gibt es schon ein Konto'],
  inviteTaken: [
    'An address belongs to one company at a time. Sign in with your account, or ask to be invited under another address.',
    'Eine Adresse gehört immer nur zu einer Firma. Melden Sie sich mit Ihrem Konto an oder lassen Sie sich unter einer anderen Adresse einladen.',
  ],
});
