// Calls of Mollie's Payments API v2 with a connection's key: addresses, headers, and pages of lists. Must
// not: follow an address from a response, or put the key into an error.

import { type ApiResponse, callApi, fetchWithSmallerPages } from '../call-api.ts';
import type { ProcessorConnection } from '../processor.ts';
import { RejectedRequestError } from '../rejected-request.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { isMollieId, textOf } from './parse.ts';

const liveApiUrl = 'https://api.mollie.com';

/** Page sizes, largest first. A smaller one is requested when a page exceeds the response limit. */
const pageSizes = [100, 10, 1] as const;

export type MollieApi = {
  get(path: string, signal: AbortSignal): Promise<ApiResponse>;
  /** `key` is the idempotency key. */
  post(path: string, key: string, json: UntrustedFields, signal: AbortSignal): Promise<ApiResponse>;
  remove(path: string, signal: AbortSignal): Promise<ApiResponse>;
};

/** An API key; its prefix shows the mode. */
export const apiKeyPattern = /^(test|live)_[0-9A-Za-z]{20,128}$/;

/** The API with a connection's key. `apiUrl` is null for Mollie itself. Throws for a malformed key. */
export function openMollieApi(apiUrl: string | null, connection: ProcessorConnection): MollieApi {
  const key = connection.credentials.apiKey ?? '';
  const headers = { authorization: `Bearer ${key}`, accept: 'application/hal+json' };
  // Another key might not fit into a header, and the error would quote it.
  if (!apiKeyPattern.test(key)) throw new Error('the key of the connection is not of the form of a key');
  const at = (path: string) => new URL(path, apiUrl ?? liveApiUrl).href;
  return {
    get: async (path, signal) => await callApi({ method: 'GET', url: at(path), headers }, signal),
    post: async (path, idempotencyKey, json, signal) =>
      await callApi(
        {
          method: 'POST',
          url: at(path),
          headers: { ...headers, 'idempotency-key': idempotencyKey },
          body: { json },
        },
        signal,
      ),
    remove: async (path, signal) => await callApi({ method: 'DELETE', url: at(path), headers }, signal),
  };
}

/** The fields of our requests that Mollie may reject. */
const sentFields = [
  'amount',
  'description',
  'redirectUrl',
  'cancelUrl',
  'webhookUrl',
  'locale',
  'billingAddress',
  'metadata',
];

/** The first part of the field in an error; null unless it is one of ours. */
function sentFieldOf(response: ApiResponse): string | null {
  const [named] = (textOf(fieldsOf(response.body).field) ?? '').split('.');
  return sentFields.find((candidate) => candidate === named) ?? null;
}

/**
 * Throws `RejectedRequestError` for a 422 about one of our fields: the request is malformed. `amount` alone
 * does not count, since Mollie names it when the amount exceeds the rest.
 */
export function throwIfRejected(what: string, response: ApiResponse): void {
  const field = sentFieldOf(response);
  if (response.status !== 422 || field === null || textOf(fieldsOf(response.body).field) === 'amount') return;
  throw new RejectedRequestError(what, field);
}

/** The error for an unexpected response. It contains only the status and the field. */
export function unexpectedResponse(what: string, response: ApiResponse): Error {
  const field = sentFieldOf(response);
  return new Error(`${what} was answered with status ${response.status}${field ? ` about ${field}` : ''}`);
}

/** Mollie replayed its stored response for the key: it is as old as the first one. */
export function isReplayed(response: ApiResponse): boolean {
  return response.headers.get('idempotent-replayed') === 'true';
}

export type MolliePage = { things: unknown[]; nextId: string | null };

type ListRequest = { path: string; kind: 'payments' | 'refunds'; fromId: string | null; embed?: 'payment' };

/** One page of a list, newest first, from `fromId` if the previous page named it. */
export async function fetchPage(api: MollieApi, list: ListRequest, signal: AbortSignal): Promise<MolliePage> {
  return await fetchWithSmallerPages(pageSizes, async (size) => await readPageOf(api, list, size, signal));
}

async function readPageOf(
  api: MollieApi,
  list: ListRequest,
  size: number,
  signal: AbortSignal,
): Promise<MolliePage> {
  const { path, kind, fromId, embed } = list;
  const query = new URLSearchParams({
    ...{ limit: String(size), ...(fromId ? { from: fromId } : {}) },
    ...(embed ? { embed } : {}),
  });
  const response = await api.get(`${path}?${query}`, signal);
  const { _embedded, _links } = fieldsOf(response.body);
  const things = fieldsOf(_embedded)[kind];
  if (response.status !== 200 || !Array.isArray(things))
    throw unexpectedResponse(`a list of ${kind}`, response);
  const nextId = nextIdOf(fieldsOf(_links).next, kind === 'payments' ? 'tr' : 're');
  if (nextId !== null && nextId === fromId) throw new Error(`a list of ${kind} that does not end`);
  return { things, nextId };
}

/** The start of the next page, read from its address, which is not called. */
function nextIdOf(next: unknown, prefix: 'tr' | 're'): string | null {
  if (next === null || next === undefined) return null;
  const url = URL.parse(textOf(fieldsOf(next).href) ?? '');
  const id = url?.searchParams.get('from') ?? '';
  if (!isMollieId(prefix, id)) throw new Error('a list names a next page that can not be read');
  return id;
}
