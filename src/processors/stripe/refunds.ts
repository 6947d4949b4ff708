// Refunds through Stripe. Stripe's idempotency keys last a day and ours forever, so a refund is searched
// among those of its payment before it is requested. A refusal by Stripe is a value. Must not: guess one.

import { RejectedRequestError, requireMatch } from '../check-response.ts';
import type { ProcessorRefundRequest, RefundOutcome } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { callStripe, fetchList, type StripeAccount, StripeRequestError } from './client.ts';
import {
  metadataKeys,
  readAmount,
  readFields,
  readFlag,
  readMetadata,
  readOptionalId,
  readOptionalText,
  readText,
} from './parse.ts';

/** Refusals after which no money has moved and none will, by https://docs.stripe.com/error-codes. */
const finalRefusals = new Set([
  'amount_too_large',
  'charge_already_refunded',
  'charge_disputed',
  'charge_not_refundable',
  'payment_intent_unexpected_state',
  'refund_disputed_payment',
]);

/** The payment intent to refund; an attempt's reference may be its session. */
export async function readIntentId(
  account: StripeAccount,
  reference: string,
  attempt: string,
): Promise<string | null> {
  if (/^pi_\w+$/.test(reference)) return reference;
  if (!/^cs_\w+$/.test(reference)) throw new Error('stripe: the reference has an unknown form');
  const { body } = await callStripe(account, (api) => api.checkout.sessions.retrieve(reference));
  const session = readFields(body, 'checkout.session');
  requireMatch(
    'a session of Stripe',
    { id: reference, live: account.connection.mode === 'live', attempt },
    {
      id: readText(session, 'id'),
      live: readFlag(session, 'livemode'),
      attempt: readOptionalText(session, 'client_reference_id'),
    },
  );
  return readOptionalId(session, 'payment_intent');
}

/** The refunds of a payment intent, whoever made them. */
export function refundsOf(account: StripeAccount, intentId: string): AsyncGenerator<UntrustedFields> {
  return fetchList(account, ({ refunds }, page) => refunds.list({ payment_intent: intentId, ...page }));
}

async function findRefund(
  account: StripeAccount,
  intentId: string,
  refundId: string,
): Promise<UntrustedFields | null> {
  for await (const item of refundsOf(account, intentId))
    if (readMetadata(item).refundId === refundId) return item;
  return null;
}

async function createRefund(
  account: StripeAccount,
  request: ProcessorRefundRequest,
  intentId: string,
): Promise<UntrustedFields> {
  const { refundId, attemptId, companyId, amountMinor } = request;
  const params = {
    payment_intent: intentId,
    amount: amountMinor,
    metadata: {
      [metadataKeys.companyId]: companyId,
      [metadataKeys.connectionId]: account.connection.connectionId ?? '',
      [metadataKeys.attemptId]: attemptId,
      [metadataKeys.refundId]: refundId,
    },
  };
  const options = { idempotencyKey: refundId };
  const { body, isReplay } = await callStripe(account, (api) => api.refunds.create(params, options));
  const created = readFields(body, 'refund');
  if (!isReplay) return created;
  const id = readText(created, 'id');
  const fresh = readFields((await callStripe(account, (api) => api.refunds.retrieve(id))).body, 'refund');
  requireMatch('a refund of Stripe', { id }, { id: readText(fresh, 'id') });
  return fresh;
}

/** Throws `ResponseMismatchError` unless a refund is the requested one. */
function requireOwnRefund(
  { connection }: StripeAccount,
  request: ProcessorRefundRequest,
  refund: UntrustedFields,
  intentId: string,
): void {
  const { companyId: company, attemptId: attempt, refundId, amountMinor, currency } = request;
  const metadata = readMetadata(refund);
  requireMatch(
    'a refund of Stripe',
    {
      ...{ company, connection: connection.connectionId, attempt, refund: refundId },
      ...{ intent: intentId, amountMinor, currency },
    },
    {
      ...{ company: metadata.companyId, connection: metadata.connectionId, attempt: metadata.attemptId },
      ...{ refund: metadata.refundId, intent: readOptionalId(refund, 'payment_intent') },
      ...readAmount(refund),
    },
  );
}

function outcomeOf(refund: UntrustedFields): RefundOutcome {
  const reference = readText(refund, 'id');
  const status = readText(refund, 'status');
  switch (status) {
    case 'succeeded':
      return { kind: 'succeeded', reference, ...readAmount(refund) };
    case 'pending':
    case 'requires_action':
      return { kind: 'processing', reference };
    case 'failed':
    case 'canceled':
      return { kind: 'failed', reference, code: readOptionalText(refund, 'failure_reason') ?? status };
    default:
      throw new Error('stripe: the refund has an unknown status');
  }
}

/** Named when Stripe refuses the refund itself: the amount exceeds the rest, or the payment cannot be refunded. */
const refusedParams = new Set(['amount', 'payment_intent', 'charge']);

/** Throws `RejectedRequestError` for a 400 about another parameter of ours: the request is malformed. */
function throwIfRejected(error: unknown): void {
  if (
    !(error instanceof StripeRequestError) ||
    error.status !== 400 ||
    error.type !== 'invalid_request_error'
  )
    return;
  if (error.param !== null && !refusedParams.has(error.param))
    throw new RejectedRequestError('a refund at Stripe', error.param);
}

/** Why Stripe finally refuses the refund; null without a final refusal. */
function finalRefusalOf(error: unknown): string | null {
  if (!(error instanceof StripeRequestError) || error.type !== 'invalid_request_error') return null;
  if (error.code !== null && finalRefusals.has(error.code)) return error.code;
  // An amount that exceeds the rest does not always have its own code.
  return error.status === 400 && error.param === 'amount' ? 'amount_too_large' : null;
}

/** Once per refund ID, however often it is called. */
export async function refund(
  account: StripeAccount,
  request: ProcessorRefundRequest,
): Promise<RefundOutcome> {
  const { refundId, attemptId, processorReference: reference } = request;
  let created: UntrustedFields;
  try {
    const intentId = await readIntentId(account, reference, attemptId);
    if (intentId === null) return { kind: 'failed', reference, code: 'nothing_to_give_back' };
    const existing = await findRefund(account, intentId, refundId);
    created = existing ?? (await createRefund(account, request, intentId));
    if (created.object !== 'refund') throw new Error('stripe: the response is not a refund');
    requireOwnRefund(account, request, created, intentId);
  } catch (error) {
    const code = finalRefusalOf(error);
    if (code !== null) return { kind: 'failed', reference, code };
    throwIfRejected(error);
    throw error;
  }
  return outcomeOf(created);
}
