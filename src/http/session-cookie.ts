// The cookie of people who are signed in with a browser: its name, how it is set, and the proof that a request
// which brings it comes from a page of ours. Which session it opens is for sign-in/ to say. Must never: let a
// cookie alone change anything, for browsers send it whoever made them ask.

import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { errors, type FieldError } from '../base/errors.ts';
import { isEqualSecret } from '../base/keyring.ts';
import type { HttpServer } from './http-server.ts';

export type SessionCookie = {
  name: string;
  /** The value that a request brings; null without one. */
  read(request: FastifyRequest): string | null;
  /** The `Set-Cookie` that keeps a value for so long. */
  set(value: string, lifeSeconds: number): string;
  /** The `Set-Cookie` that makes a browser forget it. */
  clear(): string;
  /** Throws `csrf_refused` for a request that another site made. */
  refuseOtherSites(request: FastifyRequest): void;
  /** Throws `csrf_refused` for a request with the token of another session, such as that of a tab left open. */
  refuseOtherSessions(request: FastifyRequest, value: string): void;
  /** Throws `csrf_refused` unless a request of this cookie is shown to come from a page of ours. */
  requireOwnPage(request: FastifyRequest, value: string): void;
};

declare module 'fastify' {
  interface FastifyInstance {
    sessionCookie: SessionCookie;
  }
}

/** What a page sends to show that it could read an answer of ours; no other site can. */
export function csrfTokenOf(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url');
}

type RequestSite = 'own' | 'other' | 'untold';

/** Whose page made a request, as the browser says: no script can write these headers. */
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
    : { field, code: 'missing', detail: 'The browser says neither in this header nor in Origin who asks.' };
}

function csrfTokenError(sent: string | string[] | undefined, value: string): FieldError | null {
  const field = 'X-Paylink-Csrf';
  if (sent === undefined) return { field, code: 'missing', detail: 'This header is required.' };
  if (typeof sent === 'string' && isEqualSecret(sent, csrfTokenOf(value))) return null;
  return { field, code: 'invalid', detail: 'This is not the csrfToken of GET /v1/session.' };
}

/** Reads and writes the cookie by the public address: behind https alone it has the strict name. */
function createSessionCookie(baseUrl: string): SessionCookie {
  const ownOrigin = new URL(baseUrl).origin;
  const isSecure = ownOrigin.startsWith('https:');
  // Browsers take a cookie of this prefix from our own host alone, over TLS, for all its paths and no other host.
  // Over plain http they take none of it, so there the name goes without.
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
    refuseOtherSites: (request) => {
      const site = siteOf(request, ownOrigin);
      if (site === 'other') throw errors.csrfRefused({ errors: [siteError(site)] });
    },
    refuseOtherSessions: (request, value) => {
      const token = request.headers['x-paylink-csrf'];
      const fault = token === undefined ? null : csrfTokenError(token, value);
      if (fault) throw errors.csrfRefused({ errors: [fault] });
    },
    requireOwnPage: (request, value) => {
      const site = siteOf(request, ownOrigin);
      const tokenFault = csrfTokenError(request.headers['x-paylink-csrf'], value);
      const faults = [...(site === 'own' ? [] : [siteError(site)]), ...(tokenFault ? [tokenFault] : [])];
      if (faults.length > 0) throw errors.csrfRefused({ errors: faults });
    },
  };
}

/** Makes the cookie known to every route. Call it before the routes. */
export function useSessionCookie(app: HttpServer, { baseUrl }: { baseUrl: string }): void {
  app.decorate('sessionCookie', createSessionCookie(baseUrl));
}
