// The API of the fake of Stripe: form-encoded requests with bracketed names, idempotency keys, errors and lists as
// Stripe's public reference tells of them. It must never import anything of the service.

import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeAnswer, type FakeRequest, formOf } from '../kit/fake-server.ts';
import type { FakeAccount } from './accounts.ts';
import type { Books, Deed, Kept } from './books.ts';
import type { Refusal, StripeObject } from './objects.ts';

/** A request of an account, with what it asks for by flat names such as `metadata[order]`. */
export type Asked = { account: FakeAccount; form: URLSearchParams; params: Record<string, string> };

/** What a POST comes to: what happened, and the object that is answered. */
export type Done = Deed & { body: object };

/** The most entries that a page of a list may have; fewer, so that tests have several pages. */
export type Limits = { pageSize: number };

const answerOf = ({ status, error }: Refusal): FakeAnswer => ({ status, body: { error } });
const isRefusal = (result: object): result is Refusal => 'isKept' in result;

/** Finds whose key a request bears. */
function authenticate(books: Books, request: FakeRequest): FakeAccount | FakeAnswer {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const found = books.accountOf(key);
  const refuse = (status: number, message: string) => ({
    status,
    body: { error: { type: 'invalid_request_error', message } },
  });
  if (!found) return refuse(401, `Invalid API Key provided: ${key.slice(0, 8)}****`);
  return found.forbidden.test(request.path)
    ? refuse(403, 'The provided key does not have the required permissions')
    : found.account;
}

const isAnswer = (result: FakeAccount | FakeAnswer): result is FakeAnswer => 'status' in result;

/** A route that reads. `expand` may ask for objects in full. */
export function reading(books: Books, read: (asked: Asked) => object) {
  return (request: FakeRequest): FakeAnswer => {
    const account = authenticate(books, request);
    if (isAnswer(account)) return account;
    const result = read({ account, form: request.query, params: request.params });
    return isRefusal(result) ? answerOf(result) : { status: 200, body: result };
  };
}

const inUse = new Set<string>();

/**
 * A route that changes something. Under a key that was used, the kept answer is given again if the same is
 * asked for; while the first is being carried out, the second is refused.
 */
export function changing(books: Books, change: (asked: Asked) => Done | Refusal) {
  return async (request: FakeRequest): Promise<FakeAnswer> => {
    const account = authenticate(books, request);
    if (isAnswer(account)) return account;
    const key = request.headers['idempotency-key'] ?? null;
    const form = formOf(request);
    form.sort();
    const asked = `${request.path}?${form}`;
    const place = `${account.id} ${key}`;
    const kept = key === null ? null : books.keptAnswer(account, key);
    if (kept && kept.asked !== asked)
      return misusedKey(400, 'Keys can only be used with the same parameters');
    if (kept) return { status: kept.status, headers: { 'Idempotent-Replayed': 'true' }, body: kept.body };
    if (inUse.has(place))
      return misusedKey(409, 'There is another request under this key', 'idempotency_key_in_use');
    if (key !== null) inUse.add(place);
    try {
      // Long enough for another request under the same key to find it in use.
      await sleep(5);
      const keep = (status: number, body: object): Kept | undefined =>
        key === null ? undefined : { key, asked, status, body, atSeconds: books.nowSeconds() };
      const result = change({ account, form, params: request.params });
      if (!isRefusal(result)) {
        books.commit(account, result, keep(200, result.body));
        return { status: 200, headers: { 'Request-Id': 'req_fake' }, body: result.body };
      }
      const answer = answerOf(result);
      if (result.isKept) books.commit(account, { objects: [] }, keep(result.status, answer.body as object));
      return answer;
    } finally {
      inUse.delete(place);
    }
  };
}

function misusedKey(status: number, message: string, code?: string): FakeAnswer {
  return { status, body: { error: { type: 'idempotency_error', ...(code ? { code } : {}), message } } };
}

/** The pairs of `prefix[name]`. */
export function pairsOf(form: URLSearchParams, prefix: string): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(`${prefix}[`) && name.endsWith(']') ? [[name.slice(prefix.length + 1, -1), value]] : [],
    ),
  );
}

/** Whether a request wants a field in full. */
export const wantsFull = (form: URLSearchParams, field: string) =>
  [...form].some(([name, value]) => /^expand\[\d*\]$/.test(name) && value === field);

/** A page of a list, from the newest on, by `created`, `limit` and `starting_after`. */
export function pageOf<Item extends StripeObject & { created: number }>(
  all: readonly Item[],
  form: URLSearchParams,
  limits: Limits,
): { object: 'list'; has_more: boolean; data: Item[] } {
  const bound = (name: string, otherwise: number) => Number(form.get(`created[${name}]`) ?? otherwise);
  const within = [...all]
    .filter(({ created }) => created >= bound('gte', 0) && created <= bound('lte', Infinity))
    .filter(({ created }) => created < bound('lt', Infinity));
  const after = form.get('starting_after');
  const start = after === null ? 0 : within.findIndex(({ id }) => id === after) + 1;
  const size = Math.min(Number(form.get('limit') ?? 10), limits.pageSize);
  return { object: 'list', has_more: within.length > start + size, data: within.slice(start, start + size) };
}
