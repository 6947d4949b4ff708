// Adds and removes passkeys of the caller. Both require the password again.

import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { errors, invalidField } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { AccountPrincipal } from '../http/authentication.ts';
import { type Confirmation, confirmPassword, type PasswordDeps } from '../passwords/confirm-password.ts';
import {
  createFirstRecoveryCodes,
  dropLastRecoveryCodes,
  recordSecondFactorChange,
} from './change-second-factor.ts';
import { deletePasskey, insertPasskey, listPasskeys } from './passkey-store.ts';
import { type PasskeyDeps, registrationOptions, verifyRegistration } from './passkeys.ts';

type Deps = PasswordDeps & PasskeyDeps;

/** The options with which a browser creates a passkey. Throws as `confirmPassword` does. */
export async function beginPasskey(deps: Deps, caller: AccountPrincipal, confirmation: Confirmation) {
  const { email } = await confirmPassword(deps, caller, confirmation);
  const { companyId, accountId } = caller;
  const existing = await deps.db.inCompany(companyId, async (tx) => await listPasskeys(tx, accountId));
  return await registrationOptions(deps, { companyId, accountId, email, existing });
}

/** Stores the passkey that a device has created. Throws `invalid_fields` for an invalid response. */
export async function addPasskey(
  deps: Deps,
  caller: AccountPrincipal,
  created: { name: string; response: RegistrationResponseJSON },
): Promise<{ passkeyId: string; name: string; createdAt: Date; recoveryCodes: string[] | null }> {
  const { companyId, accountId } = caller;
  const { name } = created;
  const credential = await verifyRegistration(deps, accountId, created.response);
  const at = deps.clock.now();
  const passkeyId = newId('psk', at);
  return await deps.db.inCompany(companyId, async (tx) => {
    const isStored =
      credential !== null &&
      (await insertPasskey(tx, {
        ...{ passkeyId, accountId, name, createdAt: at },
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
      }));
    const detail = 'This is not a valid response to the options of POST /v1/me/passkeys/options.';
    if (!isStored) throw invalidField('response', 'wrong', detail);
    const change = { type: 'second_factor.added', at, factor: 'passkey', passkeyId } as const;
    await recordSecondFactorChange(tx, caller, change);
    const recoveryCodes = await createFirstRecoveryCodes(tx, accountId, at);
    return { passkeyId, name, createdAt: at, recoveryCodes };
  });
}

/** Removes a passkey. Throws `not_found` for that of another account, and as `confirmPassword` does. */
export async function removePasskey(
  deps: Deps,
  caller: AccountPrincipal,
  order: Confirmation & { passkeyId: string },
): Promise<void> {
  await confirmPassword(deps, caller, order);
  const at = deps.clock.now();
  const { passkeyId } = order;
  await deps.db.inCompany(caller.companyId, async (tx) => {
    if (!(await deletePasskey(tx, caller.accountId, passkeyId))) throw errors.notFound();
    const change = { type: 'second_factor.removed', at, factor: 'passkey', passkeyId } as const;
    await recordSecondFactorChange(tx, caller, change);
    await dropLastRecoveryCodes(tx, caller.accountId);
  });
}
