// One call to a processor's API: JSON (or other text) over HTTP, bounded in size, never redirected. Must not:
// log, or put sent or received content into an error.

import { parseJson } from '../base/json.ts';
import { type SpanStart, traceCall } from '../base/spans.ts';

export const maxResponseBytes = 1024 * 1024;

export type ApiCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: { json: unknown } | { form: Readonly<Record<string, string>> };
};

/** `body` is the parsed JSON, unchecked; null when the response has none. */
export type ApiResponse = { status: number; headers: Headers; body: unknown };

export type TextResponse = { status: number; headers: Headers; text: string };

/** No connection was made, so no byte of the request can have arrived. */
export class RequestNotSentError extends Error {
  override name = 'RequestNotSentError';
}

/** The call may have been carried out, but no readable response came back. */
export class NoResponseError extends Error {
  override name = 'NoResponseError';
}

/** The response exceeds the limit. A list may be requested again in smaller pages. */
export class ResponseTooLargeError extends NoResponseError {
  override name = 'ResponseTooLargeError';
}

/** Requests smaller pages while the response is too large. Throws `ResponseTooLargeError` at the smallest. */
export async function fetchWithSmallerPages<Page>(
  sizes: readonly number[],
  fetchPage: (size: number) => Promise<Page>,
): Promise<Page> {
  const [size, ...smaller] = sizes;
  if (size === undefined) throw new RangeError('no page size');
  try {
    return await fetchPage(size);
  } catch (error) {
    if (!(error instanceof ResponseTooLargeError) || smaller.length === 0) throw error;
    return await fetchWithSmallerPages(smaller, fetchPage);
  }
}

/** Name not found, or refused. A connection that broke later is different: the request may have been sent. */
function isBeforeConnection(failure: unknown): boolean {
  if (failure instanceof AggregateError)
    return failure.errors.length > 0 && failure.errors.every(isBeforeConnection);
  if (!(failure instanceof Error)) return false;
  const { code, syscall } = failure as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

function failureOf(error: unknown, host: string): Error {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
  if (isBeforeConnection(cause))
    return new RequestNotSentError(`no connection to ${host} (${code})`, { cause });
  // Not the error itself: for an invalid header its message quotes the header, including credentials.
  return new NoResponseError(`no response from ${host} (${code})`, { cause });
}

async function readBounded(response: Response): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (length > maxResponseBytes)
      throw new ResponseTooLargeError(`the response exceeds ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function writeBody(body: ApiCall['body']): { type: Record<string, string>; text: string | null } {
  if (!body) return { type: {}, text: null };
  if ('json' in body)
    return { type: { 'content-type': 'application/json' }, text: JSON.stringify(body.json) };
  return {
    type: { 'content-type': 'application/x-www-form-urlencoded' },
    text: new URLSearchParams({ ...body.form }).toString(),
  };
}

/** The host alone: paths contain IDs of payments. No `traceparent` is sent, because processors are strangers. */
function describeCall({ method, url }: ApiCall): SpanStart {
  const { hostname } = new URL(url);
  const attributes = { 'http.request.method': method, 'server.address': hostname };
  return { name: method, kind: 'client', attributes };
}

/**
 * Sends a call and reads its response as text, whatever its status. Throws `RequestNotSentError` when no
 * connection was made, `NoResponseError` when one broke, redirected, or sent too much; when the signal fires,
 * the signal's reason.
 */
export async function callForText(call: ApiCall, signal: AbortSignal): Promise<TextResponse> {
  signal.throwIfAborted();
  return await traceCall(
    () => describeCall(call),
    async (span) => {
      const response = await send(call, signal);
      const { status } = response;
      span?.set({ 'http.response.status_code': status });
      if (status >= 400) span?.fail(String(status));
      return response;
    },
  );
}

async function send(call: ApiCall, signal: AbortSignal): Promise<TextResponse> {
  const { type, text } = writeBody(call.body);
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: { ...type, ...call.headers },
      body: text,
      // A redirect could send credentials to an unknown address.
      redirect: 'error',
      signal,
    });
    return { status: response.status, headers: response.headers, text: await readBounded(response) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof NoResponseError ? error : failureOf(error, new URL(call.url).host);
  }
}

/** Like `callForText`, for a JSON API. A response in another format throws `NoResponseError`. */
export async function callApi(call: ApiCall, signal: AbortSignal): Promise<ApiResponse> {
  const { status, headers, text } = await callForText(
    { ...call, headers: { accept: 'application/json', ...call.headers } },
    signal,
  );
  if (text.trim() === '') return { status, headers, body: null };
  const type = headers.get('content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new NoResponseError(`the response with status ${status} is not JSON`);
  try {
    return { status, headers, body: parseJson(text) };
  } catch {
    // The parser's message would quote the response.
    throw new NoResponseError(`the response with status ${status} is malformed JSON`);
  }
}
