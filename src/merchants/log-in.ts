// Logs an account in: one and the same refusal for an unknown address and a wrong password, in the
// same time; a pause for a client that fails too often at an account, which does not lock the owner out.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { challenge } from '../http/authentication.ts';
import { deriveApiKey, type KeyMode } from './api-keys.ts';
import { normaliseEmail } from './create-company.ts';
import { findNewestApiKey } from './key-store.ts';
import { forgiveTries, spendTry } from './login-pause.ts';
import { verifyPassword } from './passwords.ts';
import { actorOf } from './roles.ts';
import { insertSession } from './session-store.ts';
import { type Account, findAccount, findLogin, holdAccount } from './store.ts';
import { issueToken, tokenLifeSeconds } from './tokens.ts';

export type LoginDeps = { db: Database; clock: Clock; keyring: Keyring; baseUrl: string };

export type LoggedIn = {
  account: Account;
  companyId: string;
  apiKey: string;
  mode: KeyMode;
  token: string;
  expiresAt: Date;
};

// No company has this id: looking there for an unknown address costs what looking for a known one does.
const nowhere = { companyId: 'co_00000000', accountId: 'acc_unknown' };

async function openSession(
  deps: LoginDeps,
  login: { companyId: string; account: Account; mode: KeyMode | null },
  now: Date,
): Promise<LoggedIn> {
  const { companyId, account, mode } = login;
  const sessionId = newId('ses', now);
  const expiresAt = new Date(now.getTime() + tokenLifeSeconds * 1000);
  const key = await deps.db.inTenant(companyId, async (tx) => {
    // Who changes a password or removes an account ends its sessions. A login that checked the password
    // before that and opens its session after it would slip through, so it looks again, and holds on.
    const held = await holdAccount(tx, account.accountId);
    if (!held || held.isDisabled || held.passwordHash !== account.passwordHash)
      throw errors.wrongLogin({ headers: challenge() });
    const found = await findNewestApiKey(tx, mode, now);
    if (!found) throw errors.noKeyOfMode();
    await insertSession(tx, { sessionId, accountId: account.accountId, createdAt: now, expiresAt });
    await appendEvent(tx, {
      type: 'session.opened',
      isPublic: false,
      actor: actorOf(account),
      data: { sessionId },
      at: now,
    });
    return found;
  });
  const token = await issueToken(deps, {
    companyId,
    accountId: account.accountId,
    sessionId,
    roles: account.roles,
    issuedAt: now,
    expiresAt,
  });
  const apiKey = deriveApiKey(deps.keyring, key.mode, key.keyId);
  return { account, companyId, apiKey, mode: key.mode, token, expiresAt };
}

/**
 * Checks address and password and opens a session of 60 minutes. Without a mode it is the one that the company has
 * set whose key is returned. Throws `wrong_login`, `no_key_of_mode`, or `login_paused` after 10 failures in 30
 * minutes from this client.
 */
export async function logIn(
  deps: LoginDeps,
  attempt: { email: string; password: string; mode?: KeyMode | undefined; client: string },
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const email = normaliseEmail(attempt.email);
  const guesser = { email, client: attempt.client };
  await spendTry(deps, guesser, now);
  const login = await deps.db.inSystem(async (tx) => await findLogin(tx, email));
  const where = login ?? nowhere;
  const account = await deps.db.inTenant(
    where.companyId,
    async (tx) => await findAccount(tx, where.accountId),
  );
  const isRight = await verifyPassword(attempt.password, account?.passwordHash ?? null);
  if (!isRight || !account || account.isDisabled) throw errors.wrongLogin({ headers: challenge() });
  await forgiveTries(deps, guesser);
  const mode = attempt.mode ?? null;
  return await openSession(deps, { companyId: where.companyId, account, mode }, now);
}
