// The texts of the sign-in.

import { defineTexts } from '../../base/language.tsx';

export const useSignInTexts = defineTexts({
  email: ['Email address', 'E-Mail-Adresse'],
  password: ['Password', 'Passwort'],
  signIn: ['Sign in', 'Anmelden'],
  forgotten: ['Forgot your password?', 'Passwort vergessen?'],
  or: ['or', 'oder'],
  passkey: ['Sign in with a passkey', 'Mit einem Passkey anmelden'],
  passkeyRefused: [
    'No passkey was used. Try again, or sign in with your password.',
    'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
  ],
  passkeyUnknown: [
    'This passkey is unknown. Sign in with your password.',
    'Dieser Passkey ist nicht bekannt. Melden Sie sich mit Ihrem Passwort an.',
  ],
  secondTitle: ['Second factor', 'Zweiter Faktor'],
  secondLead: ['Your account requires a second factor.', 'Ihr Konto verlangt einen zweiten Faktor.'],
  otp: ['Code from your authenticator app', 'Code aus Ihrer Authenticator-App'],
  otpHint: ['6 digits.', '6 Ziffern.'],
  recoveryCode: ['Recovery code', 'Wiederherstellungscode'],
  recoveryHint: [
    'One of the 10 codes that you saved. Each code works once.',
    'Einer der 10 Codes, die Sie gespeichert haben. Jeder gilt einmal.',
  ],
  useRecovery: ['Use a recovery code', 'Wiederherstellungscode verwenden'],
  useApp: ['Use the authenticator app', 'Authenticator-App verwenden'],
  backToPassword: ['Back to the password', 'Zurück zum Passwort'],

  paused: [
    'Too many wrong passwords for this account. Wait up to 30 minutes, or set a new password with an emailed link to sign in right away.',
    'Zu viele falsche Passwörter für dieses Konto. Warten Sie bis zu 30 Minuten, oder setzen Sie über einen Link per E-Mail ein neues Passwort, um sich sofort anzumelden.',
  ],
  pausedLink: ['Email me a link', 'Link per E-Mail anfordern'],

  newPassword: ['New password', 'Neues Passwort'],
  passwordRules: [
    'At least 12 characters, 5 of them different, such as a few words in a row. Don’t use your email address or a common password.',
    'Mindestens 12 Zeichen, davon 5 verschiedene, zum Beispiel ein paar Wörter hintereinander. Nicht Ihre E-Mail-Adresse und kein häufiges Passwort.',
  ],
  showPassword: ['Show the password', 'Passwort anzeigen'],
  toSignIn: ['Go to sign-in', 'Zur Anmeldung'],

  forgottenTitle: ['Forgotten password', 'Passwort vergessen'],
  forgottenLead: [
    'Enter the email address of your account. We’ll email you a link to set a new password.',
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie bekommen einen Link zu einem neuen Passwort.',
  ],
  sendLink: ['Send the link', 'Link senden'],
  sentTitle: ['Check your email', 'Prüfen Sie Ihr Postfach'],
  sentBefore: ['If an account exists for', 'Falls es ein Konto für'],
  sentAfter: [', we have emailed it a link.', ' gibt, haben wir einen Link dorthin gesendet.'],
  sentHint: [
    'The link is valid for 30 minutes. If nothing arrives, check your spam folder or ask the operator of this service.',
    'Der Link gilt 30 Minuten. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach, oder fragen Sie den Betreiber dieses Dienstes.',
  ],
  otherAddress: ['Use another address', 'Andere Adresse verwenden'],

  resetLead: ['Choose a new password for your account.', 'Wählen Sie ein neues Passwort für Ihr Konto.'],
  setPassword: ['Set the password', 'Passwort festlegen'],
  resetDoneTitle: ['Your new password is set', 'Ihr neues Passwort ist festgelegt'],
  resetDone: [
    'All sessions of your account have ended. Your second factors stay.',
    'Alle Sitzungen Ihres Kontos sind beendet. Ihre zweiten Faktoren bleiben bestehen.',
  ],
  resetInvalidTitle: ['This link no longer works', 'Dieser Link gilt nicht mehr'],
  resetInvalid: [
    'A link is valid for 30 minutes, works once, and ends when you request a newer one. Request a new one.',
    'Ein Link gilt 30 Minuten und nur einmal, und ein neuerer beendet ihn. Fordern Sie einen neuen an.',
  ],
  resetMissingTitle: ['Open the link from your email', 'Öffnen Sie den Link aus Ihrer E-Mail'],
  resetMissing: [
    'This address is incomplete. Open the link from your email again, or request a new one.',
    'Diese Adresse ist unvollständig. Öffnen Sie den Link aus Ihrer E-Mail erneut, oder fordern Sie einen neuen an.',
  ],
  requestNewLink: ['Request a new link', 'Neuen Link anfordern'],

  inviteTitle: ['Join your team', 'Willkommen im Team'],
  inviteLead: [
    'You have been invited. Choose a password to create your account.',
    'Sie wurden eingeladen. Wählen Sie ein Passwort, dann wird Ihr Konto angelegt.',
  ],
  join: ['Create the account', 'Konto anlegen'],
  haveAccount: ['Already have an account?', 'Haben Sie schon ein Konto?'],
  inviteInvalidTitle: ['This invitation is no longer valid', 'Diese Einladung gilt nicht mehr'],
  inviteInvalid: [
    'An invitation is valid for 7 days and works once. Ask for a new one. If you already used it, sign in.',
    'Eine Einladung gilt 7 Tage und nur einmal. Bitten Sie um eine neue. Wenn Sie sie schon verwendet haben, melden Sie sich an.',
  ],
  inviteMissingTitle: ['Open the link of your invitation', 'Öffnen Sie den Link Ihrer Einladung'],
  inviteMissing: [
    'This address is incomplete. Open the link of your invitation again.',
    'Diese Adresse ist unvollständig. Öffnen Sie den Link Ihrer Einladung erneut.',
  ],
  inviteTakenTitle: [
    'An account with this email address exists',
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto',
  ],
  inviteTaken: [
    'An email address belongs to one company at a time. Sign in to your account, or ask to be invited with another address.',
    'Eine E-Mail-Adresse gehört immer nur zu einer Firma. Melden Sie sich mit Ihrem Konto an, oder lassen Sie sich unter einer anderen Adresse einladen.',
  ],
});
