// Calls of the contract that the published client does not have yet. Each goes away when the client has
// it; the names and shapes are the client's, so that nothing else changes.

import { type Page, PaylinkApiError, PaylinkConnectionError, type Payment } from '../../sdk/src/index.ts';
import type { Session } from './session.ts';

export type Event = {
  id: string;
  type: string;
  createdAt: string;
  actor: string;
  PaymentLinkCode: string | null;
  data: Record<string, unknown>;
};

export type ApiKey = {
  keyId: string;
  name: string | null;
  mode: string;
  status: string;
  createdAt: string;
  createdBy: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  /** In the answers of creating and rolling only. */
  key?: string;
};

type Query = Readonly<Record<string, string | number | undefined>>;
type Options = { idempotencyKey?: string; signal?: AbortSignal; timeoutMs?: number };

export type LaterCalls = {
  later: {
    logOut(): Promise<void>;
    listPayments(query: Query): Promise<Page<Payment>>;
    listPaymentEvents(code: string): Promise<Page<Event>>;
    listEvents(query: Query, options: Options): Promise<Page<Event>>;
    listApiKeys(): Promise<Page<ApiKey>>;
    createApiKey(body: object, options: Options): Promise<ApiKey>;
    rollApiKey(keyId: string, body: object, options: Options): Promise<ApiKey>;
    revokeApiKey(keyId: string): Promise<ApiKey | null>;
  };
};

type Place = { session: Session; fetchFrom: typeof fetch };

type Problem = { code?: string; detail?: string; requestId?: string; errors?: [] };

async function send<T>(
  { session, fetchFrom }: Place,
  method: string,
  path: string,
  request: Options & { query?: Query; body?: unknown } = {},
): Promise<T> {
  const { query = {}, body, idempotencyKey, signal, timeoutMs = 30_000 } = request;
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const address = `${session.url}${path}${parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ''}`;
  const response = await fetchFrom(address, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      'x-api-key': session.apiKey,
      'x-company-id': session.companyId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    redirect: 'manual',
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new PaylinkConnectionError('The connection failed.', { cause: error });
  });
  const text = await response.text();
  if (response.ok) return (text ? JSON.parse(text) : null) as T;
  const problem = JSON.parse(text) as Problem;
  throw new PaylinkApiError({
    status: response.status,
    code: problem.code ?? 'unreadable_answer',
    message: `${response.status} ${problem.code}: ${problem.detail}`,
    errors: problem.errors ?? [],
    requestId: problem.requestId ?? null,
    retryAfterSeconds: null,
  });
}

const encode = encodeURIComponent;

export function laterCalls(session: Session, fetchFrom: typeof fetch): LaterCalls {
  const place = { session, fetchFrom };
  return {
    later: {
      logOut: async () => await send(place, 'POST', '/v1/auth/logout'),
      listPayments: async (query) => await send(place, 'GET', '/v1/payments', { query }),
      listPaymentEvents: async (code) => await send(place, 'GET', `/v1/payments/${encode(code)}/events`),
      listEvents: async (query, options) => await send(place, 'GET', '/v1/events', { query, ...options }),
      listApiKeys: async () => await send(place, 'GET', '/v1/api-keys'),
      createApiKey: async (body, options) => await send(place, 'POST', '/v1/api-keys', { body, ...options }),
      rollApiKey: async (keyId, body, options) =>
        await send(place, 'POST', `/v1/api-keys/${encode(keyId)}/roll`, { body, ...options }),
      revokeApiKey: async (keyId) => await send(place, 'DELETE', `/v1/api-keys/${encode(keyId)}`),
    },
  };
}
