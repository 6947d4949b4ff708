// Calls to Stripe's API through the official package, held to our rules: bounded answers, no redirects, no tries
// of its own, the caller's signal. It must never let a key, a body or Stripe's own words into an error.

import type Stripe from 'stripe';
import type { Clock } from '../../base/clock.ts';
import { type ApiCall, callApi, NoResponseError, RequestNotSentError } from '../call-api.ts';
import type { ProcessorConnection } from '../processor.ts';
import { stripePackage } from './load-package.ts';

/** `apiUrl` is null for Stripe itself. */
export type StripeDeps = { apiUrl: string | null; clock: Clock };

/** An account at Stripe, and all that is needed to ask about it. */
export type StripeAccount = StripeDeps & { connection: ProcessorConnection };

/** The version that answers are read by: the one that the package's types are of. */
export const apiVersion = '2026-10-28.endive';

/** Stripe understood a request, and carried nothing of it out. */
export class StripeRequestError extends Error {
  override name = 'StripeRequestError';
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;

  constructor(details: { status: number; type: string; code: string | null; param: string | null }) {
    super(
      `stripe: refused with ${details.status} (${details.code ?? details.type}${details.param ? `, ${details.param}` : ''})`,
    );
    this.status = details.status;
    this.type = details.type;
    this.code = details.code;
    this.param = details.param;
  }
}

/**
 * Stripe failed while it carried a request out, so nobody knows what it did. `isReplay`: this is the response that it
 * has stored for the key, so the request has ended, and no other is carried out under that key.
 */
export class StripeServerError extends Error {
  override name = 'StripeServerError';
  readonly isReplay: boolean;

  constructor(status: number, isReplay: boolean) {
    super(`stripe: failed with status ${status}${isReplay ? ', by its stored response' : ''}`);
    this.isReplay = isReplay;
  }
}

/** Headers of an answer that something is done about. All others are dropped: the package prints one of them. */
const forwardedHeaders = ['request-id', 'idempotent-replayed'];

/** A `fetch` for the package that goes the way of every call to a processor. */
function fetchWith(signal: AbortSignal): typeof fetch {
  return async (target, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    delete headers['content-length'];
    const text = typeof init?.body === 'string' ? init.body : '';
    const call: ApiCall = {
      method: init?.method as ApiCall['method'],
      url: String(target),
      headers,
      ...(text === '' ? {} : { body: { form: Object.fromEntries(new URLSearchParams(text)) } }),
    };
    const response = await callApi(call, signal);
    // The package takes whatever is JSON for an object; of anything else it would throw where nobody can catch it.
    if (typeof response.body !== 'object' || response.body === null)
      throw new NoResponseError(`an answer with status ${response.status} that is no object`);
    const forwarded = forwardedHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return new Response(JSON.stringify(response.body), {
      status: response.status,
      headers: Object.fromEntries(forwarded),
    });
  };
}

function addressOf(apiUrl: string | null): Stripe.StripeConfig {
  if (apiUrl === null) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? 80 : 443) };
}

/** Stripe's API for an account, for one question; all of it stops when the signal fires. */
export function createStripeClient({ apiUrl, connection }: StripeAccount, signal: AbortSignal): Stripe {
  const Api = stripePackage();
  return new Api(connection.credentials.secretKey ?? '', {
    apiVersion,
    maxNetworkRetries: 0,
    // Without it the package would also write an id of this machine into the home folder.
    telemetry: false,
    httpClient: Api.createFetchHttpClient(fetchWith(signal)),
    ...addressOf(apiUrl),
  });
}

const loggableCodePattern = /^[a-z0-9_[\]]{1,100}$/;
const wordOf = (value: unknown) =>
  typeof value === 'string' && loggableCodePattern.test(value) ? value : null;

/** The types of errors that mean that a request was not carried out; `api_error` means that nobody knows. */
const requestErrorTypes = new Set([
  'invalid_request_error',
  'idempotency_error',
  'card_error',
  'rate_limit_error',
]);

const isReplayed = (headers: Record<string, string> | undefined) =>
  new Headers(headers).get('idempotent-replayed') === 'true';

/** What a failed call comes to, in words that may be logged. */
function failureOf(error: unknown): Error {
  if (!(error instanceof stripePackage().errors.StripeError))
    return new Error('stripe: no answer that can be read');
  const detail: unknown = error.detail;
  if (detail instanceof RequestNotSentError || detail instanceof NoResponseError) return detail;
  const status = error.statusCode ?? 0;
  const type = wordOf(error.rawType);
  if (type !== null && requestErrorTypes.has(type) && status >= 400 && status < 500)
    return new StripeRequestError({ status, type, code: wordOf(error.code), param: wordOf(error.param) });
  if (status >= 500) return new StripeServerError(status, isReplayed(error.headers));
  return new Error(`stripe: an answer that says nothing (${error.type}, status ${status})`);
}

export type StripeResponse = {
  /** Not checked in any way. */
  body: unknown;
  /** Whether it is the answer to an earlier request under the same key, as it was then. */
  isReplay: boolean;
};

/**
 * Waits for the answer to a call. Throws a `RefusedError` when Stripe refused it, a `NothingSentError` when it was
 * never sent, the signal's reason when that fired; any other error means that nobody knows.
 */
export async function awaitResponse(
  call: Promise<Stripe.Response<object>>,
  signal: AbortSignal,
): Promise<StripeResponse> {
  try {
    const body = await call;
    const { statusCode, headers } = body.lastResponse;
    // The package takes for an answer whatever holds no error.
    if (statusCode !== 200) throw new Error('unexpected status');
    return { body, isReplay: isReplayed(headers) };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}
