// The API of the fake Stripe: form-encoded requests, idempotency keys, errors and lists, from Stripe's public reference.
// Must not: import code of the service.

import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeRequest, type FakeResponse, formOf } from '../kit/fake-server.ts';
import type { FakeAccount } from './accounts.ts';
import type { Refusal, StripeObject } from './objects.ts';
import type { Change, Kept, Records } from './records.ts';

/** A request of an account, with parameters by flat names such as `metadata[order]`. */
export type Asked = { account: FakeAccount; form: URLSearchParams; params: Record<string, string> };

/** The result of a POST: the change, and the returned object. */
export type Done = Change & { body: object };

/** The most entries of a list page; few, so that tests have several pages. */
export type Limits = { pageSize: number };

const answerOf = ({ status, error }: Refusal): FakeResponse => ({ status, body: { error } });
const isRefusal = (result: object): result is Refusal => 'isKept' in result;

/** The account of a request's key, or a refusal. */
function authenticate(records: Records, request: FakeRequest): FakeAccount | FakeResponse {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const found = records.accountOf(key);
  const refuse = (status: number, message: string) => ({
    status,
    body: { error: { type: 'invalid_request_error', message } },
  });
  if (!found) return refuse(401, `Invalid API Key provided: ${key.slice(0, 8)}****`);
  return found.forbidden.test(request.path)
    ? refuse(403, 'The provided key does not have the required permissions')
    : found.account;
}

const isAnswer = (result: FakeAccount | FakeResponse): result is FakeResponse => 'status' in result;

/** A reading route. */
export function reading(records: Records, read: (asked: Asked) => object) {
  return (request: FakeRequest): FakeResponse => {
    const account = authenticate(records, request);
    if (isAnswer(account)) return account;
    const result = read({ account, form: request.query, params: request.params });
    return isRefusal(result) ? answerOf(result) : { status: 200, body: result };
  };
}

const inUse = new Set<string>();

/**
 * A changing route. A repeated request with the same key gets the stored response; a concurrent one is refused.
 */
export function changing(records: Records, change: (asked: Asked) => Done | Refusal) {
  return async (request: FakeRequest): Promise<FakeResponse> => {
    const account = authenticate(records, request);
    if (isAnswer(account)) return account;
    const key = request.headers['idempotency-key'] ?? null;
    const form = formOf(request);
    form.sort();
    const asked = `${request.path}?${form}`;
    const place = `${account.id} ${key}`;
    const kept = key === null ? null : records.storedResponse(account, key);
    if (kept && kept.asked !== asked)
      return misusedKey(400, 'Keys can only be used with the same parameters');
    if (kept) return { status: kept.status, headers: { 'Idempotent-Replayed': 'true' }, body: kept.body };
    if (inUse.has(place))
      return misusedKey(409, 'There is another request under this key', 'idempotency_key_in_use');
    if (key !== null) inUse.add(place);
    try {
      // Long enough for a concurrent request with the same key.
      await sleep(5);
      const keep = (status: number, body: object): Kept | undefined =>
        key === null ? undefined : { key, asked, status, body, atSeconds: records.nowSeconds() };
      const result = change({ account, form, params: request.params });
      if (!isRefusal(result)) {
        records.commit(account, result, keep(200, result.body));
        return { status: 200, headers: { 'Request-Id': 'req_fake' }, body: result.body };
      }
      const answer = answerOf(result);
      if (result.isKept) records.commit(account, { objects: [] }, keep(result.status, answer.body as object));
      return answer;
    } finally {
      inUse.delete(place);
    }
  };
}

function misusedKey(status: number, message: string, code?: string): FakeResponse {
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

/** Whether a request expands a field. */
export const wantsFull = (form: URLSearchParams, field: string) =>
  [...form].some(([name, value]) => /^expand\[\d*\]$/.test(name) && value === field);

/** A page of a list, newest first, by `created`, `limit` and `starting_after`. */
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
