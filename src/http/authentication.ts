// Reads the credentials of a call, a service key, three headers or the cookie of a browser session, and passes them to
// the verifier in sign-in/, which decides whether they are valid. Must not: read the cookie of a call that sends one of
// the headers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TestTime } from '../base/clock.ts';
import { ApiError, errors, type FieldError, invalidField } from '../base/errors.ts';
import { t, type ValueOf } from '../db/statements.ts';

export const role = t.oneOf('owner', 'admin', 'developer', 'support', 'viewer');
export type Role = ValueOf<typeof role>;

type CompanyInMode = { companyId: string; mode: 'test' | 'live' };

/** A caller with an account, by a login or a browser session. */
export type AccountPrincipal = CompanyInMode & {
  accountId: string;
  sessionId: string;
  roles: readonly Role[];
  /** The API key of the call; null for a person with a browser session. */
  keyId: string | null;
};

/** A program with a service key. */
export type ServiceKeyPrincipal = CompanyInMode & {
  serviceKeyId: string;
  /** The key with which the chain of rolls began; its own ID if it was not rolled. */
  firstKeyId: string;
  /** Names of rights. */
  scopes: readonly string[];
};

/** Who calls: the company on which all credentials agree, the account or the service key, and the mode. */
export type Principal = AccountPrincipal | ServiceKeyPrincipal;

/** A verified principal, with the test time of its company: null in live mode, and in real time. */
export type Verified<P extends Principal = Principal> = P & { testTime: TestTime | null };

export type ApiCredentials = { token: string; apiKey: string; companyId: string };
/** A service key stands alone. `ip` is the client's address, as the trusted proxies report it. */
export type ServiceKeyCredentials = { serviceKey: string; ip: string };
/** What a browser sends instead. A background call does not extend the session. */
export type CookieCredentials = { cookie: string; mode: 'test' | 'live'; isInBackground: boolean };
export type HeaderCredentials = ApiCredentials | ServiceKeyCredentials;
export type VerifyCredentials = (credentials: HeaderCredentials | CookieCredentials) => Promise<Verified>;

declare module 'fastify' {
  interface FastifyRequest {
    principal: Verified | null;
  }
}

const realm = 'Bearer realm="paylink"';

/** The `WWW-Authenticate` header of a 401 (RFC 6750 section 3), with the error code if there is one. */
export function challenge(error?: 'invalid_token'): Record<string, string> {
  return { 'www-authenticate': error ? `${realm}, error="${error}"` : realm };
}

/** Methods that change nothing (RFC 9110 section 9.2.1), as far as routes use them. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The cookie of a call; null without one. A change must prove that it comes from one of Paylink's pages. */
function readCookie(request: FastifyRequest): string | null {
  const { sessionCookie } = request.server;
  const cookie = sessionCookie.read(request);
  if (cookie !== null && !safeMethods.has(request.method)) sessionCookie.requireCsrfToken(request, cookie);
  return cookie;
}

/** A read by cookie needs no CSRF token. One that is sent must fit: a tab of an earlier login must fail. */
async function identify(
  request: FastifyRequest,
  verify: VerifyCredentials,
  credentials: HeaderCredentials | CookieCredentials,
): Promise<Verified> {
  const principal = await verify(credentials);
  if ('cookie' in credentials) request.server.sessionCookie.rejectOtherSession(request, credentials.cookie);
  return principal;
}

/** Without the header a browser is in test mode, so that an omission never moves real money. */
function readMode(request: FastifyRequest): 'test' | 'live' {
  const mode = request.headers['x-paylink-mode'] ?? 'test';
  if (mode === 'test' || mode === 'live') return mode;
  throw invalidField('X-Paylink-Mode', 'not_allowed', 'This must be one of: test, live.');
}

const isInBackground = (request: FastifyRequest) => request.headers['x-paylink-background'] === 'true';

function readCredentials(request: FastifyRequest): HeaderCredentials | CookieCredentials {
  const { authorization, 'x-api-key': key, 'x-company-id': company } = request.headers;
  const cookie = authorization || key || company ? null : readCookie(request);
  if (cookie === null) return readHeaders(request);
  return { cookie, mode: readMode(request), isInBackground: isInBackground(request) };
}

/** How service keys begin. No token does: they are JWTs. */
const serviceKeyStart = 'pls_';

function refuseCompanions(apiKey: string | undefined, companyId: string | undefined): void {
  const detail = 'Leave this header out: a service key stands alone.';
  const sent = [apiKey && 'X-API-KEY', companyId && 'X-COMPANY-ID'].filter(
    (name) => typeof name === 'string',
  );
  if (sent.length === 0) return;
  throw errors.serviceKeyNotAlone({
    errors: sent.map((field) => ({ field, code: 'not_allowed', detail })),
  });
}

function readHeaders(request: FastifyRequest): HeaderCredentials {
  const { authorization } = request.headers;
  const token = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization ?? '')?.[1];
  const apiKey = single(request.headers['x-api-key']);
  const companyId = single(request.headers['x-company-id']);
  const isServiceKey = token?.startsWith(serviceKeyStart) === true;
  if (isServiceKey || apiKey?.startsWith(serviceKeyStart)) refuseCompanions(apiKey, companyId);
  if (isServiceKey) return { serviceKey: token, ip: request.ip };
  if (token && apiKey && companyId) return { token, apiKey, companyId };
  const missing: FieldError[] = [];
  if (!authorization)
    missing.push({ field: 'Authorization', code: 'missing', detail: 'This header is required.' });
  else if (!token)
    missing.push({
      field: 'Authorization',
      code: 'wrong_format',
      detail: 'This header has the form "Bearer <token>".',
    });
  if (!apiKey) missing.push({ field: 'X-API-KEY', code: 'missing', detail: 'This header is required.' });
  if (!companyId)
    missing.push({ field: 'X-COMPANY-ID', code: 'missing', detail: 'This header is required.' });
  throw errors.missingCredentials({ errors: missing, headers: challenge() });
}

function single(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.trim() || undefined;
}

/** A Fastify `onRequest` hook. It sets `request.principal` or refuses the call. */
export function requireCredentials(verify: VerifyCredentials) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.principal = await identify(request, verify, readCredentials(request));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw await request.server.countFailedAuthentication(error, request, reply);
    }
  };
}

/** For public routes: sets `request.principal` if the call has a valid cookie, else to null. */
export function acceptCookie(verify: VerifyCredentials) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const cookie = readCookie(request);
    if (cookie === null) return;
    try {
      const credentials = { cookie, mode: 'test' as const, isInBackground: isInBackground(request) };
      // Who signs in as somebody else leaves the company of the cookie, so the call stays in real time.
      request.principal = { ...(await identify(request, verify, credentials)), testTime: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const counted = await request.server.countFailedAuthentication(error, request, reply);
      if (counted !== error) throw counted;
    }
  };
}

export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('this route is not behind requireCredentials');
  return request.principal;
}

/** The caller of a route that is about a person. Throws `service_key_not_allowed` for a service key. */
export function accountPrincipalOf(request: FastifyRequest): AccountPrincipal {
  const principal = principalOf(request);
  if ('serviceKeyId' in principal) throw errors.serviceKeyNotAllowed();
  return principal;
}
