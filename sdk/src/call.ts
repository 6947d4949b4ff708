// Performs an operation of the API: address, headers, body, credentials, and one new login after they were
// refused. All calls go through this file.

import { routes } from './api-routes.ts';
import type { FileBody, Operations } from './api-types.ts';
import { withCallerStack } from './caller-stack.ts';
import { PaylinkApiError, PaylinkError } from './errors.ts';
import { checkOptions, companyOfServiceKey, readBaseUrl } from './options.ts';
import {
  type CallCredentials,
  type Credentials,
  type Login,
  renewingSessions,
  type Sessions,
  staticCredentials,
} from './sessions.ts';
import {
  type Fetch,
  type HttpRequest,
  type HttpResponse,
  type RequestLimits,
  send,
  withDeadline,
} from './transport.ts';

export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Operations[Id]['input'];
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** The version of the API whose types this client has. Every call asks for it. */
export const apiVersion = '2026-12-01';

/** Options of a single call. */
export type CallOptions = Partial<RequestLimits> & {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For a POST: the service carries out one request per key. Without it, the call generates one. */
  idempotencyKey?: string | undefined;
  /** Receives the status and the headers of the final response. */
  onAnswer?: ((response: { status: number; headers: Headers }) => void) | undefined;
};

export type PaylinkOptions = Partial<RequestLimits> & {
  /** The address of the service: its setting BASE_URL, with or without a trailing `/v1`. */
  baseUrl: string | URL;
  /** A fetch function to use instead of the global one, such as one with a proxy. */
  fetch?: Fetch | undefined;
} & (
    | {
        email: string;
        password: string;
        /** Whether the login returns the test or the live key; by default, as the company has set. */
        mode?: 'test' | 'live' | undefined;
        /**
         * An API key of an earlier login of the account. It identifies this client to the service, so that
         * wrong passwords of others cannot delay its login, even from a new address. Each login of this
         * client returns the key for the next.
         */
        apiKey?: string | undefined;
        credentials?: never;
        serviceKey?: never;
      }
    | {
        credentials: Credentials;
        email?: never;
        password?: never;
        mode?: never;
        apiKey?: never;
        serviceKey?: never;
      }
    | {
        /** A service key of the company, `pls_test_…` or `pls_live_…`: the client needs no login. */
        serviceKey: string;
        credentials?: never;
        email?: never;
        password?: never;
        mode?: never;
        apiKey?: never;
      }
  );

/** Performs any operation of the API by its name. */
export type Request = <Id extends OperationId>(
  operation: Id,
  input: Input<Id>,
  options?: CallOptions,
) => Promise<Answer<Id>>;

/**
 * Sends a request by its method and its path, such as `/v1/payments`, for what has no operation here. A POST
 * has an idempotency key. Returns the response, with its body unread; throws as all calls do unless it is 2xx.
 */
export type RawRequest = (
  method: string,
  path: string,
  input?: { query?: Record<string, unknown> | undefined; body?: unknown },
  options?: CallOptions,
) => Promise<Response>;

export type Caller = {
  baseUrl: string;
  fetch: Fetch;
  sessions: Sessions;
  request: Request;
  rawRequest: RawRequest;
};

type AnyInput = {
  path?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
};

const defaults: RequestLimits = { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 3 };

/** Prepares calls to a service. Sends nothing yet. */
export function createCaller(options: PaylinkOptions): Caller {
  checkOptions(options);
  const baseUrl = readBaseUrl(options.baseUrl);
  // Call it as a plain function: the browser's fetch refuses another `this`.
  const fetchFrom: Fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const limits = readLimits(defaults, options);

  let { apiKey } = options;
  const prepareCall = (operation: OperationId, input: AnyInput, callOptions: CallOptions): HttpRequest => {
    const prepared = prepare(baseUrl, operation, input, callOptions);
    return operation === 'logIn' && apiKey
      ? { ...prepared, headers: { ...prepared.headers, 'x-api-key': apiKey } }
      : prepared;
  };
  const logIn = async (email: string, password: string): Promise<Login> => {
    const { mode } = options;
    const body = { email, password, ...(mode === undefined ? {} : { mode }) };
    const request = prepareCall('logIn', { body }, {});
    // A login may always be repeated: a second session is harmless.
    const response = await withDeadline(limits, undefined, false, async (signal, endsAtMs) => {
      return await send(fetchFrom, { ...request, isSafeToRepeat: true }, limits, { signal, endsAtMs });
    });
    const login = readLogin(response);
    apiKey = login.credentials.apiKey;
    return login;
  };
  let password = options.password ?? '';
  const sessions = openSessions(options, async (email) => await logIn(email, password));

  const sendPrepared = async (
    prepared: HttpRequest,
    isOpen: boolean,
    callOptions: CallOptions,
  ): Promise<HttpResponse> => {
    const callLimits = readLimits(limits, callOptions);
    return await withDeadline(callLimits, callOptions.signal, !prepared.isJson, async (signal, endsAtMs) => {
      const scope = { signal, endsAtMs };
      return isOpen
        ? await send(fetchFrom, prepared, callLimits, scope)
        : await sendWithCredentials(sessions, prepared, async (signed) => {
            return await send(fetchFrom, signed, callLimits, scope);
          });
    });
  };
  const perform: Request = async (operation, input, callOptions = {}) => {
    const prepared = prepareCall(operation, input, callOptions);
    const response = await sendPrepared(prepared, routes[operation].isOpen, callOptions);
    // The next login of this client must use the new password.
    if (operation === 'changePassword') password = (input as Input<'changePassword'>).body.newPassword;
    callOptions.onAnswer?.({ status: response.status, headers: response.headers });
    return response.value as Answer<typeof operation>;
  };
  const request: Request = async (operation, input, callOptions) =>
    await withCallerStack(async () => await perform(operation, input, callOptions));
  const rawRequest: RawRequest = async (method, path, input = {}, callOptions = {}) =>
    await withCallerStack(async () => {
      const { prepared, isOpen } = prepareRaw(baseUrl, { method, path, ...input }, callOptions);
      const response = await sendPrepared(prepared, isOpen, callOptions);
      callOptions.onAnswer?.({ status: response.status, headers: response.headers });
      return response.value as Response;
    });
  return { baseUrl, fetch: fetchFrom, sessions, request, rawRequest };
}

function openSessions(options: PaylinkOptions, logIn: (email: string) => Promise<Login>): Sessions {
  const { serviceKey, credentials } = options;
  if (serviceKey !== undefined)
    return staticCredentials({ serviceKey, companyId: companyOfServiceKey(serviceKey) });
  if (credentials) return staticCredentials({ ...credentials });
  const { email } = options;
  return renewingSessions(async () => await logIn(email));
}

function readLimits(current: RequestLimits, wanted: Partial<RequestLimits>): RequestLimits {
  const { timeoutMs, deadlineMs, maxRetries } = wanted;
  const limits = {
    timeoutMs: timeoutMs ?? current.timeoutMs,
    deadlineMs: deadlineMs ?? current.deadlineMs,
    maxRetries: maxRetries ?? current.maxRetries,
  };
  const isTime = (ms: number) => ms > 0 && ms <= 2 ** 31 - 1;
  if (!isTime(limits.timeoutMs) || !isTime(limits.deadlineMs) || !(limits.maxRetries >= 0))
    throw new PaylinkError(
      'invalid_option',
      'timeoutMs and deadlineMs are times of a millisecond to 24 days, and maxRetries is 0 or more.',
    );
  return limits;
}

/** A file says its type itself if the operation takes several. Throws a TypeError if it does not. */
function typeOfBody(body: unknown, fileTypes: readonly string[] = ['application/json']): string {
  const [first = 'application/json', ...others] = fileTypes;
  if (others.length === 0) return first;
  const given = body instanceof Blob ? (body.type.split(';')[0] ?? '').trim().toLowerCase() : null;
  const own = fileTypes.find((type) => type === given);
  if (own !== undefined) return own;
  throw new TypeError(
    `The body must be a Blob with one of the types ${fileTypes.join(', ')}, such as new Blob([bytes], { type: '${first}' }).`,
  );
}

/** Everything in a request except its credentials. */
function prepare(
  baseUrl: string,
  operation: OperationId,
  input: AnyInput,
  { idempotencyKey }: CallOptions,
): HttpRequest {
  const { method, path, isOpen, isJson, fileTypes } = routes[operation];
  const hasKey = method === 'POST' && !isOpen;
  const headers: Record<string, string> = {
    accept: isJson ? 'application/json' : '*/*',
    'paylink-version': apiVersion,
  };
  if (hasKey) headers['idempotency-key'] = idempotencyKey ?? makeIdempotencyKey();
  if (input.body !== undefined) headers['content-type'] = typeOfBody(input.body, fileTypes);
  return {
    name: operation,
    method,
    url: baseUrl + fillPath(path, input.path ?? {}) + writeQuery(input.query ?? {}),
    headers,
    ...(input.body === undefined
      ? {}
      : { body: fileTypes === undefined ? JSON.stringify(input.body) : (input.body as FileBody) }),
    isSafeToRepeat: hasKey || ['GET', 'PUT', 'DELETE'].includes(method),
    isJson,
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Blanks would change the address, and a fragment would not be sent. */
const rawPath = /^\/[^\s#\\]*$/;

/** The same for a request by method and path. One to an operation without credentials has none. */
function prepareRaw(
  baseUrl: string,
  input: { method: string; path: string; query?: Record<string, unknown> | undefined; body?: unknown },
  { idempotencyKey }: CallOptions,
): { prepared: HttpRequest; isOpen: boolean } {
  const method = input.method.toUpperCase();
  const { path, query = {}, body } = input;
  if (!methods.includes(method))
    throw new PaylinkError('invalid_option', `The method must be one of ${methods.join(', ')}.`);
  if (!rawPath.test(path) || (path.includes('?') && Object.keys(query).length > 0))
    throw new PaylinkError(
      'invalid_option',
      'The path must begin with /, as /v1/payments does, and have no blank, and a query either in it or beside it.',
    );
  const bare = path.split('?')[0] ?? '';
  const route = Object.values(routes).find((one) => one.method === method && fitsRoute(one.path, bare));
  const isOpen = route?.isOpen ?? false;
  const hasKey = method === 'POST' && !isOpen;
  const headers: Record<string, string> = { accept: '*/*' };
  if (hasKey) headers['idempotency-key'] = idempotencyKey ?? makeIdempotencyKey();
  if (body !== undefined) headers['content-type'] = 'application/json';
  const prepared: HttpRequest = {
    name: `${method} ${bare}`,
    method,
    url: baseUrl + path + writeQuery(query),
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isSafeToRepeat: hasKey || ['GET', 'PUT', 'DELETE'].includes(method),
    isJson: false,
  };
  return { prepared, isOpen };
}

/** Whether a path is one of a route, such as `/v1/payments/{code}`. */
function fitsRoute(route: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = route.split('/');
  return (
    wanted.length === parts.length && wanted.every((one, at) => /^\{\w+\}$/.test(one) || one === parts[at])
  );
}

/** Sends with the current credentials; if they are refused, once more with those of a new login. */
async function sendWithCredentials(
  sessions: Sessions,
  request: HttpRequest,
  sendSigned: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const credentials = await sessions.current();
  try {
    return await sendSigned(sign(request, credentials));
  } catch (error) {
    const isRefused = error instanceof PaylinkApiError && error.status === 401;
    if (!isRefused || !sessions.drop(credentials)) throw error;
    return await sendSigned(sign(request, await sessions.current()));
  }
}

function sign(request: HttpRequest, credentials: CallCredentials): HttpRequest {
  return { ...request, headers: { ...request.headers, ...headersOf(credentials) } };
}

function headersOf(credentials: CallCredentials): Record<string, string> {
  if ('serviceKey' in credentials) return { authorization: `Bearer ${credentials.serviceKey}` };
  const { token, apiKey, companyId } = credentials;
  return { authorization: `Bearer ${token}`, 'x-api-key': apiKey, 'x-company-id': companyId };
}

function readLogin({ value, headers }: HttpResponse): Login {
  const { token, expiresAt } = value as Answer<'logIn'>;
  const [apiKey, companyId] = [headers.get('x-api-key'), headers.get('x-company-id')];
  if (!token || !apiKey || !companyId)
    throw new PaylinkError('unreadable_answer', 'The login answered without credentials.');
  // Use the service's clock, because this machine's may be wrong.
  const sentAtMs = Date.parse(headers.get('date') ?? '') || Date.now();
  return { credentials: { token, apiKey, companyId }, lifeMs: Date.parse(expiresAt) - sentAtMs };
}

function fillPath(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_part, name: string) => {
    const value = values[name] ?? '';
    // An empty or dotted part would lead to another operation.
    if (/^\.{0,2}$/.test(value)) throw new PaylinkError('invalid_option', `${name} must not be empty.`);
    return encodeURIComponent(value);
  });
}

function writeQuery(query: Record<string, unknown>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length === 0) return '';
  const texts = entries.map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? value.toISOString() : String(value),
  ]);
  return `?${new URLSearchParams(texts)}`;
}

function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
