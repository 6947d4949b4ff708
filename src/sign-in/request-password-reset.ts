// Emails a password reset link if the account exists. The response and its duration must not reveal whether it does.

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { deriveToken } from '../base/derived-tokens.ts';
import { normaliseEmail } from '../base/email-address.ts';
import { digestToken, newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { lockAccountRow } from '../companies/account-store.ts';
import { findLoginOf } from '../companies/logins.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { tryConsume } from '../http/rate-limit.ts';
import { endPasswordResets, insertPasswordReset } from './password-reset-store.ts';

export type ResetDeps = { db: Database; clock: Clock; keyring: Keyring };

const resetTtlMs = 30 * 60 * 1000;
/** Minimum duration of every response, far longer than the work. */
const minResponseMs = 250;
/** Limits the emails to an account, so that strangers can't flood its mailbox. */
const limit = { name: 'password_reset', quota: 5, windowSeconds: 3600 };

async function insertReset(deps: ResetDeps, tx: TenantTx, accountId: string): Promise<void> {
  const account = await lockAccountRow(tx, accountId);
  if (!account || account.isDisabled) return;
  const at = deps.clock.now();
  const resetId = newId('rst', at);
  const token = deriveToken(deps.keyring, 'reset', { companyId: tx.companyId, id: resetId });
  await endPasswordResets(tx, accountId, at);
  await insertPasswordReset(tx, {
    resetId,
    accountId,
    tokenDigest: digestToken(token),
    createdAt: at,
    expiresAt: new Date(at.getTime() + resetTtlMs),
  });
  // The trigger of migrations/0014_dashboard_sessions.sql creates the email.
  await appendEvent(tx, {
    type: 'password.reset_asked',
    isPublic: false,
    // Anybody may request it.
    actor: 'system',
    data: { accountId, resetId },
    at,
  });
}

async function requestIfKnown(deps: ResetDeps, email: string): Promise<void> {
  const login = await findLoginOf(deps.db, normaliseEmail(email));
  if (!login || !(await tryConsume(deps.db, { limit, who: login.accountId }))) return;
  await deps.db.inCompany(login.companyId, async (tx) => await insertReset(deps, tx, login.accountId));
}

export async function requestPasswordReset(deps: ResetDeps, email: string): Promise<void> {
  await Promise.all([requestIfKnown(deps, email), pause(minResponseMs)]);
}
