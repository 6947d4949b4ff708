// Reads the credentials of a call, which are three headers or the cookie of a browser's session, and asks the
// verifier that it was given whether they hold. Whose they are, and whether they are still good, is for
// sign-in/ to say. Must never: look at the cookie of a call that brings one of the headers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errors, type FieldError } from '../base/errors.ts';

export type Role = 'owner' | 'admin' | 'developer' | 'support' | 'viewer';

/** Who is calling: the one company all credentials agree on, the account, and the mode it works in. */
export type Principal = {
  companyId: string;
  accountId: string;
  sessionId: string;
  roles: readonly Role[];
  /** The API key of the call; null for a person who is signed in with a browser. */
  keyId: string | null;
  mode: 'test' | 'live';
};

export type ApiCredentials = { token: string; apiKey: string; companyId: string };
/** What a browser sends in their place. A call in the background does not count as a sign of life. */
export type CookieCredentials = { cookie: string; mode: 'test' | 'live'; isInBackground: boolean };
export type VerifyCredentials = (credentials: ApiCredentials | CookieCredentials) => Promise<Principal>;

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

const realm = 'Bearer realm="paylink"';

/** The `WWW-Authenticate` header of a 401 (RFC 6750 section 3), with the error code when there is one. */
export function challenge(error?: 'invalid_token'): Record<string, string> {
  return { 'www-authenticate': error ? `${realm}, error="${error}"` : realm };
}

/** Methods that change nothing (RFC 9110 section 9.2.1), as far as routes of ours take them. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The cookie of a call, which for a change is shown to come from a page of ours; null without one. */
function readCookie(request: FastifyRequest): string | null {
  const { sessionCookie } = request.server;
  const cookie = sessionCookie.read(request);
  if (cookie !== null && !safeMethods.has(request.method)) sessionCookie.requireOwnPage(request, cookie);
  return cookie;
}

/**
 * The principal of a call. Who reads by cookie need not send a token, but is not answered in another session than the
 * one whose token was sent: a tab left open must not show what somebody else has signed in for.
 */
async function identify(
  request: FastifyRequest,
  verify: VerifyCredentials,
  credentials: ApiCredentials | CookieCredentials,
): Promise<Principal> {
  const principal = await verify(credentials);
  if ('cookie' in credentials) request.server.sessionCookie.refuseOtherSessions(request, credentials.cookie);
  return principal;
}

/** Without the header a browser works in test mode: nobody moves real money by leaving something out. */
function readMode(request: FastifyRequest): 'test' | 'live' {
  const mode = request.headers['x-paylink-mode'] ?? 'test';
  if (mode === 'test' || mode === 'live') return mode;
  throw errors.invalidFields({
    errors: [{ field: 'X-Paylink-Mode', code: 'not_allowed', detail: 'This must be one of: test, live.' }],
  });
}

const isInBackground = (request: FastifyRequest) => request.headers['x-paylink-background'] === 'true';

function readCredentials(request: FastifyRequest): ApiCredentials | CookieCredentials {
  const { authorization, 'x-api-key': key, 'x-company-id': company } = request.headers;
  const cookie = authorization || key || company ? null : readCookie(request);
  if (cookie === null) return readHeaders(request);
  return { cookie, mode: readMode(request), isInBackground: isInBackground(request) };
}

function readHeaders(request: FastifyRequest): ApiCredentials {
  const { authorization } = request.headers;
  const token = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization ?? '')?.[1];
  const apiKey = single(request.headers['x-api-key']);
  const companyId = single(request.headers['x-company-id']);
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

/** A Fastify `onRequest` hook: after it `request.principal` is set, or the call was refused. */
export function requireCredentials(verify: VerifyCredentials) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.principal = await identify(request, verify, readCredentials(request));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw await request.server.countRefusal(error, request, reply);
    }
  };
}

/**
 * An `onRequest` hook for routes that are open to everybody: after it `request.principal` is set when the call
 * brings a cookie that holds, and null otherwise.
 */
export function acceptCookie(verify: VerifyCredentials) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const cookie = readCookie(request);
    if (cookie === null) return;
    try {
      const credentials = { cookie, mode: 'test' as const, isInBackground: isInBackground(request) };
      request.principal = await identify(request, verify, credentials);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const counted = await request.server.countRefusal(error, request, reply);
      if (counted !== error) throw counted;
    }
  };
}

/** The principal of a request behind `requireCredentials`. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('this route is not behind requireCredentials');
  return request.principal;
}
