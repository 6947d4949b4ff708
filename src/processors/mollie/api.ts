// Calls of Mollie's Payments API v2 with a connection's key: addresses, headers, and pages of lists. Must
// not: follow an address from a response, or put the key into an error.

import { type ApiResponse, callApi, fetchWithSmallerPages } from '../call-api.ts';
import { RejectedRequestError } from '../check-response.ts';
import type { ProcessorConnection } from '../processor.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { isMollieId, textOf, timestampOf } from './parse.ts';

const liveApiUrl = 'https://api.mollie.com';

/** Page sizes, largest first. A smaller one is requested when a page exceeds the response limit. */
const pageSizes = [100, 10, 1] as const;

export type MollieApi = {
  get(path: string): Promise<ApiResponse>;
  /** `key` is the idempotency key. */
  post(path: string, key: string, json: UntrustedFields): Promise<ApiResponse>;
  remove(path: string): Promise<ApiResponse>;
};

/** A connection to Mollie, for one call of an adapter function. */
export type MollieAccount = { api: MollieApi; connection: ProcessorConnection & { connectionId: string } };

/** An API key; its prefix shows the mode. */
export const apiKeyPattern = /^(test|live)_[0-9A-Za-z]{20,128}$/;

/** For calls that a signal stops. `apiUrl` is null for Mollie itself. Throws for a malformed key. */
export function openMollieApi(
  apiUrl: string | null,
  connection: ProcessorConnection,
): (signal: AbortSignal) => MollieApi {
  const key = connection.credentials.apiKey ?? '';
  // Another key might not fit into a header, and the error would quote it.
  if (!apiKeyPattern.test(key)) throw new Error('the API key of the connection is malformed');
  const headers = { authorization: `Bearer ${key}`, accept: 'application/hal+json' };
  const at = (path: string) => ({ url: new URL(path, apiUrl ?? liveApiUrl).href, headers });
  return (signal) => ({
    get: (path) => callApi({ method: 'GET', ...at(path) }, signal),
    post: (path, idempotencyKey, json) => {
      const keyed = { ...headers, 'idempotency-key': idempotencyKey };
      return callApi({ method: 'POST', ...at(path), headers: keyed, body: { json } }, signal);
    },
    remove: (path) => callApi({ method: 'DELETE', ...at(path) }, signal),
  });
}

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

/** For a 422 about one of our fields. `amount` alone does not count: Mollie names it when it exceeds the rest. */
export function throwIfRejected(what: string, response: ApiResponse): void {
  const field = sentFieldOf(response);
  if (response.status !== 422 || field === null || textOf(fieldsOf(response.body).field) === 'amount') return;
  throw new RejectedRequestError(what, field);
}

/** The error for an unexpected response. It contains only the status and the field. */
export function unexpectedResponse(what: string, response: ApiResponse): Error {
  const field = sentFieldOf(response);
  return new Error(
    `${what}: Mollie responded with status ${response.status}${field ? ` about ${field}` : ''}`,
  );
}

/** Mollie replayed its stored response for the key: it is as old as the first one. */
export function isReplayed(response: ApiResponse): boolean {
  return response.headers.get('idempotent-replayed') === 'true';
}

/** `nextId` is null on the last page; `oldestAt` is the creation time of the last entry. */
export type MolliePage = { items: unknown[]; nextId: string | null; oldestAt: Date | null };

type ListRequest = { path: string; kind: 'payments' | 'refunds'; fromId: string | null; embed?: 'payment' };

/** One page of a list, newest first, from `fromId` if the previous page named it. */
export async function fetchPage(api: MollieApi, list: ListRequest): Promise<MolliePage> {
  return await fetchWithSmallerPages(pageSizes, async (size) => await readPageOf(api, list, size));
}

/** All pages of a list. Throws after `maxPages` pages. */
export async function* fetchPages(api: MollieApi, list: ListRequest, maxPages: number) {
  let { fromId } = list;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await fetchPage(api, { ...list, fromId });
    yield page;
    if (page.nextId === null) return;
    fromId = page.nextId;
  }
  throw new Error(`more than ${maxPages} pages of ${list.kind}`);
}

async function readPageOf(api: MollieApi, list: ListRequest, size: number): Promise<MolliePage> {
  const { path, kind, fromId, embed } = list;
  const query = new URLSearchParams({
    ...{ limit: String(size), ...(fromId ? { from: fromId } : {}) },
    ...(embed ? { embed } : {}),
  });
  const response = await api.get(`${path}?${query}`);
  const { _embedded, _links } = fieldsOf(response.body);
  const items = fieldsOf(_embedded)[kind];
  if (response.status !== 200 || !Array.isArray(items))
    throw unexpectedResponse(`a list of ${kind}`, response);
  const nextId = nextIdOf(fieldsOf(_links).next, kind === 'payments' ? 'tr' : 're');
  if (nextId !== null && nextId === fromId) throw new Error(`the list of ${kind} does not end`);
  return { items, nextId, oldestAt: timestampOf(fieldsOf(items.at(-1)).createdAt) };
}

/** The start of the next page, read from its address, which is not called. */
function nextIdOf(next: unknown, prefix: 'tr' | 're'): string | null {
  if (next === null || next === undefined) return null;
  const url = URL.parse(textOf(fieldsOf(next).href) ?? '');
  const id = url?.searchParams.get('from') ?? '';
  if (!isMollieId(prefix, id)) throw new Error('the list has an unreadable next page');
  return id;
}
