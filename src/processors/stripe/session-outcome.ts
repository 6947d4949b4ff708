// The outcome of an attempt from its Checkout Session. Money counts as taken only when the payment intent
// reports it as received. A session of another attempt or mode, or in an impossible status, throws.

import { requireMatch } from '../check-response.ts';
import type { AttemptOutcome, AttemptRequest } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import type { StripeAccount } from './client.ts';
import { declineCodeOf } from './declines.ts';
import {
  readCurrency,
  readFields,
  readFlag,
  readMetadata,
  readMinor,
  readOptionalText,
  readText,
} from './parse.ts';

export type PaymentIntent = {
  id: string;
  status: string;
  receivedMinor: number;
  currency: string;
  lastError: UntrustedFields | null;
};

/** The expected subject of a response about a session, as far as known. */
export type SessionLookup = { sessionId?: string; intentId?: string };

export type CheckoutSession = {
  id: string;
  status: string;
  /** Null once nobody can pay there any more. */
  url: string | null;
  /** Null until the customer has tried to pay. */
  intent: PaymentIntent | null;
};

function readIntent(value: unknown): PaymentIntent {
  const fields = readFields(value, 'payment_intent');
  const lastError = fields.last_payment_error ?? null;
  return {
    id: readText(fields, 'id'),
    status: readText(fields, 'status'),
    receivedMinor: readMinor(fields, 'amount_received'),
    currency: readCurrency(fields),
    lastError: lastError === null ? null : readFields(lastError, 'last_payment_error'),
  };
}

/** The customer is sent there, so it must be a web page; a fake's may be at its API's address. */
function readPageUrl({ apiUrl }: StripeAccount, fields: UntrustedFields): string | null {
  const text = readOptionalText(fields, 'url');
  if (text === null) return null;
  const url = URL.parse(text);
  const isOfFake = apiUrl !== null && url?.origin === new URL(apiUrl).origin;
  if (url?.protocol === 'https:' || isOfFake) return text;
  throw new Error('stripe: the session has an unusable page address');
}

/** Whether an object has the mode of the connection. */
export function hasMode(account: StripeAccount, fields: UntrustedFields): boolean {
  return readFlag(fields, 'livemode') === (account.connection.mode === 'live');
}

function commonMetadata(fields: UntrustedFields) {
  const { companyId: company, connectionId, attemptId: attempt } = readMetadata(fields);
  return { live: readFlag(fields, 'livemode'), company, connection: connectionId, attempt };
}

/** Throws `ResponseMismatchError` unless a session and its payment intent belong to the attempt. */
function requireOwnSession(
  { connection }: StripeAccount,
  request: AttemptRequest,
  { session, intent }: { session: UntrustedFields; intent: UntrustedFields | null },
  { sessionId, intentId }: SessionLookup,
): void {
  const { companyId: company, attemptId: attempt, amountMinor } = request;
  const expected = {
    live: connection.mode === 'live',
    company,
    connection: connection.connectionId,
    attempt,
    amountMinor,
  };
  requireMatch(
    'a session of Stripe',
    { ...expected, id: sessionId ?? readText(session, 'id'), reference: attempt, currency: request.currency },
    {
      ...commonMetadata(session),
      id: readText(session, 'id'),
      reference: readOptionalText(session, 'client_reference_id'),
      amountMinor: readMinor(session, 'amount_total'),
      currency: readCurrency(session),
    },
  );
  if (!intent) return;
  // The currency of the received money is part of the outcome, which the caller compares.
  requireMatch(
    'a payment intent of Stripe',
    { ...expected, id: intentId ?? readText(intent, 'id') },
    { ...commonMetadata(intent), id: readText(intent, 'id'), amountMinor: readMinor(intent, 'amount') },
  );
}

/** Parses a session with its full payment intent. Throws when it does not belong to the attempt. */
export function readSession(
  account: StripeAccount,
  request: AttemptRequest,
  value: unknown,
  lookup: SessionLookup = {},
): CheckoutSession {
  const fields = readFields(value, 'checkout.session');
  if (fields.object !== 'checkout.session') throw new Error('stripe: the response is not a session');
  const intent = fields.payment_intent ?? null;
  const inFull = intent === null ? null : readFields(intent, 'payment_intent');
  requireOwnSession(account, request, { session: fields, intent: inFull }, lookup);
  return {
    id: readText(fields, 'id'),
    status: readText(fields, 'status'),
    url: readPageUrl(account, fields),
    intent: intent === null ? null : readIntent(intent),
  };
}

/** The outcome of an attempt that ended without money: declined if a card was, void if nobody tried one. */
function endedOutcome(session: CheckoutSession): AttemptOutcome {
  const { intent } = session;
  if (!intent?.lastError) return { kind: 'void' };
  return { kind: 'declined', reference: intent.id, code: declineCodeOf(intent.lastError) };
}

export function sessionOutcome(session: CheckoutSession): AttemptOutcome {
  const { id, status, url, intent } = session;
  if (intent?.status === 'succeeded') {
    const { receivedMinor: amountMinor, currency } = intent;
    return { kind: 'succeeded', reference: intent.id, amountMinor, currency };
  }
  const isUnderWay = intent?.status === 'processing';
  // Also while a card is being processed: if it is declined, the customer is still there and may try another.
  if (status === 'open' && url !== null) return { kind: 'requires_action', reference: id, url };
  if (status === 'open' && isUnderWay) return { kind: 'processing', reference: id };
  // With a slow method a session is complete before the money arrives.
  if (status === 'complete' && (isUnderWay || intent?.status === 'requires_action'))
    return { kind: 'processing', reference: id };
  const isOver = !intent || intent.status === 'requires_payment_method' || intent.status === 'canceled';
  if (status === 'complete' && intent && isOver) return endedOutcome(session);
  if (status === 'expired' && (isOver || intent?.status === 'requires_action')) return endedOutcome(session);
  throw new Error('stripe: the session has an unknown status');
}
