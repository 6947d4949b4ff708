// Attempts as Mollie payments: created, queried, and cancelled. Only payments with our own metadata count as
// outcomes; anything else throws. Must not: create a second payment that a customer could reach.

import { matchLocale } from '../../base/match-locale.ts';
import { toDecimalText } from '../../base/money.ts';
import { type ApiResponse, RequestNotSentError } from '../call-api.ts';
import { requireMatch } from '../check-response.ts';
import type { ApprovedOutcome, AttemptOutcome, AttemptRequest } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { fetchPages, isReplayed, type MollieAccount, unexpectedResponse } from './api.ts';
import { captureFullAmount, releaseAuthorization } from './captures.ts';
import { declineCodeOf } from './declines.ts';
import { orderLinesOf } from './order-lines.ts';
import { type MolliePayment, readMetadata, readPayment, requirePaymentId } from './parse.ts';

export type MolliePaymentDeps = MollieAccount & {
  /** The address for Mollie's webhooks of an attempt; null if Mollie cannot reach it. */
  webhookUrlOf: (attemptId: string) => string | null;
};

/** Source: Mollie's OpenAPI document of August 2026, schema `locale`. The first of a language is its general form. */
export const mollieLocales: readonly string[] = (
  'en_US en_GB en_NL en_BE nl_NL nl_BE de_DE de_AT de_CH de_LU fr_FR fr_BE fr_LU es_ES ca_ES pt_PT it_IT ' +
  'nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT cs_CZ sk_SK'
).split(' ');

/** Mollie's limit in characters. */
const maxDescription = 255;

/** The largest assumed difference between Mollie's clock and ours. */
const clockSkewMs = 5 * 60 * 1000;

/** The most pages to read when searching for one payment: 10,000 payments. */
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

/** The text that the customer sees beside the amount. Mollie requires one. */
function describe({ description, customerOrderId }: AttemptRequest): string {
  const text = description?.trim() || customerOrderId;
  return [...text].slice(0, maxDescription).join('');
}

function newPayment(deps: MolliePaymentDeps, request: AttemptRequest): UntrustedFields {
  const { amountMinor, currency, customer, returnUrl, cancelUrl } = request;
  // Without one, Mollie uses the browser's language.
  const locale = matchLocale(request.locale, mollieLocales);
  const webhookUrl = deps.webhookUrlOf(request.attemptId);
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    description: describe(request),
    ...orderLinesOf(request),
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
 * The request that uses up the key of an attempt that never began. Its parameters differ from the attempt's,
 * so Mollie refuses a late request of the attempt with status 400. If Mollie returns this payment instead,
 * its metadata identify it. Nobody ever gets its address, and it expires by itself.
 */
function newVoidPlaceholder(deps: MolliePaymentDeps, request: AttemptRequest): UntrustedFields {
  return {
    ...newPayment(deps, request),
    description: `Cancelled: ${request.linkCode}`,
    metadata: { ...metadataOf(deps, request), void: true },
  };
}

/** Parses the payment of an attempt. Throws `ResponseMismatchError` for any other; `id` is the requested payment. */
function readOwn(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  body: unknown,
  id: string | null,
): MolliePayment {
  const payment = readPayment(body);
  const { metadata, mode, amountMinor, currency } = payment;
  const { company, connection, attempt } = metadata;
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

/** The outcome of a paid payment. A partially captured one that was refunded took nothing in the end. */
function outcomeOfPaid({ id: reference, captured, amountMinor, isRefunded }: MolliePayment): AttemptOutcome {
  const isPart = captured.amountMinor < amountMinor;
  return isPart && isRefunded ? { kind: 'void' } : { kind: 'succeeded', reference, ...captured };
}

function toOutcome(payment: MolliePayment): AttemptOutcome | ApprovedOutcome {
  const { id: reference, checkoutUrl } = payment;
  if (payment.status === 'paid') return outcomeOfPaid(payment);
  if (payment.metadata.isVoid) return { kind: 'void' };
  switch (payment.status) {
    case 'open':
      // Some methods leave nothing to do on a page; the customer only waits.
      return checkoutUrl === null
        ? { kind: 'processing', reference }
        : { kind: 'requires_action', reference, url: checkoutUrl };
    case 'pending':
      return { kind: 'processing', reference };
    case 'authorized':
      // The money is authorised, but not captured yet.
      return { kind: 'approved', reference };
    case 'failed':
      return { kind: 'declined', reference, code: declineCodeOf(payment.failureReason) };
    case 'canceled':
    case 'expired':
      return { kind: 'void' };
  }
}

/** For callers that cannot capture: an approval is not an outcome. The next query captures. */
function toPlainOutcome(payment: MolliePayment): AttemptOutcome {
  const outcome = toOutcome(payment);
  return outcome.kind === 'approved' ? { kind: 'processing', reference: outcome.reference } : outcome;
}

async function fetchPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  id: string,
): Promise<MolliePayment> {
  const response = await deps.api.get(`/v2/payments/${requirePaymentId(id)}`);
  if (response.status !== 200) throw unexpectedResponse('a payment', response);
  return readOwn(deps, request, response.body, id);
}

/** Searches the list for an attempt's payment, back to the time of the attempt. */
async function searchPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
): Promise<MolliePayment | null> {
  const since = request.createdAt.getTime() - clockSkewMs;
  const list = { path: '/v2/payments', kind: 'payments', fromId: null } as const;
  for await (const { items, oldestAt } of fetchPages(deps.api, list, maxPages)) {
    const own = items.find((item) => readMetadata(item)?.attempt === request.attemptId);
    if (own) return readOwn(deps, request, own, null);
    if (oldestAt && oldestAt.getTime() < since) return null;
  }
  return null;
}

async function findPayment(deps: MolliePaymentDeps, request: AttemptRequest): Promise<MolliePayment | null> {
  const { processorReference } = request;
  return processorReference === null
    ? await searchPayment(deps, request)
    : await fetchPayment(deps, request, processorReference);
}

/** For a used key, the existing payment counts. Null when Mollie refused and this request created nothing. */
async function readCreatedPayment(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  response: ApiResponse,
): Promise<MolliePayment | null> {
  if (response.status === 201) {
    const payment = readOwn(deps, request, response.body, request.processorReference);
    return isReplayed(response) ? await fetchPayment(deps, request, payment.id) : payment;
  }
  // The key was used with other parameters (400), or by a request that is still under way (409).
  if (response.status === 400 || response.status === 409) {
    const payment = await searchPayment(deps, request);
    if (!payment) throw unexpectedResponse('a new payment', response);
    return payment;
  }
  if ([401, 403, 404, 422, 429].includes(response.status)) return null;
  throw unexpectedResponse('a new payment', response);
}

/** A repeated call returns the outcome of the existing payment. */
export async function authorise(deps: MolliePaymentDeps, request: AttemptRequest): Promise<AttemptOutcome> {
  let response: ApiResponse;
  try {
    response = await deps.api.post('/v2/payments', request.attemptId, newPayment(deps, request));
  } catch (error) {
    if (error instanceof RequestNotSentError) return { kind: 'unavailable', why: error.message };
    throw error;
  }
  const payment = await readCreatedPayment(deps, request, response);
  if (payment) return toPlainOutcome(payment);
  const isOfRequest = response.status === 422;
  const why = unexpectedResponse('a new payment', response).message;
  return { kind: 'unavailable', why, ...(isOfRequest ? { isOfRequest } : {}) };
}

/** Null when Mollie does not know it. */
export async function query(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
): Promise<AttemptOutcome | ApprovedOutcome | null> {
  const payment = await findPayment(deps, request);
  return payment && toOutcome(payment);
}

/** If the method does not allow it, releases the money. With most methods Mollie captures by itself. */
export async function capture(deps: MolliePaymentDeps, request: AttemptRequest): Promise<AttemptOutcome> {
  const payment = await findPayment(deps, request);
  if (!payment) throw new Error('Mollie has no payment for this attempt');
  const { id, status } = payment;
  if (status !== 'authorized') return toPlainOutcome(payment);
  if (!(await captureFullAmount(deps.api, id, request)))
    await releaseAuthorization(deps.api, id, request.attemptId);
  return toPlainOutcome(await fetchPayment(deps, request, id));
}

/**
 * Whether Mollie has stored a failure (5xx) for the attempt's key. Then the request has ended, and the key
 * can create no payment any more. For a key that was used with other parameters (400), the same request shows
 * the stored response.
 */
async function isStoredFailure(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
  response: ApiResponse,
): Promise<boolean> {
  const isStored = (reportedError: ApiResponse) => reportedError.status >= 500 && isReplayed(reportedError);
  if (isStored(response)) return true;
  if (response.status !== 400 || (await searchPayment(deps, request))) return false;
  return isStored(await deps.api.post('/v2/payments', request.attemptId, newPayment(deps, request)));
}

/** Uses up the key, or finds the payment that exists. Null when Mollie refuses it, and a late request as well. */
async function consumeIdempotencyKey(
  deps: MolliePaymentDeps,
  request: AttemptRequest,
): Promise<MolliePayment | null> {
  const response = await deps.api.post('/v2/payments', request.attemptId, newVoidPlaceholder(deps, request));
  if (await isStoredFailure(deps, request, response)) return await searchPayment(deps, request);
  const payment = await readCreatedPayment(deps, request, response);
  if (!payment && response.status !== 422) throw unexpectedResponse('a void placeholder', response);
  return payment;
}

/** If Mollie does not allow it, the payment lives until it expires: the customer may still pay it. */
export async function cancel(deps: MolliePaymentDeps, request: AttemptRequest): Promise<AttemptOutcome> {
  const payment = (await findPayment(deps, request)) ?? (await consumeIdempotencyKey(deps, request));
  if (!payment) return { kind: 'void' };
  if (!payment.isCancelable && payment.status !== 'authorized') return toPlainOutcome(payment);
  if (!payment.isCancelable) {
    await releaseAuthorization(deps.api, payment.id, request.attemptId);
    return toPlainOutcome(await fetchPayment(deps, request, payment.id));
  }
  const response = await deps.api.remove(`/v2/payments/${payment.id}`);
  // Ignore the response: the payment may have been paid meanwhile. Query the payment itself.
  if (response.status >= 500) throw unexpectedResponse('a cancellation', response);
  return toPlainOutcome(await fetchPayment(deps, request, payment.id));
}
