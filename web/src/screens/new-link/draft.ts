// The form of a new payment link: its initial values, and its API request. The API validates everything else. Checked
// here is only what can't be sent.

import type { Input } from '../../api/call.ts';
import { type Expiry, expiryChoices, expiryMoment } from '../../base/days.ts';
import { readAmount } from '../../base/format.ts';
import type { PageLanguage } from '../../base/page-languages.ts';

export const optionalFields = ['firstName', 'lastName', 'phone', 'description', 'locale'] as const;
export const requiredFields = ['amount', 'customerOrderId', 'email', 'success_url', 'failure_url'] as const;

export type MetadataPair = { name: string; value: string };
/** The fields that are texts. */
type TextName = (typeof requiredFields)[number] | Exclude<(typeof optionalFields)[number], 'locale'>;
export type Draft = Record<TextName, string> & {
  currency: 'EUR' | 'USD';
  expiry: Expiry;
  locale: '' | PageLanguage;
  pairs: readonly MetadataPair[];
};
export type Body = Input<'processPayment'>['body'];
/** Errors of a field that are found before the request. */
type FieldFault = 'missing' | 'amount' | 'time' | 'repeated';
export type FormErrors = Partial<Record<keyof Body, FieldFault>>;

export type ReturnAddresses = Pick<Draft, 'success_url' | 'failure_url'>;

// Without letters and digits that are easily confused when read out.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const suggestedLength = 6;

/** A probably unique order ID: the day, and a few letters. */
export function suggestOrderId(now: Date): string {
  const random = crypto.getRandomValues(new Uint8Array(suggestedLength));
  const tail = [...random].map((byte) => letters[byte % letters.length]).join('');
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${now.getFullYear()}${month}${day}-${tail}`;
}

export function newDraft(addresses: ReturnAddresses, now: Date): Draft {
  return {
    amount: '',
    currency: 'EUR',
    customerOrderId: suggestOrderId(now),
    email: '',
    firstName: '',
    lastName: '',
    phone: '',
    description: '',
    expiry: { choice: 'week', own: '' },
    locale: '',
    ...addresses,
    pairs: [],
  };
}

const isUsed = ({ name, value }: MetadataPair) => name.trim() !== '' || value !== '';

function findPairsError(pairs: readonly MetadataPair[]): FieldFault | null {
  const names = pairs.filter(isUsed).map(({ name }) => name.trim());
  if (names.includes('')) return 'missing';
  return new Set(names).size < names.length ? 'repeated' : null;
}

export function readForm(draft: Draft, now: Date): { body: Body } | { errors: FormErrors } {
  const amount = readAmount(draft.amount);
  const expiresAt = expiryMoment(draft.expiry, now);
  const pairsError = findPairsError(draft.pairs);
  const missing = requiredFields.filter((name) => draft[name].trim() === '');
  const errors: FormErrors = Object.fromEntries(missing.map((name) => [name, 'missing']));
  if (!amount && !errors.amount) errors.amount = 'amount';
  if (!expiresAt) errors.expiresAt = 'time';
  if (pairsError) errors.metadata = pairsError;
  if (Object.keys(errors).length > 0 || !amount || !expiresAt) return { errors };
  const given = optionalFields.filter((name) => draft[name].trim() !== '');
  const pairs = draft.pairs.filter(isUsed).map(({ name, value }) => [name.trim(), value] as const);
  const body: Body = {
    amount,
    currency: draft.currency,
    customerOrderId: draft.customerOrderId.trim(),
    email: draft.email.trim(),
    success_url: draft.success_url.trim(),
    failure_url: draft.failure_url.trim(),
    // The default expiry is omitted, so that the same form gives the same request again.
    ...(draft.expiry.choice === 'week' ? {} : { expiresAt }),
    ...Object.fromEntries(given.map((name) => [name, draft[name].trim()])),
    ...(pairs.length > 0 ? { metadata: Object.fromEntries(pairs) } : {}),
  };
  return { body };
}

const isPair = (value: unknown): value is MetadataPair =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<MetadataPair>).name === 'string' &&
  typeof (value as Partial<MetadataPair>).value === 'string';

/** The valid fields of a stored draft. An older version may have stored others. */
export function restoreDraft(stored: unknown, fresh: Draft): Draft {
  if (typeof stored !== 'object' || stored === null) return fresh;
  const given = stored as Partial<Record<keyof Draft, unknown>>;
  const texts = Object.keys(fresh).filter((name) => typeof fresh[name as keyof Draft] === 'string');
  const known = texts.filter((name) => typeof given[name as keyof Draft] === 'string');
  const pairs = Array.isArray(given.pairs) ? given.pairs.filter(isPair) : [];
  const { choice, own } = (given.expiry ?? {}) as Partial<Expiry>;
  const expiry = {
    choice: expiryChoices.find((one) => one === choice) ?? fresh.expiry.choice,
    own: typeof own === 'string' ? own : '',
  };
  const restored = Object.fromEntries(known.map((name) => [name, given[name as keyof Draft]]));
  return { ...fresh, ...restored, expiry, pairs };
}

/** The return URLs of the demo shop, for links of this service in test mode. */
export function shopAddresses(origin: string): ReturnAddresses {
  return { success_url: `${origin}/sandbox/shop/success`, failure_url: `${origin}/sandbox/shop/failure` };
}

/** The initial return URLs: those of the last link, a page of the company's own, or in test mode the demo shop. */
export function firstAddresses(known: {
  last: ReturnAddresses | null;
  allowedOrigins: readonly string[];
  mode: 'test' | 'live';
  origin: string;
}): ReturnAddresses {
  const { last, allowedOrigins, mode, origin } = known;
  if (last) return last;
  const [own] = allowedOrigins;
  if (own) return { success_url: `${own}/`, failure_url: `${own}/` };
  return mode === 'test' ? shopAddresses(origin) : { success_url: '', failure_url: '' };
}
