// Checks of a payment request that a schema can't express: exact amounts, URLs, printable text, times. Reports every
// error at once.

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type ApiError, errors, type FieldError, maxFieldErrors } from '../base/errors.ts';
import {
  type AmountError,
  type Currency,
  currencies,
  exponentOf,
  maxAmountMajor,
  parseAmount,
} from '../base/money.ts';
import { parseTimestamp } from '../base/timestamp.ts';
import { hasBlankAtEnd, hasHiddenCharacters, isBlank, visibleHint } from '../base/visible-text.ts';
import { webAddressError } from '../base/web-address.ts';
import type { PaymentItem } from '../payments/items.ts';
import type { ItemInput, PaymentRequest, PaymentUpdate } from '../payments/schema.ts';
import type { PaymentDetails } from '../payments/store.ts';
import { checkItems } from './check-items.ts';

export const defaultLinkTtlMs = 7 * 24 * 60 * 60 * 1000;
const minLinkTtlMs = 5 * 60 * 1000;
const maxLinkTtlMs = 180 * 24 * 60 * 60 * 1000;

export type CheckContext = {
  /** The company's country, for a phone number without a country code. */
  country: string;
  /** Allowed origins of the success and failure URLs; empty: any. */
  allowedOrigins: readonly string[];
  mode: 'test' | 'live';
  now: Date;
};

type FieldErrorList = FieldError[];

function amountErrorDetail(fault: AmountError, currency: Currency): FieldError {
  const details: Record<AmountError, string> = {
    not_a_number: 'This must be a number.',
    not_positive: 'This must be more than 0.',
    too_precise: `${currency} has at most ${exponentOf(currency)} decimals.`,
    too_large: `This may be at most ${maxAmountMajor}.00.`,
  };
  return { field: 'amount', code: fault, detail: details[fault] };
}

/** A request without the fields that are missing or already refused. An item that is refused is null. */
type ValidRequest = Omit<Partial<PaymentRequest>, 'items'> & { items?: (ItemInput | null)[] | null };

/** The amount in minor units; null if it is missing or invalid. */
function checkAmount({ amount, currency: code }: ValidRequest, faults: FieldErrorList): number | null {
  if (amount === undefined) return null;
  // With an invalid currency, the amount is checked by the first one, so that both errors are reported.
  const currency = (code ?? currencies[0]) as Currency;
  // The body was parsed so that a number prints as exactly the decimal that was sent.
  const parsed = parseAmount(String(amount), currency);
  if ('amountMinor' in parsed) return parsed.amountMinor;
  faults.push(amountErrorDetail(parsed.fault, currency));
  return null;
}

function urlError(text: string, context: CheckContext): Omit<FieldError, 'field'> | null {
  const fault = webAddressError(text, context.mode);
  if (fault) return fault;
  if (context.allowedOrigins.length > 0 && !context.allowedOrigins.includes(new URL(text).origin))
    return {
      code: 'origin_not_allowed',
      detail: `Your company allows these origins only: ${context.allowedOrigins.join(', ')}.`,
    };
  return null;
}

function checkUrls(body: ValidRequest, context: CheckContext, faults: FieldErrorList): void {
  for (const field of ['success_url', 'failure_url'] as const) {
    const text = body[field];
    const fault = text === undefined ? null : urlError(text, context);
    if (fault) faults.push({ field, ...fault });
  }
}

const maxNameLength = 40;

function metadataNameError(name: string): FieldError | null {
  const field = `metadata.${name}`.slice(0, 200);
  if (name === '') return { field: 'metadata', code: 'too_short', detail: 'A name must not be empty.' };
  // In code points, as the validator counts values.
  if ([...name].length > maxNameLength)
    return { field, code: 'too_long', detail: `A name may have at most ${maxNameLength} characters.` };
  if (hasHiddenCharacters(name) || isBlank(name))
    return { field, code: 'not_printable', detail: `The name of an entry is not valid. ${visibleHint}` };
  return null;
}

function checkMetadata(metadata: Record<string, string> | null | undefined, faults: FieldErrorList): void {
  for (const name of Object.keys(metadata ?? {})) {
    const fault = metadataNameError(name);
    if (fault) faults.push(fault);
  }
}

/** Two order IDs that look the same must not be two orders (docs/api.md). */
function orderIdError(orderId: string): Omit<FieldError, 'field'> | null {
  if (hasHiddenCharacters(orderId))
    return {
      code: 'not_printable',
      detail:
        'This must not contain invisible characters: control and format characters, joiners, variation selectors and fillers.',
    };
  if (isBlank(orderId)) return { code: 'not_printable', detail: 'This must not be blank.' };
  if (hasBlankAtEnd(orderId))
    return { code: 'wrong_format', detail: 'This must not start or end with a space.' };
  return null;
}

function checkTexts(body: ValidRequest, faults: FieldErrorList): void {
  const orderIdFault = body.customerOrderId === undefined ? null : orderIdError(body.customerOrderId);
  if (orderIdFault) faults.push({ field: 'customerOrderId', ...orderIdFault });
  const control = /\p{Cc}/u;
  for (const field of ['firstName', 'lastName'] as const)
    if (control.test(body[field] ?? ''))
      faults.push({ field, code: 'not_printable', detail: 'This must not contain control characters.' });
  if (/[^\P{Cc}\n\t\r]/u.test(body.description ?? ''))
    faults.push({
      field: 'description',
      code: 'not_printable',
      detail: 'This must not contain control characters.',
    });
}

/** The error of an expiry outside 5 minutes to 180 days after `now`; null if there is none. */
export function expiryError(expiresAt: Date, now: Date): FieldError | null {
  const ttlMs = expiresAt.getTime() - now.getTime();
  if (ttlMs >= minLinkTtlMs && ttlMs <= maxLinkTtlMs) return null;
  return { field: 'expiresAt', code: 'out_of_range', detail: 'This must be 5 minutes to 180 days from now.' };
}

function checkExpiry(body: Pick<PaymentRequest, 'expiresAt'>, faults: FieldErrorList): Date | null {
  if (!body.expiresAt) return null;
  const moment = parseTimestamp(body.expiresAt);
  if (moment instanceof Date) return moment;
  faults.push({ field: 'expiresAt', ...moment });
  return null;
}

function readPhone(phone: string | null, country: string): { phoneE164: string | null; country: string } {
  const parsed = phone === null ? undefined : parsePhoneNumberFromString(phone, country as 'DE');
  if (!parsed?.isPossible()) return { phoneE164: null, country };
  return { phoneE164: parsed.number, country: parsed.country ?? country };
}

type Checked = Pick<PaymentDetails, 'amountMinor' | 'items' | 'requestedExpiresAt'> & {
  faults: FieldErrorList;
};

function checkItemsOf(
  { items, currency }: ValidRequest,
  amountMinor: number | null,
  faults: FieldErrorList,
): PaymentItem[] {
  // With an invalid currency, items are checked by the first one, but sums of an unknown currency are not compared.
  const known = {
    currency: (currency ?? currencies[0]) as Currency,
    amountMinor: currency ? amountMinor : null,
  };
  const checked = checkItems(items ?? [], known);
  faults.push(...checked.faults);
  return checked.items;
}

function checkValid(body: ValidRequest, context: CheckContext): Checked {
  const faults: FieldErrorList = [];
  const amountMinor = checkAmount(body, faults);
  checkUrls(body, context, faults);
  checkTexts(body, faults);
  checkMetadata(body.metadata, faults);
  const items = checkItemsOf(body, amountMinor, faults);
  // Without faults there is an amount.
  return { faults, amountMinor: amountMinor ?? 0, items, requestedExpiresAt: checkExpiry(body, faults) };
}

/**
 * Adds an error of the range of `expiresAt` to other errors. It is not reported alone: a repeated request does not
 * become invalid because time has passed.
 */
function withExpiryRange({ faults, requestedExpiresAt }: Checked, now: Date): FieldError[] {
  const rangeFault = requestedExpiresAt && expiryError(requestedExpiresAt, now);
  return rangeFault ? [...faults, rangeFault] : faults;
}

/** The error of an invalid request: `found`, and every error of the other fields. */
export function refuseRequest(body: unknown, found: readonly FieldError[], context: CheckContext): ApiError {
  const refused = new Set(found.map(({ field }) => field));
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const others = Object.entries(isObject(body) ? (body as object) : {}).filter(
    ([name]) => !refused.has(name),
  );
  const valid = Object.fromEntries(others) as ValidRequest;
  const refusedItems = new Set(found.map(({ field }) => /^items\.\d+/.exec(field)?.[0]));
  if (Array.isArray(valid.items))
    valid.items = valid.items.map((item, index) => (refusedItems.has(`items.${index}`) ? null : item));
  // The names are checked whatever the values or their number.
  const { metadata } = (isObject(body) ? body : {}) as ValidRequest;
  const checked = checkValid({ ...valid, ...(isObject(metadata) ? { metadata } : {}) }, context);
  const own = withExpiryRange(checked, context.now);
  const key = ({ field, code }: FieldError) => `${code} ${field}`;
  const known = new Set(found.map(key));
  const faults = [...found, ...own.filter((fault) => !known.has(key(fault)))];
  return errors.invalidFields({ errors: faults.slice(0, maxFieldErrors) });
}

/**
 * The details to store for a request that its schema has accepted. Throws `invalid_fields` with every error. The caller
 * checks the range of `expiresAt`: a repeated request does not become invalid because time has passed.
 */
export function checkPaymentRequest(body: PaymentRequest, context: CheckContext): PaymentDetails {
  const checked = checkValid(body, context);
  if (checked.faults.length > 0)
    throw errors.invalidFields({ errors: withExpiryRange(checked, context.now).slice(0, maxFieldErrors) });
  const phone = body.phone || null;
  return {
    customerOrderId: body.customerOrderId,
    amountMinor: checked.amountMinor,
    currency: body.currency as Currency,
    email: body.email,
    firstName: body.firstName || null,
    lastName: body.lastName || null,
    phone,
    ...readPhone(phone, context.country),
    successUrl: body.success_url,
    failureUrl: body.failure_url,
    description: body.description || null,
    locale: body.locale || null,
    metadata: body.metadata ?? {},
    items: checked.items,
    requestedExpiresAt: checked.requestedExpiresAt,
  };
}

/** The new values; null for unchanged ones. Throws `invalid_fields` with every error. */
export function checkPaymentUpdate(
  update: PaymentUpdate,
  now: Date,
): { expiresAt: Date | null; metadata: Record<string, string> | null } {
  const faults: FieldErrorList = [];
  const expiresAt = checkExpiry(update, faults);
  const rangeFault = expiresAt && expiryError(expiresAt, now);
  if (rangeFault) faults.push(rangeFault);
  checkMetadata(update.metadata, faults);
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  return { expiresAt, metadata: update.metadata ?? null };
}
