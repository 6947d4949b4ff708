// Calls of Mollie's Payments API v2 with one connection's key: the address, the head, and pages of lists. It must never
// follow an address that an answer names, and never let the key into an error.

import { type ApiAnswer, askInShorterPages, callApi } from '../call-api.ts';
import type { Connection } from '../processor.ts';
import { RejectedRequestError } from '../rejected-request.ts';
import { type Fields, fieldsOf, isMollieId, textOf } from './read.ts';

const liveApiUrl = 'https://api.mollie.com';

/** How many entries a page has. A shorter one is asked for where a page is longer than what is read. */
const pageSizes = [100, 10, 1] as const;

export type Api = {
  get(path: string, signal: AbortSignal): Promise<ApiAnswer>;
  /** `key` is the idempotency key. */
  post(path: string, key: string, json: Fields, signal: AbortSignal): Promise<ApiAnswer>;
  remove(path: string, signal: AbortSignal): Promise<ApiAnswer>;
};

/** A key of the API, whose prefix says its mode. */
export const keyForm = /^(test|live)_[0-9A-Za-z]{20,128}$/;

/** The API as a connection's key opens it. `apiUrl` is null for Mollie's own. Throws for a key of another form. */
export function openApi(apiUrl: string | null, connection: Connection): Api {
  const key = connection.credentials.apiKey ?? '';
  const headers = { authorization: `Bearer ${key}`, accept: 'application/hal+json' };
  // Anything else might not fit into a header, and would then be quoted by the error.
  if (!keyForm.test(key)) throw new Error('the key of the connection is not of the form of a key');
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
function sentFieldOf(answer: ApiAnswer): string | null {
  const [named] = (textOf(fieldsOf(answer.body).field) ?? '').split('.');
  return sentFields.find((candidate) => candidate === named) ?? null;
}

/**
 * Throws `RejectedRequestError` for a 422 that names a field of ours: our request is malformed. `amount` alone does not
 * count, since Mollie names it when more is asked for than is left.
 */
export function throwIfRejected(what: string, answer: ApiAnswer): void {
  const field = sentFieldOf(answer);
  if (answer.status !== 422 || field === null || textOf(fieldsOf(answer.body).field) === 'amount') return;
  throw new RejectedRequestError(what, field);
}

/** An answer that is not what was hoped for, to be thrown. It says nothing of the answer but its status and field. */
export function unexpected(what: string, answer: ApiAnswer): Error {
  const field = sentFieldOf(answer);
  return new Error(`${what} was answered with status ${answer.status}${field ? ` about ${field}` : ''}`);
}

/** Mollie answered from its memory of the key: the answer is as old as the first one. */
export function isReplayed(answer: ApiAnswer): boolean {
  return answer.headers.get('idempotent-replayed') === 'true';
}

export type Page = { things: unknown[]; nextId: string | null };

type List = { path: string; kind: 'payments' | 'refunds'; fromId: string | null; embed?: 'payment' };

/** One page of a list, newest first, behind the thing `fromId` where the page before said so. */
export async function readPage(api: Api, list: List, signal: AbortSignal): Promise<Page> {
  return await askInShorterPages(pageSizes, async (size) => await readPageOf(api, list, size, signal));
}

async function readPageOf(api: Api, list: List, size: number, signal: AbortSignal): Promise<Page> {
  const { path, kind, fromId, embed } = list;
  const query = new URLSearchParams({
    ...{ limit: String(size), ...(fromId ? { from: fromId } : {}) },
    ...(embed ? { embed } : {}),
  });
  const answer = await api.get(`${path}?${query}`, signal);
  const { _embedded, _links } = fieldsOf(answer.body);
  const things = fieldsOf(_embedded)[kind];
  if (answer.status !== 200 || !Array.isArray(things)) throw unexpected(`a list of ${kind}`, answer);
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
