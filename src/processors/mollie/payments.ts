// Attempts as Mollie's payments: begun, asked about, and cancelled. Only what Mollie says of a payment under our own
// marks is taken for an outcome; anything else throws. It must never make a second payment that a customer could reach.

import { toDecimalText } from '../../base/money.ts';
import { type ApiResponse, RequestNotSentError } from '../call-api.ts';
import { requireMatch } from '../check-response.ts';
import type { ApprovedOutcome, AttemptOutcome, AttemptRequest, ProcessorConnection } from '../processor.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { fetchPage, isReplayed, type MollieApi, unexpectedResponse } from './api.ts';
import { captureFullAmount, releaseAuthorization } from './captures.ts';
import { declineCodeOf } from './declines.ts';
import { mollieLocaleOf } from './locales.ts';
import { isMollieId, type MolliePayment, readMetadata, readPayment, timestampOf } from './parse.ts';

export type MolliePaymentDeps = {
  api: MollieApi;
  connection: ProcessorConnection & { connectionId: string };
  /** Where Mollie posts the webhooks of an attempt; null when it could not reach it. */
  webhookUrlOf: (attemptId: string) => string | null;
};

/** As many characters as Mollie takes. */
const maxDescription = 255;

/** How far Mollie's clock and ours may be apart. */
const clockSkewMs = 5 * 60 * 1000;

/** Pages that are read in search of one payment, at the most: 10,000 payments. */
const maxPages = 100;

function metadataOf(deps: MolliePaymentDeps, request: AttemptRequest): UntrustedFields {
  return {
    company: request.companyId,
    connection: deps.connection.connectionId,
    attempt: request.attemptId,
    linkCode: request.linkCode,
    orderId: request.customerOrderId,
  };
}

/** What the customer reads beside the amount. Mollie takes no payment without it. */
function describe({ description, customerOrderId }: AttemptRequest): string {
  const text = description?.trim() || customerOrderId;
  return [...text].slice(0, maxDescription).join('');
}

function newPayment(deps: MolliePaymentDeps, request: AttemptRequest): UntrustedFields {
  const { amountMinor, currency, customer, returnUrl, cancelUrl } = request;
  const locale = mollieLocaleOf(request.locale);
  const webhookUrl = deps.webhookUrlOf(request.attemptId);
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    description: describe(request),
    redirectUrl: returnUrl,
    cancelUrl,
    ...(webhookUrl === null ? {} : { webhookUrl }),
    ...(locale === null ? {} : { locale }),
    billingAddress: {
      email: customer.email,
      ...(customer.firstName === null ? {} : { givenName: customer.firstName }),
      ...(customer.lastName === null ? {} : { familyName: customer.lastName }),
      country: customer.country,
    },
    metadata: metadataOf(deps, request),
  };
}

/**
 * What is sent to use up the key of an attempt that was never begun. Its parameters differ from the attempt's, so
 * Mollie refuses a late request for that with status 400; and should it answer with this payment instead, the mark
 * tells it. Nobody ever gets its address, and it expires by itself.
 */
function newVoidPlaceholder(deps: MolliePaymentDeps, request: AttemptRequest): UntrustedFields {
  return {
    ...newPayment(deps, request),
    description: `Cancelled: ${request.linkCode}`,
    metadata: { ...metadataOf(deps, request), void: true },
  };
}

/** Reads the payment of an attempt. Throws `ContradictionError` for any other; `id` is the payment that was asked for. */
function readOwn(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  body: unknown,
  id: string | null,
): MolliePayment {
  const payment = readPayment(body);
  const { marks, mode, amountMinor, currency } = payment;
  const { company, connection, attempt } = marks;
  requireMatch(
    'a payment of Mollie',
    {
      id: id ?? payment.id,
      mode: deps.connection.mode,
      company: request.companyId,
      connection: deps.connection.connectionId,
      attempt: request.attemptId,
      amountMinor: request.amountMinor,
      currency: request.currency,
    },
    { id: payment.id, mode, company, connection, attempt, amountMinor, currency },
  );
  return payment;
}

/** What a paid payment says. One whose part was taken and has gone back took nothing in the end. */
function outcomeOfPaid({ id: reference, captured, amountMinor, isGivenBack }: MolliePayment): AttemptOutcome {
  const isPart = captured.amountMinor < amountMinor;
  return isPart && isGivenBack ? { kind: 'void' } : { kind: 'succeeded', reference, ...captured };
}

function toOutcome(payment: MolliePayment): AttemptOutcome | ApprovedOutcome {
  const { id: reference, checkoutUrl } = payment;
  if (payment.status === 'paid') return outcomeOfPaid(payment);
  if (payment.marks.isVoid) return { kind: 'void' };
  switch (payment.status) {
    case 'open':
      // Some methods leave nothing to be done on a page, only to be waited for.
      return checkoutUrl === null
        ? { kind: 'processing', reference }
        : { kind: 'requires_action', reference, url: checkoutUrl };
    case 'pending':
      return { kind: 'processing', reference };
    case 'authorized':
      // The money is held for us, and not taken yet.
      return { kind: 'approved', reference };
    case 'failed':
      return { kind: 'declined', reference, code: declineCodeOf(payment.failureReason) };
    case 'canceled':
    case 'expired':
      return { kind: 'void' };
  }
}

/** Where an approval is no answer: whoever asks again takes the money. */
function toPlainOutcome(payment: MolliePayment): AttemptOutcome {
  const outcome = toOutcome(payment);
  return outcome.kind === 'approved' ? { kind: 'processing', reference: outcome.reference } : outcome;
}

async function fetchPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  id: string,
  signal: AbortSignal,
): Promise<MolliePayment> {
  if (!isMollieId('tr', id)) throw new Error('a reference that is not of the form of a payment');
  const response = await deps.api.get(`/v2/payments/${id}`, signal);
  if (response.status !== 200) throw unexpectedResponse('a payment', response);
  return readOwn(deps, request, response.body, id);
}

/** Looks for an attempt's payment in the list, back to when the attempt was made. */
async function searchPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<MolliePayment | null> {
  const since = request.createdAt.getTime() - clockSkewMs;
  let fromId: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const list = { path: '/v2/payments', kind: 'payments', fromId } as const;
    const { things: items, nextId } = await fetchPage(deps.api, list, signal);
    const own = items.find((item) => readMetadata(item)?.attempt === request.attemptId);
    if (own) return readOwn(deps, request, own, null);
    const last = timestampOf(fieldsOf(items.at(-1)).createdAt);
    if (nextId === null || (last && last.getTime() < since)) return null;
    fromId = nextId;
  }
  throw new Error('there are more payments than can be searched for one');
}

async function findPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<MolliePayment | null> {
  const { processorReference } = request;
  return processorReference === null
    ? await searchPayment(deps, request, signal)
    : await fetchPayment(deps, request, processorReference, signal);
}

/**
 * Reads the answer to a payment that was asked for under the attempt's key. The key may have been used before: then
 * what is there under it counts. Null when Mollie refused, and nothing was begun by this request.
 */
async function readCreatedPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  response: ApiResponse,
  signal: AbortSignal,
): Promise<MolliePayment | null> {
  if (response.status === 201) {
    const payment = readOwn(deps, request, response.body, request.processorReference);
    return isReplayed(response) ? await fetchPayment(deps, request, payment.id, signal) : payment;
  }
  // The key was used with other parameters (400), or by a request that is still under way (409).
  if (response.status === 400 || response.status === 409) {
    const payment = await searchPayment(deps, request, signal);
    if (!payment) throw unexpectedResponse('a new payment', response);
    return payment;
  }
  if ([401, 403, 404, 422, 429].includes(response.status)) return null;
  throw unexpectedResponse('a new payment', response);
}

/** Begins a payment; asked again it says what became of the one that was begun. */
export async function authorise(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  let response: ApiResponse;
  try {
    response = await deps.api.post('/v2/payments', request.attemptId, newPayment(deps, request), signal);
  } catch (error) {
    if (error instanceof RequestNotSentError) return { kind: 'unavailable', why: error.message };
    throw error;
  }
  const payment = await readCreatedPayment(deps, request, response, signal);
  if (payment) return toPlainOutcome(payment);
  const isOfRequest = response.status === 422;
  const why = unexpectedResponse('a new payment', response).message;
  return { kind: 'unavailable', why, ...(isOfRequest ? { isOfRequest } : {}) };
}

/** What became of an attempt; null when Mollie has nothing of it. */
export async function query(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome | ApprovedOutcome | null> {
  const payment = await findPayment(deps, request, signal);
  return payment && toOutcome(payment);
}

/**
 * Takes the money that Mollie holds for an attempt, in whole. Where the method does not allow it, the money is let go.
 * With most methods Mollie takes the money itself, and there is only to be asked what became of it.
 */
export async function capture(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const payment = await findPayment(deps, request, signal);
  if (!payment) throw new Error('Mollie has no payment of this attempt');
  const { id, status } = payment;
  if (status !== 'authorized') return toPlainOutcome(payment);
  if (!(await captureFullAmount(deps.api, id, request, signal)))
    await releaseAuthorization(deps.api, id, request.attemptId, signal);
  return toPlainOutcome(await fetchPayment(deps, request, id, signal));
}

/**
 * Whether Mollie has stored a failure (5xx) for the attempt's key: then the request has ended, and no payment can come
 * of that key any more. A key that was used with other parameters (400) shows what is stored to the very same request.
 */
async function isStoredFailure(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  response: ApiResponse,
  signal: AbortSignal,
): Promise<boolean> {
  const isStored = (reportedError: ApiResponse) => reportedError.status >= 500 && isReplayed(reportedError);
  if (isStored(response)) return true;
  if (response.status !== 400 || (await searchPayment(deps, request, signal))) return false;
  return isStored(await deps.api.post('/v2/payments', request.attemptId, newPayment(deps, request), signal));
}

/**
 * Uses up the key of an attempt that was never begun, or finds the payment that was begun after all. Null when Mollie
 * refuses the payment for what it is: a late request asks for the same, and is refused as well.
 */
async function consumeIdempotencyKey(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<MolliePayment | null> {
  const response = await deps.api.post(
    '/v2/payments',
    request.attemptId,
    newVoidPlaceholder(deps, request),
    signal,
  );
  if (await isStoredFailure(deps, request, response, signal))
    return await searchPayment(deps, request, signal);
  const payment = await readCreatedPayment(deps, request, response, signal);
  if (!payment && response.status !== 422) throw unexpectedResponse('using a key up', response);
  return payment;
}

/**
 * Cancels where Mollie lets us. Where it does not, the payment lives on until Mollie lets it expire, and what holds is
 * said: the customer may still pay it.
 */
export async function cancel(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const payment =
    (await findPayment(deps, request, signal)) ?? (await consumeIdempotencyKey(deps, request, signal));
  if (!payment) return { kind: 'void' };
  if (!payment.isCancelable && payment.status !== 'authorized') return toPlainOutcome(payment);
  if (!payment.isCancelable) {
    await releaseAuthorization(deps.api, payment.id, request.attemptId, signal);
    return toPlainOutcome(await fetchPayment(deps, request, payment.id, signal));
  }
  const response = await deps.api.remove(`/v2/payments/${payment.id}`, signal);
  // Whatever it answers: it may have been paid in the meantime. The payment itself says what holds.
  if (response.status >= 500) throw unexpectedResponse('cancelling', response);
  return toPlainOutcome(await fetchPayment(deps, request, payment.id, signal));
}
