// Access tokens: signed JWTs (RFC 9068) that name a session. The signature says who logged in; whether
// the session is still good is asked of the database at every call.

import { errors as joseErrors } from 'jose';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { challenge } from '../http/authentication.ts';

export const tokenLifeSeconds = 60 * 60;

export type TokenClaims = { companyId: string; accountId: string; sessionId: string };

/** Signs a token. `baseUrl` is issuer and audience; times are seconds since the epoch inside. */
export async function issueToken(
  deps: { keyring: Keyring; baseUrl: string },
  claims: TokenClaims & { roles: readonly string[]; issuedAt: Date; expiresAt: Date },
): Promise<string> {
  return await deps.keyring.sign('at+jwt', {
    iss: deps.baseUrl,
    aud: deps.baseUrl,
    sub: claims.accountId,
    company: claims.companyId,
    sid: claims.sessionId,
    roles: claims.roles,
    iat: Math.floor(claims.issuedAt.getTime() / 1000),
    exp: Math.floor(claims.expiresAt.getTime() / 1000),
  });
}

/** Reads a token. Throws `expired_token` or `invalid_token`. */
export async function readToken(
  deps: { keyring: Keyring; baseUrl: string },
  token: string,
  now: Date,
): Promise<TokenClaims> {
  try {
    const claims = await deps.keyring.verify('at+jwt', token, {
      issuer: deps.baseUrl,
      audience: deps.baseUrl,
      now,
    });
    return {
      companyId: String(claims.company),
      accountId: String(claims.sub),
      sessionId: String(claims.sid),
    };
  } catch (cause) {
    const make = cause instanceof joseErrors.JWTExpired ? errors.expiredToken : errors.invalidToken;
    throw make({
      cause,
      headers: challenge('invalid_token'),
      errors: [tokenFault(make === errors.expiredToken)],
    });
  }
}

function tokenFault(isExpired: boolean) {
  return isExpired
    ? { field: 'Authorization', code: 'expired', detail: 'The token has expired.' }
    : { field: 'Authorization', code: 'invalid', detail: 'The token is not one of ours.' };
}
