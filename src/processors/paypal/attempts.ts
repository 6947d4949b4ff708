// An attempt at PayPal: an order that the customer approves and Paylink then captures. Creating an order
// moves no money, and PayPal takes none without a capture, so an order without a capture has no effect.

import { matchLocale } from '../../base/match-locale.ts';
import { type ApiResponse, RequestNotSentError } from '../call-api.ts';
import { requireMatch } from '../check-response.ts';
import type { ApprovedOutcome, AttemptOutcome, AttemptRequest, ProcessorConnection } from '../processor.ts';
import { AccessTokenError, type PaypalCall, type PaypalDeps, unexpectedResponse } from './api.ts';
import { encodeCustomId } from './custom-id.ts';
import { declineOfIssues } from './declines.ts';
import { findFaultyField, findText, isPaypalId, readFields, readId, readIssues, truncate } from './fields.ts';
import {
  findApprovalUrl,
  type OrderOwner,
  outcomeOfOrder,
  type PaypalOrder,
  readOrder,
  requireOwnOrder,
} from './order.ts';
import { orderAmount } from './order-items.ts';

/** A connection to PayPal, for one call of an adapter function, whose signal stops all requests. */
export type PaypalAccount = PaypalDeps & {
  connection: ProcessorConnection;
  call: (call: PaypalCall) => Promise<ApiResponse>;
};

/** By developer.paypal.com, "Locale codes", for REST APIs. The first of a language is its general form. */
export const paypalLocales: readonly string[] = (
  'en-US en-GB en-AU en-CA en-IE en-IN en-NZ en-ZA de-DE de-AT de-CH de-LU fr-FR fr-BE fr-CA fr-CH fr-LU ' +
  'es-ES es-AR es-CL es-CO es-MX es-PE es-UY es-VE nl-NL nl-BE it-IT it-CH pt-PT pt-BR ' +
  'da-DK no-NO sv-SE fi-FI pl-PL cs-CZ sk-SK hu-HU el-GR ru-RU tr-TR he-IL ar-EG ' +
  'ja-JP ko-KR th-TH id-ID zh-CN zh-HK zh-TW'
).split(' ');

const ordersPath = '/v2/checkout/orders';

/** Statuses of requests that PayPal refuses before it does anything. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 422, 429]);

/** Statuses of requests that PayPal refuses for their content, and would refuse again. */
const finalRefusals: ReadonlySet<number> = new Set([400, 422]);

/** Issues about another request with the same ID, which may be doing the same. */
const isAboutAnother = (issue: string) => issue.includes('REQUEST_ID') || issue.includes('IN_PROGRESS');

/** Whether PayPal refused a request with one of `statuses`, and not because of another request. */
const isRefused = ({ status, body }: ApiResponse, statuses: ReadonlySet<number>) =>
  statuses.has(status) && !readIssues(body).some(isAboutAnother);

/** The same for the same attempt: for a repeated request ID PayPal returns the existing order. */
function orderBody(request: AttemptRequest, connection: ProcessorConnection): object {
  const { attemptId, companyId, customer } = request;
  const { connectionId } = connection;
  // Without one, PayPal uses that of the customer's account.
  const locale = matchLocale(request.locale, paypalLocales);
  const name = { given_name: truncate(customer.firstName, 140), surname: truncate(customer.lastName, 140) };
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: request.linkCode,
        custom_id: encodeCustomId({ attemptId, connectionId, companyId }),
        invoice_id: attemptId,
        description: truncate(request.description ?? request.customerOrderId, 127),
        ...orderAmount(request),
        ...(request.statementDescriptor ? { soft_descriptor: request.statementDescriptor } : {}),
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

/** Parses the order of an attempt; `orderId` is the requested one. Throws `ResponseMismatchError` for any other. */
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

async function create(account: PaypalAccount, request: AttemptRequest): Promise<ApiResponse> {
  const json = orderBody(request, account.connection);
  return await account.call({ method: 'POST', path: ordersPath, requestId: request.attemptId, json });
}

/** Null when PayPal has none. The reference is an order's ID, or a capture's if PayPal's list showed the money. */
export async function findOrder(
  account: PaypalAccount,
  request: OrderOwner,
  reference: string,
): Promise<PaypalOrder | null> {
  if (!isPaypalId(reference)) throw new Error('the reference does not have the form of a PayPal ID');
  const get = async (path: string) => {
    const response = await account.call({ method: 'GET', path });
    if (response.status === 404) return null;
    if (response.status !== 200) throw unexpectedResponse('a query', response);
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

/** The order of a capture: `supplementary_data.related_ids.order_id`. */
function findOrderId(capture: unknown): string | null {
  const data = readFields(capture, 'capture').supplementary_data;
  const ids = data && readFields(data, 'supplementary_data').related_ids;
  const orderId = ids ? findText(readFields(ids, 'related_ids'), 'order_id') : null;
  return orderId && isPaypalId(orderId) ? orderId : null;
}

/** A refused order never existed, and PayPal forgets unpaid ones. Before that a missing order gives no outcome. */
function outcomeOfNoOrder(
  { clock }: PaypalAccount,
  { processorReference, expiresAt }: Pick<AttemptRequest, 'processorReference' | 'expiresAt'>,
): AttemptOutcome {
  if (processorReference === null || clock.now() >= expiresAt) return { kind: 'void' };
  throw new Error('PayPal does not know an order that it created');
}

export async function authorise(account: PaypalAccount, request: AttemptRequest): Promise<AttemptOutcome> {
  let response: ApiResponse;
  try {
    response = await create(account, request);
  } catch (error) {
    // Without a token no order was requested.
    if (error instanceof RequestNotSentError || error instanceof AccessTokenError)
      return { kind: 'unavailable', why: error.message };
    throw error;
  }
  if (response.status !== 200 && response.status !== 201) {
    const field = findFaultyField(response.body);
    const refused = unexpectedResponse(field ? `an order (${field})` : 'an order', response);
    const isOfRequest = isRefused(response, finalRefusals);
    if (isOfRequest || isRefused(response, refusals))
      return { kind: 'unavailable', why: refused.message, ...(isOfRequest ? { isOfRequest } : {}) };
    throw refused;
  }
  const outcome = outcomeOfOrder(readOwnOrder(account, request, response));
  // A repeated call after the customer approved: `query` says what to do.
  return outcome.kind === 'approved' ? { kind: 'processing', reference: outcome.reference } : outcome;
}

/**
 * The outcome of an attempt. If its reference is unknown, asks PayPal for the order again under the same
 * request ID: it responds 200 with an existing one. With 201 it has just created one whose address nobody
 * knows, so the attempt was unknown. If it responds 200 for a new one, the attempt waits until it expires
 * instead of ending at once. Either way no money moves.
 */
export async function query(
  account: PaypalAccount,
  request: AttemptRequest,
): Promise<AttemptOutcome | ApprovedOutcome | null> {
  if (request.processorReference === null) {
    const response = await create(account, request);
    if (response.status === 201 || isRefused(response, finalRefusals)) return null;
    if (response.status !== 200) throw unexpectedResponse('an order', response);
    return outcomeOfOrder(readOwnOrder(account, request, response));
  }
  const order = await findOrder(account, request, request.processorReference);
  return order ? outcomeOfOrder(order) : outcomeOfNoOrder(account, request);
}

/** The meaning of a refused capture: a decline, an action for the customer, or a change of the order. */
async function readRefusal(
  account: PaypalAccount,
  request: AttemptRequest,
  reference: string,
  response: ApiResponse,
): Promise<AttemptOutcome> {
  const issues = readIssues(response.body);
  const code = declineOfIssues(issues);
  if (code) return { kind: 'declined', reference, code };
  if (issues.includes('PAYER_ACTION_REQUIRED')) {
    const url = findApprovalUrl(readFields(response.body, 'refusal').links, account.apiUrl);
    if (url) return { kind: 'requires_action', reference, url };
  }
  const outcome = await query(account, request);
  if (outcome && outcome.kind !== 'approved') return outcome;
  throw unexpectedResponse('a capture', response);
}

export async function capture(account: PaypalAccount, request: AttemptRequest): Promise<AttemptOutcome> {
  const { attemptId, processorReference } = request;
  const reference = processorReference ?? (await findOrCreate(account, request))?.orderId;
  if (!reference || !isPaypalId(reference)) throw new Error('the attempt has no order to capture');
  const path = `${ordersPath}/${reference}/capture`;
  const response = await account.call({ method: 'POST', path, requestId: `${attemptId}:capture`, json: {} });
  if (response.status === 404 || response.status === 422)
    return await readRefusal(account, request, reference, response);
  if (response.status !== 200 && response.status !== 201) throw unexpectedResponse('a capture', response);
  const outcome = outcomeOfOrder(readOwnOrder(account, request, response, reference));
  if (outcome.kind === 'approved') throw new Error('PayPal captured an order but returned no capture');
  return outcome;
}

/** The order of an attempt, found or created; null when PayPal has none, or refuses to create it. */
async function findOrCreate(account: PaypalAccount, request: AttemptRequest): Promise<PaypalOrder | null> {
  if (request.processorReference !== null)
    return await findOrder(account, request, request.processorReference);
  const response = await create(account, request);
  if (isRefused(response, finalRefusals)) return null;
  if (response.status !== 200 && response.status !== 201) throw unexpectedResponse('an order', response);
  return readOwnOrder(account, request, response);
}

/**
 * Makes sure that an order takes no money. PayPal has no call that ends an order. Two things protect: only
 * `capture` takes money, and Paylink never captures a void attempt; and after a change of the order's intent
 * PayPal itself refuses to capture, even for a request under way. If PayPal does not allow the change
 * (documented for CREATED and APPROVED), only the first protects. An attempt that never began is created
 * here, so that a late `authorise` finds this order instead of creating one.
 */
export async function cancel(account: PaypalAccount, request: AttemptRequest): Promise<AttemptOutcome> {
  const order = await findOrCreate(account, request);
  if (!order) return outcomeOfNoOrder(account, request);
  const outcome = outcomeOfOrder(order);
  if (outcome.kind !== 'requires_action' && outcome.kind !== 'approved') return outcome;
  const path = `${ordersPath}/${order.orderId}`;
  const json = [{ op: 'replace', path: '/intent', value: 'AUTHORIZE' }];
  const response = await account.call({ method: 'PATCH', path, json });
  if (![204, 400, 404, 422].includes(response.status)) throw unexpectedResponse('a change', response);
  // Ignore the response: a capture may have been under way. Query the order itself.
  const known = { ...request, processorReference: order.orderId };
  const existing = await query(account, known);
  return existing === null || existing.kind === 'requires_action' || existing.kind === 'approved'
    ? { kind: 'void' }
    : existing;
}
