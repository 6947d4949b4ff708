// What a schema can't say about a payment request: exact amounts, addresses, printable text, moments.
// Finds every fault at once; changes nothing and looks nothing up.

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { errors, type FieldFault } from '../base/errors.ts';
import { type AmountFault, type Currency, exponentOf, maxAmountMajor, parseAmount } from '../base/money.ts';
import { isPlainHost } from '../base/web-address.ts';
import type { PaymentRequest } from './schema.ts';
import type { PaymentDetails } from './store.ts';

export const defaultLifeMs = 7 * 24 * 60 * 60 * 1000;
const shortestLifeMs = 5 * 60 * 1000;
const longestLifeMs = 180 * 24 * 60 * 60 * 1000;

export type CheckContext = {
  /** The company's country, for a phone number without its own. */
  country: string;
  /** Origins that success and failure address may have; empty: any. */
  allowedOrigins: readonly string[];
  mode: 'test' | 'live';
};

type Faults = FieldFault[];

function describeAmountFault(fault: AmountFault, currency: Currency): FieldFault {
  const details: Record<AmountFault, string> = {
    not_a_number: 'This must be a number.',
    not_positive: 'This must be more than 0.',
    too_precise: `${currency} has at most ${exponentOf(currency)} decimals.`,
    too_large: `This may be at most ${maxAmountMajor}.00.`,
  };
  return { field: 'amount', code: fault, detail: details[fault] };
}

function checkAmount(body: PaymentRequest, faults: Faults): number {
  const currency = body.currency as Currency;
  // The body was read so that a number prints as the very decimal that was sent.
  const parsed = parseAmount(String(body.amount), currency);
  if ('amountMinor' in parsed) return parsed.amountMinor;
  faults.push(describeAmountFault(parsed.fault, currency));
  return 0;
}

function faultOfUrl(text: string, context: CheckContext): Omit<FieldFault, 'field'> | null {
  if (/[\p{Cc}\p{Zs}\\]/u.test(text))
    return { code: 'wrong_format', detail: 'This must not have spaces, backslashes or control characters.' };
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url)
    return {
      code: 'wrong_format',
      detail: 'This must be an absolute address that opens with https:// or http://.',
    };
  if (!isPlainHost(url.hostname))
    return { code: 'wrong_format', detail: 'This must have a host name, or an IPv4 address, as its host.' };
  if (url.username || url.password)
    return { code: 'not_allowed', detail: 'This must not carry a user name or a password.' };
  if (context.mode === 'live' && url.protocol !== 'https:')
    return { code: 'not_allowed', detail: 'In live mode this must open with https://.' };
  if (context.allowedOrigins.length > 0 && !context.allowedOrigins.includes(url.origin))
    return {
      code: 'origin_not_allowed',
      detail: `Your company allows only: ${context.allowedOrigins.join(', ')}.`,
    };
  return null;
}

function checkUrls(body: PaymentRequest, context: CheckContext, faults: Faults): void {
  for (const field of ['success_url', 'failure_url'] as const) {
    const fault = faultOfUrl(body[field], context);
    if (fault) faults.push({ field, ...fault });
  }
}

function checkTexts(body: PaymentRequest, faults: Faults): void {
  const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
  const control = /\p{Cc}/u;
  if (unprintable.test(body.customerOrderId) || body.customerOrderId.trim() === '')
    faults.push({
      field: 'customerOrderId',
      code: 'not_printable',
      detail: 'This must have printable characters only.',
    });
  for (const field of ['firstName', 'lastName', 'email'] as const)
    if (control.test(body[field] ?? ''))
      faults.push({ field, code: 'not_printable', detail: 'This must not have control characters.' });
  if (/[^\P{Cc}\n\t\r]/u.test(body.description ?? ''))
    faults.push({
      field: 'description',
      code: 'not_printable',
      detail: 'This must not have control characters.',
    });
  for (const name of Object.keys(body.metadata ?? {}))
    if (name.length === 0 || name.length > 40)
      faults.push({ field: 'metadata', code: 'too_long', detail: 'A name must have 1 to 40 characters.' });
}

/** Reads an RFC 3339 date-time; null for anything else, and for days that no calendar has. */
export function readMoment(text: string): Date | null {
  const parts =
    /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
      text,
    );
  if (!parts) return null;
  const day = new Date(`${parts[1]}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== parts[1]) return null;
  return new Date(text.toUpperCase());
}

/** Whether a link may end at a moment: 5 minutes to 180 days after `now`. */
export function faultOfExpiry(expiresAt: Date, now: Date): FieldFault | null {
  const lifeMs = expiresAt.getTime() - now.getTime();
  if (lifeMs >= shortestLifeMs && lifeMs <= longestLifeMs) return null;
  return { field: 'expiresAt', code: 'out_of_range', detail: 'This must be 5 minutes to 180 days ahead.' };
}

function checkExpiry(body: PaymentRequest, faults: Faults): Date | null {
  if (body.expiresAt === undefined) return null;
  const moment = readMoment(body.expiresAt);
  if (!moment)
    faults.push({
      field: 'expiresAt',
      code: 'wrong_format',
      detail: 'This must be a moment like 2030-01-31T12:00:00Z.',
    });
  return moment;
}

function readPhone(
  phone: string | undefined,
  country: string,
): { phoneE164: string | null; country: string } {
  const parsed = phone === undefined ? undefined : parsePhoneNumberFromString(phone, country as 'DE');
  if (!parsed?.isPossible()) return { phoneE164: null, country };
  return { phoneE164: parsed.number, country: parsed.country ?? country };
}

/**
 * The details to store for a request that its schema has accepted.
 * Throws `invalid_fields` with every fault. The range of `expiresAt` is left to the caller: a
 * repeated request is not wrong because time has passed.
 */
export function checkPaymentRequest(body: PaymentRequest, context: CheckContext): PaymentDetails {
  const faults: Faults = [];
  const amountMinor = checkAmount(body, faults);
  checkUrls(body, context, faults);
  checkTexts(body, faults);
  const requestedExpiresAt = checkExpiry(body, faults);
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  return {
    customerOrderId: body.customerOrderId,
    amountMinor,
    currency: body.currency as Currency,
    email: body.email,
    firstName: body.firstName || null,
    lastName: body.lastName || null,
    phone: body.phone ?? null,
    ...readPhone(body.phone, context.country),
    successUrl: body.success_url,
    failureUrl: body.failure_url,
    description: body.description || null,
    locale: body.locale ?? null,
    metadata: body.metadata ?? {},
    requestedExpiresAt,
  };
}
