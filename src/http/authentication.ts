// Reads the three credentials of a call and asks the verifier that it was given whether they hold.
// Whose they are, and whether they are still good, is for merchants/ to say.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type FieldFault, Refusal } from '../base/errors.ts';

export type Role = 'owner' | 'admin' | 'developer' | 'support' | 'viewer';

/** Who is calling: the one company all three credentials agree on, the account, and the key's mode. */
export type Principal = {
  companyId: string;
  accountId: string;
  sessionId: string;
  roles: readonly Role[];
  keyId: string;
  mode: 'test' | 'live';
};

export type Credentials = { token: string; apiKey: string; companyId: string };
export type VerifyCredentials = (credentials: Credentials) => Promise<Principal>;

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

function readCredentials(request: FastifyRequest): Credentials {
  const { authorization } = request.headers;
  const token = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization ?? '')?.[1];
  const apiKey = single(request.headers['x-api-key']);
  const companyId = single(request.headers['x-company-id']);
  if (token && apiKey && companyId) return { token, apiKey, companyId };
  const missing: FieldFault[] = [];
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
      request.principal = await verify(readCredentials(request));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw await request.server.countRefusal(error, request, reply);
    }
  };
}

/** The principal of a request behind `requireCredentials`. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('this route is not behind requireCredentials');
  return request.principal;
}
