// The meaning of API errors for a person. The API's own texts are in English for programs and developers. The codes
// that a merchant may meet have their own sentences here. Others fall back to the API's text.

import { ApiProblem, UnreachableError } from '../api/call.ts';
import { defineTexts, useLanguage } from '../base/language.tsx';
import { useCommonTexts } from './common.ts';

const useSentences = defineTexts({
  wrong_login: ['The address or the password is not right.', 'Adresse oder Passwort stimmen nicht.'],
  login_paused: [
    'Too many failed attempts. Wait a while and try again.',
    'Zu viele Fehlversuche. Warten Sie eine Weile und versuchen Sie es noch einmal.',
  ],
  rate_limited: [
    'That was too much at once. Wait a moment and try again.',
    'Das war zu viel auf einmal. Warten Sie einen Augenblick und versuchen Sie es noch einmal.',
  ],
  wrong_second_factor: [
    'The code is not right, or has been used already.',
    'Der Code stimmt nicht oder wurde schon verwendet.',
  ],
  role_not_allowed: [
    'Your role does not allow this. Ask an owner or administrator of your company.',
    'Ihre Rolle erlaubt das nicht. Fragen Sie jemanden mit der Rolle Inhaber oder Verwaltung.',
  ],
  not_found: ['This does not exist, or not any more.', 'Das gibt es nicht oder nicht mehr.'],
  payment_not_found: ['There is no payment with this code.', 'Es gibt keine Zahlung mit diesem Code.'],
  payment_in_progress: [
    'The customer is paying at this moment. Try again when that has ended.',
    'Der Kunde bezahlt gerade. Versuchen Sie es noch einmal, wenn das beendet ist.',
  ],
  payment_ended: ['The payment has ended in the meantime.', 'Die Zahlung ist inzwischen beendet.'],
  not_refundable: ['This payment cannot be refunded.', 'Diese Zahlung kann nicht erstattet werden.'],
  refund_too_large: ['That is more than is left to refund.', 'Das ist mehr, als noch erstattet werden kann.'],
  stale_remaining: [
    'Somebody has refunded a part of this payment in the meantime. Look at what is left and try again.',
    'Inzwischen wurde ein Teil dieser Zahlung erstattet. Sehen Sie nach, was übrig ist, und versuchen Sie es noch einmal.',
  ],
  order_conflict: [
    'There is a link for this order already, with other details.',
    'Für diese Bestellung gibt es schon einen Link mit anderen Angaben.',
  ],
  last_key: [
    'This is the last key; create another one first.',
    'Das ist der letzte Schlüssel; legen Sie zuerst einen anderen an.',
  ],
  last_owner: [
    'A company needs an owner. Make somebody else an owner first.',
    'Eine Firma braucht einen Inhaber. Geben Sie zuerst jemand anderem diese Rolle.',
  ],
  email_taken: ['This address has an account already.', 'Zu dieser Adresse gibt es schon ein Konto.'],
  email_not_deliverable: [
    'No mail can be sent to this e-mail address. Send the customer the link in another way.',
    'An diese E-Mail-Adresse kann keine Mail geschickt werden. Schicken Sie dem Kunden den Link auf anderem Weg.',
  ],
  live_not_possible: [
    'This service is not set up for live payments yet.',
    'Dieser Dienst ist noch nicht für echte Zahlungen eingerichtet.',
  ],
  no_key_of_mode: ['There is no key for this mode.', 'Für diesen Modus gibt es keinen Schlüssel.'],
  too_many_endpoints: [
    'There are as many endpoints as there may be. Delete one first.',
    'Es gibt schon so viele Endpunkte, wie es geben darf. Löschen Sie zuerst einen.',
  ],
  endpoint_disabled: [
    'The endpoint is switched off. Switch it on first.',
    'Der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst ein.',
  ],
  invalid_password_reset: [
    'This link is not good any more. Ask for a new one.',
    'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  ],
  invalid_invitation: [
    'This invitation is not good any more. Ask for a new one.',
    'Diese Einladung gilt nicht mehr. Bitten Sie um eine neue.',
  ],
  connection_in_use: [
    'A payment or refund is under way through this connection. Switch it off for now, and try again when that has ended.',
    'Über diese Verbindung läuft gerade eine Zahlung oder Erstattung. Schalten Sie sie erst einmal ab, und versuchen Sie es noch einmal, wenn das beendet ist.',
  ],
  connection_changed: [
    'Somebody else has changed this connection in the meantime. Look at it and try again.',
    'Jemand anderes hat diese Verbindung inzwischen geändert. Sehen Sie nach, und versuchen Sie es noch einmal.',
  ],
  too_many_connections: [
    'There are as many connections as there may be. Delete one first.',
    'Es gibt schon so viele Verbindungen, wie es geben darf. Löschen Sie zuerst eine.',
  ],
  processor_unreachable: [
    'The processor gives no answer at the moment. Nothing was changed; try again later.',
    'Der Zahlungsdienst antwortet gerade nicht. Es wurde nichts geändert; versuchen Sie es später noch einmal.',
  ],
  internal_error: [
    'Something went wrong at the service. It has been logged; try again later.',
    'Beim Dienst ist etwas schiefgegangen. Es wurde protokolliert; versuchen Sie es später noch einmal.',
  ],
  unavailable: [
    'The service is busy at the moment. Try again in a few seconds.',
    'Der Dienst ist gerade überlastet. Versuchen Sie es in einigen Sekunden noch einmal.',
  ],
  wrong: ['This is not right.', 'Das stimmt nicht.'],
  invalid_fields: [
    'Something is not right yet. Look at what is marked.',
    'Etwas stimmt noch nicht. Sehen Sie sich die markierten Angaben an.',
  ],
  second_factor_on: [
    'Your account has an authenticator app already. Remove it first.',
    'Ihr Konto hat schon eine Authenticator-App. Entfernen Sie sie zuerst.',
  ],
  no_second_factor: [
    'Your account has no second factor that this is about. Load the page anew.',
    'Ihr Konto hat keinen solchen zweiten Faktor. Laden Sie die Seite neu.',
  ],
});

/** How long to wait, if the service named it; appended to the sentence. */
const useWaits = defineTexts({
  wait: [
    (minutes: number) => `It works again in ${minutes} minutes.`,
    (minutes: number) => `In ${minutes} Minuten geht es wieder.`,
  ],
});

/** The German texts of field error codes. The API’s own sentences are English. */
const germanFieldCodes: Readonly<Record<string, string>> = {
  required: 'Bitte ausfüllen.',
  missing: 'Bitte ausfüllen.',
  too_long: 'Das ist zu lang.',
  too_short: 'Das ist zu kurz.',
  too_large: 'Das ist zu groß.',
  too_small: 'Das ist zu klein.',
  wrong: 'Das stimmt nicht.',
  invalid: 'So ist das nicht gültig.',
  wrong_format: 'Das hat nicht die richtige Form.',
  wrong_type: 'Das hat nicht die richtige Form.',
  too_easy: 'Das ist zu leicht zu erraten.',
  not_allowed: 'Das ist hier nicht erlaubt.',
  not_printable: 'Hier sind nur druckbare Zeichen möglich.',
  not_text: 'Hier sind nur druckbare Zeichen möglich.',
  not_positive: 'Das muss mehr als 0 sein.',
  too_precise: 'Das hat zu viele Nachkommastellen.',
  out_of_range: 'Das liegt außerhalb des Möglichen.',
  too_many: 'Das sind zu viele.',
  too_few: 'Das sind zu wenige.',
  repeated: 'Das steht schon da.',
  differs: 'Das ist anders als zuvor.',
  origin_not_allowed:
    'Ihre Firma lässt diese Adresse nicht zu (Einstellungen: Wohin Kunden zurückkehren dürfen).',
  too_little_contrast: 'Weißer Text ist auf dieser Farbe zu schlecht lesbar. Nehmen Sie eine dunklere.',
  other_account:
    'Diese Zugangsdaten öffnen ein anderes Konto. Legen Sie dafür eine neue Verbindung an, und schalten Sie diese ab.',
};

const secondsOfMinute = 60;
const firstServerFault = 500;

export type Explanation = {
  /** One sentence for the whole error. */
  sentence: string;
  /** A sentence for each invalid field, by the API's name of it. */
  fields: Readonly<Record<string, string>>;
  /** For the operator of the service; null if the person can solve it alone. */
  requestId: string | null;
};

/** The meaning of an error, in the current language. */
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
    const fields = errors.map(({ field, code: why, detail: said }) => {
      const sentence = language === 'de' ? (germanFieldCodes[why] ?? said) : said;
      // A form has one place for all pairs: `metadata` for `metadata.cart`.
      return [field.startsWith('metadata.') ? 'metadata' : field, sentence];
    });
    const said = sentences[code] ?? detail;
    // A wait below a minute needs no number.
    const isLong = fault.retryAfter !== null && fault.retryAfter > secondsOfMinute;
    const sentence = isLong ? `${said} ${wait(Math.ceil((fault.retryAfter ?? 0) / secondsOfMinute))}` : said;
    const isKnown = code in sentences && status < firstServerFault;
    const requestId = isKnown ? null : fault.problem.requestId;
    return { sentence, fields: Object.fromEntries(fields), requestId };
  };
}
