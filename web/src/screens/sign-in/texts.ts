// Signing in, in words.

import { defineTexts } from '../../base/language.tsx';

export const useSignInTexts = defineTexts(
  {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    forgotten: 'Forgotten your password?',
    passkey: 'Sign in with a passkey',
    passkeyRefused: 'The passkey was not used.',
    passkeyUnknown: 'This passkey is not known here.',
    secondTitle: 'Second factor',
    otp: 'Code from your authenticator app',
    otpHint: 'Six digits.',
    recoveryCode: 'Recovery code',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the authenticator app',
    backToPassword: 'Back to the password',
  },
  {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    signIn: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    passkey: 'Mit einem Passkey anmelden',
    passkeyRefused: 'Der Passkey wurde nicht verwendet.',
    passkeyUnknown: 'Dieser Passkey ist hier nicht bekannt.',
    secondTitle: 'Zweiter Faktor',
    otp: 'Code aus Ihrer Authenticator-App',
    otpHint: 'Sechs Ziffern.',
    recoveryCode: 'Wiederherstellungscode',
    useRecovery: 'Wiederherstellungscode verwenden',
    useApp: 'Authenticator-App verwenden',
    backToPassword: 'Zurück zum Passwort',
  },
);
