// Calls of Mollie's Payments API v2 with one connection's key: the address, the head, and pages of lists. It must never
// follow an address that an answer names, and never let the key into an error.

import { type ApiResponse, callApi, fetchWithSmallerPages } from '../call-api.ts';
import type { ProcessorConnection } from '../processor.ts';
import { RejectedRequestError } from '../rejected-request.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { isMollieId, textOf } from './parse.ts';

const liveApiUrl = 'https://api.mollie.com';

/** How many entries a page has. A shorter one is asked for where a page is longer than what is read. */
const pageSizes = [100, 10, 1] as const;

export type MollieApi = {
  get(path: string, signal: AbortSignal): Promise<ApiResponse>;
  /** `key` is the idempotency key. */
  post(path: string, key: string, json: UntrustedFields, signal: AbortSignal): Promise<ApiResponse>;
  remove(path: string, signal: AbortSignal): Promise<ApiResponse>;
};

/** A key of the API, whose prefix says its mode. */
export const apiKeyPattern = /^(test|live)_[0-9A-Za-z]{20,128}$/;

/** The API as a connection's key opens it. `apiUrl` is null for Mollie's own. Throws for a key of another form. */
export function openMollieApi(apiUrl: string | null, connection: ProcessorConnection): MollieApi {
  const key = connection.credentials.apiKey ?? '';
  const headers = { authorization: `Bearer ${key}`, accept: 'application/hal+json' };
  // Anything else might not fit into a header, and would then be quoted by the error.
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

/** What we send that Mollie may find fault with. */
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

/** The first part of the field that a refusal names; null where it names none of ours. */
function sentFieldOf(response: ApiResponse): string | null {
  const [named] = (textOf(fieldsOf(response.body).field) ?? '').split('.');
  return sentFields.find((candidate) => candidate === named) ?? null;
}

/**
 * Throws `RejectedRequestError` for a 422 that names a field of ours: our request is malformed. `amount` alone does not
 * count, since Mollie names it when more is asked for than is left.
 */
export function throwIfRejected(what: string, response: ApiResponse): void {
  const field = sentFieldOf(response);
  if (response.status !== 422 || field === null || textOf(fieldsOf(response.body).field) === 'amount') return;
  throw new RejectedRequestError(what, field);
}

/** An answer that is not what was hoped for, to be thrown. It says nothing of the answer but its status and field. */
export function unexpectedResponse(what: string, response: ApiResponse): Error {
  const field = sentFieldOf(response);
  return new Error(`${what} was answered with status ${response.status}${field ? ` about ${field}` : ''}`);
}

/** Mollie answered from its memory of the key: the answer is as old as the first one. */
export function isReplayed(response: ApiResponse): boolean {
  return response.headers.get('idempotent-replayed') === 'true';
}

export type MolliePage = { things: unknown[]; nextId: string | null };

type ListRequest = { path: string; kind: 'payments' | 'refunds'; fromId: string | null; embed?: 'payment' };

/** One page of a list, newest first, behind the thing `fromId` where the page before said so. */
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

/** Where the next page begins, read from its address; the address itself is not gone to. */
function nextIdOf(next: unknown, prefix: 'tr' | 're'): string | null {
  if (next === null || next === undefined) return null;
  const url = URL.parse(textOf(fieldsOf(next).href) ?? '');
  const id = url?.searchParams.get('from') ?? '';
  if (!isMollieId(prefix, id)) throw new Error('a list names a next page that can not be read');
  return id;
}
