// An attempt at PayPal: an order that the customer approves and that we then capture. Creating an order moves no
// money, and PayPal has no means to take any unless we capture: so an order that nobody captures is worth nothing.

import { toDecimalText } from '../../base/money.ts';
import { type ApiResponse, RequestNotSentError } from '../call-api.ts';
import { requireMatch } from '../check-response.ts';
import type { ApprovedOutcome, AttemptOutcome, AttemptRequest, ProcessorConnection } from '../processor.ts';
import { AccessTokenError, type PaypalApi, type PaypalDeps, unexpectedResponse } from './api.ts';
import { encodeCustomId } from './custom-id.ts';
import { declineOfIssues } from './declines.ts';
import { findFaultyField, findText, isPaypalId, readFields, readId, readIssues } from './fields.ts';
import { paypalLocaleOf } from './locales.ts';
import {
  findApprovalUrl,
  type OrderOwner,
  outcomeOfOrder,
  type PaypalOrder,
  readOrder,
  requireOwnOrder,
} from './order.ts';

/** PayPal's side of one connection. */
export type PaypalAccount = PaypalDeps & { api: PaypalApi; connection: ProcessorConnection };

const ordersPath = '/v2/checkout/orders';

/** Statuses by which PayPal refuses a request before it does anything. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 422, 429]);

/** Statuses by which PayPal refuses a request for what it asks, so that it refuses it whenever it comes. */
const finalRefusals: ReadonlySet<number> = new Set([400, 422]);

/** Issues that speak of another request under the same id, which may be doing what this one asked for. */
const isAboutAnother = (issue: string) => issue.includes('REQUEST_ID') || issue.includes('IN_PROGRESS');

/** Whether PayPal refused a request by one of `statuses`, and no other request can be the reason. */
const isRefused = ({ status, body }: ApiResponse, statuses: ReadonlySet<number>) =>
  statuses.has(status) && !readIssues(body).some(isAboutAnother);

/** Cut to what PayPal takes, and never within a character; nothing when nothing is left. */
function truncate(text: string | null, maxLength: number): string | undefined {
  let truncated = '';
  for (const character of (text ?? '').trim()) {
    if (truncated.length + character.length > maxLength) break;
    truncated += character;
  }
  return truncated || undefined;
}

/**
 * What PayPal is asked to create. The same for the same attempt, however often: the second time under one request id
 * PayPal answers with the order that it has.
 */
function orderBody(request: AttemptRequest, connection: ProcessorConnection): object {
  const { attemptId, companyId, customer, amountMinor, currency } = request;
  const { connectionId } = connection;
  const locale = paypalLocaleOf(request.locale);
  const name = { given_name: truncate(customer.firstName, 140), surname: truncate(customer.lastName, 140) };
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: request.linkCode,
        custom_id: encodeCustomId({ attemptId, connectionId, companyId }),
        invoice_id: attemptId,
        description: truncate(request.description ?? request.customerOrderId, 127),
        amount: { currency_code: currency, value: toDecimalText(amountMinor, currency) },
      },
    ],
    payment_source: {
      paypal: {
        email_address: customer.email,
        ...(name.given_name || name.surname ? { name } : {}),
        experience_context: {
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          return_url: request.returnUrl,
          cancel_url: request.cancelUrl,
          ...(locale === null ? {} : { locale }),
          brand_name: truncate(request.merchantName, 127),
        },
      },
    },
  };
}

/** Reads the order of an attempt; `orderId` is the one that was asked for. Throws `ContradictionError` for any other. */
function readOwnOrder(
  account: PaypalAccount,
  request: OrderOwner,
  { body }: Pick<ApiResponse, 'body'>,
  orderId: string | null = null,
): PaypalOrder {
  const order = readOrder(body, account.apiUrl);
  requireOwnOrder(order, request, account.connection, orderId);
  return order;
}

async function create(
  account: PaypalAccount,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const { api, connection } = account;
  const json = orderBody(request, connection);
  const call = { method: 'POST', path: ordersPath, requestId: request.attemptId, json } as const;
  return await api.call(connection, call, signal);
}

/**
 * The order that a reference of ours names, or null when PayPal has none. It is the order's own id; where our books
 * learned of the money from PayPal's list, it is the id of the capture, which knows its order.
 */
export async function findOrder(
  account: PaypalAccount,
  request: OrderOwner,
  reference: string,
  signal: AbortSignal,
): Promise<PaypalOrder | null> {
  if (!isPaypalId(reference)) throw new Error('a reference that PayPal can never have given');
  const { api, connection } = account;
  const get = async (path: string) => {
    const response = await api.call(connection, { method: 'GET', path }, signal);
    if (response.status === 404) return null;
    if (response.status !== 200)
      throw unexpectedResponse('a question', response.status, readIssues(response.body));
    return response.body;
  };
  const body = await get(`${ordersPath}/${reference}`);
  if (body !== null) return readOwnOrder(account, request, { body }, reference);
  const capture = await get(`/v2/payments/captures/${reference}`);
  if (capture === null) return null;
  requireMatch('a capture of PayPal', { id: reference }, { id: readId(readFields(capture, 'capture')) });
  const orderId = findOrderId(capture);
  const ofCapture = orderId && (await get(`${ordersPath}/${orderId}`));
  return ofCapture ? readOwnOrder(account, request, { body: ofCapture }, orderId) : null;
}

/** The order that a capture belongs to: `supplementary_data.related_ids.order_id`. */
function findOrderId(capture: unknown): string | null {
  const data = readFields(capture, 'capture').supplementary_data;
  const ids = data && readFields(data, 'supplementary_data').related_ids;
  const orderId = ids ? findText(readFields(ids, 'related_ids'), 'order_id') : null;
  return orderId && isPaypalId(orderId) ? orderId : null;
}

/**
 * What it means that PayPal has no order. One that it refuses to make was never there. PayPal also forgets an order that
 * nobody paid; before that can be, one that is not there is a riddle, and no answer.
 */
function outcomeOfNoOrder(
  { clock }: PaypalAccount,
  { processorReference, expiresAt }: Pick<AttemptRequest, 'processorReference' | 'expiresAt'>,
): AttemptOutcome {
  if (processorReference === null || clock.now() >= expiresAt) return { kind: 'void' };
  throw new Error('PayPal does not know an order of which it told us');
}

export async function authorise(
  account: PaypalAccount,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  let response: ApiResponse;
  try {
    response = await create(account, request, signal);
  } catch (error) {
    // Without a token no order was asked for.
    if (error instanceof RequestNotSentError || error instanceof AccessTokenError)
      return { kind: 'unavailable', why: error.message };
    throw error;
  }
  if (response.status !== 200 && response.status !== 201) {
    const field = findFaultyField(response.body);
    const what = field ? `an order (${field})` : 'an order';
    const refused = unexpectedResponse(what, response.status, readIssues(response.body));
    const isOfRequest = isRefused(response, finalRefusals);
    if (isOfRequest || isRefused(response, refusals))
      return { kind: 'unavailable', why: refused.message, ...(isOfRequest ? { isOfRequest } : {}) };
    throw refused;
  }
  const outcome = outcomeOfOrder(readOwnOrder(account, request, response));
  // Asked once more, after the customer was there: `query` says what is to be done.
  return outcome.kind === 'approved' ? { kind: 'processing', reference: outcome.reference } : outcome;
}

/**
 * What became of an attempt. Where its reference is not known, PayPal is asked once more for the order under the same
 * request id: it answers 200 with the one that it has. By 201 it has only now made one, of which nobody knows the
 * address, so it had never heard of the attempt. Where it says 200 of a fresh one, the attempt waits until its time is
 * over, instead of ending at once: no money moves either way.
 */
export async function query(
  account: PaypalAccount,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome | ApprovedOutcome | null> {
  if (request.processorReference === null) {
    const response = await create(account, request, signal);
    if (response.status === 201 || isRefused(response, finalRefusals)) return null;
    if (response.status !== 200)
      throw unexpectedResponse('an order', response.status, readIssues(response.body));
    return outcomeOfOrder(readOwnOrder(account, request, response));
  }
  const order = await findOrder(account, request, request.processorReference, signal);
  return order ? outcomeOfOrder(order) : outcomeOfNoOrder(account, request);
}

/** What a refused capture means: a decline, something for the customer to do, or news that the order itself has. */
async function readRefusal(
  account: PaypalAccount,
  request: AttemptRequest,
  reference: string,
  response: ApiResponse,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const issues = readIssues(response.body);
  const code = declineOfIssues(issues);
  if (code) return { kind: 'declined', reference, code };
  if (issues.includes('PAYER_ACTION_REQUIRED')) {
    const url = findApprovalUrl(readFields(response.body, 'refusal').links, account.apiUrl);
    if (url) return { kind: 'requires_action', reference, url };
  }
  const outcome = await query(account, request, signal);
  if (outcome && outcome.kind !== 'approved') return outcome;
  throw unexpectedResponse('a capture', response.status, issues);
}

export async function capture(
  account: PaypalAccount,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { attemptId, processorReference } = request;
  const reference = processorReference ?? (await findOrCreate(account, request, signal))?.orderId;
  if (!reference || !isPaypalId(reference)) throw new Error('there is no order to capture');
  const { api, connection } = account;
  const path = `${ordersPath}/${reference}/capture`;
  const call = { method: 'POST', path, requestId: `${attemptId}:capture`, json: {} } as const;
  const response = await api.call(connection, call, signal);
  if (response.status === 404 || response.status === 422)
    return await readRefusal(account, request, reference, response, signal);
  if (response.status !== 200 && response.status !== 201)
    throw unexpectedResponse('a capture', response.status, readIssues(response.body));
  const outcome = outcomeOfOrder(readOwnOrder(account, request, response, reference));
  if (outcome.kind === 'approved') throw new Error('PayPal captured an order and shows no capture');
  return outcome;
}

/** The order of an attempt, known or begun here; null when PayPal has none, or refuses to make it. */
async function findOrCreate(
  account: PaypalAccount,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<PaypalOrder | null> {
  if (request.processorReference !== null)
    return await findOrder(account, request, request.processorReference, signal);
  const response = await create(account, request, signal);
  if (isRefused(response, finalRefusals)) return null;
  if (response.status !== 200 && response.status !== 201)
    throw unexpectedResponse('an order', response.status, readIssues(response.body));
  return readOwnOrder(account, request, response);
}

/**
 * Makes sure that an order takes no money. PayPal has no call that ends an order. What there is: only `capture` takes
 * money, and our books let nobody capture for an attempt that is void; and the intent of an order can be changed, after
 * which PayPal itself refuses to capture it, also for a request that is on its way. Where PayPal does not let it be
 * changed (it documents it for CREATED and APPROVED), the first of the two holds alone. An attempt that was never begun
 * is begun here, so that a late `authorise` finds this order and no fresh one.
 */
export async function cancel(
  account: PaypalAccount,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const order = await findOrCreate(account, request, signal);
  if (!order) return outcomeOfNoOrder(account, request);
  const outcome = outcomeOfOrder(order);
  if (outcome.kind !== 'requires_action' && outcome.kind !== 'approved') return outcome;
  const { api, connection } = account;
  const path = `${ordersPath}/${order.orderId}`;
  const json = [{ op: 'replace', path: '/intent', value: 'AUTHORIZE' }];
  const { status, body } = await api.call(connection, { method: 'PATCH', path, json }, signal);
  if (status !== 204 && status !== 400 && status !== 404 && status !== 422)
    throw unexpectedResponse('a change', status, readIssues(body));
  // Whatever it answers: a capture may have been on its way. The order itself says what holds.
  const known = { ...request, processorReference: order.orderId };
  const existing = await query(account, known, signal);
  return existing === null || existing.kind === 'requires_action' || existing.kind === 'approved'
    ? { kind: 'void' }
    : existing;
}
