// What a Checkout Session says about an attempt. Money counts as taken only when the payment intent says that it
// was received. A session of another attempt or mode, or in a state that can't be, throws.

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

/** What a response about a session has to be about, where that is known. */
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

/** The customer is sent there, so it has to be a page of the web; a fake's may stand where its API does. */
function readPageUrl({ apiUrl }: StripeAccount, fields: UntrustedFields): string | null {
  const text = readOptionalText(fields, 'url');
  if (text === null) return null;
  const url = URL.parse(text);
  const isOfFake = apiUrl !== null && url?.origin === new URL(apiUrl).origin;
  if (url?.protocol === 'https:' || isOfFake) return text;
  throw new Error('stripe: a session with a page that nobody can be sent to');
}

/** Whether an object belongs to the mode of the connection that it was asked about with. */
export function hasMode(account: StripeAccount, fields: UntrustedFields): boolean {
  return readFlag(fields, 'livemode') === (account.connection.mode === 'live');
}

/** The marks that a session and its payment intent share. */
function commonMetadata(fields: UntrustedFields) {
  const { companyId: company, connectionId, attemptId: attempt } = readMetadata(fields);
  return { live: readFlag(fields, 'livemode'), company, connection: connectionId, attempt };
}

/** Throws `ContradictionError` unless a session and its payment intent are those of the attempt. */
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
  // Its currency is that of the money which came: what was taken is an outcome, and compared by whoever asked.
  requireMatch(
    'a payment intent of Stripe',
    { ...expected, id: intentId ?? readText(intent, 'id') },
    { ...commonMetadata(intent), id: readText(intent, 'id'), amountMinor: readMinor(intent, 'amount') },
  );
}

/** Reads a session with its payment intent in full. Throws when it is not that of the attempt. */
export function readSession(
  account: StripeAccount,
  request: AttemptRequest,
  value: unknown,
  lookup: SessionLookup = {},
): CheckoutSession {
  const fields = readFields(value, 'checkout.session');
  if (fields.object !== 'checkout.session') throw new Error('stripe: an answer that is no session');
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

/** An attempt that came to its end without money: declined when a card was, void when nobody tried one. */
function endedOutcome(session: CheckoutSession): AttemptOutcome {
  const { intent } = session;
  if (!intent?.lastError) return { kind: 'void' };
  return { kind: 'declined', reference: intent.id, code: declineCodeOf(intent.lastError) };
}

/** Says what holds of an attempt by its session. */
export function sessionOutcome(session: CheckoutSession): AttemptOutcome {
  const { id, status, url, intent } = session;
  if (intent?.status === 'succeeded') {
    const { receivedMinor: amountMinor, currency } = intent;
    return { kind: 'succeeded', reference: intent.id, amountMinor, currency };
  }
  const isUnderWay = intent?.status === 'processing';
  // Also while a card is being decided: when it is declined, the customer is still there and may try another.
  if (status === 'open' && url !== null) return { kind: 'requires_action', reference: id, url };
  if (status === 'open' && isUnderWay) return { kind: 'processing', reference: id };
  // A session is complete before the money is there where the customer pays by a slow method.
  if (status === 'complete' && (isUnderWay || intent?.status === 'requires_action'))
    return { kind: 'processing', reference: id };
  const isOver = !intent || intent.status === 'requires_payment_method' || intent.status === 'canceled';
  if (status === 'complete' && intent && isOver) return endedOutcome(session);
  if (status === 'expired' && (isOver || intent?.status === 'requires_action')) return endedOutcome(session);
  throw new Error('stripe: a session in a state that says nothing');
}
