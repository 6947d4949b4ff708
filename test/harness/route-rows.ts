// One row for each route of the API: who may call it, and how to call it so that it succeeds. The tests that
// go over all routes take the routes from the running service, and fail when one has no row here. A row
// must never be left out because its route is hard to call.

import type { Role } from '../../src/http/authentication.ts';
import { type Credentials, createLinkAs, type Json, logIn } from './client.ts';
import { type Merchant, type Paylink, password } from './paylink.ts';
import { payWith } from './visitor.ts';

/** A company with somebody logged in, and the making of things that routes are about. */
export type Company = {
  paylink: Paylink;
  merchant: Merchant;
  credentials: Credentials;
  openCode(): Promise<string>;
  paidCode(): Promise<string>;
};

export type Row = {
  /** Who may; null for a route without credentials. */
  roles: readonly Role[] | null;
  /** Path parameters that name something fresh of the company, which the example of the body fits. */
  params?: (company: Company) => Promise<Record<string, string>>;
  /** The body to send where the example of the description names somebody else's things. */
  body?: (company: Company) => Json;
};

const everybody: readonly Role[] = ['owner', 'admin', 'developer', 'support', 'viewer'];
const creators: readonly Role[] = ['owner', 'admin', 'developer', 'support'];
const refunders: readonly Role[] = ['owner', 'admin', 'support'];

const open = async (company: Company) => ({ code: await company.openCode() });
const paid = async (company: Company) => ({ code: await company.paidCode() });

/** By method and path, as the description writes them. */
export const rows: Readonly<Record<string, Row>> = {
  'GET /healthz': { roles: null },
  'GET /readyz': { roles: null },
  'GET /problems/{code}': { roles: null, params: async () => ({ code: 'not_found' }) },
  'GET /.well-known/jwks.json': { roles: null },
  'POST /v1/auth/login': { roles: null, body: ({ merchant }) => ({ email: merchant.email, password }) },
  'POST /v1/payment/process': { roles: creators },
  'GET /v1/payments/{code}': { roles: everybody, params: open },
  'POST /v1/payments/{code}/cancel': { roles: creators, params: open },
  'POST /v1/payments/{code}/send': { roles: creators, params: open },
  'POST /v1/payments/{code}/refunds': { roles: refunders, params: paid },
  'GET /v1/payments/{code}/refunds': { roles: everybody, params: paid },
  'GET /v1/cases': { roles: everybody },
};

/** Opens a company of a service; its own first one, or a fresh one. */
export async function openCompany(paylink: Paylink, merchant: Merchant): Promise<Company> {
  const credentials = await logIn(paylink, merchant);
  const openCode = async () => (await createLinkAs(paylink, credentials)).code;
  return {
    paylink,
    merchant,
    credentials,
    openCode,
    paidCode: async () => {
      const { link, code } = await createLinkAs(paylink, credentials);
      await payWith(link, { number: '4242424242424242' });
      return code;
    },
  };
}

export type Operation = {
  operationId: string;
  description?: string;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly {
    in: string;
    name: string;
    required?: boolean;
    schema: Json;
    example?: unknown;
  }[];
  requestBody?: { content: Record<string, { schema: Json; example?: Json }> };
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: Json; example?: Json }> }
  >;
  'x-error-codes': readonly string[];
};

export type Route = { name: string; method: string; path: string; operation: Operation };

/** Every route that a running service describes. */
export async function listRoutes(baseUrl: string): Promise<Route[]> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** The row of a route. Fails when there is none: a new route gets one in this file. */
export function rowOf(route: Route): Row {
  const row = rows[route.name];
  if (!row) throw new Error(`${route.name} has no row in test/harness/route-rows.ts`);
  return row;
}

export function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name));
}

/** The body that a route is called with: its row's, else the example of its description; null without one. */
export function bodyOf(route: Route, row: Row, company: Company): Json | null {
  if (row.body) return row.body(company);
  const content = route.operation.requestBody?.content['application/json'];
  return content ? (content.example ?? {}) : null;
}

export type Call = { headers?: Record<string, string>; params?: Record<string, string>; body?: Json | null };

/** Calls a route. Gives status, headers, and the body as text and, where it is JSON, as a value. */
export async function callRoute(
  baseUrl: string,
  route: Route,
  { headers = {}, params = {}, body = null }: Call,
) {
  const response = await fetch(baseUrl + fillPath(route.path, params), {
    method: route.method,
    headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Json) : {},
  };
}
