// Requires the second factor of an account after its password. Wrong codes count for the account, whoever sends them:
// somebody who guesses codes knows the password already, and may have any number of addresses.

import { errors, type FieldError } from '../base/errors.ts';
import type { LoginAccount } from '../companies/account-store.ts';
import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { challenge } from '../http/authentication.ts';
import { actorOf } from '../http/roles.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import { clearLoginFailures, countLoginAttempt, type LoginSource } from '../passwords/login-pause.ts';
import { digestRecoveryCode } from './recovery-codes.ts';
import { findTotp, readSecondFactors, type SecondFactors, useRecoveryCode, useTotpStep } from './store.ts';
import { stepOfCode } from './totp.ts';
import { decryptTotpSecret } from './totp-secret.ts';

/** The second factor of a request. */
export type SecondFactorInput = { otp?: string | undefined; recoveryCode?: string | undefined };

/** The proof beside the password. A passkey needs no password. */
export type Factor = 'none' | 'totp' | 'recovery_code' | 'passkey';

const loginSourceOf = (accountId: string): LoginSource => ({
  account: `second-factor:${accountId}`,
  clients: [],
  isSharedByAll: true,
});

export function hasSecondFactor({ totpConfirmedAt, passkeyCount }: SecondFactors): boolean {
  return totpConfirmedAt !== null || passkeyCount > 0;
}

/** The factors that an account with a second factor can use. */
function missingFactorErrors({ totpConfirmedAt, passkeyCount }: SecondFactors): FieldError[] {
  const asked = { code: 'missing' };
  return [
    ...(totpConfirmedAt
      ? [{ field: 'otp', ...asked, detail: 'Send the code of the authenticator app, or a recoveryCode.' }]
      : []),
    ...(passkeyCount > 0
      ? [{ field: 'passkey', ...asked, detail: 'Sign in with the passkey, or send a recoveryCode.' }]
      : []),
  ];
}

async function consumeOtp(
  deps: LoginDeps,
  tx: TenantTx,
  look: { accountId: string; otp: string; now: Date },
): Promise<boolean> {
  const secret = await findTotp(tx, look.accountId);
  if (!secret?.confirmedAt) return false;
  const step = stepOfCode(decryptTotpSecret(deps.keyring, secret), look.otp, look.now);
  return step !== null && (await useTotpStep(tx, look.accountId, step));
}

async function consumeRecoveryCode(
  tx: TenantTx,
  look: { accountId: string; code: string; now: Date },
): Promise<boolean> {
  const { accountId, now } = look;
  const digest = digestRecoveryCode(accountId, look.code);
  if (!(await useRecoveryCode(tx, { accountId, digest, at: now }))) return false;
  const { recoveryCodesLeft } = await readSecondFactors(tx, accountId);
  await appendEvent(tx, {
    type: 'recovery_code.used',
    isPublic: false,
    actor: actorOf({ accountId }),
    data: { accountId, recoveryCodesLeft },
    at: now,
  });
  return true;
}

/**
 * Uses up the code of a request, if the account needs one. Throws `second_factor_required`, `wrong_second_factor`, and
 * `login_paused` after 10 wrong codes in 30 minutes.
 */
export async function checkSecondFactor(
  deps: LoginDeps,
  who: { companyId: string; accountId: string },
  answer: SecondFactorInput,
  now: Date,
): Promise<Factor> {
  const { companyId, accountId } = who;
  const factors = await deps.db.inCompany(companyId, async (tx) => await readSecondFactors(tx, accountId));
  if (!hasSecondFactor(factors)) return 'none';
  const { otp, recoveryCode } = answer;
  if (otp === undefined && recoveryCode === undefined)
    throw errors.secondFactorRequired({ headers: challenge(), errors: missingFactorErrors(factors) });
  const spent = await countLoginAttempt(deps, loginSourceOf(accountId), now);
  const isRight = await deps.db.inCompany(companyId, async (tx) =>
    otp === undefined
      ? await consumeRecoveryCode(tx, { accountId, code: recoveryCode ?? '', now })
      : await consumeOtp(deps, tx, { accountId, otp, now }),
  );
  if (!isRight) throw errors.wrongSecondFactor({ headers: challenge() });
  await clearLoginFailures(deps, spent);
  return otp === undefined ? 'recovery_code' : 'totp';
}

/** An authenticated account. */
export type Login = { companyId: string; account: LoginAccount; factor: Factor };
