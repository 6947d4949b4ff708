// Calls to PayPal's REST API: its hosts, and the access token for every call. Tokens are in memory only. Must
// not: let a token or the client's secret into a log, an error or a response.

import { createHash } from 'node:crypto';
import { raceWithAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type ApiCall, type ApiResponse, callApi, NoResponseError } from '../call-api.ts';
import type { Mode, ProcessorConnection } from '../processor.ts';
import { readFields, readIssues, readText } from './fields.ts';

/** PayPal's two environments (developer.paypal.com, "API requests"). */
const hosts: Readonly<Record<Mode, string>> = {
  test: 'https://api-m.sandbox.paypal.com',
  live: 'https://api-m.paypal.com',
};

/** A token is not used near its end, so that it does not expire during a call. */
const tokenMarginMs = 60 * 1000;

/** How long to wait for a token, whatever the caller's own limit. */
const tokenTimeoutMs = 5 * 1000;

export type PaypalDeps = {
  /** The address of a PayPal for tests, with its live environment at `/live`; null for PayPal itself. */
  apiUrl: string | null;
  clock: Clock;
};

/** PayPal returned no token, so the actual call was not made. */
export class AccessTokenError extends Error {
  override name = 'AccessTokenError';
  /** Whether PayPal refused the client's ID and secret, as opposed to not responding. */
  readonly isRefused: boolean;
  constructor(message: string, options: { isRefused: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isRefused = options.isRefused;
  }
}

export type PaypalCall = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** PayPal carries out a request ID at most once, as long as it remembers it. */
  requestId?: string;
  json?: unknown;
};

type AccessToken = { text: string; appId: string | null; endsAt: Date };

export type PaypalApi = {
  /** Throws `AccessTokenError` when the call was not made, else what `callApi` throws. */
  call(connection: ProcessorConnection, call: PaypalCall, signal: AbortSignal): Promise<ApiResponse>;
  /** Requests a new token and returns its app. Throws `AccessTokenError`. */
  authenticate(connection: ProcessorConnection, signal: AbortSignal): Promise<{ appId: string | null }>;
};

function hostOf({ apiUrl }: PaypalDeps, mode: Mode): string {
  if (apiUrl === null) return hosts[mode];
  return mode === 'live' ? `${apiUrl}/live` : apiUrl;
}

function credentialOf(connection: ProcessorConnection, name: string): string {
  const value = connection.credentials[name];
  if (!value) throw new Error(`the connection to PayPal has no ${name}`);
  return value;
}

function readToken(response: ApiResponse, now: Date): AccessToken {
  if (response.status === 401 || response.status === 400)
    throw new AccessTokenError('PayPal rejected the client ID and secret', { isRefused: true });
  if (response.status !== 200)
    throw new AccessTokenError(`PayPal returned no token, but status ${response.status}`, {
      isRefused: false,
    });
  const fields = readFields(response.body, 'token');
  const { expires_in: lifeSeconds, app_id: appId } = fields;
  if (typeof lifeSeconds !== 'number' || !(lifeSeconds > 0)) throw new Error('PayPal sent no expires_in');
  return {
    text: readText(fields, 'access_token'),
    appId: typeof appId === 'string' && /^[\w-]{1,64}$/.test(appId) ? appId : null,
    endsAt: new Date(now.getTime() + lifeSeconds * 1000),
  };
}

async function fetchToken(
  deps: PaypalDeps,
  connection: ProcessorConnection,
  signal: AbortSignal,
): Promise<AccessToken> {
  const pair = `${credentialOf(connection, 'clientId')}:${credentialOf(connection, 'clientSecret')}`;
  const call: ApiCall = {
    method: 'POST',
    url: `${hostOf(deps, connection.mode)}/v1/oauth2/token`,
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: { form: { grant_type: 'client_credentials' } },
  };
  const now = deps.clock.now();
  try {
    return readToken(await callApi(call, signal), now);
  } catch (error) {
    if (error instanceof AccessTokenError) throw error;
    throw new AccessTokenError('PayPal returned no token', { isRefused: false, cause: error });
  }
}

/** A token to use now; `drop` removes it from the cache unless another one has replaced it. */
type TokenLease = { token: AccessToken; drop: () => void };

/** Tokens by their credentials, so that new credentials never get an old token. */
function createTokens(deps: PaypalDeps) {
  const tokens = new Map<string, Promise<AccessToken>>();
  const keyOf = ({ mode, credentials }: ProcessorConnection) =>
    createHash('sha256')
      .update(JSON.stringify([mode, credentials.clientId, credentials.clientSecret]))
      .digest('hex');
  const dropper = (key: string, fetched: Promise<AccessToken>) => () => {
    if (tokens.get(key) === fetched) tokens.delete(key);
  };
  const begin = (key: string, connection: ProcessorConnection): Promise<AccessToken> => {
    const fetched = fetchToken(deps, connection, AbortSignal.timeout(tokenTimeoutMs));
    tokens.set(key, fetched);
    fetched.catch(dropper(key, fetched));
    return fetched;
  };
  const isFresh = ({ endsAt: expiresAt }: AccessToken) =>
    expiresAt.getTime() - tokenMarginMs > deps.clock.now().getTime();

  return {
    lend: async (connection: ProcessorConnection, signal: AbortSignal): Promise<TokenLease> => {
      const key = keyOf(connection);
      const existing = tokens.get(key);
      if (existing) {
        const lease = { token: await raceWithAbort(existing, signal), drop: dropper(key, existing) };
        if (isFresh(lease.token)) return lease;
        lease.drop();
      }
      const fetched = tokens.get(key) ?? begin(key, connection);
      return { token: await raceWithAbort(fetched, signal), drop: dropper(key, fetched) };
    },
    keep: (connection: ProcessorConnection, token: AccessToken): void => {
      tokens.set(keyOf(connection), Promise.resolve(token));
    },
  };
}

export function createPaypalApi(deps: PaypalDeps): PaypalApi {
  const tokens = createTokens(deps);
  const send = async (
    connection: ProcessorConnection,
    call: PaypalCall,
    token: AccessToken,
    signal: AbortSignal,
  ) =>
    await callApi(
      {
        method: call.method,
        url: hostOf(deps, connection.mode) + call.path,
        headers: {
          authorization: `Bearer ${token.text}`,
          prefer: 'return=representation',
          ...(call.requestId ? { 'paypal-request-id': call.requestId } : {}),
        },
        ...(call.json === undefined ? {} : { body: { json: call.json } }),
      },
      signal,
    );
  return {
    call: async (connection, call, signal) => {
      const { token, drop } = await tokens.lend(connection, signal);
      const response = await send(connection, call, token, signal);
      if (response.status !== 401) return response;
      // PayPal may end a token early. It has done nothing then, and the retry has the same request ID.
      drop();
      return await send(connection, call, (await tokens.lend(connection, signal)).token, signal);
    },
    authenticate: async (connection, signal) => {
      const token = await fetchToken(deps, connection, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      tokens.keep(connection, token);
      return { appId: token.appId };
    },
  };
}

/** The error for an unexpected response: the outcome is unknown. */
export function unexpectedResponse(
  what: string,
  { status, body }: Pick<ApiResponse, 'status' | 'body'>,
): NoResponseError {
  const issues = readIssues(body).filter((issue) => /^[A-Z0-9_]{1,80}$/.test(issue));
  return new NoResponseError(`${what}: PayPal responded with status ${status} ${issues.join(' ')}`.trim());
}
