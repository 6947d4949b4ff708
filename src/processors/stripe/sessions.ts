// Creates, queries and ends the one Checkout Session of an attempt. The attempt's ID is the idempotency key
// of its creation and the reference to find it. Must not: create a second session for an attempt.

import { RequestNotSentError } from '../call-api.ts';
import type { AttemptOutcome, AttemptRequest } from '../processor.ts';
import {
  callStripe,
  fetchList,
  type StripeAccount,
  StripeRequestError,
  StripeServerError,
} from './client.ts';
import { readListPage, readText } from './parse.ts';
import { type CheckoutSession, readSession, sessionOutcome } from './session-outcome.ts';
import { sessionEndsAt, sessionParams } from './session-params.ts';

/** The largest assumed clock difference to Stripe, and the largest delay of a request. */
const skewMs = 10 * 60_000;

const inFull = { expand: ['payment_intent'] };
const expandListIntent = { expand: ['data.payment_intent'], limit: 1 };

/** A created session; a replay shows it as it was at its creation. */
type CreatedSession = { session: CheckoutSession; isReplay: boolean };

/** Creates the session of an attempt, or returns the existing one of its key. */
async function createSession(account: StripeAccount, request: AttemptRequest): Promise<CreatedSession> {
  const params = sessionParams(account.connection, request);
  const options = { idempotencyKey: request.attemptId };
  const { body, isReplay } = await callStripe(account, (api) =>
    api.checkout.sessions.create({ ...params, ...inFull }, options),
  );
  return { session: readSession(account, request, body), isReplay };
}

async function retrieveSession(
  account: StripeAccount,
  request: AttemptRequest,
  sessionId: string,
): Promise<CheckoutSession> {
  const { body } = await callStripe(account, (api) => api.checkout.sessions.retrieve(sessionId, inFull));
  return readSession(account, request, body, { sessionId });
}

async function findByIntent(
  account: StripeAccount,
  request: AttemptRequest,
  intentId: string,
): Promise<CheckoutSession> {
  const params = { ...expandListIntent, payment_intent: intentId };
  const { body } = await callStripe(account, (api) => api.checkout.sessions.list(params));
  const [found] = readListPage(body).items;
  if (!found) throw new Error('stripe: the payment intent has no session');
  return readSession(account, request, found, { intentId });
}

async function refresh(
  account: StripeAccount,
  request: AttemptRequest,
  { session, isReplay }: CreatedSession,
): Promise<CheckoutSession> {
  return isReplay ? await retrieveSession(account, request, session.id) : session;
}

/** Around the time of the attempt: Stripe cannot search by `client_reference_id`. A later one is found by the key. */
async function searchSession(
  account: StripeAccount,
  request: AttemptRequest,
): Promise<CheckoutSession | null> {
  const created = {
    gte: Math.floor((request.createdAt.getTime() - skewMs) / 1000),
    lte: Math.ceil((request.createdAt.getTime() + skewMs) / 1000),
  };
  // Foreign sessions may have long metadata: without their payment intents a page is half as large.
  const sessions = fetchList(account, (api, page) => api.checkout.sessions.list({ created, ...page }));
  for await (const session of sessions)
    if (session.client_reference_id === request.attemptId)
      return await retrieveSession(account, request, readText(session, 'id'));
  return null;
}

async function findSession(account: StripeAccount, request: AttemptRequest): Promise<CheckoutSession | null> {
  const reference = request.processorReference;
  if (reference === null) return await searchSession(account, request);
  if (/^cs_\w+$/.test(reference)) return await retrieveSession(account, request, reference);
  if (/^pi_\w+$/.test(reference)) return await findByIntent(account, request, reference);
  throw new Error('stripe: the reference has an unknown form');
}

/** A session exists under the key, but with other parameters. */
const isKeyOfOther = (error: unknown) =>
  error instanceof StripeRequestError && error.type === 'idempotency_error' && error.status === 400;

/** Whether a request for a session was certainly not carried out, now or later. */
function isNotStarted(error: unknown): error is RequestNotSentError | StripeRequestError {
  if (error instanceof RequestNotSentError) return true;
  if (!(error instanceof StripeRequestError)) return false;
  // A key in use or a locked object means that another request is being carried out.
  return (
    [400, 401, 403, 404, 429].includes(error.status) &&
    error.type !== 'idempotency_error' &&
    error.code !== 'lock_timeout'
  );
}

/** Creates the session in which the customer pays. A repeated call returns the outcome of the same session. */
export async function authorise(account: StripeAccount, request: AttemptRequest): Promise<AttemptOutcome> {
  let createdSession: CreatedSession;
  try {
    createdSession = await createSession(account, request);
  } catch (error) {
    if (isNotStarted(error)) {
      const isOfRequest = error instanceof StripeRequestError && error.status === 400;
      return { kind: 'unavailable', why: error.message, ...(isOfRequest ? { isOfRequest } : {}) };
    }
    const existing = isKeyOfOther(error) ? await searchSession(account, request) : null;
    if (existing) return sessionOutcome(existing);
    throw error;
  }
  return sessionOutcome(await refresh(account, request, createdSession));
}

/** The outcome of an attempt; null when it has no session. */
export async function query(account: StripeAccount, request: AttemptRequest): Promise<AttemptOutcome | null> {
  const session = await findSession(account, request);
  return session && sessionOutcome(session);
}

/** Ends a session, unless it has expired or was paid meanwhile. Returns the outcome. */
async function endSession(
  account: StripeAccount,
  request: AttemptRequest,
  session: CheckoutSession,
): Promise<AttemptOutcome> {
  if (session.status !== 'open') return sessionOutcome(session);
  try {
    await callStripe(account, (api) => api.checkout.sessions.expire(session.id));
  } catch (error) {
    if (!(error instanceof StripeRequestError && error.status === 400)) throw error;
  }
  return sessionOutcome(await retrieveSession(account, request, session.id));
}

/** Uses up the key of an attempt without a session, so that a late request cannot create one that can be paid. */
async function consumeIdempotencyKey(
  account: StripeAccount,
  request: AttemptRequest,
): Promise<AttemptOutcome> {
  // Any request still under way asks for a session that would have expired by now.
  if (account.clock.now().getTime() > sessionEndsAt(request).getTime() + skewMs) return { kind: 'void' };
  let createdSession: CreatedSession;
  try {
    createdSession = await createSession(account, request);
  } catch (error) {
    // A late request is identical, so Stripe would refuse it too. Near the end of the attempt this is normal:
    // a session cannot be created for less than half an hour.
    const isRefused = error instanceof StripeRequestError && error.status === 400;
    if (isRefused && error.type === 'invalid_request_error') return { kind: 'void' };
    // Stripe repeats a stored failure for a day and creates no session under that key. One created before it is in the
    // list by now; otherwise nobody has its address. The next attempt has its own key.
    if (!(error instanceof StripeServerError && error.isReplay)) throw error;
    const existing = await searchSession(account, request);
    return existing ? await endSession(account, request, existing) : { kind: 'void' };
  }
  return await endSession(account, request, await refresh(account, request, createdSession));
}

/** Makes sure that an attempt cannot take money any more, unless it already has. Returns the outcome. */
export async function cancel(account: StripeAccount, request: AttemptRequest): Promise<AttemptOutcome> {
  const session = await findSession(account, request);
  if (session) return await endSession(account, request, session);
  return await consumeIdempotencyKey(account, request);
}
