// What a refusal of the API means for a person. The API says it in English for programs and developers; the codes that
// a merchant may meet have sentences of their own here, and every other one falls back on what the API said.

import { ApiProblem, Unreachable } from '../api/call.ts';
import { defineTexts, useLanguage } from '../base/language.tsx';
import { useCommonTexts } from './common.ts';

const useSentences = defineTexts(
  {
    wrong_login: 'The address or the password is not right.',
    login_paused: 'Too many failed attempts. Wait a while and try again.',
    rate_limited: 'That was too much at once. Wait a moment and try again.',
    wrong_second_factor: 'The code is not right, or has been used already.',
    role_not_allowed: 'Your role does not allow this. Ask an owner or administrator of your company.',
    not_found: 'This does not exist, or not any more.',
    payment_in_progress: 'The customer is paying at this moment. Try again when that has ended.',
    payment_ended: 'The payment has ended in the meantime.',
    not_refundable: 'This payment cannot be refunded.',
    refund_too_large: 'That is more than is left to refund.',
    stale_remaining:
      'Somebody has refunded a part of this payment in the meantime. Look at what is left and try again.',
    order_conflict: 'There is a link for this order already, with other details.',
    last_key: 'This is the last key; create another one first.',
    last_owner: 'A company needs an owner. Make somebody else an owner first.',
    email_taken: 'This address has an account already.',
    live_not_possible: 'This service is not set up for live payments yet.',
    no_key_of_mode: 'There is no key for this mode.',
    too_many_endpoints: 'There are as many endpoints as there may be. Delete one first.',
    endpoint_disabled: 'The endpoint is switched off. Switch it on first.',
    invalid_password_reset: 'This link is not good any more. Ask for a new one.',
    invalid_invitation: 'This invitation is not good any more. Ask for a new one.',
    internal_error: 'Something went wrong at the service. It has been logged; try again later.',
    unavailable: 'The service is busy at the moment. Try again in a few seconds.',
    wrong: 'This is not right.',
  },
  {
    wrong_login: 'Adresse oder Passwort stimmen nicht.',
    login_paused: 'Zu viele Fehlversuche. Warten Sie eine Weile und versuchen Sie es noch einmal.',
    rate_limited: 'Das war zu viel auf einmal. Warten Sie einen Augenblick und versuchen Sie es noch einmal.',
    wrong_second_factor: 'Der Code stimmt nicht oder wurde schon verwendet.',
    role_not_allowed:
      'Ihre Rolle erlaubt das nicht. Fragen Sie jemanden mit der Rolle Inhaber oder Verwaltung.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    payment_in_progress: 'Der Kunde bezahlt gerade. Versuchen Sie es noch einmal, wenn das beendet ist.',
    payment_ended: 'Die Zahlung ist inzwischen beendet.',
    not_refundable: 'Diese Zahlung kann nicht erstattet werden.',
    refund_too_large: 'Das ist mehr, als noch erstattet werden kann.',
    stale_remaining:
      'Inzwischen wurde ein Teil dieser Zahlung erstattet. Sehen Sie nach, was übrig ist, und versuchen Sie es noch einmal.',
    order_conflict: 'Für diese Bestellung gibt es schon einen Link mit anderen Angaben.',
    last_key: 'Das ist der letzte Schlüssel; legen Sie zuerst einen anderen an.',
    last_owner: 'Eine Firma braucht einen Inhaber. Geben Sie zuerst jemand anderem diese Rolle.',
    email_taken: 'Zu dieser Adresse gibt es schon ein Konto.',
    live_not_possible: 'Dieser Dienst ist noch nicht für echte Zahlungen eingerichtet.',
    no_key_of_mode: 'Für diesen Modus gibt es keinen Schlüssel.',
    too_many_endpoints: 'Es gibt schon so viele Endpunkte, wie es geben darf. Löschen Sie zuerst einen.',
    endpoint_disabled: 'Der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst ein.',
    invalid_password_reset: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
    invalid_invitation: 'Diese Einladung gilt nicht mehr. Bitten Sie um eine neue.',
    internal_error:
      'Beim Dienst ist etwas schiefgegangen. Es wurde protokolliert; versuchen Sie es später noch einmal.',
    unavailable: 'Der Dienst ist gerade überlastet. Versuchen Sie es in einigen Sekunden noch einmal.',
    wrong: 'Das stimmt nicht.',
  },
);

/** What codes of single fields mean in German; the API’s own sentences are English. */
const germanFieldCodes: Readonly<Record<string, string>> = {
  required: 'Bitte ausfüllen.',
  missing: 'Bitte ausfüllen.',
  too_long: 'Das ist zu lang.',
  too_short: 'Das ist zu kurz.',
  too_large: 'Das ist zu groß.',
  too_small: 'Das ist zu klein.',
  wrong: 'Das stimmt nicht.',
  invalid: 'So ist das nicht gültig.',
  wrong_format: 'Diese Form ist nicht gültig.',
  wrong_type: 'Diese Form ist nicht gültig.',
  not_allowed: 'Das ist hier nicht erlaubt.',
  not_printable: 'Das enthält Zeichen, die nicht erlaubt sind.',
  not_text: 'Das enthält Zeichen, die nicht erlaubt sind.',
  not_positive: 'Das muss mehr als 0 sein.',
  too_precise: 'Das hat zu viele Nachkommastellen.',
  too_many: 'Das sind zu viele.',
  too_few: 'Das sind zu wenige.',
  repeated: 'Jeder Eintrag darf nur einmal vorkommen.',
  out_of_range: 'Das liegt außerhalb des Erlaubten.',
  origin_not_allowed: 'Ihre Firma lässt diese Adresse nicht zu (Einstellungen: erlaubte Ursprünge).',
  differs: 'Das ist anders als zuvor.',
};

export type Explanation = {
  /** One sentence for the whole. */
  sentence: string;
  /** A sentence for each field that does not pass, by the API's name of it. */
  fields: Readonly<Record<string, string>>;
  requestId: string | null;
};

/** Says what a fault means, in the language of the moment. */
export function useExplain(): (fault: unknown) => Explanation {
  const { language } = useLanguage();
  const sentences = useSentences() as Readonly<Record<string, string>>;
  const common = useCommonTexts();
  return (fault) => {
    if (fault instanceof Unreachable) return { sentence: common.unreachable, fields: {}, requestId: null };
    if (!(fault instanceof ApiProblem)) return { sentence: common.unexpected, fields: {}, requestId: null };
    const { code, detail, errors, requestId } = fault.problem;
    const fields = errors.map(({ field, code: why, detail: said }) => {
      const german = germanFieldCodes[why] ?? said;
      return [field, language === 'de' ? german : said];
    });
    return { sentence: sentences[code] ?? detail, fields: Object.fromEntries(fields), requestId };
  };
}
