// Logs an account in for calls with a token: opens a session of 60 minutes, and finds the key to go with it.

import { errors } from '../base/errors.ts';
import { deriveApiKey, type KeyMode } from './api-keys.ts';
import { checkLogin, type Login, type LoginAttempt, type LoginDeps } from './check-login.ts';
import { enterSession } from './enter-session.ts';
import { findNewestApiKey } from './key-store.ts';
import { issueToken, tokenLifeSeconds } from './tokens.ts';

export type LoggedIn = Login & { apiKey: string; mode: KeyMode; token: string; expiresAt: Date };

/**
 * Checks the login and opens a session. Without a mode it is the one that the company has set whose key is
 * returned. Throws `no_key_of_mode`, and what `checkLogin` throws.
 */
export async function logIn(
  deps: LoginDeps,
  attempt: LoginAttempt & { mode?: KeyMode | undefined },
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const login = await checkLogin(deps, attempt, now);
  const { companyId, account } = login;
  const expiresAt = new Date(now.getTime() + tokenLifeSeconds * 1000);
  const { key, sessionId } = await deps.db.inTenant(companyId, async (tx) => {
    const opened = await enterSession(tx, login, { by: 'token', now, expiresAt });
    const found = await findNewestApiKey(tx, attempt.mode ?? null, now);
    if (!found) throw errors.noKeyOfMode();
    return { key: found, sessionId: opened };
  });
  const { accountId, roles } = account;
  const token = await issueToken(deps, { companyId, accountId, sessionId, roles, issuedAt: now, expiresAt });
  const apiKey = deriveApiKey(deps.keyring, key.mode, key.keyId);
  return { ...login, apiKey, mode: key.mode, token, expiresAt };
}
