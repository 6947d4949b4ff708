// Has a link to a new password mailed to an account that exists. Who asks learns nothing: not whether the address has
// an account, not whether a mail goes out, and not by the time that it takes.

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { deriveToken } from '../base/derived-tokens.ts';
import { normaliseEmail } from '../base/email-address.ts';
import { digestToken, newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { findLogin, lockAccountRow } from '../companies/account-store.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { tryConsume } from '../http/rate-limit.ts';
import { endPasswordResets, insertPasswordReset } from './password-reset-store.ts';

export type ResetDeps = { db: Database; clock: Clock; keyring: Keyring };

const resetTtlMs = 30 * 60 * 1000;
/** Every answer takes at least so long, which is far more than the work does. */
const minResponseMs = 250;
/** So many mails for an account: nobody's mailbox is filled by strangers. */
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
  // The trigger of migrations/0014_dashboard_sessions.sql makes a mail of it.
  await appendEvent(tx, {
    type: 'password.reset_asked',
    isPublic: false,
    // Anybody may ask.
    actor: 'system',
    data: { accountId, resetId },
    at,
  });
}

async function requestIfKnown(deps: ResetDeps, email: string): Promise<void> {
  const login = await deps.db.inSystem(async (tx) => await findLogin(tx, normaliseEmail(email)));
  if (!login || !(await tryConsume(deps.db, { limit, who: login.accountId }))) return;
  await deps.db.inCompany(login.companyId, async (tx) => await insertReset(deps, tx, login.accountId));
}

/** Ends the links of before and has a new one mailed, if the address has an account. Never tells whether it has. */
export async function requestPasswordReset(deps: ResetDeps, email: string): Promise<void> {
  await Promise.all([requestIfKnown(deps, email), pause(minResponseMs)]);
}
