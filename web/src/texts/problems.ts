// The meaning of API errors for a person. The API's own texts are in English for programs and developers. The codes
// that a merchant may meet have their own sentences here. Others fall back to the API's text.

import { ApiProblem, UnreachableError } from '../api/call.ts';
import { defineTexts, useLanguage } from '../base/language.tsx';
import { useCommonTexts } from './common.ts';

const useSentences = defineTexts({
  wrong_login: ['Email address or password is wrong.', 'E-Mail-Adresse oder Passwort ist falsch.'],
  login_paused: [
    'Too many failed attempts. Wait a while and try again.',
    'Zu viele Fehlversuche. Warten Sie eine Weile, und versuchen Sie es erneut.',
  ],
  rate_limited: [
    'Too many requests. Wait a moment and try again.',
    'Zu viele Anfragen. Warten Sie einen Augenblick, und versuchen Sie es erneut.',
  ],
  wrong_second_factor: [
    'The code is wrong or was already used.',
    'Der Code ist falsch oder wurde schon verwendet.',
  ],
  role_not_allowed: [
    'Your role does not allow this. Ask an owner or administrator of your company.',
    'Ihre Rolle erlaubt das nicht. Fragen Sie jemanden mit der Rolle Inhaber oder Verwaltung.',
  ],
  not_found: ['Not found. It may have been deleted.', 'Nicht gefunden. Vielleicht wurde es gelöscht.'],
  payment_not_found: ['No payment has this code.', 'Es gibt keine Zahlung mit diesem Code.'],
  payment_in_progress: [
    'The customer is paying. Try again later.',
    'Der Kunde bezahlt gerade. Versuchen Sie es später erneut.',
  ],
  payment_ended: ['The payment has already ended.', 'Die Zahlung ist schon beendet.'],
  not_refundable: ['This payment cannot be refunded.', 'Diese Zahlung kann nicht erstattet werden.'],
  refund_too_large: [
    'The amount is higher than what can be refunded.',
    'Der Betrag ist höher, als noch erstattet werden kann.',
  ],
  stale_remaining: [
    'This payment was partially refunded in the meantime. Check the remaining amount and try again.',
    'Diese Zahlung wurde inzwischen teilweise erstattet. Prüfen Sie den restlichen Betrag, und versuchen Sie es erneut.',
  ],
  order_conflict: [
    'A link with other details already exists for this order.',
    'Für diese Bestellung gibt es schon einen Link mit anderen Angaben.',
  ],
  last_key: [
    'This is the last key. Create another one first.',
    'Das ist der letzte Schlüssel. Legen Sie zuerst einen anderen an.',
  ],
  last_owner: [
    'A company needs an owner. Add another owner first.',
    'Eine Firma braucht einen Inhaber. Geben Sie zuerst einer anderen Person diese Rolle.',
  ],
  email_taken: [
    'An account with this email address exists.',
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  ],
  email_not_deliverable: [
    'This email address cannot receive emails. Send the link to the customer yourself.',
    'Diese E-Mail-Adresse kann keine E-Mails empfangen. Senden Sie dem Kunden den Link selbst.',
  ],
  live_not_possible: [
    'This service is not set up for live payments yet.',
    'Dieser Dienst ist noch nicht für echte Zahlungen eingerichtet.',
  ],
  no_key_of_mode: ['There is no key for this mode.', 'Für diesen Modus gibt es keinen Schlüssel.'],
  too_many_endpoints: [
    'You have reached the maximum number of endpoints. Delete one first.',
    'Sie haben die Höchstzahl an Endpunkten erreicht. Löschen Sie zuerst einen.',
  ],
  endpoint_disabled: [
    'The endpoint is switched off. Switch it on first.',
    'Der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst ein.',
  ],
  invalid_password_reset: [
    'This link no longer works. Request a new one.',
    'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  ],
  invalid_invitation: [
    'This invitation is no longer valid. Ask for a new one.',
    'Diese Einladung gilt nicht mehr. Bitten Sie um eine neue.',
  ],
  connection_in_use: [
    'A payment or refund through this connection is in progress. Switch the connection off, and try again later.',
    'Über diese Verbindung ist eine Zahlung oder Erstattung in Bearbeitung. Schalten Sie die Verbindung ab, und versuchen Sie es später erneut.',
  ],
  connection_changed: [
    'Another person changed this connection in the meantime. Check it and try again.',
    'Eine andere Person hat diese Verbindung inzwischen geändert. Prüfen Sie sie, und versuchen Sie es erneut.',
  ],
  too_many_connections: [
    'You have reached the maximum number of connections. Delete one first.',
    'Sie haben die Höchstzahl an Verbindungen erreicht. Löschen Sie zuerst eine.',
  ],
  processor_unreachable: [
    'The payment provider does not respond. Nothing was changed. Try again later.',
    'Der Zahlungsdienst antwortet nicht. Es wurde nichts geändert. Versuchen Sie es später erneut.',
  ],
  internal_error: [
    'Something went wrong at the service, and was logged. Try again later.',
    'Beim Dienst ist etwas schiefgegangen und wurde protokolliert. Versuchen Sie es später erneut.',
  ],
  unavailable: [
    'The service is busy. Try again in a few seconds.',
    'Der Dienst ist überlastet. Versuchen Sie es in einigen Sekunden erneut.',
  ],
  wrong: ['This value is wrong.', 'Diese Angabe ist falsch.'],
  invalid_fields: ['Check the marked fields.', 'Prüfen Sie die markierten Felder.'],
  second_factor_on: [
    'Your account already has an authenticator app. Remove it first.',
    'Ihr Konto hat schon eine Authenticator-App. Entfernen Sie sie zuerst.',
  ],
  no_second_factor: [
    'Your account has no such second factor. Reload the page.',
    'Ihr Konto hat keinen solchen zweiten Faktor. Laden Sie die Seite neu.',
  ],
});

/** How long to wait, if the service named it; appended to the sentence. */
const useWaits = defineTexts({
  wait: [
    (minutes: number) => `Try again in ${minutes} minutes.`,
    (minutes: number) => `Versuchen Sie es in ${minutes} Minuten erneut.`,
  ],
});

/** The German texts of field error codes. The API’s own sentences are English. */
const germanFieldCodes: Readonly<Record<string, string>> = {
  required: 'Diese Angabe fehlt.',
  missing: 'Diese Angabe fehlt.',
  too_long: 'Das ist zu lang.',
  too_short: 'Das ist zu kurz.',
  too_large: 'Das ist zu groß.',
  too_small: 'Das ist zu klein.',
  wrong: 'Diese Angabe ist falsch.',
  invalid: 'Diese Angabe ist ungültig.',
  wrong_format: 'Das Format ist ungültig.',
  wrong_type: 'Das Format ist ungültig.',
  too_easy: 'Das ist zu leicht zu erraten.',
  not_allowed: 'Das ist hier nicht erlaubt.',
  not_printable: 'Nur druckbare Zeichen sind erlaubt.',
  not_text: 'Nur druckbare Zeichen sind erlaubt.',
  not_positive: 'Der Wert muss größer als 0 sein.',
  too_precise: 'Das hat zu viele Nachkommastellen.',
  out_of_range: 'Der Wert liegt außerhalb des erlaubten Bereichs.',
  too_many: 'Das sind zu viele.',
  too_few: 'Das sind zu wenige.',
  repeated: 'Das kommt mehrfach vor.',
  differs: 'Das weicht vom vorigen Wert ab.',
  origin_not_allowed: 'Ihre Firma lässt diese Adresse nicht zu (Einstellungen: Erlaubte Rückkehradressen).',
  too_little_contrast: 'Weißer Text ist auf dieser Farbe zu schlecht lesbar. Wählen Sie eine dunklere.',
  other_account:
    'Diese Zugangsdaten gehören zu einem anderen Konto. Legen Sie dafür eine neue Verbindung an, und schalten Sie diese ab.',
};

const secondsOfMinute = 60;
const firstServerFault = 500;

type Explanation = {
  /** One sentence for the whole error. */
  sentence: string;
  /** A sentence for each invalid field, by the API's name of it. */
  fields: Readonly<Record<string, string>>;
  /** For the operator of the service; null if the person can solve it alone. */
  requestId: string | null;
};

export function useExplain(): (fault: unknown) => Explanation {
  const { language } = useLanguage();
  const sentences = useSentences() as Readonly<Record<string, string>>;
  const common = useCommonTexts();
  const { wait } = useWaits();
  return (fault) => {
    if (fault instanceof UnreachableError)
      return { sentence: common.unreachable, fields: {}, requestId: null };
    if (!(fault instanceof ApiProblem)) return { sentence: common.unexpected, fields: {}, requestId: null };
    const { code, detail, errors, status } = fault.problem;
    const fields = errors.map(({ field, code: reason, detail: apiText }) => {
      const sentence = language === 'de' ? (germanFieldCodes[reason] ?? apiText) : apiText;
      // A form has one place for all pairs: `metadata` for `metadata.cart`.
      return [field.startsWith('metadata.') ? 'metadata' : field, sentence];
    });
    const text = sentences[code] ?? detail;
    // A wait below a minute needs no number.
    const isLong = fault.retryAfter !== null && fault.retryAfter > secondsOfMinute;
    const sentence = isLong ? `${text} ${wait(Math.ceil((fault.retryAfter ?? 0) / secondsOfMinute))}` : text;
    const isKnown = code in sentences && status < firstServerFault;
    const requestId = isKnown ? null : fault.problem.requestId;
    return { sentence, fields: Object.fromEntries(fields), requestId };
  };
}
