// Gives money back through Stripe. Its idempotency keys last a day and ours for ever, so a refund is looked for
// among those of its payment before it is asked for. What Stripe refuses is a value; it must never guess one.

import type { RefundOutcome, RefundRequest } from '../processor.ts';
import { type Account, ask, openApi, RefusedError } from './client.ts';
import {
  type Fields,
  markNames,
  readCurrency,
  readFields,
  readMarks,
  readMinor,
  readOptionalId,
  readOptionalText,
  readPage,
  readText,
} from './read.ts';

/** Refusals after which no money has moved and none will, by https://docs.stripe.com/error-codes. */
const finalRefusals = new Set([
  'amount_too_large',
  'charge_already_refunded',
  'charge_disputed',
  'charge_not_refundable',
  'payment_intent_unexpected_state',
  'refund_disputed_payment',
]);

/** The payment intent whose money goes back; an attempt may have been told by its session. */
async function readIntentId(
  account: Account,
  reference: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (/^pi_\w+$/.test(reference)) return reference;
  if (!/^cs_\w+$/.test(reference)) throw new Error('stripe: a reference that is none of Stripe');
  const { body } = await ask(openApi(account, signal).checkout.sessions.retrieve(reference), signal);
  return readOptionalId(readFields(body, 'checkout.session'), 'payment_intent');
}

async function findRefund(
  account: Account,
  intentId: string,
  refundId: string,
  signal: AbortSignal,
): Promise<Fields | null> {
  let place: { starting_after?: string } = {};
  for (;;) {
    const params = { payment_intent: intentId, limit: 100, ...place };
    const { body } = await ask(openApi(account, signal).refunds.list(params), signal);
    const { items, hasMore } = readPage(body);
    const found = items.find((item) => readMarks(item).refundId === refundId);
    if (found) return found;
    const last = items.at(-1);
    if (!hasMore || !last) return null;
    place = { starting_after: readText(last, 'id') };
  }
}

async function createRefund(
  account: Account,
  request: RefundRequest,
  intentId: string,
  signal: AbortSignal,
): Promise<Fields> {
  const { refundId, attemptId, companyId, amountMinor } = request;
  const params = {
    payment_intent: intentId,
    amount: amountMinor,
    metadata: {
      [markNames.companyId]: companyId,
      [markNames.connectionId]: account.connection.connectionId ?? '',
      [markNames.attemptId]: attemptId,
      [markNames.refundId]: refundId,
    },
  };
  const options = { idempotencyKey: refundId };
  const { body, isReplay } = await ask(openApi(account, signal).refunds.create(params, options), signal);
  const made = readFields(body, 'refund');
  if (!isReplay) return made;
  const fresh = await ask(openApi(account, signal).refunds.retrieve(readText(made, 'id')), signal);
  return readFields(fresh.body, 'refund');
}

function outcomeOf(refund: Fields, refundId: string): RefundOutcome {
  if (refund.object !== 'refund' || readMarks(refund).refundId !== refundId)
    throw new Error('stripe: an answer about another refund');
  const reference = readText(refund, 'id');
  const status = readText(refund, 'status');
  switch (status) {
    case 'succeeded':
      return {
        kind: 'succeeded',
        reference,
        amountMinor: readMinor(refund, 'amount'),
        currency: readCurrency(refund),
      };
    case 'pending':
    case 'requires_action':
      return { kind: 'processing', reference };
    case 'failed':
    case 'canceled':
      return { kind: 'failed', reference, code: readOptionalText(refund, 'failure_reason') ?? status };
    default:
      throw new Error('stripe: a refund in a state that says nothing');
  }
}

/** Why Stripe will not give the money back; null where it has not said so for good. */
function finalRefusalOf(error: unknown): string | null {
  if (!(error instanceof RefusedError) || error.type !== 'invalid_request_error') return null;
  if (error.code !== null && finalRefusals.has(error.code)) return error.code;
  // More than is left has no code of its own everywhere.
  return error.status === 400 && error.param === 'amount' ? 'amount_too_large' : null;
}

/** Gives money back once for a refund's id, however often it is asked to. */
export async function refund(
  account: Account,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { refundId, processorReference: reference } = request;
  try {
    const intentId = await readIntentId(account, reference, signal);
    if (intentId === null) return { kind: 'failed', reference, code: 'nothing_to_give_back' };
    const standing = await findRefund(account, intentId, refundId, signal);
    return outcomeOf(standing ?? (await createRefund(account, request, intentId, signal)), refundId);
  } catch (error) {
    const code = finalRefusalOf(error);
    if (code === null) throw error;
    return { kind: 'failed', reference, code };
  }
}
