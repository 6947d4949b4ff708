// The texts of the sign-in.

import { defineTexts } from '../../base/language.tsx';

export const useSignInTexts = defineTexts(
  {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    forgotten: 'Forgotten your password?',
    or: 'or',
    passkey: 'Sign in with a passkey',
    passkeyRefused: 'No passkey was used. Try again, or sign in with your password.',
    passkeyUnknown: 'This passkey is not known here. Sign in with your password.',
    secondTitle: 'Second factor',
    secondLead: 'Your account asks for more than the password.',
    otp: 'Code from your authenticator app',
    otpHint: 'Six digits.',
    recoveryCode: 'Recovery code',
    recoveryHint: 'One of the ten codes that you kept. Each is good once.',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the authenticator app',
    backToPassword: 'Back to the password',

    paused:
      'Too many wrong passwords for this account. Wait up to 30 minutes, or set a new password by a mailed link: then you can sign in from here at once.',
    pausedLink: 'Mail me a link',

    newPassword: 'New password',
    passwordRules:
      'At least 12 characters, 5 of them different; a few words in a row are easy to remember. Not your e-mail address, and none of the most common passwords.',
    showPassword: 'Show the password',
    toSignIn: 'Go to sign-in',

    forgottenTitle: 'Forgotten password',
    forgottenLead: 'Enter the address of your account. We will mail you a link to set a new password.',
    sendLink: 'Send the link',
    sentTitle: 'Look at your mail',
    sentBefore: 'If there is an account for',
    sentAfter: ', a mail with a link is on its way.',
    sentHint:
      'The link is good for 30 minutes. If nothing arrives, look among the unwanted mail, or ask whoever runs this service.',
    otherAddress: 'Use another address',

    resetTitle: 'New password',
    resetLead: 'Choose a new password for your account.',
    setPassword: 'Set the password',
    resetDoneTitle: 'Your new password is set',
    resetDone: 'Everybody who was signed in with the old one has been signed out. A second factor stays.',
    resetBadTitle: 'This link is not good any more',
    resetBad: 'A link is good for 30 minutes and for one use, and a newer one ends it. Ask for a new one.',
    resetMissingTitle: 'Open the link from your mail',
    resetMissing:
      'What the link says is missing here. Open it from your mail once more, or ask for a new one.',
    askNewLink: 'Ask for a new link',

    inviteTitle: 'Join your team',
    inviteLead: 'You have been invited. Choose a password to create your account.',
    join: 'Create the account',
    haveAccount: 'Have you joined already?',
    inviteBadTitle: 'This invitation is not good any more',
    inviteBad:
      'An invitation is good for 7 days and for one use. Ask whoever invited you for a new one. If you have used it already, sign in.',
    inviteMissingTitle: 'Open the link of your invitation',
    inviteMissing: 'What the link says is missing here. Open the link that you were given once more.',
    inviteTakenTitle: 'This address has an account already',
    inviteTaken:
      'An address belongs to one company at a time. Sign in with your account, or ask to be invited under another address.',
  },
  {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    signIn: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    or: 'oder',
    passkey: 'Mit einem Passkey anmelden',
    passkeyRefused:
      'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder melden Sie sich mit Ihrem Passwort an.',
    passkeyUnknown: 'Dieser Passkey ist hier nicht bekannt. Melden Sie sich mit Ihrem Passwort an.',
    secondTitle: 'Zweiter Faktor',
    secondLead: 'Ihr Konto verlangt mehr als das Passwort.',
    otp: 'Code aus Ihrer Authenticator-App',
    otpHint: 'Sechs Ziffern.',
    recoveryCode: 'Wiederherstellungscode',
    recoveryHint: 'Einer der zehn Codes, die Sie aufbewahrt haben. Jeder gilt einmal.',
    useRecovery: 'Wiederherstellungscode verwenden',
    useApp: 'Authenticator-App verwenden',
    backToPassword: 'Zurück zum Passwort',

    paused:
      'Zu viele falsche Passwörter für dieses Konto. Warten Sie bis zu 30 Minuten, oder setzen Sie über einen Link per Mail ein neues Passwort: Dann können Sie sich von hier aus sofort anmelden.',
    pausedLink: 'Link per Mail anfordern',

    newPassword: 'Neues Passwort',
    passwordRules:
      'Mindestens 12 Zeichen, davon 5 verschiedene; ein paar Wörter hintereinander merken sich leicht. Nicht Ihre E-Mail-Adresse und keines der häufigsten Passwörter.',
    showPassword: 'Passwort anzeigen',
    toSignIn: 'Zur Anmeldung',

    forgottenTitle: 'Passwort vergessen',
    forgottenLead:
      'Geben Sie die Adresse Ihres Kontos ein. Sie bekommen eine E-Mail mit einem Link zu einem neuen Passwort.',
    sendLink: 'Link senden',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sentBefore: 'Falls es ein Konto für',
    sentAfter: ' gibt, ist eine E-Mail mit einem Link unterwegs.',
    sentHint:
      'Der Link gilt 30 Minuten. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach oder fragen Sie, wer diesen Dienst betreibt.',
    otherAddress: 'Andere Adresse verwenden',

    resetTitle: 'Neues Passwort',
    resetLead: 'Wählen Sie ein neues Passwort für Ihr Konto.',
    setPassword: 'Passwort festlegen',
    resetDoneTitle: 'Ihr neues Passwort ist festgelegt',
    resetDone:
      'Wer mit dem alten angemeldet war, wurde überall abgemeldet. Ein zweiter Faktor bleibt bestehen.',
    resetBadTitle: 'Dieser Link gilt nicht mehr',
    resetBad:
      'Ein Link gilt 30 Minuten und nur einmal, und ein neuerer beendet ihn. Fordern Sie einen neuen an.',
    resetMissingTitle: 'Öffnen Sie den Link aus Ihrer E-Mail',
    resetMissing:
      'Was im Link steht, fehlt hier. Öffnen Sie ihn noch einmal aus Ihrer E-Mail oder fordern Sie einen neuen an.',
    askNewLink: 'Neuen Link anfordern',

    inviteTitle: 'Willkommen im Team',
    inviteLead: 'Sie wurden eingeladen. Wählen Sie ein Passwort, dann wird Ihr Konto angelegt.',
    join: 'Konto anlegen',
    haveAccount: 'Sind Sie schon dabei?',
    inviteBadTitle: 'Diese Einladung gilt nicht mehr',
    inviteBad:
      'Eine Einladung gilt 7 Tage und nur einmal. Bitten Sie um eine neue. Wenn Sie sie schon verwendet haben, melden Sie sich an.',
    inviteMissingTitle: 'Öffnen Sie den Link Ihrer Einladung',
    inviteMissing: 'Was im Link steht, fehlt hier. Öffnen Sie den Link, den Sie bekommen haben, noch einmal.',
    inviteTakenTitle: 'Zu dieser Adresse gibt es schon ein Konto',
    inviteTaken:
      'Eine Adresse gehört immer nur zu einer Firma. Melden Sie sich mit Ihrem Konto an oder lassen Sie sich unter einer anderen Adresse einladen.',
  },
);
