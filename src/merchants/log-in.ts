// Logs an account in: one and the same refusal for an unknown address and a wrong password, in the
// same time; a pause for a client that fails too often at an account, which does not lock the owner out.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { challenge } from '../http/authentication.ts';
import { deriveApiKey } from './api-keys.ts';
import { normaliseEmail } from './create-company.ts';
import { verifyPassword } from './passwords.ts';
import {
  type Account,
  deleteLoginFailures,
  findAccount,
  findLogin,
  findNewestApiKey,
  insertLoginFailure,
  insertSession,
  type LoginPair,
  listLoginFailures,
  lockLoginPair,
  purgeLoginFailures,
} from './store.ts';
import { issueToken, tokenLifeSeconds } from './tokens.ts';

export type LoginDeps = { db: Database; clock: Clock; keyring: Keyring; baseUrl: string };

export type LoggedIn = {
  account: Account;
  companyId: string;
  apiKey: string;
  token: string;
  expiresAt: Date;
};

const pauseAfterFailures = 10;
const pauseWindowMs = 30 * 60 * 1000;

// No company has this id: looking there for an unknown address costs what looking for a known one does.
const nowhere = { companyId: 'co_00000000', accountId: 'acc_unknown' };

/** Counts this try as a failure before it is judged, so that many at once can't all slip through. */
async function spendTry(deps: LoginDeps, pair: LoginPair, now: Date): Promise<void> {
  const since = new Date(now.getTime() - pauseWindowMs);
  const oldest = await deps.db.inSystem(async (tx) => {
    await lockLoginPair(tx, pair);
    const failures = await listLoginFailures(tx, pair, since, pauseAfterFailures);
    if (failures.length < pauseAfterFailures) await insertLoginFailure(tx, pair, now);
    return failures[pauseAfterFailures - 1];
  });
  if (!oldest) return;
  const waitSeconds = Math.max(1, Math.ceil((oldest.getTime() + pauseWindowMs - now.getTime()) / 1000));
  throw errors.loginPaused({
    detail: `Wait ${waitSeconds} s, then try again. Other clients of this account are not affected.`,
    headers: { 'retry-after': String(waitSeconds) },
  });
}

async function openSession(
  deps: LoginDeps,
  login: { companyId: string; account: Account },
  now: Date,
): Promise<LoggedIn> {
  const { companyId, account } = login;
  const sessionId = newId('ses', now);
  const expiresAt = new Date(now.getTime() + tokenLifeSeconds * 1000);
  const key = await deps.db.inTenant(companyId, async (tx) => {
    await insertSession(tx, { sessionId, accountId: account.accountId, createdAt: now, expiresAt });
    await appendEvent(tx, {
      type: 'session.opened',
      isPublic: false,
      actor: `account:${account.accountId}`,
      data: { sessionId },
      at: now,
    });
    return await findNewestApiKey(tx);
  });
  if (!key) throw errors.wrongLogin({ detail: 'This company has no API key left.', headers: challenge() });
  const token = await issueToken(deps, {
    companyId,
    accountId: account.accountId,
    sessionId,
    roles: account.roles,
    issuedAt: now,
    expiresAt,
  });
  return { account, companyId, apiKey: deriveApiKey(deps.keyring, key.mode, key.keyId), token, expiresAt };
}

/**
 * Checks address and password and opens a session of 60 minutes.
 * Throws `wrong_login`, or `login_paused` after 10 failures in 30 minutes from this client.
 */
export async function logIn(
  deps: LoginDeps,
  attempt: { email: string; password: string; client: string },
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const email = normaliseEmail(attempt.email);
  const digest = (text: string) => deps.keyring.mac('digest', text).toString('base64url');
  const pair = { accountDigest: digest(`login:${email}`), clientDigest: digest(`client:${attempt.client}`) };
  await spendTry(deps, pair, now);
  const login = await deps.db.inSystem(async (tx) => await findLogin(tx, email));
  const where = login ?? nowhere;
  const account = await deps.db.inTenant(
    where.companyId,
    async (tx) => await findAccount(tx, where.accountId),
  );
  const isRight = await verifyPassword(attempt.password, account?.passwordHash ?? null);
  if (!isRight || !account || account.isDisabled) throw errors.wrongLogin({ headers: challenge() });
  await deps.db.inSystem(async (tx) => await deleteLoginFailures(tx, pair));
  return await openSession(deps, { companyId: where.companyId, account }, now);
}

/** Forgets failures that no pause can count any more. Returns how many. */
export async function purgeOldFailures(deps: Pick<LoginDeps, 'db' | 'clock'>): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - pauseWindowMs);
  return await deps.db.inSystem(async (tx) => await purgeLoginFailures(tx, before));
}
