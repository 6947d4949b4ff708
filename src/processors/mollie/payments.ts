// Attempts as Mollie's payments: begun, asked about, and cancelled. Only what Mollie says of a payment under our own
// marks is taken for an outcome; anything else throws. It must never make a second payment that a customer could reach.

import { toDecimalText } from '../../base/money.ts';
import { type ApiAnswer, NothingSentError } from '../call-api.ts';
import type { AttemptRequest, Connection, Outcome } from '../processor.ts';
import { type Api, isReplayed, readPage, unexpected } from './api.ts';
import { declineCodeOf } from './declines.ts';
import { localeOf } from './locales.ts';
import { type Fields, fieldsOf, isMollieId, marksOf, momentOf, type Payment, readPayment } from './read.ts';

export type PaymentDeps = {
  api: Api;
  connection: Connection & { connectionId: string };
  /** Where Mollie posts its webhooks; null when it could not reach it. */
  webhookUrl: string | null;
};

/** As many characters as Mollie takes. */
const maxDescription = 255;

/** How far Mollie's clock and ours may be apart. */
const clockSkewMs = 5 * 60 * 1000;

/** Pages that are read in search of one payment, at the most: 10,000 payments. */
const maxPages = 100;

function metadataOf(deps: PaymentDeps, request: AttemptRequest): Fields {
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

function newPayment(deps: PaymentDeps, request: AttemptRequest): Fields {
  const { amountMinor, currency, customer, returnUrl, cancelUrl } = request;
  const locale = localeOf(request.locale);
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    description: describe(request),
    redirectUrl: returnUrl,
    cancelUrl,
    ...(deps.webhookUrl === null ? {} : { webhookUrl: deps.webhookUrl }),
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
function newTombstone(deps: PaymentDeps, request: AttemptRequest): Fields {
  return {
    ...newPayment(deps, request),
    description: `Cancelled: ${request.linkCode}`,
    metadata: { ...metadataOf(deps, request), void: true },
  };
}

function isAbout(deps: PaymentDeps, request: AttemptRequest, thing: unknown): boolean {
  const marks = marksOf(thing);
  return (
    marks?.attempt === request.attemptId &&
    marks.company === request.companyId &&
    marks.connection === deps.connection.connectionId
  );
}

function readOwn(deps: PaymentDeps, request: AttemptRequest, answer: ApiAnswer): Payment {
  if (!isAbout(deps, request, answer.body)) throw new Error('the answer is about another payment');
  return readPayment(answer.body);
}

function toOutcome(payment: Payment): Outcome {
  const { id: reference, amountMinor, currency, checkoutUrl } = payment;
  if (payment.status === 'paid') return { kind: 'succeeded', reference, amountMinor, currency };
  if (payment.marks.isVoid) return { kind: 'void' };
  switch (payment.status) {
    case 'open':
      // Some methods leave nothing to be done on a page, only to be waited for.
      return checkoutUrl === null
        ? { kind: 'processing', reference }
        : { kind: 'requires_action', reference, url: checkoutUrl };
    case 'pending':
    case 'authorized':
      return { kind: 'processing', reference };
    case 'failed':
      return { kind: 'declined', reference, code: declineCodeOf(payment.failureReason) };
    case 'canceled':
    case 'expired':
      return { kind: 'void' };
  }
}

async function fetchPayment(
  deps: PaymentDeps,
  request: AttemptRequest,
  id: string,
  signal: AbortSignal,
): Promise<Payment> {
  if (!isMollieId('tr', id)) throw new Error('a reference that is not of the form of a payment');
  const answer = await deps.api.get(`/v2/payments/${id}`, signal);
  if (answer.status !== 200) throw unexpected('a payment', answer);
  const payment = readOwn(deps, request, answer);
  if (payment.id !== id) throw new Error('the answer is about another payment');
  return payment;
}

/** Looks for an attempt's payment in the list, back to when the attempt was made. */
async function searchPayment(
  deps: PaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Payment | null> {
  const since = request.createdAt.getTime() - clockSkewMs;
  let fromId: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const list = { path: '/v2/payments', kind: 'payments', fromId } as const;
    const { things, nextId } = await readPage(deps.api, list, signal);
    const own = things.find((thing) => isAbout(deps, request, thing));
    if (own) return readPayment(own);
    const last = momentOf(fieldsOf(things.at(-1)).createdAt);
    if (nextId === null || (last && last.getTime() < since)) return null;
    fromId = nextId;
  }
  throw new Error('there are more payments than can be searched for one');
}

async function findPayment(
  deps: PaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Payment | null> {
  const { processorReference } = request;
  return processorReference === null
    ? await searchPayment(deps, request, signal)
    : await fetchPayment(deps, request, processorReference, signal);
}

/**
 * Reads the answer to a payment that was asked for under the attempt's key. The key may have been used before: then
 * what is there under it counts. Null when Mollie refused, and nothing was begun by this request.
 */
async function readBegun(
  deps: PaymentDeps,
  request: AttemptRequest,
  answer: ApiAnswer,
  signal: AbortSignal,
): Promise<Payment | null> {
  if (answer.status === 201) {
    const payment = readOwn(deps, request, answer);
    return isReplayed(answer) ? await fetchPayment(deps, request, payment.id, signal) : payment;
  }
  // The key was used with other parameters (400), or by a request that is still under way (409).
  if (answer.status === 400 || answer.status === 409) {
    const payment = await searchPayment(deps, request, signal);
    if (!payment) throw unexpected('a new payment', answer);
    return payment;
  }
  if ([401, 403, 404, 422, 429].includes(answer.status)) return null;
  throw unexpected('a new payment', answer);
}

/** Begins a payment; asked again it says what became of the one that was begun. */
export async function authorise(
  deps: PaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  let answer: ApiAnswer;
  try {
    answer = await deps.api.post('/v2/payments', request.attemptId, newPayment(deps, request), signal);
  } catch (error) {
    if (error instanceof NothingSentError) return { kind: 'unavailable', why: error.message };
    throw error;
  }
  const payment = await readBegun(deps, request, answer, signal);
  if (payment) return toOutcome(payment);
  const isOfRequest = answer.status === 422;
  const why = unexpected('a new payment', answer).message;
  return { kind: 'unavailable', why, ...(isOfRequest ? { isOfRequest } : {}) };
}

/** What became of an attempt; null when Mollie has nothing of it. */
export async function query(
  deps: PaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const payment = await findPayment(deps, request, signal);
  return payment && toOutcome(payment);
}

/**
 * Uses up the key of an attempt that was never begun, or finds the payment that was begun after all. Null when Mollie
 * refuses the payment for what it is: a late request asks for the same, and is refused as well.
 */
async function useKeyUp(
  deps: PaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Payment | null> {
  const answer = await deps.api.post('/v2/payments', request.attemptId, newTombstone(deps, request), signal);
  const payment = await readBegun(deps, request, answer, signal);
  if (!payment && answer.status !== 422) throw unexpected('using a key up', answer);
  return payment;
}

/**
 * Cancels where Mollie lets us. Where it does not, the payment lives on until Mollie lets it expire, and what holds is
 * said: the customer may still pay it.
 */
export async function cancel(
  deps: PaymentDeps,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const payment = (await findPayment(deps, request, signal)) ?? (await useKeyUp(deps, request, signal));
  if (!payment) return { kind: 'void' };
  if (!payment.isCancelable) return toOutcome(payment);
  const answer = await deps.api.remove(`/v2/payments/${payment.id}`, signal);
  // Whatever it answers: it may have been paid in the meantime. The payment itself says what holds.
  if (answer.status >= 500) throw unexpected('cancelling', answer);
  return toOutcome(await fetchPayment(deps, request, payment.id, signal));
}
