// One attempt, one Checkout Session: begins it, asks about it, ends it. The attempt's id is the key under which it
// is made and the reference by which it is found. It must never make a second session for an attempt.

import { askInShorterPages, NothingSentError } from '../call-api.ts';
import type { AttemptRequest, Outcome } from '../processor.ts';
import { type Account, ask, FailedError, openApi, RefusedError } from './client.ts';
import { type Page, pageSizes, readPage, readText } from './read.ts';
import { outcomeOf, readSession, type Session } from './session-outcome.ts';
import { sessionEndsAt, sessionParams } from './session-params.ts';

/** How far Stripe's clock may stand from ours, and how late a request may come there. */
const skewMs = 10 * 60_000;

const inFull = { expand: ['payment_intent'] };
const pageInFull = { expand: ['data.payment_intent'], limit: 1 };

/** A session as the request for it was answered; a replay tells how it was when it was made. */
type Begun = { session: Session; isReplay: boolean };

/** Makes the session of an attempt, or gives the one that was made under its key. */
async function createSession(account: Account, request: AttemptRequest, signal: AbortSignal): Promise<Begun> {
  const params = sessionParams(account.connection, request);
  const options = { idempotencyKey: request.attemptId };
  const { body, isReplay } = await ask(
    openApi(account, signal).checkout.sessions.create({ ...params, ...inFull }, options),
    signal,
  );
  return { session: readSession(account, request, body), isReplay };
}

async function retrieveSession(
  account: Account,
  request: AttemptRequest,
  sessionId: string,
  signal: AbortSignal,
): Promise<Session> {
  const { body } = await ask(openApi(account, signal).checkout.sessions.retrieve(sessionId, inFull), signal);
  return readSession(account, request, body, { sessionId });
}

/** The session that a payment intent came from. */
async function findByIntent(
  account: Account,
  request: AttemptRequest,
  intentId: string,
  signal: AbortSignal,
): Promise<Session> {
  const params = { ...pageInFull, payment_intent: intentId };
  const { body } = await ask(openApi(account, signal).checkout.sessions.list(params), signal);
  const [found] = readPage(body).items;
  if (!found) throw new Error('stripe: a payment intent of no session');
  return readSession(account, request, found, { intentId });
}

/** A session as it is now. */
async function refresh(
  account: Account,
  request: AttemptRequest,
  { session, isReplay }: Begun,
  signal: AbortSignal,
): Promise<Session> {
  return isReplay ? await retrieveSession(account, request, session.id, signal) : session;
}

/**
 * Looks through the sessions that were made about when the attempt was: there is no asking for a
 * `client_reference_id`. One that was made later is found by whoever cancels the attempt, under its key.
 */
async function searchSession(
  account: Account,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Session | null> {
  const created = {
    gte: Math.floor((request.createdAt.getTime() - skewMs) / 1000),
    lte: Math.ceil((request.createdAt.getTime() + skewMs) / 1000),
  };
  let place: { starting_after?: string } = {};
  const { sessions } = openApi(account, signal).checkout;
  // Sessions of others may have long notes: without their payment intents a page is half as long.
  const askPage = async (limit: number): Promise<Page> =>
    readPage((await ask(sessions.list({ created, limit, ...place }), signal)).body);
  for (;;) {
    const { items, hasMore } = await askInShorterPages(pageSizes, askPage);
    const found = items.find((item) => item.client_reference_id === request.attemptId);
    if (found) return await retrieveSession(account, request, readText(found, 'id'), signal);
    const last = items.at(-1);
    if (!hasMore || !last) return null;
    place = { starting_after: readText(last, 'id') };
  }
}

async function findSession(
  account: Account,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Session | null> {
  const reference = request.processorReference;
  if (reference === null) return await searchSession(account, request, signal);
  if (/^cs_\w+$/.test(reference)) return await retrieveSession(account, request, reference, signal);
  if (/^pi_\w+$/.test(reference)) return await findByIntent(account, request, reference, signal);
  throw new Error('stripe: a reference that is none of Stripe');
}

/** A session exists under the key, though it was asked for with other parameters. */
const isKeyOfOther = (error: unknown) =>
  error instanceof RefusedError && error.type === 'idempotency_error' && error.status === 400;

/** Whether it is certain that a request for a session was not carried out, now or later. */
function isNeverBegun(error: unknown): error is NothingSentError | RefusedError {
  if (error instanceof NothingSentError) return true;
  if (!(error instanceof RefusedError)) return false;
  // A key that is in use, or an object that is locked, means that another request is being carried out.
  return (
    [400, 401, 403, 404, 429].includes(error.status) &&
    error.type !== 'idempotency_error' &&
    error.code !== 'lock_timeout'
  );
}

/** Begins the session in which the customer pays. Asked again, it says what holds of that same session. */
export async function authorise(
  account: Account,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  let begun: Begun;
  try {
    begun = await createSession(account, request, signal);
  } catch (error) {
    if (isNeverBegun(error)) {
      const isOfRequest = error instanceof RefusedError && error.status === 400;
      return { kind: 'unavailable', why: error.message, ...(isOfRequest ? { isOfRequest } : {}) };
    }
    const standing = isKeyOfOther(error) ? await searchSession(account, request, signal) : null;
    if (standing) return outcomeOf(standing);
    throw error;
  }
  return outcomeOf(await refresh(account, request, begun, signal));
}

/** What became of an attempt; null when there is no session of it. */
export async function query(
  account: Account,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const session = await findSession(account, request, signal);
  return session && outcomeOf(session);
}

/** Ends a session, unless it has ended meanwhile by itself or by being paid; says what holds. */
async function endSession(
  account: Account,
  request: AttemptRequest,
  session: Session,
  signal: AbortSignal,
): Promise<Outcome> {
  if (session.status !== 'open') return outcomeOf(session);
  try {
    await ask(openApi(account, signal).checkout.sessions.expire(session.id), signal);
  } catch (error) {
    if (!(error instanceof RefusedError && error.status === 400)) throw error;
  }
  return outcomeOf(await retrieveSession(account, request, session.id, signal));
}

/** Uses up the key of an attempt that has no session, so that a late request can't begin one that can be paid. */
async function useUpKey(account: Account, request: AttemptRequest, signal: AbortSignal): Promise<Outcome> {
  // Whatever is still under way asks for a session that would have ended by now.
  if (account.clock.now().getTime() > sessionEndsAt(request).getTime() + skewMs) return { kind: 'void' };
  let begun: Begun;
  try {
    begun = await createSession(account, request, signal);
  } catch (error) {
    // A late request asks for the very same, so what Stripe refuses here it refuses then. Near the end of the
    // attempt that is the rule: a session can't be made for less than half an hour.
    const isRefused = error instanceof RefusedError && error.status === 400;
    if (isRefused && error.type === 'invalid_request_error') return { kind: 'void' };
    // Stripe repeats a stored failure for a day, and makes no session under that key any more. One that it made before
    // it failed is in the list by now; of one that is not, nobody has the address, so nobody can pay there. The next
    // attempt has a key of its own.
    if (!(error instanceof FailedError && error.isReplay)) throw error;
    const standing = await searchSession(account, request, signal);
    return standing ? await endSession(account, request, standing, signal) : { kind: 'void' };
  }
  return await endSession(account, request, await refresh(account, request, begun, signal), signal);
}

/** Makes sure that an attempt can't take money any more, unless it already has; says what holds. */
export async function cancel(
  account: Account,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const session = await findSession(account, request, signal);
  if (session) return await endSession(account, request, session, signal);
  return await useUpKey(account, request, signal);
}
