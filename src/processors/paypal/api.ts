// Calls to PayPal's REST API: which host, and the access token that every call needs. A token lives in the memory of
// this process only. It must never reach a log, an error or an answer, and neither may the client's secret.

import { createHash } from 'node:crypto';
import { waitUntilAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type ApiAnswer, type ApiCall, callApi, NoAnswerError } from '../call-api.ts';
import type { Connection, Mode } from '../processor.ts';
import { readFields, readText } from './fields.ts';

/** PayPal's two environments (developer.paypal.com, "API requests"). */
const hosts: Readonly<Record<Mode, string>> = {
  test: 'https://api-m.sandbox.paypal.com',
  live: 'https://api-m.paypal.com',
};

/** A token is not used in the last of its life, so that it doesn't end on the way. */
const tokenMarginMs = 60 * 1000;

/** How long a token is waited for, whoever wants it and however long they have. */
const tokenTimeoutMs = 5 * 1000;

export type PaypalDeps = {
  /** Where a PayPal for tests is, its live environment below at `/live`; null for PayPal itself. */
  apiUrl: string | null;
  clock: Clock;
};

/** PayPal gave no token, so nothing that needs one was asked. */
export class NoTokenError extends Error {
  override name = 'NoTokenError';
  /** Whether PayPal refused the client's id and secret, rather than give no answer. */
  readonly isRefused: boolean;
  constructor(message: string, options: { isRefused: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isRefused = options.isRefused;
  }
}

export type Call = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** PayPal does what is asked under one of these at most once, as long as it remembers it. */
  requestId?: string;
  json?: unknown;
};

type Token = { text: string; appId: string | null; endsAt: Date };

export type PaypalApi = {
  /** Throws `NoTokenError` when the call was not even made, else what `callApi` throws. */
  call(connection: Connection, call: Call, signal: AbortSignal): Promise<ApiAnswer>;
  /** Asks for a fresh token, and tells the app that it belongs to. Throws `NoTokenError`. */
  authenticate(connection: Connection, signal: AbortSignal): Promise<{ appId: string | null }>;
};

function hostOf({ apiUrl }: PaypalDeps, mode: Mode): string {
  if (apiUrl === null) return hosts[mode];
  return mode === 'live' ? `${apiUrl}/live` : apiUrl;
}

function credentialOf(connection: Connection, name: string): string {
  const value = connection.credentials[name];
  if (!value) throw new Error(`a connection to PayPal has no ${name}`);
  return value;
}

function readToken(answer: ApiAnswer, now: Date): Token {
  if (answer.status === 401 || answer.status === 400)
    throw new NoTokenError('PayPal refused the client id and secret', { isRefused: true });
  if (answer.status !== 200)
    throw new NoTokenError(`PayPal gave no token, but status ${answer.status}`, { isRefused: false });
  const fields = readFields(answer.body, 'token');
  const { expires_in: lifeSeconds, app_id: appId } = fields;
  if (typeof lifeSeconds !== 'number' || !(lifeSeconds > 0)) throw new Error('PayPal sent no expires_in');
  return {
    text: readText(fields, 'access_token'),
    appId: typeof appId === 'string' && /^[\w-]{1,64}$/.test(appId) ? appId : null,
    endsAt: new Date(now.getTime() + lifeSeconds * 1000),
  };
}

async function fetchToken(deps: PaypalDeps, connection: Connection, signal: AbortSignal): Promise<Token> {
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
    if (error instanceof NoTokenError) throw error;
    throw new NoTokenError('PayPal gave no token', { isRefused: false, cause: error });
  }
}

/** A token to use now; `drop` forgets it, unless another one stands in its place by then. */
type Lent = { token: Token; drop: () => void };

/** Tokens by the credentials that they were given for, so that new credentials never meet an old token. */
function createTokens(deps: PaypalDeps) {
  const tokens = new Map<string, Promise<Token>>();
  const keyOf = ({ mode, credentials }: Connection) =>
    createHash('sha256')
      .update(JSON.stringify([mode, credentials.clientId, credentials.clientSecret]))
      .digest('hex');
  const dropper = (key: string, fetched: Promise<Token>) => () => {
    if (tokens.get(key) === fetched) tokens.delete(key);
  };
  const begin = (key: string, connection: Connection): Promise<Token> => {
    const fetched = fetchToken(deps, connection, AbortSignal.timeout(tokenTimeoutMs));
    tokens.set(key, fetched);
    fetched.catch(dropper(key, fetched));
    return fetched;
  };
  const isFresh = ({ endsAt }: Token) => endsAt.getTime() - tokenMarginMs > deps.clock.now().getTime();

  return {
    lend: async (connection: Connection, signal: AbortSignal): Promise<Lent> => {
      const key = keyOf(connection);
      const standing = tokens.get(key);
      if (standing) {
        const lent = { token: await waitUntilAborted(standing, signal), drop: dropper(key, standing) };
        if (isFresh(lent.token)) return lent;
        lent.drop();
      }
      const fetched = tokens.get(key) ?? begin(key, connection);
      return { token: await waitUntilAborted(fetched, signal), drop: dropper(key, fetched) };
    },
    keep: (connection: Connection, token: Token): void => {
      tokens.set(keyOf(connection), Promise.resolve(token));
    },
  };
}

export function createApi(deps: PaypalDeps): PaypalApi {
  const tokens = createTokens(deps);
  const send = async (connection: Connection, call: Call, token: Token, signal: AbortSignal) =>
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
      const answer = await send(connection, call, token, signal);
      if (answer.status !== 401) return answer;
      // PayPal may end a token early. It has done nothing then, and the request id is the same the second time.
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

/** What to throw for an answer that nothing is known to do with: whoever asked does not know what happened. */
export function unexpected(what: string, status: number, issues: readonly string[]): NoAnswerError {
  const named = issues.filter((issue) => /^[A-Z0-9_]{1,80}$/.test(issue));
  return new NoAnswerError(`PayPal answered ${what} with status ${status} ${named.join(' ')}`.trim());
}
