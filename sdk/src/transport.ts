// One request and its retries: time-outs, and responses as values or errors. It knows no operation of the
// API, and no credentials except the given headers.

import type { FileBody, Problem } from './api-types.ts';
import { PaylinkApiError, PaylinkConnectionError, PaylinkError, PaylinkTimeoutError } from './errors.ts';
import { isRetryable, readRetryAfter, waitBeforeRetryMs } from './retry.ts';
import { sleep, withTimeLimit } from './time-limit.ts';

export type Fetch = typeof fetch;

export type RequestLimits = {
  /** For one attempt, in milliseconds. */
  timeoutMs: number;
  /** For a call with all its attempts and delays, in milliseconds. */
  deadlineMs: number;
  /** How often a failed attempt is retried at most. */
  maxRetries: number;
};

export type HttpRequest = {
  /** The name in messages: never the address, whose query may contain personal data. */
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: FileBody;
  /** Whether the service recognises a repeated request. */
  isSafeToRepeat: boolean;
  /** False to return the response itself, with its body unread. */
  isJson: boolean;
};

export type HttpResponse = { status: number; headers: Headers; value: unknown };

/** Runs a call under its deadline; `endsAtMs` is the time of the deadline. */
export async function withDeadline<T>(
  limits: RequestLimits,
  parent: AbortSignal | undefined,
  staysOpen: boolean,
  run: (signal: AbortSignal, endsAtMs: number) => Promise<T>,
): Promise<T> {
  const { deadlineMs } = limits;
  const makeReason = () => new PaylinkTimeoutError(`The call was not done within ${deadlineMs} ms.`);
  return await withTimeLimit(
    { parent, limitMs: deadlineMs, makeReason, staysOpen },
    async (signal) => await run(signal, Date.now() + deadlineMs),
  );
}

/**
 * Sends a request, with retries where they can help. Throws the last error when no retry or no time is left.
 */
export async function send(
  fetchFrom: Fetch,
  request: HttpRequest,
  limits: RequestLimits,
  scope: { signal: AbortSignal; endsAtMs: number },
): Promise<HttpResponse> {
  for (let retryCount = 1; ; retryCount += 1) {
    try {
      return await sendOnce(fetchFrom, request, limits.timeoutMs, scope.signal);
    } catch (error) {
      scope.signal.throwIfAborted();
      if (retryCount > limits.maxRetries || !isRetryable(error, request.isSafeToRepeat)) throw error;
      const waitMs = waitBeforeRetryMs(error, retryCount, Math.random());
      // Waiting past the deadline would only hide the service's error.
      if (Date.now() + waitMs >= scope.endsAtMs) throw error;
      await sleep(waitMs, scope.signal);
    }
  }
}

async function sendOnce(
  fetchFrom: Fetch,
  request: HttpRequest,
  timeoutMs: number,
  parent: AbortSignal,
): Promise<HttpResponse> {
  const { name, method, url, headers, body, isJson } = request;
  const makeReason = () => new PaylinkTimeoutError(`No answer to ${name} within ${timeoutMs} ms.`);
  try {
    return await withTimeLimit(
      { parent, limitMs: timeoutMs, makeReason, staysOpen: !isJson },
      async (signal) => {
        // The API never redirects, and credentials must not follow a redirect of another server.
        const init: RequestInit = { method, headers, signal, redirect: 'manual' };
        const response = await fetchFrom(url, body === undefined ? init : { ...init, body });
        return await readResponse(response, isJson);
      },
    );
  } catch (error) {
    if (error instanceof PaylinkError || parent.aborted) throw error;
    throw new PaylinkConnectionError(`The connection to ${new URL(url).origin} failed (${name}).`, {
      cause: error,
    });
  }
}

async function readResponse(response: Response, isJson: boolean): Promise<HttpResponse> {
  const { status, headers } = response;
  if (response.ok && !isJson) return { status, headers, value: response };
  const text = await response.text();
  if (!response.ok) throw toApiError(status, headers, text);
  return { status, headers, value: text === '' ? undefined : parse(text, status, headers) };
}

function parse(text: string, status: number, headers: Headers): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw toApiError(status, headers, '');
  }
}

/**
 * Converts any response text to an error: a problem document has all details, a proxy's response only its
 * status.
 */
function toApiError(status: number, headers: Headers, text: string): PaylinkApiError {
  const problem = readProblem(text);
  const faults = (problem?.errors ?? []).map(({ field, detail }) => ` ${field}: ${detail}`).join('');
  return new PaylinkApiError({
    status,
    code: problem?.code ?? 'unreadable_answer',
    message: problem
      ? `${status} ${problem.code}: ${sentencesOf(problem)}${faults}`
      : `The answer with status ${status} is not one of Paylink.`,
    errors: problem?.errors ?? [],
    requestId: problem?.requestId ?? headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
  });
}

/** The title, and the detail unless it is the same. */
function sentencesOf({ title, detail }: Problem): string {
  if (!title || detail.startsWith(title)) return detail;
  return `${title.replace(/[.:\s]*$/, '.')} ${detail}`.trim();
}

function readProblem(text: string): Problem | null {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null;
    const isProblem =
      typeof value?.code === 'string' && typeof value.detail === 'string' && Array.isArray(value.errors);
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}
