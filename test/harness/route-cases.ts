// One row per API route: who may call it, and how a call succeeds. Tests over all routes fail without a row.

import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/http/authentication.ts';
import { sendStatement, spareBankRefund, statementOf } from './bank.ts';
import { type Credentials, call, createLinkAs, eventOfPayment, type Json, logIn } from './client.ts';
import { createDevice } from './passkey-device.ts';
import { resetToken } from './password-resets.ts';
import { type Merchant, type Paylink, password } from './paylink.ts';
import { addMember, invite, join, makeOperator, type Person } from './people.ts';
import { insertProcessorCase } from './processor-cases.ts';
import { recordedRequest } from './request-log.ts';
import { resolveReferences } from './resolve-references.ts';
import { addPasskey, addTotp, beginTotp, passkeyOptions, signInOptions } from './second-factors.ts';
import { serviceKeyCases } from './service-key-cases.ts';
import { testModeCases } from './test-mode-cases.ts';
import { payWith } from './visitor.ts';

/** A company with its owner logged in, and factories for the objects of routes. */
export type RouteCompany = {
  paylink: Paylink;
  merchant: Merchant;
  credentials: Credentials;
  /** The caller; by default the owner. */
  caller: Person;
  openCode(): Promise<string>;
  paidCode(): Promise<string>;
};

export type Params = Record<string, string>;

export type Call = {
  headers?: Record<string, string>;
  params?: Params;
  body?: Json | null;
  file?: { type: string; text: string } | null;
};

export type RouteCase = {
  /** The allowed roles; null for a route without credentials. */
  roles: readonly Role[] | null;
  /** Path parameters of new objects that fit the body's example. */
  params?: (company: RouteCompany) => Promise<Params>;
  /** The body, if the example has IDs of another company. */
  body?: (company: RouteCompany) => Json | Promise<Json>;
  /** The file for a route that takes one. */
  file?: { type: string; write: () => string };
  /** Whether a call ends its own session. */
  endsSession?: true;
  /** Whether another member makes the call, because it changes the caller's account permanently. */
  bySomebodyElse?: true;
};

const everybody: readonly Role[] = ['owner', 'admin', 'developer', 'support', 'viewer'];
const creators: readonly Role[] = ['owner', 'admin', 'developer', 'support'];
const refunders: readonly Role[] = ['owner', 'admin', 'support'];
const accountants: readonly Role[] = ['owner', 'admin', 'support', 'viewer'];
const keyKeepers: readonly Role[] = ['owner', 'admin', 'developer'];
const leaders: readonly Role[] = ['owner', 'admin'];

const open = async (company: RouteCompany): Promise<Params> => ({ code: await company.openCode() });
const paid = async ({ paidCode }: RouteCompany): Promise<Params> => ({ code: await paidCode() });
/** A paid link with money that Paylink cannot account for. */
const unaccounted = async (company: RouteCompany): Promise<Params> => {
  const code = await company.paidCode();
  await insertProcessorCase(company.paylink, code);
  return { code };
};
const spareKey = async ({ paylink, credentials }: RouteCompany): Promise<Params> => {
  const { body } = await call(paylink, credentials, ['POST', '/v1/api-keys'], {});
  return { keyId: String(body.keyId) };
};
const spareSession = async ({ paylink, caller }: RouteCompany): Promise<Params> => {
  const { body } = await call(paylink, await logIn(paylink, caller), ['GET', '/v1/me']);
  return { sessionId: String(body.sessionId) };
};
const spareMember = async ({ paylink, credentials }: RouteCompany): Promise<Params> => {
  const { accountId } = await join(paylink, credentials, ['viewer']);
  return { accountId };
};
const stranger = () => ({ email: `${randomUUID()}@example.com`, roles: ['viewer'] as const });
const invitation = async ({ paylink, credentials }: RouteCompany): Promise<Params> => {
  const { invitationId } = await invite(paylink, credentials, stranger());
  return { invitationId };
};

// A receiver that refuses connections, so that attempts fail at once.
const hook: Json = { url: 'http://127.0.0.1:1029/', events: ['payment.paid'] };
const hooks = '/v1/webhook-endpoints';
/** Deletes earlier endpoints, because their number is limited. */
const endpointBody = async ({ paylink, credentials }: RouteCompany): Promise<Json> => {
  const { body } = await call(paylink, credentials, ['GET', hooks]);
  for (const { id } of body.data as Json[]) await call(paylink, credentials, ['DELETE', `${hooks}/${id}`]);
  return hook;
};
const spareEndpoint = async (company: RouteCompany): Promise<Params> => {
  const { paylink, credentials } = company;
  const { body } = await call(paylink, credentials, ['POST', hooks], await endpointBody(company));
  return { endpointId: String(body.id) };
};
const spareDelivery = async (company: RouteCompany): Promise<Params> => {
  const path = `${hooks}/${(await spareEndpoint(company)).endpointId}/test`;
  const { body } = await call(company.paylink, company.credentials, ['POST', path]);
  return { deliveryId: String(body.deliveryId) };
};

const connections = '/v1/processor-connections';
const idsOfConnections = async ({ paylink, credentials }: RouteCompany): Promise<string[]> => {
  const { body } = await call(paylink, credentials, ['GET', connections]);
  return (body.data as Json[]).map(({ id }) => String(id));
};
/** Deletes earlier connections, because their number is limited. */
const connectionBody = async (company: RouteCompany): Promise<Json> => {
  const { paylink, credentials } = company;
  for (const id of await idsOfConnections(company))
    await call(paylink, credentials, ['DELETE', `${connections}/${id}`]);
  return { processor: 'sandbox' };
};
const spareConnection = async (company: RouteCompany): Promise<Params> => {
  const { paylink, credentials } = company;
  const { body } = await call(paylink, credentials, ['POST', connections], await connectionBody(company));
  return { connectionId: String(body.id) };
};
const connectionOrder = async (company: RouteCompany): Promise<Json> => {
  await spareConnection(company);
  return { connectionIds: await idsOfConnections(company) };
};

const standIns = new WeakMap<RouteCompany, Person>();

/** A new member with the caller's roles, who makes the next call. */
async function standIn(company: RouteCompany): Promise<Person> {
  const { paylink, credentials, caller } = company;
  const { body } = await call(paylink, caller.credentials, ['GET', '/v1/me']);
  const person = await addMember(paylink, credentials, body.roles as Role[]);
  standIns.set(company, person);
  return person;
}
const codeOfNewApp = async (company: RouteCompany): Promise<Json> => {
  const app = await beginTotp(company.paylink, (await standIn(company)).credentials);
  return { otp: app.code() };
};
const passwordWithApp = async (company: RouteCompany): Promise<Json> => {
  await addTotp(company.paylink, (await standIn(company)).credentials);
  return { currentPassword: password };
};

const passkeyOfNewDevice = async (company: RouteCompany): Promise<Json> => {
  const { paylink } = company;
  const { credentials } = await standIn(company);
  const response = createDevice(paylink.baseUrl).create(await passkeyOptions(paylink, credentials));
  return { name: 'Laptop', response };
};
const sparePasskey = async (company: RouteCompany): Promise<Params> => {
  const { credentials } = await standIn(company);
  return { passkeyId: (await addPasskey(company.paylink, credentials)).passkeyId };
};
const answerOfDevice = async ({ paylink, credentials }: RouteCompany): Promise<Json> => {
  const person = await addMember(paylink, credentials, ['viewer']);
  const { device } = await addPasskey(paylink, person.credentials);
  return { response: device.get(await signInOptions(paylink)) };
};

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>';
const foreignFile = () => statementOf([{ amount: '1.00', text: 'for somebody else' }]);
const spareLine = async ({ paylink, credentials }: RouteCompany): Promise<Params> => {
  const { body } = await sendStatement(paylink, credentials, foreignFile());
  const path = `/v1/bank-lines?statementId=${body.id}`;
  const lines = await call(paylink, credentials, ['GET', path]);
  return { lineId: String((lines.body.data as Json[])[0]?.id) };
};
const spareStatement = async ({ paylink, credentials }: RouteCompany): Promise<Params> => {
  const { body } = await sendStatement(paylink, credentials, foreignFile());
  return { statementId: String(body.id) };
};

/** By method and path of the description. */
export const routeCases: Readonly<Record<string, RouteCase>> = {
  'GET /healthz': { roles: null },
  'GET /readyz': { roles: null },
  'GET /problems/{code}': { roles: null, params: async () => ({ code: 'not_found' }) },
  'GET /.well-known/jwks.json': { roles: null },
  'POST /v1/auth/login': { roles: null, body: ({ merchant }) => ({ email: merchant.email, password }) },
  'POST /v1/auth/logout': { roles: everybody, endsSession: true },
  'POST /v1/session': { roles: null, body: ({ merchant }) => ({ email: merchant.email, password }) },
  'POST /v1/session/passkey-options': { roles: null },
  'POST /v1/session/passkey': { roles: null, body: answerOfDevice },
  'GET /v1/session': { roles: null },
  'DELETE /v1/session': { roles: null },
  'POST /v1/password-resets': { roles: null },
  'POST /v1/password-resets/accept': {
    roles: null,
    body: async ({ paylink, credentials }) => {
      const token = await resetToken(paylink, await join(paylink, credentials, ['viewer']));
      return { token, password };
    },
  },
  'GET /v1/api-keys': { roles: keyKeepers },
  'POST /v1/api-keys': { roles: keyKeepers },
  'POST /v1/api-keys/{keyId}/roll': { roles: keyKeepers, params: spareKey },
  'DELETE /v1/api-keys/{keyId}': { roles: keyKeepers, params: spareKey },
  ...serviceKeyCases,
  'GET /v1/access': { roles: everybody },
  'GET /v1/me': { roles: everybody },
  // Sets the same password, so that later calls can log in.
  'POST /v1/me/password': {
    roles: everybody,
    body: () => ({ currentPassword: password, newPassword: password }),
  },
  'GET /v1/me/sessions': { roles: everybody },
  'DELETE /v1/me/sessions': { roles: everybody },
  'DELETE /v1/me/sessions/{sessionId}': { roles: everybody, params: spareSession },
  'GET /v1/me/second-factors': { roles: everybody },
  'POST /v1/me/totp': { roles: everybody },
  'POST /v1/me/totp/confirm': { roles: everybody, body: codeOfNewApp, bySomebodyElse: true },
  'POST /v1/me/totp/remove': { roles: everybody },
  'POST /v1/me/passkeys/options': { roles: everybody },
  'POST /v1/me/passkeys': { roles: everybody, body: passkeyOfNewDevice, bySomebodyElse: true },
  'POST /v1/me/passkeys/{passkeyId}/remove': {
    roles: everybody,
    params: sparePasskey,
    bySomebodyElse: true,
  },
  'POST /v1/me/recovery-codes': { roles: everybody, body: passwordWithApp, bySomebodyElse: true },
  'GET /v1/members': { roles: leaders },
  'POST /v1/members': { roles: leaders, body: stranger },
  'PATCH /v1/members/{accountId}': { roles: leaders, params: spareMember },
  'DELETE /v1/members/{accountId}': { roles: leaders, params: spareMember },
  'GET /v1/invitations': { roles: leaders },
  'DELETE /v1/invitations/{invitationId}': { roles: leaders, params: invitation },
  'POST /v1/invitations/accept': {
    roles: null,
    body: async ({ paylink, credentials }) => {
      const { token } = await invite(paylink, credentials, stranger());
      return { token, password };
    },
  },
  'GET /v1/company': { roles: everybody },
  'PATCH /v1/company': { roles: leaders },
  'PUT /v1/company/logo': { roles: leaders, file: { type: 'image/svg+xml', write: () => logo } },
  'DELETE /v1/company/logo': { roles: leaders },
  'POST /v1/company/preview': { roles: everybody },
  'POST /v1/payment/process': { roles: creators },
  'GET /v1/payments': { roles: everybody },
  'GET /v1/payments/{code}': { roles: everybody, params: open },
  'PATCH /v1/payments/{code}': { roles: creators, params: open },
  'GET /v1/payments/{code}/events': { roles: everybody, params: open },
  'GET /v1/payments/{code}/deliveries': { roles: keyKeepers, params: open },
  'GET /v1/payments/{code}/qr': { roles: everybody, params: open },
  'POST /v1/payments/{code}/cancel': { roles: creators, params: open },
  'POST /v1/payments/{code}/send': { roles: creators, params: open },
  'POST /v1/payments/{code}/refunds': { roles: refunders, params: paid },
  'GET /v1/payments/{code}/refunds': { roles: everybody, params: paid },
  'GET /v1/refunds': { roles: everybody },
  'GET /v1/refunds/{refundId}': { roles: everybody, params: spareBankRefund },
  ...testModeCases,
  'GET /v1/cases': { roles: everybody },
  'POST /v1/payments/{code}/cases/close': {
    roles: refunders,
    params: unaccounted,
    body: () => ({ processorReference: 'ch_1' }),
  },
  'GET /v1/overview': { roles: everybody },
  // Of an account that OPERATOR_EMAILS names.
  'GET /v1/operator/status': { roles: everybody },
  'GET /v1/events': { roles: everybody },
  'GET /v1/audit-events': { roles: leaders },
  'GET /v1/processors': { roles: keyKeepers },
  'GET /v1/processor-connections': { roles: keyKeepers },
  'POST /v1/processor-connections': { roles: leaders, body: connectionBody },
  'GET /v1/processor-connections/{connectionId}': { roles: keyKeepers, params: spareConnection },
  'PATCH /v1/processor-connections/{connectionId}': { roles: leaders, params: spareConnection },
  'DELETE /v1/processor-connections/{connectionId}': { roles: leaders, params: spareConnection },
  'POST /v1/processor-connections/{connectionId}/check': { roles: leaders, params: spareConnection },
  'PUT /v1/processor-connection-order': { roles: leaders, body: connectionOrder },
  'GET /v1/webhook-endpoints': { roles: keyKeepers },
  'POST /v1/webhook-endpoints': { roles: keyKeepers, body: endpointBody },
  'GET /v1/webhook-endpoints/{endpointId}': { roles: keyKeepers, params: spareEndpoint },
  'PATCH /v1/webhook-endpoints/{endpointId}': { roles: keyKeepers, params: spareEndpoint },
  'DELETE /v1/webhook-endpoints/{endpointId}': { roles: keyKeepers, params: spareEndpoint },
  'POST /v1/webhook-endpoints/{endpointId}/roll-secret': { roles: keyKeepers, params: spareEndpoint },
  'POST /v1/webhook-endpoints/{endpointId}/test': { roles: keyKeepers, params: spareEndpoint },
  'GET /v1/webhook-endpoints/{endpointId}/deliveries': { roles: keyKeepers, params: spareEndpoint },
  'POST /v1/webhook-endpoints/{endpointId}/resend': { roles: keyKeepers, params: spareEndpoint },
  'GET /v1/webhook-deliveries/{deliveryId}': { roles: keyKeepers, params: spareDelivery },
  'POST /v1/webhook-deliveries/{deliveryId}/resend': { roles: keyKeepers, params: spareDelivery },
  'GET /v1/events/{eventId}/webhook': { roles: keyKeepers, params: eventOfPayment },
  'POST /v1/bank-statements': {
    roles: refunders,
    file: { type: 'application/xml', write: foreignFile },
  },
  'GET /v1/bank-statements': { roles: refunders },
  'GET /v1/bank-statements/{statementId}': { roles: refunders, params: spareStatement },
  'GET /v1/bank-lines': { roles: refunders },
  'POST /v1/bank-lines/{lineId}/resolve': { roles: refunders, params: spareLine },
  'GET /v1/bank-refunds': { roles: refunders },
  'POST /v1/bank-refunds/{refundId}/resolve': { roles: refunders, params: spareBankRefund },
  'GET /v1/balances': { roles: accountants },
  'GET /v1/ledger/entries': { roles: accountants },
  'GET /v1/exports/payments': { roles: refunders },
  'GET /v1/requests': { roles: keyKeepers },
  'GET /v1/requests/{requestId}': { roles: keyKeepers, params: recordedRequest },
};

export async function openCompany(paylink: Paylink, merchant: Merchant): Promise<RouteCompany> {
  const credentials = await logIn(paylink, merchant);
  makeOperator(paylink, merchant);
  const openCode = async () => (await createLinkAs(paylink, credentials)).code;
  return {
    paylink,
    merchant,
    credentials,
    caller: { ...merchant, credentials },
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

export async function listRoutes(baseUrl: string): Promise<Route[]> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  const document = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  const paths = resolveReferences(document, document.paths);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Fails for a route without a row in this file. */
export function routeCaseOf(route: Route): RouteCase {
  const row = routeCases[route.name];
  if (!row) throw new Error(`${route.name} has no row in test/harness/route-cases.ts`);
  return row;
}

export function fillPath(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name));
}

/** The body of the row, else the example of the description. */
async function bodyOf(route: Route, row: RouteCase, company: RouteCompany): Promise<Json | null> {
  if (row.body) return await row.body(company);
  const content = route.operation.requestBody?.content['application/json'];
  return content ? (content.example ?? {}) : null;
}

/** A successful call of a route. */
export async function validCall(
  route: Route,
  company: RouteCompany,
): Promise<Required<Omit<Call, 'headers'>>> {
  const row = routeCaseOf(route);
  const params = (await row.params?.(company)) ?? {};
  const file = row.file ? { type: row.file.type, text: row.file.write() } : null;
  return { params, body: await bodyOf(route, row, company), file };
}

/** The credentials for a prepared call: its own login if it ends it, another member's if it changes the account. */
export async function credentialsFor(route: Route, company: RouteCompany): Promise<Credentials> {
  const { paylink, caller } = company;
  const row = routeCaseOf(route);
  if (row.endsSession) return await logIn(paylink, caller);
  return row.bySomebodyElse ? (standIns.get(company) ?? caller).credentials : caller.credentials;
}
