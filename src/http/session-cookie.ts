// The cookie of a browser session, and the check that a request with it comes from one of Paylink's pages. Must not:
// accept a change by the cookie alone, since browsers also send it with requests of other sites.

import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { errors, type FieldError } from '../base/errors.ts';
import { isEqualSecret } from '../base/keyring.ts';
import type { HttpServer } from './http-server.ts';

export type SessionCookie = {
  name: string;
  /** The value in a request; null without one. */
  read(request: FastifyRequest): string | null;
  /** The `Set-Cookie` that stores a value for this time. */
  set(value: string, lifeSeconds: number): string;
  /** The `Set-Cookie` that deletes it. */
  clear(): string;
  /** Throws `csrf_refused` for a request from another site. */
  rejectCrossSite(request: FastifyRequest): void;
  /** Throws `csrf_refused` for a request with the token of another session, such as that of a tab left open. */
  rejectOtherSession(request: FastifyRequest, value: string): void;
  /** Throws `csrf_refused` unless a request with this cookie comes from one of Paylink's pages. */
  requireCsrfToken(request: FastifyRequest, value: string): void;
};

declare module 'fastify' {
  interface FastifyInstance {
    sessionCookie: SessionCookie;
  }
}

/** The token by which a page proves that it can read our responses, which no other site can. */
export function csrfTokenOf(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url');
}

type RequestSite = 'own' | 'other' | 'untold';

/** The site that made a request, as the browser reports it: scripts cannot set these headers. */
function siteOf(request: FastifyRequest, ownOrigin: string): RequestSite {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'other';
  if (origin !== undefined) return origin === ownOrigin ? 'own' : 'other';
  return 'untold';
}

function siteError(site: RequestSite): FieldError {
  const field = 'Sec-Fetch-Site';
  return site === 'other'
    ? { field, code: 'not_allowed', detail: 'Another site made this request.' }
    : { field, code: 'missing', detail: 'The browser sent neither this header nor Origin.' };
}

function csrfTokenError(sent: string | string[] | undefined, value: string): FieldError | null {
  const field = 'X-Paylink-Csrf';
  if (sent === undefined) return { field, code: 'missing', detail: 'This header is required.' };
  if (typeof sent === 'string' && isEqualSecret(sent, csrfTokenOf(value))) return null;
  return { field, code: 'invalid', detail: 'This is not the csrfToken of GET /v1/session.' };
}

/** Reads and writes the cookie, depending on the public address: only https allows the strict name. */
function createSessionCookie(baseUrl: string): SessionCookie {
  const ownOrigin = new URL(baseUrl).origin;
  const isSecure = ownOrigin.startsWith('https:');
  // Browsers accept this prefix only over TLS, so it is left out over plain http.
  const name = isSecure ? '__Host-paylink' : 'paylink';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    name,
    read: (request) => {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const own = pairs.find((pair) => pair.startsWith(`${name}=`));
      return own?.slice(name.length + 1) || null;
    },
    set: (value, lifeSeconds) => `${name}=${value}; Max-Age=${lifeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    rejectCrossSite: (request) => {
      const site = siteOf(request, ownOrigin);
      if (site === 'other') throw errors.csrfRefused({ errors: [siteError(site)] });
    },
    rejectOtherSession: (request, value) => {
      const token = request.headers['x-paylink-csrf'];
      const fault = token === undefined ? null : csrfTokenError(token, value);
      if (fault) throw errors.csrfRefused({ errors: [fault] });
    },
    requireCsrfToken: (request, value) => {
      const site = siteOf(request, ownOrigin);
      const tokenFault = csrfTokenError(request.headers['x-paylink-csrf'], value);
      const faults = [...(site === 'own' ? [] : [siteError(site)]), ...(tokenFault ? [tokenFault] : [])];
      if (faults.length > 0) throw errors.csrfRefused({ errors: faults });
    },
  };
}

/** Makes the cookie available to every route. Call it before registering routes. */
export function useSessionCookie(app: HttpServer, { baseUrl }: { baseUrl: string }): void {
  app.decorate('sessionCookie', createSessionCookie(baseUrl));
}
