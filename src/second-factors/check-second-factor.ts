// Requires the second factor of an account after its password. Wrong codes count for the account, not for the client:
// somebody who guesses codes already knows the password, and may have many addresses.

import { errors, type FieldError } from '../base/errors.ts';
import type { LoginAccount } from '../companies/account-store.ts';
import type { TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import { challenge } from '../http/authentication.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import { clearLoginFailures, countLoginAttempt, type LoginSource } from '../passwords/login-pause.ts';
import { digestRecoveryCode } from './recovery-codes.ts';
import { findTotp, readSecondFactors, type SecondFactors, useRecoveryCode, useTotpStep } from './store.ts';
import { stepOfCode } from './totp.ts';
import { decryptTotpSecret } from './totp-secret.ts';

export type SecondFactorInput = { otp?: string | undefined; recoveryCode?: string | undefined };

/** The proof beside the password. A passkey needs no password. */
export type Factor = 'none' | 'totp' | 'recovery_code' | 'passkey';

const loginSourceOf = (accountId: string): LoginSource => ({
  account: `second-factor:${accountId}`,
  clients: [],
  isCounterShared: true,
});

export function hasSecondFactor({ totpConfirmedAt, passkeyCount }: SecondFactors): boolean {
  return totpConfirmedAt !== null || passkeyCount > 0;
}

function missingFactorErrors({ totpConfirmedAt, passkeyCount }: SecondFactors): FieldError[] {
  const missing = { code: 'missing' };
  return [
    ...(totpConfirmedAt
      ? [{ field: 'otp', ...missing, detail: 'Send the code of the authenticator app, or a recoveryCode.' }]
      : []),
    ...(passkeyCount > 0
      ? [{ field: 'passkey', ...missing, detail: 'Sign in with the passkey, or send a recoveryCode.' }]
      : []),
  ];
}

async function consumeOtp(
  deps: LoginDeps,
  tx: TenantTx,
  input: { accountId: string; otp: string; now: Date },
): Promise<boolean> {
  const secret = await findTotp(tx, input.accountId);
  if (!secret?.confirmedAt) return false;
  const step = stepOfCode(decryptTotpSecret(deps.keyring, secret), input.otp, input.now);
  return step !== null && (await useTotpStep(tx, input.accountId, step));
}

async function consumeRecoveryCode(
  tx: TenantTx,
  input: { accountId: string; code: string; now: Date },
): Promise<boolean> {
  const { accountId, now } = input;
  const digest = digestRecoveryCode(accountId, input.code);
  if (!(await useRecoveryCode(tx, { accountId, digest, at: now }))) return false;
  const { recoveryCodesLeft } = await readSecondFactors(tx, accountId);
  await appendCallerEvent(
    tx,
    { accountId },
    { type: 'recovery_code.used', data: { accountId, recoveryCodesLeft }, at: now },
  );
  return true;
}

/** Throws `second_factor_required`, `wrong_second_factor`, and `login_paused` after 10 wrong codes in 30 minutes. */
export async function checkSecondFactor(
  deps: LoginDeps,
  who: { companyId: string; accountId: string },
  input: SecondFactorInput,
  now: Date,
): Promise<Factor> {
  const { companyId, accountId } = who;
  const factors = await deps.db.inCompany(companyId, async (tx) => await readSecondFactors(tx, accountId));
  if (!hasSecondFactor(factors)) return 'none';
  const { otp, recoveryCode } = input;
  if (otp === undefined && recoveryCode === undefined)
    throw errors.secondFactorRequired({ headers: challenge(), errors: missingFactorErrors(factors) });
  const counted = await countLoginAttempt(deps, loginSourceOf(accountId), now);
  const isCorrect = await deps.db.inCompany(companyId, async (tx) =>
    otp === undefined
      ? await consumeRecoveryCode(tx, { accountId, code: recoveryCode ?? '', now })
      : await consumeOtp(deps, tx, { accountId, otp, now }),
  );
  if (!isCorrect) throw errors.wrongSecondFactor({ headers: challenge() });
  await clearLoginFailures(deps, counted);
  return otp === undefined ? 'recovery_code' : 'totp';
}

export type Login = { companyId: string; account: LoginAccount; factor: Factor };
