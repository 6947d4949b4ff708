// Verifies the cookie of a call and its mode.

import { type Clock, testTimeOf } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import {
  type AccountPrincipal,
  type CookieCredentials,
  challenge,
  type Verified,
} from '../http/authentication.ts';
import { findSession } from './browser-session.ts';

/** Throws `session_ended`, or `no_key_of_mode` if the company has no live key. */
export async function verifyCookie(
  deps: { db: Database; clock: Clock },
  credentials: CookieCredentials,
): Promise<Verified<AccountPrincipal>> {
  const found = await findSession(deps, credentials);
  if (!found) throw errors.sessionEnded({ headers: challenge() });
  const { companyId, session } = found;
  const { mode } = credentials;
  if (mode === 'live' && !session.hasLiveKey) throw errors.noKeyOfMode();
  const { accountId, sessionId, roles } = session;
  const testTime = testTimeOf({ companyId, mode }, session.offsetMs);
  return { companyId, accountId, sessionId, roles, keyId: null, mode, testTime };
}
