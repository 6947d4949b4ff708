// Logs in for calls with a token: opens a session of 60 minutes, and finds the API key to return.

import { deriveApiKey } from '../api-keys/api-keys.ts';
import { findNewestApiKey } from '../api-keys/store.ts';
import { normaliseEmail } from '../base/email-address.ts';
import { errors } from '../base/errors.ts';
import type { Mode } from '../db/database.ts';
import type { Role } from '../http/authentication.ts';
import { hasRight, requireRight } from '../http/roles.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import { nameOfKey, trustClient } from '../passwords/login-pause.ts';
import type { Login } from '../second-factors/check-second-factor.ts';
import { checkLogin, type LoginAttempt } from './check-login.ts';
import { openSession } from './open-session.ts';
import { issueToken, tokenTtlSeconds } from './tokens.ts';

export type LoggedIn = Login & { apiKey: string; mode: Mode; token: string; expiresAt: Date };

/** Null: the company's setting. A role without the right to live keys gets a test key. */
function modeFor(roles: readonly Role[], wanted: Mode | undefined): Mode | null {
  if (wanted === 'live') requireRight({ roles }, 'keys:live');
  return wanted ?? (hasRight(roles, 'keys:live') ? null : 'test');
}

/**
 * Checks the login and opens a session. Without a mode, returns the key of the company's setting, or the test key for
 * a role without the right to live keys. Throws `no_key_of_mode`, `role_not_allowed` for a live key that the role may
 * not have, and what `checkLogin` throws.
 */
export async function logIn(
  deps: LoginDeps,
  attempt: LoginAttempt & { mode?: Mode | undefined },
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const login = await checkLogin(deps, attempt, now);
  const { companyId, account } = login;
  const mode = modeFor(account.roles, attempt.mode);
  const expiresAt = new Date(now.getTime() + tokenTtlSeconds * 1000);
  const { key, sessionId } = await deps.db.inCompany(companyId, async (tx) => {
    const opened = await openSession(tx, login, { by: 'token', now, expiresAt });
    const found = await findNewestApiKey(tx, mode, now);
    if (!found) throw errors.noKeyOfMode();
    return { key: found, sessionId: opened };
  });
  const { accountId, roles } = account;
  // Clients with this key are known, from any address.
  await trustClient(deps, { account: normaliseEmail(account.email), clients: [nameOfKey(key.keyId)] }, now);
  const token = await issueToken(deps, { companyId, accountId, sessionId, roles, issuedAt: now, expiresAt });
  const apiKey = deriveApiKey(deps.keyring, key.mode, key.keyId);
  return { ...login, apiKey, mode: key.mode, token, expiresAt };
}
