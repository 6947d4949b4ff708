// Calls to Stripe's API through the official package, under our rules: bounded responses, no redirects, no
// retries by the package. Must not: let a key, a body or Stripe's error texts into an error.

import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import type { Clock } from '../../base/clock.ts';
import {
  type ApiCall,
  callApi,
  fetchWithSmallerPages,
  NoResponseError,
  RequestNotSentError,
} from '../call-api.ts';
import type { ProcessorConnection } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { pageSizes, readListPage, readText, type StripeListPage } from './parse.ts';

/** `apiUrl` is null for Stripe itself. */
export type StripeDeps = { apiUrl: string | null; clock: Clock };

/** An account at Stripe, for one call of an adapter function; the signal stops all its requests. */
export type StripeAccount = StripeDeps & { connection: ProcessorConnection; signal: AbortSignal };

let loadedPackage: typeof Stripe | null = null;

/** Loaded on first use: most services never call Stripe. Synchronously, because signatures are verified so. */
export function stripePackage(): typeof Stripe {
  loadedPackage ??= createRequire(import.meta.url)('stripe') as typeof Stripe;
  return loadedPackage;
}

/** The API version of responses: that of the package's types. */
export const apiVersion = '2026-10-28.endive';

/** Stripe understood a request, and carried out none of it. */
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

/** The outcome is unknown. `isReplay`: the stored response for the key: the request has ended, and none follows. */
export class StripeServerError extends Error {
  override name = 'StripeServerError';
  readonly isReplay: boolean;

  constructor(status: number, isReplay: boolean) {
    super(`stripe: failed with status ${status}${isReplay ? ', by its stored response' : ''}`);
    this.isReplay = isReplay;
  }
}

/** The response headers that are used. All others are dropped: the package prints one of them. */
const forwardedHeaders = ['request-id', 'idempotent-replayed'];

/** A `fetch` for the package that uses the same path as every call to a processor. */
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
    // The package treats any JSON as an object; for other values it would throw where nobody can catch it.
    if (typeof response.body !== 'object' || response.body === null)
      throw new NoResponseError(`the response with status ${response.status} is not a JSON object`);
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

function createStripeClient({ apiUrl, connection, signal }: StripeAccount): Stripe {
  const Api = stripePackage();
  return new Api(connection.credentials.secretKey ?? '', {
    apiVersion,
    maxNetworkRetries: 0,
    // Otherwise the package would also write an ID of this machine into the home folder.
    telemetry: false,
    httpClient: Api.createFetchHttpClient(fetchWith(signal)),
    ...addressOf(apiUrl),
  });
}

const loggableCodePattern = /^[a-z0-9_[\]]{1,100}$/;
const wordOf = (value: unknown) =>
  typeof value === 'string' && loggableCodePattern.test(value) ? value : null;

/** The error types of requests that were not carried out; after `api_error` the outcome is unknown. */
const requestErrorTypes = new Set([
  'invalid_request_error',
  'idempotency_error',
  'card_error',
  'rate_limit_error',
]);

const isReplayed = (headers: Record<string, string> | undefined) =>
  new Headers(headers).get('idempotent-replayed') === 'true';

/** The error for a failed call, with a text that may be logged. */
function failureOf(error: unknown): Error {
  if (!(error instanceof stripePackage().errors.StripeError))
    return new Error('stripe: the response is not readable');
  const detail: unknown = error.detail;
  if (detail instanceof RequestNotSentError || detail instanceof NoResponseError) return detail;
  const status = error.statusCode ?? 0;
  const type = wordOf(error.rawType);
  if (type !== null && requestErrorTypes.has(type) && status >= 400 && status < 500)
    return new StripeRequestError({ status, type, code: wordOf(error.code), param: wordOf(error.param) });
  if (status >= 500) return new StripeServerError(status, isReplayed(error.headers));
  return new Error(`stripe: unexpected response (${error.type}, status ${status})`);
}

export type StripeResponse = {
  /** Not checked in any way. */
  body: unknown;
  /** Whether it is the stored response to an earlier request with the same key. */
  isReplay: boolean;
};

type Send = (api: Stripe) => Promise<Stripe.Response<object>>;

/** Throws `StripeRequestError`, `RequestNotSentError`, the signal's reason; after others the outcome is unknown. */
export async function callStripe(account: StripeAccount, send: Send): Promise<StripeResponse> {
  const call = send(createStripeClient(account));
  try {
    const body = await call;
    const { statusCode, headers } = body.lastResponse;
    // The package accepts any response without an error.
    if (statusCode !== 200) throw new Error('unexpected status');
    return { body, isReplay: isReplayed(headers) };
  } catch (error) {
    account.signal.throwIfAborted();
    throw failureOf(error);
  }
}

type SendList = (
  api: Stripe,
  page: { limit: number; starting_after?: string },
) => Promise<Stripe.Response<object>>;

export async function fetchListPage(
  account: StripeAccount,
  send: SendList,
  after: string | null,
): Promise<StripeListPage> {
  const start = after === null ? {} : { starting_after: after };
  return await fetchWithSmallerPages(pageSizes, async (limit) =>
    readListPage((await callStripe(account, (api) => send(api, { limit, ...start }))).body),
  );
}

export async function* fetchList(account: StripeAccount, send: SendList): AsyncGenerator<UntrustedFields> {
  let after: string | null = null;
  do {
    const { items, hasMore }: StripeListPage = await fetchListPage(account, send, after);
    yield* items;
    const last = items.at(-1);
    after = hasMore && last ? readText(last, 'id') : null;
  } while (after !== null);
}
