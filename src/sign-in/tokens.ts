// Access tokens: signed JWTs (RFC 9068) that name a session, which the database checks at every call.

import { errors as joseErrors } from 'jose';
import { LRUCache } from 'lru-cache';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { challenge } from '../http/authentication.ts';

export const tokenTtlSeconds = 60 * 60;

export type TokenClaims = { companyId: string; accountId: string; sessionId: string };

/** Signs a token. `baseUrl` is issuer and audience. Times inside are in seconds since the epoch. */
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

export type TokenReader = {
  /** Throws `expired_token` or `invalid_token`. */
  read(token: string, now: Date): Promise<TokenClaims>;
  /** Removes a token from the cache when its session has ended. */
  evict(token: string): void;
};

type CachedToken = { claims: TokenClaims; expiresAt: Date };

/** Bounds the memory of the cache: about a kilobyte for each token. */
const maxCached = 10_000;

/** Verifies tokens, and caches the result until they expire: verifying a signature is expensive. */
export function createTokenReader(deps: { keyring: Keyring; baseUrl: string }): TokenReader {
  const cached = new LRUCache<string, CachedToken>({ max: maxCached });
  return {
    read: async (token, now) => {
      const found = cached.get(token);
      if (found && found.expiresAt > now) return found.claims;
      cached.delete(token);
      const read = await readToken(deps, token, now);
      cached.set(token, read);
      return read.claims;
    },
    evict: (token) => void cached.delete(token),
  };
}

async function readToken(
  deps: { keyring: Keyring; baseUrl: string },
  token: string,
  now: Date,
): Promise<CachedToken> {
  try {
    const claims = await deps.keyring.verify('at+jwt', token, {
      issuer: deps.baseUrl,
      audience: deps.baseUrl,
      now,
    });
    return {
      claims: {
        companyId: String(claims.company),
        accountId: String(claims.sub),
        sessionId: String(claims.sid),
      },
      expiresAt: new Date(Number(claims.exp) * 1000),
    };
  } catch (cause) {
    const make = cause instanceof joseErrors.JWTExpired ? errors.expiredToken : errors.invalidToken;
    throw make({
      cause,
      headers: challenge('invalid_token'),
      errors: [invalidTokenError(make === errors.expiredToken)],
    });
  }
}

function invalidTokenError(isExpired: boolean) {
  return isExpired
    ? { field: 'Authorization', code: 'expired', detail: 'The token has expired.' }
    : { field: 'Authorization', code: 'invalid', detail: 'The token is not valid.' };
}
