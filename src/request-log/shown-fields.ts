// Which texts of a call the request log shows. Everything else is replaced, so that a new field is hidden until somebody
// decides otherwise here. Must not: list a field that can hold a secret, the name of a person, or free text.

export const hidden = '[redacted]';

/** Identifiers: what a person searches for. The longest ID has 30 characters; keys and tokens are longer. */
const id = /^[\w-]{1,40}$/;
/** IDs with a prefix: `id` is also the name of a credential of a browser. */
const prefixedId = /^[a-z]{2,4}_[0-9a-z_]{4,36}$/;
const word = /^[\w.*:/+-]{1,80}$/;
const time = /^\d{4}-\d\d-\d\d(T[\d:]{5,8}(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?)?$/;
/** A duration of ISO 8601. */
const duration = /^P[\dTYMWDHS]{1,20}$/;
const amount = /^-?\d{1,12}(\.\d{1,6})?$/;
/** An order ID has any printable characters; with an @ it may be an email address. */
const orderId = /^(?!.*@)[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,128}$/u;

const named = (form: RegExp, ...names: string[]) => names.map((name) => [name, form] as const);

/** The names of the texts that are shown, with the form that a value must have. Texts with fixed values need no entry. */
const shownForms: ReadonlyMap<string, RegExp> = new Map([
  ...named(id, 'PaymentLinkCode', 'accountId', 'attemptId', 'deliveryId', 'endpointId', 'entryId', 'eventId'),
  ...named(
    id,
    'connectionId',
    'connectionIds',
    'paymentLinkCode',
    'invitationId',
    'keyId',
    'lineId',
    'refundId',
    'sourceId',
    'statementId',
  ),
  ...named(prefixedId, 'id'),
  ...named(orderId, 'customerOrderId'),
  ...named(word, 'country', 'currency', 'currencies', 'events', 'type', 'status', 'kind', 'locale', 'modes'),
  ...named(word, 'disabledReason', 'failureCode', 'processor', 'responseCode', 'rights', 'roles', 'timeZone'),
  ...named(
    word,
    'actor',
    'attemptStatus',
    'days',
    'declineCode',
    'scopes',
    'format',
    'limit',
    'size',
    'sort',
    'state',
    'wait',
  ),
  ...named(duration, 'by'),
  ...named(amount, 'amount', 'minAmount', 'maxAmount'),
  ...named(time, 'CreatedOn', 'bookedOn', 'closedAt', 'createdAt', 'createdFrom', 'createdTo', 'dueAt'),
  ...named(time, 'endedAt', 'escalatedAt', 'expiresAt', 'failingSince', 'from', 'lastAt', 'lastSuccessAt'),
  ...named(time, 'lastUsedAt', 'nextTryAt', 'previousSecretUntil', 'revokedAt', 'since', 'to', 'downUntil'),
  ...named(time, 'endsAt', 'firstFailedAt', 'paidAt', 'previousSecretExpiresAt', 'recoversAt', 'startsAt'),
]);

const maskName = (text: string) => `${/^\p{L}/u.exec(text)?.[0] ?? ''}***`;

function maskEmail(text: string): string {
  const [, first = '', domain] = /^([\p{L}\p{N}])[^\s@]{0,80}@([A-Za-z0-9.-]{1,200})$/u.exec(text) ?? [];
  return domain === undefined ? hidden : `${first}***@${domain}`;
}

const maskPhone = (text: string) => `***${/\d\d$/.exec(text)?.[0] ?? ''}`;

/** The origin alone: paths and queries of addresses hold tokens. */
function originOf(text: string): string {
  const origin = /^(https?:\/\/[A-Za-z0-9.-]{1,255}(:\d{1,5})?)(?=[/?#]|$)/.exec(text)?.[1];
  if (origin === undefined) return hidden;
  return origin.length === text.length ? origin : `${origin}/…`;
}

/** What is needed to recognise a person or an address that one knows already. */
const masks: ReadonlyMap<string, (text: string) => string> = new Map([
  ...['firstName', 'lastName'].map((name) => [name, maskName] as const),
  ...['email', 'actorEmail'].map((name) => [name, maskEmail] as const),
  ['phone', maskPhone],
  ...['PaymentLink', 'success_url', 'failure_url', 'url', 'webhookUrl'].map(
    (name) => [name, originOf] as const,
  ),
]);

const shortestCard = 13;
/** Most texts have fewer digits, and need no closer look. */
const manyDigits = /(?:\d[\s._/-]*){13}/;
const longestCard = 19;

/**
 * Whether a text may contain the number of a card, however its digits are separated, and whatever follows it. Numbers of
 * cards begin with 2 to 6, so a time in milliseconds is none.
 */
export function maySayCard(text: string): boolean {
  if (!manyDigits.test(text)) return false;
  const runs = text.replaceAll(/(?<=\d)[\s._/-]+(?=\d)/g, '').match(/\d{13,}/g) ?? [];
  return runs.some((run) => {
    for (let start = 0; start + shortestCard <= run.length; start += 1) {
      if (!/[2-6]/.test(run[start] ?? '')) continue;
      const longest = Math.min(longestCard, run.length - start);
      for (let length = shortestCard; length <= longest; length += 1)
        if (hasCheckDigit(run.slice(start, start + length))) return true;
    }
    return false;
  });
}

/** The check digit of ISO/IEC 7812. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Names of events. */
const eventType = /^[a-z_]{1,30}\.[a-z_]{1,30}$/;

/** An ID or a type of events in a path, or what replaces another text. */
export const showId = (text: string): string =>
  (id.test(text) || eventType.test(text)) && !maySayCard(text) ? text : hidden;

type ShowText = (text: string) => string;

/** Returns what the log shows of the texts of a field, by its name, without masks. */
export function showPlainOf(name: string): ShowText {
  const form = shownForms.get(name);
  if (!form) return () => hidden;
  return (text) => (form.test(text) && !maySayCard(text) ? text : hidden);
}

/** The same with masks. An empty text is shown. */
export function showTextOf(name: string): ShowText {
  const show = masks.get(name) ?? showPlainOf(name);
  return (text) => (text === '' ? text : show(text));
}
