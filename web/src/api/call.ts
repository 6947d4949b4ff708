// Calls operations of the public API from the dashboard: with the cookie, and the token that protects against
// cross-site requests. Types come from the API description. Must not send the headers of programs, nor store
// anything of a session where another page could read it.

import { routes } from '../../../sdk/src/api-routes.ts';
import type { Operations, Problem } from '../../../sdk/src/api-types.ts';

export type { Problem };
export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Operations[Id]['input'];
export type OperationResponse<Id extends OperationId> = Operations[Id]['answer'];
export type Mode = 'test' | 'live';

type AnyInput = {
  path?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
};

export type CallOptions = {
  /** The mode of the call; by default test. */
  mode?: Mode;
  /** The session's token. A call is refused if the cookie belongs to another session. */
  csrfToken?: string;
  /** Whether no person caused the call: it does not extend the session. */
  isBackground?: boolean;
  /** The service carries out one request for each key. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** An error of the API. `problem.code` is what to branch on, `problem.errors` names the fields. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  /** Seconds after which a retry makes sense, if the service named them. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, retryAfter: number | null) {
    super(problem.detail);
    this.name = 'ApiProblem';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** The service could not be reached, or a proxy responded. */
export class UnreachableError extends Error {}

function urlOf(template: string, { path = {}, query = {} }: AnyInput): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(name, String(value));
  return params.size > 0 ? `${filled}?${params}` : filled;
}

function headersOf(options: CallOptions, body: unknown): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (options.mode) headers.set('x-paylink-mode', options.mode);
  if (options.isBackground) headers.set('x-paylink-background', 'true');
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);
  if (options.csrfToken) headers.set('x-paylink-csrf', options.csrfToken);
  if (body !== undefined) headers.set('content-type', body instanceof Blob ? body.type : 'application/json');
  return headers;
}

async function errorOf(response: Response): Promise<Error> {
  const isProblem = response.headers.get('content-type')?.includes('problem+json') ?? false;
  if (!isProblem) return new UnreachableError(`HTTP ${response.status}`);
  const after = Number(response.headers.get('retry-after'));
  return new ApiProblem((await response.json()) as Problem, after > 0 ? after : null);
}

/**
 * The raw response of an operation, for content that is not JSON.
 * @throws {ApiProblem} if the API refuses.
 * @throws {UnreachableError} if the service does not respond.
 */
export async function fetchOperation<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: CallOptions = {},
): Promise<Response> {
  const { method, path } = routes[id];
  const { body } = input as AnyInput;
  const headers = headersOf(options, body);
  const init: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store' };
  if (body !== undefined) init.body = body instanceof Blob ? body : JSON.stringify(body);
  if (options.signal) init.signal = options.signal;
  let response: Response;
  try {
    response = await fetch(urlOf(path, input as AnyInput), init);
  } catch (fault) {
    if (options.signal?.aborted) throw fault;
    throw new UnreachableError('no response', { cause: fault });
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** The response body of an operation; throws like `fetchOperation`. */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: CallOptions = {},
): Promise<OperationResponse<Id>> {
  const response = await fetchOperation(id, input, options);
  if (response.status === 204 || response.status === 202) return undefined as OperationResponse<Id>;
  return (await response.json()) as OperationResponse<Id>;
}
