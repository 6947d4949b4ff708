// Adds and removes the caller's authenticator app, and generates recovery codes. Actions that weaken an account or
// show a secret require the password again.

import { errors, invalidField } from '../base/errors.ts';
import type { TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import { type Confirmation, confirmPassword, type PasswordDeps } from '../passwords/confirm-password.ts';
import { hasSecondFactor } from './check-second-factor.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import {
  confirmTotp,
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  insertTotp,
  readSecondFactors,
} from './store.ts';
import { stepOfCode, toBase32, totpUri } from './totp.ts';
import { decryptTotpSecret, encryptTotpSecret, newTotpSecret } from './totp-secret.ts';

type SecondFactorChange = 'second_factor.added' | 'second_factor.removed' | 'recovery_codes.made';

export async function recordSecondFactorChange(
  tx: TenantTx,
  caller: AccountPrincipal,
  {
    type,
    at,
    ...about
  }: { type: SecondFactorChange; at: Date; factor?: 'totp' | 'passkey'; passkeyId?: string },
): Promise<void> {
  await appendCallerEvent(tx, caller, { type, at, data: { accountId: caller.accountId, ...about } });
}

/** The recovery codes after the first factor was added; null if the account has some. */
export async function createFirstRecoveryCodes(
  tx: TenantTx,
  accountId: string,
  at: Date,
): Promise<string[] | null> {
  const { recoveryCodesLeft } = await readSecondFactors(tx, accountId);
  return recoveryCodesLeft > 0 ? null : await replaceRecoveryCodes(tx, accountId, at);
}

/** Deletes the recovery codes after the last factor was removed. */
export async function dropLastRecoveryCodes(tx: TenantTx, accountId: string): Promise<void> {
  if (!hasSecondFactor(await readSecondFactors(tx, accountId))) await deleteRecoveryCodes(tx, accountId);
}

/** Creates a secret for an app. Logins do not require it before it is confirmed. Throws `second_factor_on`. */
export async function beginTotp(
  deps: PasswordDeps,
  caller: AccountPrincipal,
  confirmation: Confirmation,
): Promise<{ secret: string; uri: string }> {
  const { email } = await confirmPassword(deps, caller, confirmation);
  const { accountId } = caller;
  const secret = newTotpSecret();
  const sealed = encryptTotpSecret(deps.keyring, caller, secret);
  const createdAt = deps.clock.now();
  const isStored = await deps.db.inCompany(
    caller.companyId,
    async (tx) => await insertTotp(tx, { accountId, sealed, createdAt }),
  );
  if (!isStored) throw errors.secondFactorOn();
  return { secret: toBase32(secret), uri: totpUri(secret, email) };
}

/** Enables the app with one of its codes. Throws `second_factor_on`, `no_second_factor` or `invalid_fields`. */
export async function finishTotp(
  deps: PasswordDeps,
  caller: AccountPrincipal,
  otp: string,
): Promise<{ recoveryCodes: string[] | null }> {
  const at = deps.clock.now();
  const { accountId } = caller;
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    const secret = await findTotp(tx, accountId);
    if (!secret) throw errors.noSecondFactor();
    if (secret.confirmedAt) throw errors.secondFactorOn();
    const step = stepOfCode(decryptTotpSecret(deps.keyring, secret), otp, at);
    if (step === null) throw invalidField('otp', 'wrong', 'This is not the current code of the app.');
    // Another request confirmed the secret, or replaced it, meanwhile.
    if (!(await confirmTotp(tx, secret, { step, at }))) throw errors.secondFactorOn();
    await recordSecondFactorChange(tx, caller, { type: 'second_factor.added', at, factor: 'totp' });
    return { recoveryCodes: await createFirstRecoveryCodes(tx, accountId, at) };
  });
}

/** Does nothing if there is none. */
export async function removeTotp(
  deps: PasswordDeps,
  caller: AccountPrincipal,
  confirmation: Confirmation,
): Promise<void> {
  await confirmPassword(deps, caller, confirmation);
  const at = deps.clock.now();
  await deps.db.inCompany(caller.companyId, async (tx) => {
    if (!(await deleteTotp(tx, caller.accountId))) return;
    await recordSecondFactorChange(tx, caller, { type: 'second_factor.removed', at, factor: 'totp' });
    await dropLastRecoveryCodes(tx, caller.accountId);
  });
}

/** Replaces the remaining recovery codes by ten new ones. Throws `no_second_factor`. */
export async function regenerateRecoveryCodes(
  deps: PasswordDeps,
  caller: AccountPrincipal,
  confirmation: Confirmation,
): Promise<{ recoveryCodes: string[] }> {
  await confirmPassword(deps, caller, confirmation);
  const at = deps.clock.now();
  const { accountId } = caller;
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    if (!hasSecondFactor(await readSecondFactors(tx, accountId))) throw errors.noSecondFactor();
    await recordSecondFactorChange(tx, caller, { type: 'recovery_codes.made', at });
    return { recoveryCodes: await replaceRecoveryCodes(tx, accountId, at) };
  });
}
